import ArgumentParser
import DynamicInvocation
import Foundation

/// A command that loads libraries and calls their functions, in a process of its own.
///
/// A library that crashes or ends its process then ends only that process, and the program says so.
protocol CommandApart: ParsableCommand {
  /// Returns how the program runs the command.
  func plan() -> CommandRunner.Plan

  /// Runs the command in the process of its own.
  func run(in workplace: Workplace) throws
}

extension CommandApart {
  func plan() -> CommandRunner.Plan { CommandRunner.Plan() }
}

/// The process for a command that calls functions.
///
/// The program starts itself with this command; it is not meant for users. The worker reads lines from one descriptor
/// and writes events to another.
struct WorkerCommand: ParsableCommand {
  static let configuration = CommandConfiguration(commandName: "worker", abstract: "Runs a command.", shouldDisplay: false)

  @Option(name: .long, help: "The descriptor to read lines from.")
  var lines: CInt

  @Option(name: .long, help: "The descriptor to write events to.")
  var events: CInt

  @Flag(name: .long, help: "The process has a process group of its own.")
  var apart = false

  @Argument(parsing: .captureForPassthrough, help: "The command.")
  var words: [String] = []

  func run() throws {
    // Child processes of a callee must not inherit the descriptors: their closing signals that this process has
    // ended.
    for descriptor in [lines, events] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    Self.endWithParent()
    Self.endWithThread()
    // A callee that uses the terminal fails instead of stopping the process for ever.
    if apart { for number in [SIGTTIN, SIGTTOU] { signal(number, SIG_IGN) } }
    guard let command = try InvokeCommand.parseAsRoot(words.arranged) as? any CommandApart else {
      throw ValidationError("'\(words.first ?? "")' needs no process of its own.")
    }
    let workplace = Workplace(lines: lines, events: events)
    workplace.begin(Workplace.command)
    do {
      try command.run(in: workplace)
    } catch {
      let failure = Self.reported(error)
      workplace.finish(status: InvokeCommand.exitCode(for: failure).rawValue)
      throw failure
    }
    workplace.finish(status: 0)
  }

  /// Reports what a command throws.
  private static func reported(_ error: any Error) -> any Error {
    switch error {
    case let error as InvocationError: return error.reported()
    case let thrown as SwiftCaller.Thrown:
      fflush(nil)
      return ReportedError.report(thrown.description)
    default: return error
    }
  }

  /// Ends this process with its parent, on Linux and Android even in the middle of a call.
  ///
  /// On other platforms it ends after the call.
  private static func endWithParent() {
    #if os(Linux) || os(Android)
      // Swift cannot call variadic C functions such as prctl. The constant 1 is PR_SET_PDEATHSIG.
      let prctl = try? DynamicLibrary.process.function("prctl", types: "iiQ", fixedArgumentCount: 1)
      let _: CInt? = try? prctl?(1 as CInt, UInt(SIGKILL))
    #endif
  }

  /// Ends this process when a callee exits the main thread, because other threads could keep the process alive.
  private static func endWithThread() {
    var key = pthread_key_t()
    guard pthread_key_create(&key, { _ in _exit(0) }) == 0 else { return }
    pthread_setspecific(key, UnsafeRawPointer(bitPattern: 1))
  }
}
