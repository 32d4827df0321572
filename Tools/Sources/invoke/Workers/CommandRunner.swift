import ArgumentParser
@_spi(Tools) import DynamicInvocation
import Foundation

/// Runs a command in worker processes, one at a time, and prints its output in order.
///
/// The worker of a batch is given lines before earlier ones are answered, so that neither side waits for the other. It
/// reports when it begins one. If it ends before it has answered, the line is answered with an error, and the lines after
/// it go to a new worker. For every other command that error is the end.
struct CommandRunner {
  /// What the program has to know of a command.
  struct Plan {
    /// The file with the requests of a batch, or `-` for standard input; nil for a command that is no batch.
    ///
    /// Callees of a batch have no standard input, and print to standard error.
    var batch: String?
    /// How long a line, or a command that is no batch, may take.
    var timeout: Duration?
  }

  /// The maximum number of lines, and of their bytes, that are read before they are answered.
  ///
  /// A single line may be longer.
  private static let mostLines = 1024
  private static let mostBytes = 1 << 23
  /// The maximum number of bytes that wait to be written to a worker.
  private static let mostOutgoing = 1 << 17

  private let words: [String]
  private let timeout: Duration?
  /// The input of a batch.
  private let input: LineReader?
  private var lines: BatchLines?
  private var progress: ProgressLine?
  private var output: [UInt8] = []

  /// The lines that are not answered yet.
  private var entries: ArraySlice<BatchLines.Line> = []
  private var entryBytes = 0
  /// The number of entries, from the first, that were passed to the worker.
  private var handed = 0
  /// The number of lines that are answered.
  private var done = 0
  private var worker: WorkerProcess?
  /// What ends the process if it ends now; nil if that is no line of a batch.
  private var subject: String?
  /// The time at which the worker began the first entry, or the command.
  private var begun: ContinuousClock.Instant?
  /// The time since which the worker could have begun the first entry: it has answered the one before, and was given
  /// this one.
  private var waiting: ContinuousClock.Instant?
  /// The time since which the worker has nothing more to do.
  private var ending: ContinuousClock.Instant?
  /// Whether the worker has begun anything.
  ///
  /// A worker that ends before that is not replaced, because its successors could fail in the same manner without end.
  private var hasBegun = false
  /// The exit status, when the command has reached its end.
  private var status: CInt?

  /// Creates the runner of a command.
  ///
  /// - Throws: An error if the input cannot be opened.
  init(_ words: some Sequence<String>, _ plan: Plan) throws {
    self.words = Array(words)
    timeout = plan.timeout
    guard let path = plan.batch else {
      input = nil
      return
    }
    var descriptor: CInt = 0
    if path != "-" {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw ReportedError.report("\(path) cannot be opened: \(systemMessage(errno))") }
      progress = ProgressLine(file: path)
    }
    let input = LineReader(descriptor)
    self.input = input
    lines = BatchLines(input)
  }

  /// Runs the command to its end.
  ///
  /// - Throws: The exit status of the command, or that of an error, which is reported.
  mutating func run() throws {
    // Writing to a worker that has ended must not end this program; a closed standard output must.
    let former = signal(SIGPIPE, SIG_IGN)
    defer { progress?.erase() }
    do {
      // A batch needs no worker before its first request.
      if input == nil { try start() }
      while try !isAtEnd() {
        try handLines()
        wait()
        try takeEvents()
      }
    } catch let failure as FileOutput.Failure {
      progress?.erase()
      if failure.number == EPIPE {
        signal(SIGPIPE, former)
        raise(SIGPIPE)
      }
      throw ReportedError.report(failure.description)
    } catch let failure as WorkerProcess.Failure {
      progress?.erase()
      throw ReportedError.report(failure.description)
    }
    if let status, status != 0 { throw ExitCode(status) }
    if let failure = input?.failure, failure != 0 {
      progress?.erase()
      throw ReportedError.report("the input cannot be read: \(systemMessage(failure))")
    }
  }

  private mutating func start() throws {
    worker = try WorkerProcess(words, isApart: input != nil)
    hasBegun = false
  }

  /// Reads lines, prints what is ready, and returns whether all is done.
  private mutating func isAtEnd() throws -> Bool {
    while hasRoom, let line = lines?.buffered() {
      entries.append(line)
      entryBytes += line.byteCount
    }
    answerRefused()
    try print()
    // What a command has printed precedes what the exit handlers of its libraries print.
    guard status != nil || input?.isAtEnd ?? false && entries.isEmpty else { return false }
    guard let worker else { return true }
    worker.endLines()
    let since = ending ?? .now
    ending = since
    guard let timeout, ContinuousClock.now - since >= timeout else { return false }
    worker.kill()
    self.worker = nil
    let warning = "Warning: the worker took longer than \(timeout) to end after its calls, and was ended"
    try? FileOutput.standardError.write(line: warning)
    return true
  }

  private mutating func print() throws(FileOutput.Failure) {
    guard !output.isEmpty else { return }
    let bytes = output
    output.removeAll(keepingCapacity: true)
    try FileOutput.standardOutput.write(bytes)
    progress?.advance(to: done)
  }

  // MARK: Lines

  private var hasRoom: Bool { entries.isEmpty || entries.count < Self.mostLines && entryBytes < Self.mostBytes }

  /// Answers the lines at the front of the queue that are not requests.
  private mutating func answerRefused() {
    while case .refused(let error)? = entries.first { answerFirst(with: error.line) }
  }

  private mutating func answerFirst(with error: JSONValue) {
    var line: [UInt8] = []
    error.write(to: &line)
    answerFirst(with: line)
  }

  /// Answers the first entry.
  private mutating func answerFirst(with line: [UInt8]) {
    output += line
    output.append(0x0A)
    if let entry = entries.popFirst() { entryBytes -= entry.byteCount }
    handed = max(handed - 1, 0)
    done += 1
    (begun, subject, waiting) = (nil, nil, .now)
  }

  private mutating func handLines() throws {
    while handed < entries.count, (worker?.outgoingCount ?? 0) < Self.mostOutgoing {
      if case .request(let line) = entries[entries.startIndex + handed] {
        if worker == nil { try start() }
        worker?.hand(line)
      }
      handed += 1
      if handed == 1 { waiting = .now }
    }
    if worker?.writeLines() ?? false { waiting = .now }
  }

  // MARK: Events

  /// Waits for a line, an event, room for a line, or the timeout.
  private func wait() {
    var waiting = [pollfd(fd: -1, events: Int16(POLLIN), revents: 0)]
    // Lines that were read already are processed first.
    if let input, !input.isAtEnd, hasRoom { waiting[0].fd = input.descriptor }
    if let worker {
      waiting.append(pollfd(fd: worker.events, events: Int16(POLLIN), revents: 0))
      waiting.append(pollfd(fd: worker.linesToPoll, events: Int16(POLLOUT), revents: 0))
    }
    // Poll periodically: if a child of the worker outlives it, the descriptors do not report the worker's end.
    _ = poll(&waiting, nfds_t(waiting.count), isBusy ? WorkerProcess.patience : -1)
    if waiting[0].revents != 0 { input?.fill() }
    if let worker, waiting[1].revents != 0 { worker.readEvents() }
  }

  /// Whether the worker has something to do.
  private var isBusy: Bool { worker != nil && (input == nil || handed > 0 || ending != nil) }

  private mutating func takeEvents() throws {
    guard let worker else { return }
    takeEvents(of: worker)
    if let error = timeoutError() {
      worker.kill()
      return try replace(error)
    }
    guard worker.isAtEnd || (isBusy && worker.hasEnded()) else { return }
    // The pipe still holds what the worker wrote before its end, even if a child of the worker has the write end open.
    while worker.readEvents() { takeEvents(of: worker) }
    takeEvents(of: worker)
    let end = worker.end()
    guard status == nil, let subject else {
      guard hasBegun || ending != nil else { throw WorkerProcess.Failure(description: "the worker ended before it began: \(end)") }
      end.noteLateCrash()
      return try replace(nil)
    }
    try replace(end.error(of: subject))
  }

  /// Processes what the worker wrote.
  ///
  /// An event out of order was written by a callee that found the descriptor, and is ignored.
  private mutating func takeEvents(of worker: WorkerProcess) {
    while status == nil, let event = worker.nextEvent() {
      switch event {
      case .subject(let text) where input == nil || handed > 0:
        if begun == nil { begun = .now }
        subject = text
        hasBegun = true
      case .output(let line) where input == nil: output += line + [0x0A]
      case .output(let line) where begun != nil && handed > 0: answerFirst(with: line)
      case .finished(let number) where input == nil || ending != nil: status = number
      case .subject, .output, .finished: break
      }
      answerRefused()
    }
  }

  /// Returns the error of the first entry, or of the command, if its time is over.
  ///
  /// A worker that was stopped by an earlier callee does not begin the next line.
  private func timeoutError() -> InvocationError? {
    guard let timeout, status == nil else { return nil }
    // The start of a worker is no part of a call, and no callee has run before.
    guard let start = begun ?? (hasBegun && handed > 0 ? waiting : nil), ContinuousClock.now - start >= timeout else { return nil }
    if begun != nil, let subject { return InvocationError(.timedOut, "\(subject) took longer than \(timeout), and was ended") }
    guard case .request(let line)? = entries.first else { return nil }
    let callee = CallRequest.callee(ofLine: line)
    return InvocationError(
      .timedOut, "\(callee) was not begun within \(timeout), since the process does not answer, and was ended")
  }

  /// Releases a worker that has ended, and answers the line that it had begun.
  ///
  /// - Throws: The exit status, if it was the worker of a command that is no batch.
  private mutating func replace(_ error: InvocationError?) throws {
    worker = nil
    if let error {
      guard input != nil else {
        try print()
        throw ReportedError.report(error.reason)
      }
      answerFirst(with: error.line)
    }
    (handed, begun, subject, hasBegun) = (0, nil, nil, false)
    answerRefused()
  }
}

extension CommandApart {
  /// Runs the command in a process of its own.
  func run() throws {
    var runner = try CommandRunner(CommandLine.arguments.dropFirst(), plan())
    try runner.run()
  }
}

/// A line on a terminal that shows the progress of a batch, rewritten at most ten times per second.
struct ProgressLine {
  private let total: Int
  private let start = ContinuousClock.now
  private var shown = ContinuousClock.now
  private var isShown = false

  /// Creates the line for a file.
  ///
  /// Returns nil if standard error is not a terminal, or the file is not a regular file.
  init?(file path: String) {
    guard FileOutput.standardError.isTerminal else { return nil }
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    // Only a regular file can be read twice; a pipe cannot.
    var information = stat()
    guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
    let lines = LineReader(descriptor)
    var total = 0
    while lines.next() != nil { total += 1 }
    self.total = total
  }

  /// Shows how many lines are done.
  mutating func advance(to done: Int) {
    let now = ContinuousClock.now
    guard now - shown >= .milliseconds(100) else { return }
    shown = now
    isShown = true
    let rate = Int(Double(done) / ((now - start) / .seconds(1)))
    // An error is ignored: the batch continues if standard error is closed.
    try? FileOutput.standardError.write(Array("\r\u{1B}[K\(done)/\(total) lines, \(rate) a second".utf8))
  }

  /// Erases the line.
  mutating func erase() {
    guard isShown else { return }
    isShown = false
    try? FileOutput.standardError.write(Array("\r\u{1B}[K".utf8))
  }
}
