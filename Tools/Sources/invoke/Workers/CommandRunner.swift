import ArgumentParser
@_spi(Tools) import DynamicInvocation
import Foundation

/// Runs a command in worker processes, one at a time, and prints its output in order.
///
/// The worker of a batch is given one line after the other. If it ends before it has answered a line, that line is answered
/// with an error, and the next line goes to a new worker. Every other command ends with that error.
struct CommandRunner {
  /// What the program has to know of a command.
  struct Plan {
    /// The file with the requests of a batch, or `-` for standard input; nil for a command that is not a batch.
    ///
    /// Callees of a batch have no standard input, and print to standard error.
    var batch: String?
    /// How long a line, or a command that is not a batch, may take.
    var timeout: Duration?
  }

  /// What became of a line, or of a command that is not a batch.
  private enum Outcome {
    case answered([UInt8])
    case finished(CInt)
    case failed(InvocationError)
    /// The worker had ended before it began.
    case notBegun(WorkerEnd)
  }

  private let words: [String]
  private let plan: Plan
  private var progress: ProgressLine?
  private var output: [UInt8] = []
  /// The number of lines that are answered.
  private var done = 0
  private var worker: WorkerProcess?
  /// Whether the worker has begun anything.
  ///
  /// A worker that ends before that is not replaced, because its successors could fail in the same manner without end.
  private var hasBegun = false

  /// Creates the runner of a command.
  init(_ words: some Sequence<String>, _ plan: Plan) {
    self.words = Array(words)
    self.plan = plan
  }

  /// Runs the command to its end.
  ///
  /// - Throws: The exit status of the command, or the status 1 after an error, which is reported.
  mutating func run() throws {
    // Writing to a worker that has ended must not end this program; a closed standard output must.
    let former = signal(SIGPIPE, SIG_IGN)
    do {
      if let path = plan.batch { try answerLines(of: path) } else { try runCommand() }
      progress?.erase()
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
  }

  private mutating func runCommand() throws {
    let outcome = try follow(start(), line: nil)
    try print()
    switch outcome {
    case .finished(let status):
      endWorker()
      if status != 0 { throw ExitCode(status) }
    case .failed(let error): throw ReportedError.report(error.reason)
    case .notBegun(let end): throw WorkerProcess.Failure(description: "the worker ended before it began: \(end)")
    case .answered: preconditionFailure("only a line has an answer")
    }
  }

  private mutating func print() throws(FileOutput.Failure) {
    guard !output.isEmpty else { return }
    let bytes = output
    output.removeAll(keepingCapacity: true)
    try FileOutput.standardOutput.write(bytes)
    progress?.advance(to: done)
  }

  // MARK: Batches

  private mutating func answerLines(of path: String) throws {
    var descriptor: CInt = 0
    if path != "-" {
      descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw ReportedError.report("\(path) cannot be opened: \(systemMessage(errno))") }
      progress = ProgressLine(file: path)
    }
    let input = LineReader(descriptor)
    // A blank line is refused unless it is the last, which only the next line shows.
    var isBlank = false
    while let line = input.next() {
      if isBlank { try print(answer: Self.bytes(.malformedRequest("the line is blank"))) }
      isBlank = line.isBlank
      if isBlank { continue }
      switch line {
      case .bytes(let bytes): try print(answer: answer(bytes))
      case .tooLong:
        try print(answer: Self.bytes(InvocationError(.limitExceeded, "the line is longer than \(LineReader.longestLine) bytes")))
      }
    }
    endWorker()
    guard input.failure != 0 else { return }
    progress?.erase()
    throw ReportedError.report("the input cannot be read: \(systemMessage(input.failure))")
  }

  private mutating func print(answer: [UInt8]) throws(FileOutput.Failure) {
    output += answer + [0x0A]
    done += 1
    try print()
  }

  private static func bytes(_ error: InvocationError) -> [UInt8] { Array(error.line.text.utf8) }

  /// Returns the answer to a request, which is an error if its worker ends.
  private mutating func answer(_ line: [UInt8]) throws -> [UInt8] {
    while true {
      // A batch needs no worker before its first request.
      let worker = try self.worker ?? start()
      worker.hand(line)
      let outcome = try follow(worker, line: line)
      if case .answered(let answer) = outcome { return answer }
      self.worker = nil
      switch outcome {
      case .failed(let error): return Self.bytes(error)
      // It ended between two lines.
      case .notBegun(let end) where hasBegun: end.noteLateCrash()
      case .notBegun(let end): throw WorkerProcess.Failure(description: "the worker ended before it began: \(end)")
      case .answered, .finished: preconditionFailure("a batch has an answer for each line")
      }
    }
  }

  // MARK: Workers

  private mutating func start() throws -> WorkerProcess {
    let worker = try WorkerProcess(words, isApart: plan.batch != nil)
    self.worker = worker
    hasBegun = false
    return worker
  }

  /// Waits for the answer to a line, or for the end of a command, and prints what it prints meanwhile.
  ///
  /// An event out of order was written by a callee that found the descriptor, and is ignored.
  private mutating func follow(_ worker: WorkerProcess, line: [UInt8]?) throws -> Outcome {
    // The start of a worker is not part of a call. A worker that an earlier callee has stopped does not begin the next line.
    let handed = hasBegun ? ContinuousClock.now : nil
    var begun: ContinuousClock.Instant?
    var subject: String?
    while true {
      while let event = worker.nextEvent() {
        switch event {
        case .subject(let text):
          begun = begun ?? .now
          (subject, hasBegun) = (text, true)
        case .output(let bytes) where line == nil: output += bytes + [0x0A]
        case .output(let bytes) where begun != nil: return .answered(bytes)
        case .finished(let status) where line == nil: return .finished(status)
        case .output, .finished: break
        }
      }
      try print()
      if let timeout = plan.timeout, let since = begun ?? handed, ContinuousClock.now - since >= timeout {
        worker.kill()
        if let subject { return .failed(InvocationError(.timedOut, "\(subject) took longer than \(timeout), and was ended")) }
        let callee = CallRequest.callee(ofLine: line ?? [])
        return .failed(
          InvocationError(
            .timedOut, "\(callee) was not begun within \(timeout), since the process does not answer, and was ended"))
      }
      if worker.hasEnded() {
        // The pipe still holds what the worker wrote before its end, even if a child of the worker has the write end open.
        if worker.readEvents() { continue }
        let end = worker.end()
        return if let subject { .failed(end.error(of: subject)) } else { .notBegun(end) }
      }
      worker.wait()
    }
  }

  /// Waits until the worker has ended; its exit handlers run after its calls.
  private mutating func endWorker() {
    guard let worker else { return }
    worker.endLines()
    let since = ContinuousClock.now
    while !worker.hasEnded() {
      if let timeout = plan.timeout, ContinuousClock.now - since >= timeout {
        worker.kill()
        let warning = "Warning: the worker took longer than \(timeout) to end after its calls, and was ended"
        try? FileOutput.standardError.write(line: warning)
        return
      }
      worker.wait()
    }
    worker.end().noteLateCrash()
  }
}

extension CommandApart {
  /// Runs the command in a process of its own.
  func run() throws {
    var runner = CommandRunner(CommandLine.arguments.dropFirst(), plan())
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
