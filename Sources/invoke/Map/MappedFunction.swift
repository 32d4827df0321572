import DynamicInvocation

/// A function of numbers and texts, called for rows of values that are read from text.
///
/// The rows are called one by one, so that the program can say which of them ended the process, and print the rows
/// before it.
struct MappedFunction {
  /// The types as written.
  let types: MethodTypes
  let symbol: String
  private let implementation: Implementation
  private let invocation: Invocation
  /// Memory for one value.
  private let value: UnsafeMutableRawPointer
  private let memory = BufferArena()
  /// Owns the texts of a row.
  private let arena = BufferArena()
  private let reader: ValueReader

  /// The size of the largest number.
  private static let largest = 16

  /// Finds a function.
  ///
  /// - Throws: `unsupportedType` for a type that is neither a number nor, as an argument, a C string.
  init(_ symbol: String, library: String, types: MethodTypes) throws(InvocationError) {
    self.types = types
    guard case .scalar = types.result.kind else {
      throw InvocationError(.unsupportedType, "a result in a column is a number", argument: .result, encoding: types.result.description)
        .about(symbol)
    }
    for (index, type) in types.arguments.enumerated() {
      switch type.kind {
      case .scalar, .cString: continue
      case .pointer where type.isBytePointer: continue
      default:
        throw InvocationError(
          .unsupportedType, "an argument in a column is a number or a text", argument: .index(index), encoding: type.description
        ).about(symbol)
      }
    }
    // A C string is an address, which the invocation does not copy.
    let words = MethodTypes(result: types.result, arguments: types.arguments.map(\.asAddress))
    let owner = library == "-" ? DynamicLibrary.process : try DynamicLibrary(library)
    let function = try owner.function(symbol, MethodSignature(words))
    self.symbol = symbol
    implementation = function.implementation
    invocation = Invocation(function.methodSignature, retainsArguments: false)
    value = try memory.allocate(byteCount: Self.largest)
    reader = ValueReader(arena: arena) { (name) throws(InvocationError) in
      throw InvocationError(.unsupportedType, "'\(name)' is not a number")
    }
  }

  /// Reads the arguments of a row from its fields.
  ///
  /// Texts are kept until the next row is read.
  ///
  /// - Throws: An error with the function and the argument.
  func read(_ fields: [String]) throws(InvocationError) {
    arena.freeAll()
    var reader = reader
    for (index, type) in types.arguments.enumerated() {
      do throws(InvocationError) {
        value.initializeMemory(as: UInt8.self, repeating: 0, count: Self.largest)
        try reader.read(Self.value(of: fields[index], type), as: type, into: value)
        try invocation.setArgument(from: value, at: index)
      } catch {
        throw error.at(.index(index)).about(symbol)
      }
    }
  }

  /// Calls the function with the arguments that were read.
  func call() throws(InvocationError) -> JSONValue {
    try invocation.call(implementation)
    try invocation.getReturnValue(into: value)
    return ValueWriter.value(of: types.result, at: value)
  }

  private static func value(of field: String, _ type: TypeEncoding) -> JSONValue {
    if case .cString = type.kind { return .string(field) }
    if type.isBytePointer { return .string(field) }
    switch field {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return WrittenNumber(decimal: field) == nil ? .string(field) : .number(field)
    }
  }
}
