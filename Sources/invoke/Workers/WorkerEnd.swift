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
  /// Returns the error of the request that the worker had begun.
  func error(of line: [UInt8], takesWords: Bool) -> InvocationError {
    let callee = Self.callee(line, takesWords: takesWords)
    switch self {
    case .signaled(let number): return InvocationError(.crashed, "\(callee) crashed: \(Self.name(ofSignal: number))")
    case .exited(let status): return InvocationError(.exited, "\(callee) ended its process, with status \(status)")
    case .silenced:
      return InvocationError(.exited, "\(callee) put another program in place of its process, or closed the answers")
    }
  }

  /// Returns a description of what a request calls.
  static func callee(_ line: [UInt8], takesWords: Bool) -> String {
    guard let request = try? CallRequest(line: line, takesWords: takesWords) else { return "the callee" }
    let library = request.library == "-" ? "the process" : "'\(request.library)'"
    return "'\(request.symbol)' of \(library)"
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
