#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A process of this program that answers requests, so that a callee which crashes or exits takes no other with it.
final class Worker {
  /// What a worker says.
  enum Event {
    /// It begins with the next request.
    case begun
    case answer([UInt8])
  }

  /// How a worker ended.
  enum End {
    case exited(CInt)
    case signaled(CInt)
    /// It closed its side and went on, as a program does that a callee put in its place.
    case silenced
  }

  /// The end of a process is looked for this often where its descriptors do not tell, since a child of it holds them.
  static let patience: CInt = 100

  private let process: pid_t
  private var requests: CInt
  /// The descriptor that answers come from.
  let answers: CInt
  private let reader: LineReader
  private var outgoing: [UInt8] = []
  private var written = 0
  private var status: CInt?

  /// Starts a process.
  ///
  /// - Parameter takesWords: Whether arguments are words of the command line.
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

  /// The descriptor that takes requests; -1 when there are none to be written, as `poll` wants it.
  var requestsToPoll: CInt { outgoingCount > 0 ? requests : -1 }

  /// The number of bytes that wait to be written.
  var outgoingCount: Int { outgoing.count - written }

  /// Hands a request over, to be written when the worker takes it.
  func hand(_ line: [UInt8]) {
    if outgoingCount == 0 { (outgoing, written) = ([], 0) }
    outgoing += line
    outgoing.append(0x0A)
  }

  /// Writes what the worker takes now.
  ///
  /// One that has ended takes nothing; its end is seen elsewhere.
  func writeRequests() {
    while outgoingCount > 0 {
      let count = outgoing.withUnsafeBytes { bytes in
        bytes.baseAddress.map { write(requests, $0 + written, bytes.count - written) } ?? 0
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN { written = outgoing.count }
      guard count > 0 else { return }
      written += count
    }
  }

  /// Tells the worker that there are no more requests; it ends after the last.
  func endRequests() {
    if requests >= 0 { close(requests) }
    requests = -1
  }

  // MARK: Answers

  /// Reads what is there, without waiting.
  ///
  /// - Returns: Whether anything was.
  @discardableResult
  func readAnswers() -> Bool { reader.fill() }

  /// The next of what was read already.
  func nextEvent() -> Event? {
    guard case .bytes(let line)? = reader.buffered() else { return nil }
    return line.isEmpty ? .begun : .answer(line)
  }

  /// Whether the worker has closed its side, mostly by ending.
  var isAtEnd: Bool { reader.isAtEnd }

  // MARK: The end

  /// Whether the process has ended, whoever holds its descriptors.
  func hasEnded() -> Bool {
    if status == nil { collect(WNOHANG) }
    return status != nil
  }

  /// Collects a process that has closed its side, or ends one that goes on nevertheless.
  func end() -> End {
    for _ in 0..<100 where !hasEnded() { usleep(10_000) }
    guard hasEnded(), let status else {
      kill()
      return .silenced
    }
    return status & 0x7F == 0 ? .exited(status >> 8 & 0xFF) : .signaled(status & 0x7F)
  }

  /// Ends the process at once.
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
      // Somebody else collected it, as a parent that ignores its children does by itself: how it ended is not known.
      if result < 0 { status = 0 }
      return
    }
  }
}
