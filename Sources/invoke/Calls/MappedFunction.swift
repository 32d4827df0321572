import DynamicInvocation

/// A function of numbers and texts, called for many rows of values that are read from text.
struct MappedFunction {
  /// The types as written.
  let types: MethodTypes
  private let function: ForeignFunction

  /// The distance between the values of two rows: the size of the largest number.
  private static let stride = 16

  /// Finds a function.
  ///
  /// - Throws: `unsupportedType` for a type that is neither a number nor, as an argument, a C string.
  init(_ symbol: String, library: String, types: MethodTypes) throws(InvocationError) {
    self.types = types
    guard case .scalar = types.result.kind else {
      throw InvocationError(.unsupportedType, "a result in a column is a number", argument: .result, encoding: types.result.description)
    }
    for (index, type) in types.arguments.enumerated() {
      switch type.kind {
      case .scalar, .cString: continue
      default:
        throw InvocationError(
          .unsupportedType, "an argument in a column is a number or a text", argument: .index(index), encoding: type.description)
      }
    }
    // A C string is an address, which the batch does not copy.
    let words = MethodTypes(result: types.result, arguments: types.arguments.map(\.asAddress))
    let owner = library == "-" ? DynamicLibrary.process : try DynamicLibrary(library)
    function = try owner.function(symbol, MethodSignature(words))
  }

  /// The values of some rows.
  struct Rows {
    fileprivate let memory: [UnsafeMutableRawPointer]
    fileprivate let arena: BufferArena
    fileprivate(set) var count = 0
  }

  /// Returns memory for rows.
  func rows(capacity: Int) throws(InvocationError) -> Rows {
    let arena = BufferArena()
    var memory: [UnsafeMutableRawPointer] = []
    for _ in types.arguments { memory.append(try arena.allocate(byteCount: capacity * Self.stride)) }
    return Rows(memory: memory, arena: arena)
  }

  /// Appends a row that is read from its fields.
  func append(_ fields: [String], to rows: inout Rows) throws(InvocationError) {
    var reader = ValueReader(arena: rows.arena) { (name) throws(InvocationError) in
      throw InvocationError(.unsupportedType, "'\(name)' is not a number")
    }
    for (index, type) in types.arguments.enumerated() {
      do {
        try reader.read(Self.value(of: fields[index], type), as: type, into: rows.memory[index] + rows.count * Self.stride)
      } catch {
        throw error.at(.index(index))
      }
    }
    rows.count += 1
  }

  private static func value(of field: String, _ type: TypeEncoding) -> JSONValue {
    if case .cString = type.kind { return .string(field) }
    switch field {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default: return DecimalNumber(field) == nil ? .string(field) : .number(field)
    }
  }

  /// Calls the function for each row.
  func call(_ rows: Rows) throws(InvocationError) -> [JSONValue] {
    guard case .scalar(let scalar) = types.result.kind else { return [] }
    switch scalar {
    case .bool: return try results(rows, Bool.self)
    case .int8: return try results(rows, Int8.self)
    case .uint8: return try results(rows, UInt8.self)
    case .int16: return try results(rows, Int16.self)
    case .uint16: return try results(rows, UInt16.self)
    case .int32: return try results(rows, Int32.self)
    case .uint32: return try results(rows, UInt32.self)
    case .int64: return try results(rows, Int64.self)
    case .uint64: return try results(rows, UInt64.self)
    case .int128: return try results(rows, Int128.self)
    case .uint128: return try results(rows, UInt128.self)
    case .float16:
      #if os(macOS) && arch(x86_64)
        throw InvocationError(.unsupportedType, "this platform has no such number", argument: .result)
      #else
        return try results(rows, Float16.self)
      #endif
    case .float: return try results(rows, Float.self)
    case .double: return try results(rows, Double.self)
    case .longDouble: return try results(rows, LongDouble.self)
    }
  }

  private func results<Result: EncodedValue & BitwiseCopyable>(
    _ rows: Rows, _ type: Result.Type
  ) throws(InvocationError) -> [JSONValue] {
    let start = UnsafeMutablePointer<Result>.allocate(capacity: max(1, rows.count))
    defer { start.deallocate() }
    let results = UnsafeMutableBufferPointer(start: start, count: rows.count)
    let columns = zip(rows.memory, function.methodSignature.types.arguments).map { memory, type in
      ArgumentColumn(memory, stride: Self.stride, count: rows.count, as: type)
    }
    try function.callEach(rows: rows.count, columns, results: results)
    return results.indices.map { ValueWriter.value(of: types.result, at: UnsafeRawPointer(start + $0)) }
  }
}
