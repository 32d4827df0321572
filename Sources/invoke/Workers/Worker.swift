#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A process of this program that answers requests.
///
/// A callee that crashes or exits ends only this process.
final class Worker {
  /// What a worker reports.
  enum Event {
    /// The worker begins the next request.
    case begun
    /// The callee has returned, and the worker reads memory that it points to.
    case returned
    case answer([UInt8])
  }

  /// How a worker ended.
  enum End {
    case exited(CInt)
    case signaled(CInt)
    /// The worker closed its descriptor but its process continues, for example because a callee replaced the program
    /// with `exec`.
    case silenced
  }

  /// The poll interval in milliseconds for the end of the process.
  ///
  /// The descriptors do not report it while a child of the worker has them open.
  static let patience: CInt = 100

  private let process: pid_t
  private var requests: CInt
  /// The descriptor to read answers from.
  let answers: CInt
  private let reader: LineReader
  private var outgoing: [UInt8] = []
  private var written = 0
  private var status: CInt?

  /// Starts a process.
  ///
  /// - Parameter takesWords: Whether the arguments of requests are command-line arguments.
  init(_ standard: WorkerProcess.Standard, takesWords: Bool = false) throws {
    let (process, requests, answers) = try WorkerProcess.start(standard, takesWords: takesWords)
    self.process = process
    self.requests = requests
    self.answers = answers
    reader = LineReader(answers, limit: .max, takesUnended: false)
  }

  deinit {
    endRequests()
    close(answers)
  }

  // MARK: Requests

  /// The descriptor to write requests to, or -1, which `poll` ignores, if nothing is to be written.
  var requestsToPoll: CInt { outgoingCount > 0 ? requests : -1 }

  /// The number of bytes that wait to be written.
  var outgoingCount: Int { outgoing.count - written }

  /// Queues a request, which is written when the worker has room for it.
  func hand(_ line: [UInt8]) {
    if outgoingCount == 0 { (outgoing, written) = ([], 0) }
    outgoing += line
    outgoing.append(0x0A)
  }

  /// Writes as many queued bytes as the pipe accepts without blocking.
  ///
  /// If the worker has ended, the queue is discarded. The end is detected elsewhere.
  ///
  /// - Returns: Whether any bytes were written.
  @discardableResult
  func writeRequests() -> Bool {
    let before = written
    while outgoingCount > 0 {
      let count = outgoing.withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(requests, $0 + written, bytes.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN { written = outgoing.count }
      guard count > 0 else { break }
      written += count
    }
    return written > before
  }

  /// Closes the request pipe.
  ///
  /// The worker ends after the last request.
  func endRequests() {
    if requests >= 0 { close(requests) }
    requests = -1
  }

  // MARK: Answers

  /// Reads the available bytes without blocking.
  ///
  /// - Returns: Whether any bytes were read.
  @discardableResult
  func readAnswers() -> Bool { reader.fill() }

  /// Returns the next event of the bytes that were read already.
  func nextEvent() -> Event? {
    guard case .bytes(let line)? = reader.buffered() else { return nil }
    return line.isEmpty ? .begun : line == [0x20] ? .returned : .answer(line)
  }

  /// Whether the worker has closed its descriptor, usually by ending.
  var isAtEnd: Bool { reader.isAtEnd }

  // MARK: The end

  /// Returns whether the process has ended, even if other processes have its descriptors open.
  func hasEnded() -> Bool {
    if status == nil { collect(WNOHANG) }
    return status != nil
  }

  /// Waits up to a second for a process that has closed its descriptor, and kills it if it has not ended by then.
  func end() -> End {
    for _ in 0..<100 where !hasEnded() { usleep(10_000) }
    guard hasEnded(), let status else {
      kill()
      return .silenced
    }
    return End(status: status)
  }

  /// Kills the process.
  func kill() {
    if hasEnded() { return }
    #if canImport(Darwin)
      Darwin.kill(process, SIGKILL)
    #elseif canImport(Glibc)
      Glibc.kill(process, SIGKILL)
    #elseif canImport(Musl)
      Musl.kill(process, SIGKILL)
    #else
      Android.kill(process, SIGKILL)
    #endif
    collect(0)
  }

  private func collect(_ options: CInt) {
    var collected: CInt = 0
    while true {
      let result = waitpid(process, &collected, options)
      if result < 0, errno == EINTR { continue }
      if result == process { status = collected }
      // The exit status is unknown because the process was reaped elsewhere, for example since SIGCHLD is ignored.
      if result < 0 { status = 0 }
      return
    }
  }
}
