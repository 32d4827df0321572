internal import CFFIShim
internal import CallFrames

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// What is known about modules that were built for library evolution.
///
/// In such a module a struct or enum that is not frozen is passed by address, in calls inside the module too. The
/// metadata of a type does not state it. For the modules of the toolchain a table lists these types; they are part of
/// the stable binary interface. For other modules the exported symbols of the library show it for enums.
enum SwiftModules {
  /// How the values of a type are passed.
  enum Passing: Equatable, Sendable {
    /// By their parts.
    case value
    /// By address.
    case address
    /// Unknown, with the reason.
    case unknown(String)
  }

  private static let known: Locked<[String: SymbolSearch]> = Locked([:])

  /// Returns how the values of a struct or enum are passed.
  ///
  /// - Complexity: The first type of a module that is not part of the toolchain reads the names of all exported symbols
  ///   of the process.
  static func passing(of metadata: SwiftMetadata) -> Passing {
    let name = qualifiedName(metadata.name)
    guard let dot = name.firstIndex(of: ".") else { return .value }
    let module = String(name[..<dot])
    if let types = resilient[module] { return types.contains(String(name[name.index(after: dot)...])) ? .address : .value }
    let symbols = symbols(of: module)
    guard symbols.isResilient else { return .value }
    if metadata.kind == .enumeration, let mangled = _mangledTypeName(metadata.type) {
      // The descriptor of a case contains the name of the case after that of the enum.
      let type = "$s" + mangled
      let rests = symbols.cases.filter { $0.hasPrefix(type) }.map { Array($0.utf8.dropFirst(type.utf8.count)) }
      return rests.contains(where: beginsWithCase) ? .address : .value
    }
    return .unknown(
      "its module '\(module)' was built for library evolution, and its symbols do not state whether the type is frozen")
  }

  /// Whether the rest of the name of a descriptor begins with the name of a case, and not with that of a nested type.
  ///
  /// The letter of its kind follows the name of a type.
  private static func beginsWithCase(_ rest: [UInt8]) -> Bool {
    let digits = rest.prefix { (0x30...0x39).contains($0) }
    guard let length = Int(String(decoding: digits, as: UTF8.self)), digits.first != 0x30 else { return !digits.isEmpty }
    let next = digits.count + length
    return next < rest.count && !"VOC".utf8.contains(rest[next])
  }

  private static func symbols(of module: String) -> SymbolSearch {
    if let symbols = known.withLock({ $0[module] }) { return symbols }
    var search = SymbolSearch(prefix: "$s\(module.utf8.count)\(module)")
    unsafe withUnsafeMutablePointer(to: &search) { context in
      unsafe cffi_visit_process_symbols(
        { name, context in
          // The context is the search above, valid during the visit.
          unsafe context?.assumingMemoryBound(to: SymbolSearch.self).pointee.add(name)
        }, context)
    }
    known.withLock { [search] in $0[module] = search }
    return search
  }

  /// Returns the name without generic arguments: `Swift.Array.Index` of `Swift.Array<Swift.Int>.Index`.
  static func qualifiedName(_ name: String) -> String {
    var result = ""
    var depth = 0
    for character in name {
      switch character {
      case "<": depth += 1
      case ">" where depth > 0: depth -= 1
      default: if depth == 0 { result.append(character) }
      }
    }
    // (extension in Module):Type.Nested
    if result.hasPrefix("(extension in "), let end = result.firstIndex(of: ":") { result = String(result[result.index(after: end)...]) }
    return result
  }

  /// Looks for the symbols that only a module built for library evolution exports.
  private struct SymbolSearch: Sendable {
    /// The beginning of the names of the module's symbols.
    let prefix: String
    /// Whether the module was built for library evolution.
    var isResilient = false
    /// The descriptors of the cases of enums that are not frozen.
    var cases: [String] = []

    init(prefix: String) {
      self.prefix = prefix
    }

    mutating func add(_ name: UnsafePointer<CChar>) {
      guard unsafe strncmp(name, prefix, prefix.utf8.count) == 0 else { return }
      // Dispatch thunks, method look-up functions, and descriptors of the cases of enums that are not frozen.
      let length = unsafe strlen(name)
      switch unsafe String(cString: name + (length - 2)) {
      case "WC":
        unsafe cases.append(String(cString: name))
        isResilient = true
      case "Tj", "Mu": isResilient = true
      default: break
      }
    }
  }
}

extension SwiftModules {
  /// The modules of the toolchain that are built for library evolution, and their public structs and enums that are not
  /// frozen.
  ///
  /// Source: the module interfaces of the Swift 6.3 toolchain.
  private static let resilient: [String: Set<String>] = [
    "Swift": [
      "CodingUserInfoKey", "CollectionDifference", "DecodingError", "DecodingError.Context", "DiscontiguousSlice",
      "DiscontiguousSlice.Index", "EncodingError", "EncodingError.Context", "FloatingPointRoundingRule",
      "KeyedDecodingContainer", "KeyedEncodingContainer", "Mirror", "Mirror.AncestorRepresentation",
      "Mirror.DisplayStyle", "RangeSet", "RangeSet.Ranges", "UTF8Span.CharacterIterator",
      "Unicode.CanonicalCombiningClass", "Unicode.GeneralCategory", "Unicode.NumericType",
      "Unicode.Scalar.Properties", "Unicode._CharacterRecognizer", "Unicode._RandomAccessWordRecognizer",
      "Unicode._WordRecognizer", "_StringRepresentation", "_StringRepresentation._Form",
    ],
    "_Concurrency": [
      "AsyncCompactMapSequence", "AsyncCompactMapSequence.Iterator", "AsyncDropFirstSequence",
      "AsyncDropFirstSequence.Iterator", "AsyncDropWhileSequence", "AsyncDropWhileSequence.Iterator",
      "AsyncFilterSequence", "AsyncFilterSequence.Iterator", "AsyncFlatMapSequence", "AsyncFlatMapSequence.Iterator",
      "AsyncMapSequence", "AsyncMapSequence.Iterator", "AsyncPrefixSequence", "AsyncPrefixSequence.Iterator",
      "AsyncPrefixWhileSequence", "AsyncPrefixWhileSequence.Iterator", "AsyncStream", "AsyncStream.Continuation",
      "AsyncStream.Continuation.BufferingPolicy", "AsyncStream.Continuation.Termination",
      "AsyncStream.Continuation.YieldResult", "AsyncStream.Iterator", "AsyncThrowingCompactMapSequence",
      "AsyncThrowingCompactMapSequence.Iterator", "AsyncThrowingDropWhileSequence",
      "AsyncThrowingDropWhileSequence.Iterator", "AsyncThrowingFilterSequence",
      "AsyncThrowingFilterSequence.Iterator", "AsyncThrowingFlatMapSequence", "AsyncThrowingFlatMapSequence.Iterator",
      "AsyncThrowingMapSequence", "AsyncThrowingMapSequence.Iterator", "AsyncThrowingPrefixWhileSequence",
      "AsyncThrowingPrefixWhileSequence.Iterator", "AsyncThrowingStream", "AsyncThrowingStream.Continuation",
      "AsyncThrowingStream.Continuation.BufferingPolicy", "AsyncThrowingStream.Continuation.Termination",
      "AsyncThrowingStream.Continuation.YieldResult", "AsyncThrowingStream.Iterator", "CancellationError",
      "CheckedContinuation", "ContinuousClock", "ContinuousClock.Instant", "SuspendingClock",
      "SuspendingClock.Instant", "TaskGroup.Iterator", "TaskPriority", "ThrowingTaskGroup.Iterator",
      "UnsafeCurrentTask",
    ],
    "_StringProcessing": [
      "AnyRegexOutput", "AnyRegexOutput.Element", "Regex", "Regex.Match", "RegexRepetitionBehavior",
      "RegexSemanticLevel", "RegexWordBoundaryKind", "_RegexFactory",
    ],
    "RegexBuilder": [
      "AlternationBuilder", "Anchor", "Capture", "CharacterClass", "ChoiceOf", "Local", "Lookahead",
      "NegativeLookahead", "One", "OneOrMore", "Optionally", "Reference", "RegexComponentBuilder", "Repeat",
      "TryCapture", "ZeroOrMore",
    ],
    "Observation": [
      "ObservationRegistrar", "Observations", "Observations.Iteration", "Observations.Iterator",
    ],
    "Synchronization": [],
    "Distributed": [
      "DistributedActorCodingError", "ExecuteDistributedTargetError", "ExecuteDistributedTargetError.ErrorCode",
      "LocalTestingActorID", "LocalTestingDistributedActorSystemError", "LocalTestingInvocationEncoder",
      "LocalTestingInvocationResultHandler", "RemoteCallArgument", "RemoteCallTarget",
    ],
  ]
}
