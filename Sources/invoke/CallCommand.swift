import ArgumentParser
import DynamicInvocation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// `invoke call`: one call from the command line, or a batch of them.
struct CallCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Calls a function of a shared library.",
    usage: """
      invoke call [--fixed <count>] [--dialect <dialect>] <library> <symbol> <types> [<argument> ...]
      invoke call --batch [<file>]
      """,
    discussion: """
      Each ARGUMENT is JSON, or a bare word for a string; quote JSON from the \
      shell. Options come before TYPES: every word after it is an argument, so \
      negative numbers need no care.

        integers   17, -5, 1e3. 64 bits are exact; 128-bit ones, and long
                   double, may be strings, which is how they are printed.
        floats     0.1, "nan", "inf", "-inf"
        bool       true, false
        strings    "text", null. An array for * is a char buffer.
        selectors  "name", null
        pointers   null, "0x7f00". For ^T an array is a buffer of T for the
                   time of the call, for ^v of bytes.
        struct     [17, 5], nested as the type is; bit-fields are integers.
        array      [1, 2, 3]
        union      {"member": 0, "value": 17}
        complex    [1.5, -2]

      The result is printed as JSON. When arguments were passed as buffers, a \
      second line shows what the callee left in them. The target and the \
      selector of a method are arguments like any other.

      EXAMPLES:
        invoke call libm.so.6 pow ddd 2 10              1024.0
        invoke call libc.so.6 labs qq -5                5
        invoke call libc.so.6 div '{div_t=ii}ii' 17 5   [3,2]
        invoke call libm.so.6 frexp 'dd^i' 8 '[0]'      0.5
                                                        {"buffers":{"1":[4]}}
        invoke call --fixed 3 libc.so.6 snprintf 'i*Q*d' '[0,0,0,0]' 4 %.1f 2.5
        invoke call - getpid i

      BATCH: Each line is a request,

        {"library": "libm.so.6", "symbol": "pow", "types": "ddd",
         "arguments": [2, 10]}

      with "fixed" and "dialect" where needed, and is answered by a line

        {"result": 1024.0}
        {"error": {"kind": "outOfRange", "message": "..."}}

      in order, with "buffers" beside the result when there are any. A bad line \
      is answered with its error and the rest go on; so is a blank line, save at \
      the end.
      """)

  @Flag(name: .long, help: "Read JSON Lines from FILE, or from standard input when there is none or it is -.")
  var batch = false

  @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
  var fixed: Int?

  @Option(name: .long, help: "The dialect of the type encoding: in next an l has 32 bits, in gnu as many as C's long.")
  var dialect: DialectOption?

  @Argument(
    parsing: .captureForPassthrough,
    help: ArgumentHelp("LIBRARY (- for the process itself), SYMBOL, TYPES, then the arguments.", valueName: "word"))
  var words: [String] = []

  func validate() throws {
    let call = try CallWords(words)
    if batch {
      guard call.positionals.count <= 1 else { throw ValidationError("--batch takes one FILE at most.") }
      guard (call.fixed ?? fixed) == nil, (call.dialect ?? dialect) == nil else {
        throw ValidationError("In a batch, each line has its own \"fixed\" and \"dialect\".")
      }
    } else {
      guard call.positionals.count == 3 else { throw ValidationError("Expected LIBRARY, SYMBOL and TYPES.") }
      if let fixed = call.fixed ?? fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
    }
  }

  func run() throws {
    let call = try CallWords(words)
    if batch { try runBatch(call.positionals.first) } else { try run(call) }
  }

  private func run(_ call: CallWords) throws {
    let request = CallRequest(
      library: call.positionals[0], symbol: call.positionals[1], types: call.positionals[2],
      arguments: call.arguments.map { CallRequest.Argument(word: $0) }, fixedCount: call.fixed ?? fixed,
      dialect: (call.dialect ?? dialect ?? .next).dialect)
    let answer: CallAnswer
    do {
      answer = try Caller().answer(request)
    } catch {
      throw error.reported()
    }
    try FileOutput.standardOutput.write(line: answer.result)
    if let buffers = answer.buffersValue {
      try FileOutput.standardOutput.write(line: .object([JSONValue.Member("buffers", buffers)]))
    }
  }

  private func runBatch(_ path: String?) throws {
    var descriptor: CInt = 0
    var progress: ProgressLine?
    if let path, path != "-" {
      descriptor = open(path, O_RDONLY)
      guard descriptor >= 0 else { throw ReportedError.report("\(path) cannot be opened: \(systemMessage(errno))") }
      progress = ProgressLine(file: path)
    }
    let lines = LineReader(descriptor)
    var runner = BatchRunner(lines, output: .standardOutput, progress: progress)
    try runner.run()
    guard lines.failure == 0 else {
      throw ReportedError.report("the input cannot be read: \(systemMessage(lines.failure))")
    }
  }
}
