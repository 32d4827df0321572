#if Tools
  import ArgumentParser
  import DynamicInvocation
  import Foundation

  /// A command that loads libraries and calls their functions, in a process of its own.
  ///
  /// A library that crashes or ends its process then ends only that process, and the program says so.
  protocol CommandApart: ParsableCommand {
    /// Returns how the program runs the command.
    func plan() throws -> CommandRunner.Plan

    /// Runs the command in the process of its own.
    func run(in workplace: Workplace) throws
  }

  extension CommandApart {
    func plan() throws -> CommandRunner.Plan { CommandRunner.Plan() }
  }

  /// The process in which a command runs that calls functions.
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
      guard let command = try InvokeCommand.parseAsRoot(words) as? any CommandApart else {
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

  /// What connects a command in a process of its own with the program: lines that come, and events that go.
  ///
  /// If the program is gone, or a callee has closed the descriptors, the process ends.
  final class Workplace {
    /// The subject of a command while it calls nothing.
    static let command = "the command"

    /// The number of bytes of events that may wait.
    private static let mostWaiting = 1 << 16

    private let reader: LineReader
    private let output: FileOutput
    private let process = getpid()
    private var events: [UInt8] = []
    /// What keeps libraries loaded.
    private var kept: [Any] = []

    init(lines: CInt, events: CInt) {
      reader = LineReader(lines, limit: .max)
      output = FileOutput(descriptor: events)
    }

    private func send(_ event: WorkerEvent) {
      // A callee that forks returns here twice.
      if getpid() != process { _exit(0) }
      event.write(to: &events)
      if events.count > Self.mostWaiting { flush() }
    }

    private func flush() {
      guard !events.isEmpty else { return }
      // What a callee wrote to the descriptor is a line of its own.
      do throws(FileOutput.Failure) { try output.write([0x0A] + events) } catch { _exit(1) }
      events.removeAll(keepingCapacity: true)
    }

    // MARK: Lines

    /// Returns the next line, or nil at the end.
    func nextLine() -> [UInt8]? {
      while true {
        if case .bytes(let line)? = reader.buffered() { return line }
        if reader.isAtEnd { return nil }
        flush()
        reader.fill()
      }
    }

    /// States that all output of the line was printed.
    func finishLine() { send(.done) }

    /// States that the command has reached its end, and waits until its output is printed.
    func finish(status: CInt) {
      send(.finished(status))
      flush()
      while nextLine() != nil {}
    }

    // MARK: Output

    /// Prints text.
    func print(_ text: String) {
      for line in text.split(separator: "\n", omittingEmptySubsequences: false) { send(.output(Array(line.utf8))) }
    }

    /// Prints a value.
    func print(_ value: JSONValue) {
      var bytes: [UInt8] = []
      value.write(to: &bytes)
      print(line: bytes)
    }

    /// Prints a line of any bytes.
    func print(line: [UInt8]) { send(.output(line)) }

    // MARK: Calls

    /// States what ends the process if it ends from now on.
    func begin(_ subject: String) {
      send(.subject(subject))
      flush()
    }

    /// Runs code of a library.
    func calling<Result, Failure: Error>(_ subject: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      begin(subject)
      defer { send(.subject(Self.command)) }
      return try body()
    }

    /// Loads a library, whose initializers run, and keeps what is made of it until the command has reached its end.
    func calling<Result, Failure: Error>(library: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      let result = try calling(library == "-" ? "the process" : "library '\(library)'", body)
      keep(result)
      return result
    }

    /// Keeps what keeps libraries loaded until the command has reached its end: their exit handlers run after it.
    func keep(_ owner: Any) { kept.append(owner) }
  }
#endif
