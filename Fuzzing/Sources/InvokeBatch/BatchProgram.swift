public import DynamicInvocation

/// Runs `invoke call --batch` in this process.
///
/// The program itself uses a worker process.
public enum BatchProgram {
  /// Answers every line of a file descriptor.
  ///
  /// - Throws: The system's error if the output cannot be written.
  public static func run(input: CInt, output: CInt) throws {
    let reader = LineReader(input)
    var lines = BatchLines(reader)
    let output = FileOutput(descriptor: output)
    let caller = Caller()
    while true {
      switch lines.buffered() {
      case .request(let line): try output.write(line: caller.answer(line: line))
      case .refused(let error): try output.write(line: error.line)
      case nil where reader.isAtEnd: return
      case nil: reader.fill()
      }
    }
  }
}

/// A line that is a request, as the program parses it.
public struct BatchRequest {
  /// The name of the library.
  public var library: String
  /// The name of the function.
  public var symbol: String
  /// The types as written.
  public var types: String
  /// The number of fixed arguments of a variadic function.
  public var fixedCount: Int?
  /// The dialect of the types.
  public var dialect: TypeEncoding.Dialect
  /// The JSON text of each argument.
  public var arguments: [String]
  /// Whether it reads a variable.
  public var isVariable: Bool
  /// Whether the answer contains the callee's `errno`.
  public var capturesErrno: Bool

  /// Parses a line.
  ///
  /// Returns nil if it is not a request.
  public init?(_ line: [UInt8]) {
    guard let request = try? CallRequest(line: line) else { return nil }
    library = request.library
    symbol = request.symbol
    types = request.types
    fixedCount = request.fixedCount
    dialect = request.dialect
    arguments = request.arguments.map(\.value.text)
    isVariable = request.isVariable
    capturesErrno = request.capturesErrno
  }

  /// The request as a line that calls a function, without layout hints.
  public var line: [UInt8] {
    var text = "{"
    for (name, value) in [("library", library), ("symbol", symbol), ("types", types)] {
      text += "\(JSONValue.string(name).text):\(JSONValue.string(value).text),"
    }
    text += "\"arguments\":[\(arguments.joined(separator: ","))]"
    if let fixedCount { text += ",\"fixed\":\(fixedCount)" }
    if dialect == .gnu { text += ",\"dialect\":\"gnu\"" }
    return Array((text + "}").utf8)
  }
}
