import DynamicInvocation
import Foundation

/// What a worker tells the program: a line that begins with a mark.
enum WorkerEvent {
  /// From now on it is the callee that ends the process: the subject of the sentence that says how.
  ///
  /// For a line it is also the beginning of its time.
  case subject(String)
  /// A line of output.
  case output([UInt8])
  /// A line that the worker was given is done.
  case done
  /// The command has reached its end, with an exit status.
  case finished(CInt)

  private static let (subjectMark, outputMark) = (UInt8(ascii: ">"), UInt8(ascii: "="))
  private static let (doneMark, finishedMark) = (UInt8(ascii: "."), UInt8(ascii: "!"))

  /// Reads an event; nil for any other line.
  init?(_ line: [UInt8]) {
    let rest = line.dropFirst()
    switch line.first {
    case Self.subjectMark: self = .subject(String(decoding: rest.map { $0 == 0 ? 0x0A : $0 }, as: UTF8.self))
    case Self.outputMark: self = .output(Array(rest))
    case Self.doneMark where rest.isEmpty: self = .done
    case Self.finishedMark:
      guard let status = CInt(String(decoding: rest, as: UTF8.self)) else { return nil }
      self = .finished(status)
    default: return nil
    }
  }

  /// Appends the event, with a newline at its end.
  func write(to bytes: inout [UInt8]) {
    switch self {
    case .subject(let text):
      bytes.append(Self.subjectMark)
      // The name of a library may have a newline, but no zero.
      bytes += text.utf8.lazy.map { $0 == 0x0A ? 0 : $0 }
    case .output(let line):
      bytes.append(Self.outputMark)
      bytes += line
    case .done: bytes.append(Self.doneMark)
    case .finished(let status):
      bytes.append(Self.finishedMark)
      bytes += "\(status)".utf8
    }
    bytes.append(0x0A)
  }
}

/// How a worker ended.
enum WorkerEnd {
  case exited(CInt)
  case signaled(CInt)
  /// The worker closed its descriptor but its process continues, for example because a callee replaced the program
  /// with `exec`.
  case silenced

  /// Creates the end that a process reports to `waitpid`.
  init(status: CInt) { self = status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F) }

  /// Reports a crash that cannot be attributed to a call.
  func noteLateCrash() {
    guard case .signaled(let number) = self else { return }
    try? FileOutput.standardError.write(line: "Warning: the worker crashed after its calls: \(Self.name(ofSignal: number))")
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

  /// Returns the name of a signal and its description by the system: `signal SIGSEGV, Segmentation fault`.
  private static func name(ofSignal number: CInt) -> String {
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

extension InvocationError.Code {
  /// A signal ended the callee's process.
  static let crashed = InvocationError.Code(rawValue: "crashed")
  /// The callee ended its process.
  static let exited = InvocationError.Code(rawValue: "exited")
  /// The callee exceeded the timeout.
  static let timedOut = InvocationError.Code(rawValue: "timedOut")
}
