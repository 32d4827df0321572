/// What is known of the modules of the toolchain.
///
/// Their non-frozen types and the ownership of their parameters are part of the stable binary interface. Names of modules
/// are the names in the binary interface, where `_Concurrency` is part of `Swift`.
package enum SwiftToolchain {
  // MARK: Functions

  /// The modules whose public declarations are known: the functions that a symbol does not describe are listed below.
  static let modules: Set<String> = [
    "Swift", "_StringProcessing", "RegexBuilder", "Observation", "Synchronization", "Distributed", "Runtime", "_Differentiation",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
  ]

  /// The exported functions that consume their target.
  static let consuming: Set<String> = [
    "$sSS12makeIteratorSS0B0VyF", "$sSS9UTF16ViewV12makeIteratorAB0D0VyF", "$sSS17UnicodeScalarViewV12makeIteratorAB0E0VyF",
    "$ss26DefaultStringInterpolationV4makeSSyF", "$ss6HasherV8finalizeSiyF",
  ]

  /// The exported functions that are `@unsafe`, although their types are safe.
  static let unsafeFunctions: Set<String> = [
    "$ss22_uncheckedUnsafeAssumeyySbF", "$ss8UTF8SpanV21UnicodeScalarIteratorV5reset11toUncheckedySi_tF",
    "$ss8UTF8SpanV17CharacterIteratorV5reset11toUncheckedySi_tF",
  ]

  /// The types that are `@unsafe`.
  static let unsafeTypes: Set<String> = Set(
    [
      "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer", "UnsafeBufferPointer",
      "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer", "AutoreleasingUnsafeMutablePointer",
      "OpaquePointer", "CVaListPointer", "Unmanaged", "UnsafeContinuation", "UnsafeCurrentTask", "UnownedSerialExecutor",
      "UnownedTaskExecutor", "__VaListBuilder", "__RawDictionaryStorage", "__EmptyDictionarySingleton", "_DictionaryStorage",
      "__RawSetStorage", "__EmptySetSingleton", "_SetStorage", "_HashTable", "_UnsafeBitset",
      "_UnsafePartiallyInitializedContiguousArrayBuffer",
    ].map { "Swift." + $0 })

  // MARK: Types

  /// How the values of a struct or enum are passed, or nil if it is not known.
  package static func passing(of path: String, in module: String) -> SwiftModules.Passing? {
    if frozen[module]?.contains(path) ?? false { return .value }
    return resilient[module]?.contains(path) ?? false ? .address : nil
  }

  static func names(_ text: String) -> Set<String> { Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }
}
