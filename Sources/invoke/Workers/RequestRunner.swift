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

/// Answers requests in worker processes, one worker at a time, and returns the answers in order.
///
/// Requests are passed to the worker before earlier ones are answered, so that neither side waits for the other. The
/// worker reports when it begins a request. If it ends before it has answered that request, the request is answered
/// with an error, and the requests after it go to a new worker.
struct RequestRunner {
  private enum Entry {
    case request([UInt8])
    case refused(InvocationError)

    var byteCount: Int {
      if case .request(let line) = self { line.count } else { 0 }
    }
  }

  /// The maximum number of lines, and of their bytes, that are read before their answers are available.
  ///
  /// A single line may be longer.
  private static let mostLines = 1024
  private static let mostBytes = 1 << 23
  /// The maximum number of bytes that wait to be written to a worker.
  private static let mostOutgoing = 1 << 17

  private let standard: WorkerProcess.Standard
  private let takesWords: Bool
  private let timeout: Duration?
  private let input: LineReader?
  private var lines: BatchLines?
  /// Receives answers, each terminated by a newline: usually one, sometimes many.
  private let output: ([UInt8]) throws -> Void

  private var entries: [Entry] = []
  private var entryBytes = 0
  /// The number of entries, from the first, that were passed to the worker.
  private var handed = 0
  private var worker: Worker?
  /// The time at which the worker began the first entry.
  private var begun: ContinuousClock.Instant?
  /// The time since which the worker could have begun the first entry: it has answered the one before, and was given
  /// this one.
  private var waiting: ContinuousClock.Instant?
  /// Whether the callee of the first entry has returned, and the worker reads its result.
  private var hasReturned = false
  /// Whether the worker has begun any request.
  ///
  /// A worker that ends before that is not replaced, because its successors could fail in the same manner without end.
  private var hasBegun = false
  private var ready: [UInt8] = []

  /// Creates a runner that answers the lines of a batch.
  init(batch: LineReader, timeout: Duration?, output: @escaping ([UInt8]) throws -> Void) {
    standard = .apart
    takesWords = false
    self.timeout = timeout
    input = batch
    lines = BatchLines(batch)
    self.output = output
  }

  /// Creates a runner that answers one request whose arguments are command-line arguments.
  ///
  /// The callee inherits the standard input and output of this program.
  init(single line: [UInt8], timeout: Duration?, output: @escaping ([UInt8]) throws -> Void) {
    standard = .inherited
    takesWords = true
    self.timeout = timeout
    input = nil
    entries = [.request(line)]
    entryBytes = line.count
    self.output = output
  }

  /// Answers every request.
  ///
  /// - Throws: The errors of the output, and an error if no worker can be started.
  mutating func run() throws {
    while true {
      takeLines()
      if !ready.isEmpty {
        try output(ready)
        ready = []
      }
      if entries.isEmpty, input?.isAtEnd ?? true { break }
      try handRequests()
      wait()
      try takeAnswers()
    }
    finish()
  }

  // MARK: Lines

  private mutating func takeLines() {
    while hasRoom, let line = lines?.buffered() {
      switch line {
      case .request(let bytes): entries.append(.request(bytes))
      case .refused(let error): entries.append(.refused(error))
      }
      entryBytes += entries.last?.byteCount ?? 0
      answerRefused()
    }
  }

  private var hasRoom: Bool { entries.isEmpty || entries.count < Self.mostLines && entryBytes < Self.mostBytes }

  /// Answers the lines at the front of the queue that are not requests.
  private mutating func answerRefused() {
    while case .refused(let error)? = entries.first { answerFirst(with: error.line.lineBytes) }
  }

  /// Answers the first entry and removes it.
  private mutating func answerFirst(with line: [UInt8]) {
    ready += line
    entryBytes -= entries.removeFirst().byteCount
    handed = max(handed - 1, 0)
    (begun, hasReturned) = (nil, false)
    waiting = .now
  }

  private mutating func handRequests() throws {
    while handed < entries.count, (worker?.outgoingCount ?? 0) < Self.mostOutgoing {
      if case .request(let line) = entries[handed] {
        if worker == nil {
          worker = try Worker(standard, takesWords: takesWords)
          hasBegun = false
        }
        worker?.hand(line)
      }
      handed += 1
      if handed == 1 { waiting = .now }
    }
    if worker?.writeRequests() ?? false { waiting = .now }
  }

  /// Returns the error of the first entry if its time is over.
  ///
  /// A worker that was stopped by an earlier callee does not begin the next request.
  private func timeoutError() -> InvocationError? {
    guard let timeout, handed > 0, case .request(let line)? = entries.first else { return nil }
    // The start of a worker is no part of a call, and no callee has run before.
    guard let start = begun ?? (hasBegun ? waiting : nil), ContinuousClock.now - start >= timeout else { return nil }
    let callee = Worker.End.callee(line, takesWords: takesWords)
    let reason = begun == nil ? "was not begun within \(timeout), since the process does not answer" : "took longer than \(timeout)"
    return InvocationError(.timedOut, "\(callee) \(reason), and was ended")
  }

  // MARK: Answers

  /// Waits for a line, an answer, room for a request, or the timeout.
  private func wait() {
    var waiting = [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)]
    // Lines that were read already are processed first.
    if let input, !input.isAtEnd, hasRoom { waiting[0].fd = input.descriptor }
    if let worker {
      waiting.append(pollfd(fd: worker.answers, events: Int16(POLLIN), revents: 0))
      waiting.append(pollfd(fd: worker.requestsToPoll, events: Int16(POLLOUT), revents: 0))
    }
    // Poll periodically: if a child of the worker outlives it, the descriptors do not report the worker's end.
    let isBusy = worker != nil && handed > 0
    _ = poll(&waiting, nfds_t(waiting.count), isBusy ? Worker.patience : -1)
    if waiting[0].revents != 0 { input?.fill() }
    if let worker, waiting[1].revents != 0 { worker.readAnswers() }
  }

  private mutating func takeAnswers() throws {
    guard let worker else { return }
    takeEvents(of: worker)
    if let error = timeoutError() {
      worker.kill()
      return replace(error)
    }
    guard worker.isAtEnd || (handed > 0 && worker.hasEnded()) else { return }
    // The pipe still holds what the worker wrote before its end, even if a child of the worker has the write end open.
    while worker.readAnswers() { takeEvents(of: worker) }
    takeEvents(of: worker)
    let end = worker.end()
    guard begun != nil, case .request(let line)? = entries.first else {
      guard hasBegun else { throw WorkerProcess.Failure(description: "the worker ended before it began: \(end)") }
      note(end)
      return replace(nil)
    }
    replace(end.error(of: Worker.End.callee(line, takesWords: takesWords, hasReturned: hasReturned)))
  }

  /// Processes what the worker wrote.
  ///
  /// An event out of order was written by a callee that found the descriptor, and is ignored.
  private mutating func takeEvents(of worker: Worker) {
    while let event = worker.nextEvent() {
      switch event {
      case .begun where begun == nil && handed > 0:
        begun = .now
        hasBegun = true
      case .returned where begun != nil: hasReturned = true
      case .answer(let line) where begun != nil: answerFirst(with: line + [0x0A])
      case .begun, .returned, .answer: break
      }
      answerRefused()
    }
  }

  /// Releases a worker that has ended, and answers the request that it had begun.
  private mutating func replace(_ error: InvocationError?) {
    worker = nil
    if let error { answerFirst(with: error.line.lineBytes) }
    handed = 0
    begun = nil
    hasBegun = false
    answerRefused()
  }

  /// Waits until the worker has exited, so that the exit handlers of its libraries run.
  private mutating func finish() {
    guard let worker else { return }
    worker.endRequests()
    let start = ContinuousClock.now
    while !worker.isAtEnd, !worker.hasEnded() {
      if let timeout, ContinuousClock.now - start >= timeout {
        worker.kill()
        self.worker = nil
        let warning = "Warning: the worker took longer than \(timeout) to end after its calls, and was ended"
        try? FileOutput.standardError.write(line: warning)
        return
      }
      var waiting = pollfd(fd: worker.answers, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, Worker.patience) > 0 { worker.readAnswers() }
      while worker.nextEvent() != nil {}
    }
    note(worker.end())
    self.worker = nil
  }

  /// Reports a crash that cannot be attributed to a request.
  private func note(_ end: Worker.End) {
    if case .signaled(let number) = end { Worker.End.noteLateCrash(number) }
  }
}

extension JSONValue {
  /// The value as JSON, terminated by a newline.
  fileprivate var lineBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    bytes.append(0x0A)
    return bytes
  }
}
