import DynamicInvocation
import Foundation
import Synchronization

/// A process of this program that runs a command, connected by two pipes: the worker.
///
/// A callee that crashes or exits ends only this process.
final class WorkerProcess {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The lowest number of the worker's descriptors.
  ///
  /// Callees are unlikely to close or write to descriptors as high as this.
  private static let leastDescriptor: CInt = 100

  private let events: CInt
  private let process: pid_t
  private var lines: CInt
  private let reader: LineReader
  /// The part of the line that was not written yet.
  private var outgoing: ArraySlice<UInt8> = []
  private var status: CInt?

  /// Starts the process of a command.
  ///
  /// - Parameter isApart: Whether callees have no standard input and print to standard error. Otherwise they have the
  ///   standard input and output of this program.
  init(_ words: [String], isApart: Bool) throws {
    let (lineEnd, lines) = try Self.makePipe()
    let (events, eventEnd) = try Self.makePipe()
    let theirs = [lineEnd, eventEnd].map(Self.moved)
    defer { for descriptor in theirs { close(descriptor) } }
    for descriptor in [lines, events] {
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }
    let options = ["worker", "--lines", "\(theirs[0])", "--events", "\(theirs[1])"]
    do {
      process = try Self.spawn(options + (isApart ? ["--apart"] : []) + words, isApart)
    } catch {
      close(lines)
      close(events)
      throw error
    }
    self.lines = lines
    self.events = events
    reader = LineReader(events, limit: .max, takesUnended: false)
  }

  deinit {
    endLines()
    close(events)
  }

  // MARK: Lines

  /// Passes a line to the worker, as much of it as the pipe accepts; ``wait()`` writes the rest.
  func hand(_ line: [UInt8]) {
    outgoing = (line + [0x0A])[...]
    writeLine()
  }

  /// Writes what the pipe accepts.
  ///
  /// If the worker has ended, the line is discarded. The end is detected elsewhere.
  private func writeLine() {
    while !outgoing.isEmpty {
      let count = outgoing.withUnsafeBytes { write(lines, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { return }
      outgoing = count > 0 ? outgoing.dropFirst(count) : []
    }
  }

  /// Closes the pipe of the lines, after which the worker ends.
  func endLines() {
    if lines >= 0 { close(lines) }
    lines = -1
  }

  // MARK: Events

  /// Waits for events or for room for the line, up to a tenth of a second: the descriptors do not report the end of the
  /// process while a child of the worker has them open.
  func wait() {
    var waiting = [
      pollfd(fd: events, events: Int16(POLLIN), revents: 0), pollfd(fd: outgoing.isEmpty ? -1 : lines, events: Int16(POLLOUT), revents: 0),
    ]
    _ = poll(&waiting, 2, 100)
    if waiting[0].revents != 0 { reader.fill() }
    if waiting[1].revents != 0 { writeLine() }
  }

  /// Reads the available bytes without waiting.
  ///
  /// - Returns: Whether any bytes were read.
  func readEvents() -> Bool { reader.fill() }

  /// Returns the next event of the bytes that were read already.
  func nextEvent() -> WorkerEvent? {
    while case .bytes(let line)? = reader.buffered() {
      // A callee that found the descriptor has written a line that is not an event.
      if let event = WorkerEvent(line) { return event }
    }
    return nil
  }

  // MARK: The end

  /// Returns whether the process has closed its descriptor, or has ended while other processes have it open.
  func hasEnded() -> Bool {
    if status == nil { collect(WNOHANG) }
    return status != nil || reader.isAtEnd
  }

  /// Waits up to a second for a process that has closed its descriptor, and kills it if it has not ended by then.
  func end() -> WorkerEnd {
    for _ in 0..<100 where status == nil {
      collect(WNOHANG)
      if status == nil { usleep(10_000) }
    }
    guard let status else {
      kill()
      return .silenced
    }
    return WorkerEnd(status: status)
  }

  /// Kills the process.
  func kill() {
    guard status == nil else { return }
    Foundation.kill(process, SIGKILL)
    collect(0)
  }

  private func collect(_ options: CInt) {
    var collected: CInt = 0
    while true {
      let result = waitpid(process, &collected, options)
      if result < 0, errno == EINTR { continue }
      if result == process { status = collected }
      // The exit status is unknown: the process was reaped elsewhere, for example because SIGCHLD is ignored.
      if result < 0 { status = 0 }
      return
    }
  }

  // MARK: The start

  private static func makePipe() throws -> (reading: CInt, writing: CInt) {
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw Failure(description: "no pipe to the worker: \(systemMessage(errno))") }
    return (ends[0], ends[1])
  }

  /// Returns a copy of a descriptor with a high number, and closes the original.
  private static func moved(_ descriptor: CInt) -> CInt {
    let copy = fcntl(descriptor, F_DUPFD, leastDescriptor)
    guard copy >= 0 else { return descriptor }
    close(descriptor)
    return copy
  }

  /// Starts this program with other words.
  private static func spawn(_ words: [String], _ isApart: Bool) throws -> pid_t {
    #if canImport(Darwin) || canImport(Android)
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #else
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // This program ignores SIGPIPE, and a child process inherits that. Callees get the default disposition.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    var flags = POSIX_SPAWN_SETSIGDEF
    if isApart {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
      // Standard error may be closed.
      if fcntl(2, F_GETFD) >= 0 {
        posix_spawn_file_actions_adddup2(&actions, 2, 1)
      } else {
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
      }
      // A signal that a callee sends to its process group is not meant for the program, nor for the shell that started it.
      // A single call stays in the group of the terminal, which its callee may read.
      flags |= POSIX_SPAWN_SETPGROUP
      posix_spawnattr_setpgroup(&attributes, 0)
    }
    posix_spawnattr_setflags(&attributes, numericCast(flags))

    // A crash is reported in one line. Users who want a backtrace set this variable.
    let environment = ["SWIFT_BACKTRACE": "enable=no"].merging(ProcessInfo.processInfo.environment) { $1 }
    var process = pid_t()
    let failure = withCStrings([CommandLine.arguments[0]] + words) { words in
      withCStrings(environment.map { "\($0)=\($1)" }) { environment in
        posix_spawn(&process, programPath, &actions, &attributes, words, environment)
      }
    }
    guard failure == 0 else { throw Failure(description: "the worker cannot be started: \(systemMessage(failure))") }
    if isApart { forwardSignals(to: process) }
    return process
  }

  /// The path of this program's executable.
  private static var programPath: String {
    #if canImport(Darwin)
      Bundle.main.executablePath ?? CommandLine.arguments[0]
    #else
      "/proc/self/exe"  // valid even if the file was moved or replaced
    #endif
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies = texts.map { strdup($0) } + [nil]
    defer { for copy in copies { free(copy) } }
    return body(&copies)
  }

  /// Sends the signals that end this program to the process group of the worker, too, as a terminal does for programs in
  /// its own group.
  private static func forwardSignals(to process: pid_t) {
    let isFirst = workerGroup.exchange(process, ordering: .sequentiallyConsistent) == 0
    guard isFirst else { return }
    for number in [SIGINT, SIGTERM, SIGHUP, SIGQUIT] {
      let former = signal(number) { number in
        Foundation.kill(-workerGroup.load(ordering: .relaxed), number)
        signal(number, SIG_DFL)
        raise(number)
      }
      // A program under nohup ignores SIGHUP.
      if unsafeBitCast(former, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
    }
  }
}

/// The process group of the newest worker that has its own, or 0.
private let workerGroup = Atomic<pid_t>(0)

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
      return InvocationError(.exited, "\(callee) replaced its process (exec) or closed the reply pipe")
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
