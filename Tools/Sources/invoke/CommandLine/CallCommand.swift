import ArgumentParser
import DynamicInvocation

/// `invoke call`: performs one call from the command line, or a batch of calls.
struct CallCommand: CommandApart {
  static let configuration = CommandConfiguration(
    commandName: "call",
    abstract: "Calls a function of a shared library.",
    usage: """
      invoke call [<options>] <library> <declaration> [<argument> ...]
      invoke call [<options>] --header <header> <library> <symbol> [<argument> ...]
      invoke call [<options>] <library> <symbol> <types> [<argument> ...]
      invoke call [--timeout <seconds>] --batch [<file>]
      """,
    discussion: """
      DECLARATION declares the function in C: 'double pow(double, double)'. With \
      --header it is found in a header, which the C compiler's preprocessor reads; \
      --variadic states the types of arguments after '...'. An argument may then be \
      a constant of the header, or several as in O_RDWR|O_CREAT. SYMBOL@VERSION is \
      a version of a symbol.

      Each ARGUMENT is JSON, or a bare word for a string; quote JSON from the \
      shell. Options come before TYPES: every word after it is an argument, so \
      negative numbers need no care. SYMBOL may be an address "0x...".

        integers   17, -5, 1e3, 0x1F. 64 bits are exact; 128-bit ones, and long
                   double, may be strings, which is how they are printed.
        floats     0.1, 0x1.8p-3, "nan", "inf", "-inf"
        bool       true, false
        strings    "text", null. An array for * is a char buffer, and
                   {"address": "0x7f00"} an address.
        selectors  "name", null, "0x7f00"
        pointers   null, "0x7f00". For ^T an array is a buffer of T for the
                   time of the call, and {} one struct or union. For ^v
                   {"int": [1, 2]} states the type, in C or as an encoding as the
                   types are. A string for ^v, ^c or ^C is its bytes and a zero.
        functions  for ^? the name of one in LIBRARY, or "library:name",
                   null, "0x7f00"
        objects    null, "0x7f00": an address, which nothing looks at
        struct     [17, 5], nested as the type is; bit-fields are integers.
                   {"x": 17, "y": 5} if the names of the members are known.
                   What is left out is zero: [], {}
        array      [1, 2, 3], for characters also "text"; the rest is zero
        union      {"member": 0, "value": 17}, or {"name": 17}
        complex    [1.5, -2]

      The result is printed as JSON. When arguments were passed as buffers, or \
      errno was asked for, a second line shows what the callee left. The target \
      and the selector of a method are arguments like any other.

      EXAMPLES:
        invoke call libm.so.6 'double pow(double, double)' 2 10
                                                        1024.0
        invoke call --header zlib.h libz.so.1 crc32 0 '"hello"' 5
                                                        907060870
        invoke call libm.so.6 pow ddd 2 10              1024.0
        invoke call libc.so.6 labs qq -5                5
        invoke call libc.so.6 div '{div_t=ii}ii' 17 5   [3,2]
        invoke call libm.so.6 frexp 'dd^i' 8 '[0]'      0.5
                                                        {"buffers":{"1":[4]}}
        invoke call --fixed 3 libc.so.6 snprintf 'i*Q*d' '[0,0,0,0]' 4 %.1f 2.5
        invoke call --errno libc.so.6 chdir 'i*' /nowhere
                                                        -1
                                                        {"errno":2}
        invoke call --header sys/stat.h libc.so.6 stat /etc/passwd '{}'
        invoke call --follow --header pwd.h libc.so.6 getpwuid 0
        invoke call - getpid i

      The call is made in a process of its own. A callee that crashes or exits \
      is an error like others: one line on standard error, and exit status 1. \
      Set SWIFT_BACKTRACE=enable=yes for a trace of a crash.

      BATCH: Each line is a request, and is answered by a line, in order:

        {"library": "libm.so.6", "symbol": "pow", "types": "ddd", "arguments": [2, 10]}
        {"result": 1024.0}

      Instead of "types": "declaration", or "header" (and "include", "define"), \
      with "variadic" where needed. Further members are "fixed", "dialect", \
      "packed", "aligned", "bitfield", "errno" and "follow". {"library", "symbol", \
      "type"} reads a variable, or the memory at an address, and so does a \
      declaration of a variable. "buffers" and "errno" stand beside the result. A \
      bad line, or a blank one save at the end, is answered with

        {"error": {"kind": "outOfRange", "message": "..."}}

      All lines are answered in one process, so that an address of one line is \
      good in the next. A callee that crashes or exits costs its own line, of \
      kind "crashed" or "exited", and the addresses of the lines before it: the \
      next goes to a new process. What callees print goes to standard error.
      """)

  @Flag(name: .long, help: "Read JSON Lines from FILE, or from standard input when there is none or it is -.")
  var batch = false

  @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
  var fixed: Int?

  @Flag(name: .long, help: "Print the callee's errno, too.")
  var errno = false

  @Option(name: .long, help: ArgumentHelp("End a call that takes longer; in a batch each has as long.", valueName: "seconds"))
  var timeout: Double?

  @Flag(name: .long, help: "Print what the result points to, instead of its address.")
  var follow = false

  @OptionGroup var headers: HeaderOptions

  @Option(name: .long, help: ArgumentHelp("The types of the arguments after '...', in C: 'int, double'.", valueName: "types"))
  var variadic: String?

  @OptionGroup var layout: LayoutOptions

  @Argument(
    help: ArgumentHelp("LIBRARY (- for the process itself), SYMBOL, TYPES, then the arguments.", valueName: "word"),
    completion: SymbolCompletion.symbols)
  var words: [String] = []

  /// Whether a declaration or a header states the types.
  private var isDeclared: Bool { !headers.header.isEmpty || words.count > 1 && words[1].isDeclaration }

  func validate() throws {
    if let fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
    if let timeout, !(timeout > 0 && timeout <= 1e9) { throw ValidationError("--timeout is a number of seconds, \(timeout) is none.") }
    if batch {
      guard words.count <= 1 else { throw ValidationError("--batch takes one FILE at most.") }
      guard fixed == nil, !errno, !follow, layout.isEmpty, headers.request.members.isEmpty, variadic == nil else {
        throw ValidationError("In a batch, each line has its own options; only --timeout is for all.")
      }
    } else if words.count < (isDeclared ? 2 : 3) {
      throw ValidationError("Expected LIBRARY, SYMBOL and TYPES, or LIBRARY and a declaration.")
    }
  }

  func plan() -> CommandRunner.Plan {
    CommandRunner.Plan(batch: batch ? words.first ?? "-" : nil, timeout: timeout.map { Duration.seconds($0) })
  }

  func run(in workplace: Workplace) throws {
    if batch { return answerLines(in: workplace) }
    let request: JSONValue = [
      "library": .string(words[0]), "declaration": isDeclared ? .string(words[1]) : nil, "symbol": isDeclared ? nil : .string(words[1]),
      "types": isDeclared ? nil : .string(words[2]), "variadic": variadic.map { .string($0) }, "fixed": fixed.map { .integer($0) },
      "errno": errno ? true : nil, "follow": follow ? true : nil,
    ]
    try workplace.answer([request, headers.request, layout.request], words: Array(words.dropFirst(isDeclared ? 2 : 3)))
  }

  private func answerLines(in workplace: Workplace) {
    let caller = Caller { workplace.begin($0) }
    workplace.keep(caller)
    while let line = workplace.nextLine() {
      workplace.begin("the callee")
      workplace.print(caller.answer(line: line))
    }
  }
}

extension Workplace {
  /// Answers the request of a command: prints the result, and the rest of the answer on a second line.
  ///
  /// - Parameters:
  ///   - parts: Objects with the members of the request.
  ///   - words: The arguments of a function; nil if the request is to read a variable.
  func answer(_ parts: [JSONValue], words: [String]?) throws {
    let request: CallRequest
    do throws(InvocationError) {
      request = try CallRequest(parts.flatMap(\.members), words: words)
      guard request.isVariable == (words == nil) else {
        throw InvocationError(.typeMismatch, "'\(request.symbol)' is a function, not a variable")
      }
      do throws(InvocationError) { _ = try request.parsedTypes() } catch { throw error.about(request.symbol) }
    } catch {
      // The word in the place of TYPES may be the first argument.
      let isNoType = error.code == .malformedEncoding && error.byteOffset == 0
      let hint = "TYPES is a type encoding such as ddd; or state a declaration in C instead of SYMBOL and TYPES, or --header"
      throw error.reported(hint: isNoType ? hint : nil)
    }
    let caller = Caller { self.begin($0) }
    keep(caller)
    let answer: [JSONValue.Member]
    do throws(InvocationError) { answer = try caller.answer(request).members } catch {
      throw ReportedError.report(error.description)
    }
    print(answer[0].value)
    if answer.count > 1 { print(.object(Array(answer.dropFirst()))) }
  }
}
