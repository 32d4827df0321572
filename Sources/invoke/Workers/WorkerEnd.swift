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

extension InvocationError.Code {
  /// A signal ended the callee's process.
  static let crashed = InvocationError.Code(rawValue: "crashed")
  /// The callee ended its process.
  static let exited = InvocationError.Code(rawValue: "exited")
  /// The callee exceeded the timeout.
  static let timedOut = InvocationError.Code(rawValue: "timedOut")
}

extension Worker.End {
  /// Creates the end that a process reports to `waitpid`.
  init(status: CInt) { self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F) }

  /// Reports a crash that cannot be attributed to a call.
  static func noteLateCrash(_ signal: CInt) {
    try? FileOutput.standardError.write(line: "Warning: the worker crashed after its calls: \(name(ofSignal: signal))")
  }

  /// Returns the error of what was called when the process ended.
  func error(of callee: String) -> InvocationError {
    switch self {
    case .signaled(let number): return InvocationError(.crashed, "\(callee) crashed: \(Self.name(ofSignal: number))")
    case .exited(let status): return InvocationError(.exited, "\(callee) ended its process, with status \(status)")
    case .silenced:
      return InvocationError(.exited, "\(callee) put another program in place of its process, or closed the answers")
    }
  }

  /// Returns a description of what a request calls.
  ///
  /// - Parameter hasReturned: Whether the callee has returned, and its result is read.
  static func callee(_ line: [UInt8], takesWords: Bool, hasReturned: Bool = false) -> String {
    guard let request = try? CallRequest(line: line, takesWords: takesWords) else { return "the callee" }
    let callee = callee(request.symbol, library: request.library)
    guard hasReturned else { return callee }
    return request.isVariable ? "reading \(callee)" : "\(callee) returned; reading its result"
  }

  /// Returns a description of a function.
  static func callee(_ symbol: String, library: String) -> String {
    "'\(symbol)' of \(library == "-" ? "the process" : "'\(library)'")"
  }

  /// Returns the name of a signal and its description by the system: `signal SIGSEGV, Segmentation fault`.
  static func name(ofSignal number: CInt) -> String {
    let text = strsignal(number).map { ", " + String(cString: $0) } ?? ""
    return "signal \(names[number] ?? "\(number)")\(text)"
  }

  private static let names: [CInt: String] = [
    SIGABRT: "SIGABRT", SIGALRM: "SIGALRM", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE", SIGHUP: "SIGHUP", SIGILL: "SIGILL", SIGINT: "SIGINT",
    SIGKILL: "SIGKILL", SIGPIPE: "SIGPIPE", SIGPROF: "SIGPROF", SIGQUIT: "SIGQUIT", SIGSEGV: "SIGSEGV", SIGSYS: "SIGSYS",
    SIGTERM: "SIGTERM", SIGTRAP: "SIGTRAP", SIGUSR1: "SIGUSR1", SIGUSR2: "SIGUSR2", SIGVTALRM: "SIGVTALRM", SIGXCPU: "SIGXCPU",
    SIGXFSZ: "SIGXFSZ",
  ]
}
