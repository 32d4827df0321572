import DynamicInvocation
import Foundation

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
  func nextLine() -> [UInt8]? { if case .bytes(let line)? = reader.next(beforeReading: flush) { line } else { nil } }

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
    send(.output(bytes))
  }

  // MARK: Calls

  /// States what counts as the reason if the process ends from now on.
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

  /// Keeps an owner of libraries until the command has reached its end: the exit handlers of the libraries run after it.
  func keep(_ owner: Any) { kept.append(owner) }
}

/// What a worker tells the program: a line that begins with a mark.
enum WorkerEvent {
  /// From now on this is the reason if the process ends: the subject of the sentence that says how.
  ///
  /// For a line it is also the beginning of its time.
  case subject(String)
  /// A line of output; in a batch, the answer to the line that was begun.
  case output([UInt8])
  /// The command has reached its end, with an exit status.
  case finished(CInt)

  private static let (subjectMark, outputMark, finishedMark) = (UInt8(ascii: ">"), UInt8(ascii: "="), UInt8(ascii: "!"))

  /// Reads an event; nil for any other line.
  init?(_ line: [UInt8]) {
    let rest = line.dropFirst()
    switch line.first {
    case Self.subjectMark: self = .subject(String(decoding: rest.map { $0 == 0 ? 0x0A : $0 }, as: UTF8.self))
    case Self.outputMark: self = .output(Array(rest))
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
    case .finished(let status):
      bytes.append(Self.finishedMark)
      bytes += "\(status)".utf8
    }
    bytes.append(0x0A)
  }
}
