extension SystemV {
  /// The class of an eightbyte (psABI, section 3.2.3).
  enum ArgumentClass: Sendable {
    case none, integer, sse, sseUp, x87, x87Up, memory

    /// Returns the class of an eightbyte that contains parts of two members: rules 4(a) to 4(f) of the classification.
    func merged(with other: ArgumentClass) -> ArgumentClass {
      if self == other || other == .none { return self }
      if self == .none { return other }
      if self == .memory || other == .memory { return .memory }
      if self == .integer || other == .integer { return .integer }
      if [self, other].contains(where: { $0 == .x87 || $0 == .x87Up }) { return .memory }
      return .sse
    }
  }

  /// The classes of a value of at most two eightbytes.
  struct Eightbytes: Sendable, Equatable {
    var first: ArgumentClass = .none
    var second: ArgumentClass = .none

    mutating func merge(_ argumentClass: ArgumentClass, at offset: Int) {
      if offset < 8 { first = first.merged(with: argumentClass) } else { second = second.merged(with: argumentClass) }
    }

    /// Merges the classes of a member that is itself an aggregate and was classified separately.
    mutating func merge(_ aggregate: Eightbytes) {
      first = first.merged(with: aggregate.first)
      second = second.merged(with: aggregate.second)
    }

    /// Whether an argument of these classes is passed in memory.
    var isInMemory: Bool { first == .memory || first == .x87 }

    /// Applies the post-merger cleanup, rule 5.
    ///
    /// It applies to each nested aggregate too, since the classification is recursive.
    mutating func cleanUp() {
      if first == .memory || second == .memory || (second == .x87Up && first != .x87) || (first == .x87 && second != .x87Up) {
        (first, second) = (.memory, .memory)
      }
      if second == .sseUp, first != .sse { second = .sse }
    }
  }

  /// The result of the classification of a whole value.
  enum Classification: Sendable {
    case registers(Eightbytes)
    case x87
    case complexX87
    case memory
  }

  /// Classifies a complete type of at least one byte.
  ///
  /// - Parameter isResult: Whether it is a result: an argument of class X87 is passed in memory.
  static func classify(_ type: TypeEncoding, isResult: Bool = true) throws(InvocationError) -> Classification {
    if case .complex(.longDouble) = type.kind { return .complexX87 }
    try refuseUnsettled(type)
    guard let size = type.size, size <= 16 else { return .memory }
    let classes = classes(of: type, isResult: isResult)
    guard let classes else {
      throw InvocationError(
        .unsupportedType,
        "gcc and clang pass it differently, since they classify arrays, unaligned parts, bit-fields and atomic parts differently",
        encoding: type.description)
    }
    if classes.first == .memory { return .memory }
    if hasFlexibleEnd(type) {
      throw InvocationError(
        .unsupportedType, "an array without elements at the end may be a flexible one, which gcc and clang pass differently",
        encoding: type.description)
    }
    if classes.first == .x87 { return .x87 }
    return .registers(classes)
  }

  /// Returns the classes of a type, or nil if compilers pass it differently.
  private static func classes(of type: TypeEncoding, isResult: Bool) -> Eightbytes? {
    var reader = EightbyteReader(.clang)
    let classes = reader.eightbytes(type)
    func agrees(_ other: Eightbytes) -> Bool {
      if classes == other { return true }
      return !isResult && classes.isInMemory && other.isInMemory
    }
    reader = EightbyteReader(.gcc)
    guard agrees(reader.eightbytes(type)) else { return nil }
    guard reader.dependsOnPacking else { return classes }
    reader = EightbyteReader(.gccPacked)
    return agrees(reader.eightbytes(type)) ? classes : nil
  }

  /// Whether a struct ends with an array without elements.
  ///
  /// C's `char bytes[]` and GNU C's `char bytes[0]` have the same encoding.
  private static func hasFlexibleEnd(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .structure(let record):
      let fields = record.fields ?? []
      if fields.count > 1, case .array(0, _)? = fields.last?.type.kind { return true }
      return fields.contains { hasFlexibleEnd($0.type) }
    case .union(let record): return (record.fields ?? []).contains { hasFlexibleEnd($0.type) }
    case .array(_, let element): return hasFlexibleEnd(element)
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return false
    }
  }
}
