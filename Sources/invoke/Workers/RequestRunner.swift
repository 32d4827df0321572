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

/// Has requests answered by workers, one worker after the other, and gives the answers in order.
///
/// Requests are handed over long before they are answered, so that neither side waits for the other. The worker says when it begins with one; when
/// it ends before the answer, that request is answered with an error, and those behind it go to a new worker.
struct RequestRunner {
  private enum Entry {
    case request([UInt8])
    case refused(InvocationError)

    var byteCount: Int {
      if case .request(let line) = self { line.count } else { 0 }
    }
  }

  /// The most lines, and bytes of them, that are read before their answers are there; but for a single line.
  private static let mostLines = 1024
  private static let mostBytes = 1 << 23
  /// The bytes that are handed to a worker beyond what it takes.
  private static let mostOutgoing = 1 << 17

  private let standard: WorkerProcess.Standard
  private let takesWords: Bool
  private let timeout: Duration?
  private let input: LineReader?
  private var lines: BatchLines?
  /// Takes the answers, each ended by a newline: mostly one, sometimes many.
  private let output: ([UInt8]) throws -> Void

  private var entries: [Entry] = []
  private var entryBytes = 0
  /// How many of the entries, from the first, the worker has.
  private var handed = 0
  private var worker: Worker?
  /// When the worker began with the first entry.
  private var begun: ContinuousClock.Instant?
  /// Whether the worker has begun with a request at all: one that ends before would be followed by others without end.
  private var hasBegun = false
  private var ready: [UInt8] = []

  /// Answers the lines of a batch.
  init(batch: LineReader, timeout: Duration?, output: @escaping ([UInt8]) throws -> Void) {
    standard = .apart
    takesWords = false
    self.timeout = timeout
    input = batch
    lines = BatchLines(batch)
    self.output = output
  }

  /// Answers one request, whose arguments are words; its callee has the standard input and output of this program.
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
  /// - Throws: What the output throws, and when no worker can be started.
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

  /// Answers what is no request, as soon as it is its turn.
  private mutating func answerRefused() {
    while case .refused(let error)? = entries.first { answerFirst(with: error.line.lineBytes) }
  }

  /// Answers the first entry, which the answer ends.
  private mutating func answerFirst(with line: [UInt8]) {
    ready += line
    entryBytes -= entries.removeFirst().byteCount
    handed = max(handed - 1, 0)
    begun = nil
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
    }
    worker?.writeRequests()
  }

  // MARK: Answers

  /// Waits until there is a line, an answer, or room for a request, or until time is up.
  private func wait() {
    var waiting = [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)]
    // What was read already comes first.
    if let input, !input.isAtEnd, hasRoom { waiting[0].fd = input.descriptor }
    if let worker {
      waiting.append(pollfd(fd: worker.answers, events: Int16(POLLIN), revents: 0))
      waiting.append(pollfd(fd: worker.requestsToPoll, events: Int16(POLLOUT), revents: 0))
    }
    // A worker that a child of it outlives is looked at now and then.
    let isBusy = worker != nil && handed > 0
    _ = poll(&waiting, nfds_t(waiting.count), isBusy ? Worker.patience : -1)
    if waiting[0].revents != 0 { input?.fill() }
    if let worker, waiting[1].revents != 0 { worker.readAnswers() }
  }

  private mutating func takeAnswers() throws {
    guard let worker else { return }
    takeEvents(of: worker)
    if let begun, let timeout, ContinuousClock.now - begun >= timeout, case .request(let line)? = entries.first {
      worker.kill()
      let callee = Worker.End.callee(line, takesWords: takesWords)
      return replace(InvocationError(.timedOut, "\(callee) took longer than \(timeout), and was ended"))
    }
    guard worker.isAtEnd || (handed > 0 && worker.hasEnded()) else { return }
    // What it wrote before its end is still there, even when a child of it holds the other side.
    while worker.readAnswers() { takeEvents(of: worker) }
    takeEvents(of: worker)
    let end = worker.end()
    guard begun != nil, case .request(let line)? = entries.first else {
      guard hasBegun else { throw WorkerProcess.Failure(description: "the worker ended before it began: \(end)") }
      note(end)
      return replace(nil)
    }
    replace(end.error(of: line, takesWords: takesWords))
  }

  /// What comes out of turn a callee has written, who found the descriptor: it is no answer.
  private mutating func takeEvents(of worker: Worker) {
    while let event = worker.nextEvent() {
      switch event {
      case .begun where begun == nil && handed > 0:
        begun = .now
        hasBegun = true
      case .answer(let line) where begun != nil: answerFirst(with: line + [0x0A])
      case .begun, .answer: break
      }
      answerRefused()
    }
  }

  /// Lets go of a worker that has ended, and answers the request that it had begun with.
  private mutating func replace(_ error: InvocationError?) {
    worker = nil
    if let error { answerFirst(with: error.line.lineBytes) }
    handed = 0
    begun = nil
    answerRefused()
  }

  /// Lets the worker end, so that what its libraries do at their end is done.
  private mutating func finish() {
    guard let worker else { return }
    worker.endRequests()
    let start = ContinuousClock.now
    while !worker.isAtEnd, !worker.hasEnded() {
      if let timeout, ContinuousClock.now - start >= timeout { worker.kill() }
      var waiting = pollfd(fd: worker.answers, events: Int16(POLLIN), revents: 0)
      if poll(&waiting, 1, Worker.patience) > 0 { worker.readAnswers() }
      while worker.nextEvent() != nil {}
    }
    note(worker.end())
    self.worker = nil
  }

  /// Tells of a crash that no request is to blame for.
  private func note(_ end: Worker.End) {
    guard case .signaled(let number) = end else { return }
    try? FileOutput.standardError.write(line: "Warning: the worker crashed after its calls: \(Worker.End.name(ofSignal: number))")
  }
}

extension JSONValue {
  /// The value on a line of its own.
  fileprivate var lineBytes: [UInt8] {
    var bytes: [UInt8] = []
    write(to: &bytes)
    bytes.append(0x0A)
    return bytes
  }
}
