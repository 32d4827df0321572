import DynamicInvocation
import Foundation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Memory that a command in a process of its own shares with the program that started it.
///
/// It remains when a callee ends the process, however it does: the program reads from it what was being called, and
/// prints the rows that the command had not written yet.
final class CommandReport {
  private static let subjectOffset = 64
  private static let longestSubject = 1_024
  private static let outputOffset = 4_096
  /// The number of bytes of output that wait to be written.
  private static let capacity = 1 << 18
  private static let size = outputOffset + capacity

  /// The words at the beginning of the memory.
  private enum Word: Int {
    /// The exit status plus one, when the command has reached its end.
    case finished
    case isCalling
    case line
    case subjectCount
    case outputCount
    case showsProgress
  }

  private let memory: UnsafeMutableRawPointer
  private let process = getpid()
  /// What keeps libraries loaded.
  private var kept: [Any] = []

  /// Maps the memory behind a descriptor.
  init(descriptor: CInt) throws {
    guard let memory = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED else {
      throw WorkerProcess.Failure(description: "no memory to share with a process: \(systemMessage(errno))")
    }
    self.memory = memory
  }

  deinit { munmap(memory, Self.size) }

  /// Makes the memory.
  ///
  /// - Returns: A descriptor of it. The file has no name, so it ends with the processes.
  static func make() throws -> CInt {
    var path = Array(FileManager.default.temporaryDirectory.appendingPathComponent("invoke-XXXXXX").path.utf8CString)
    let descriptor = mkstemp(&path)
    guard descriptor >= 0, ftruncate(descriptor, off_t(size)) == 0 else {
      throw WorkerProcess.Failure(description: "no file for memory to share with a process: \(systemMessage(errno))")
    }
    unlink(path)
    return descriptor
  }

  private subscript(_ word: Word) -> Int {
    get { memory.load(fromByteOffset: word.rawValue * 8, as: Int.self) }
    set { memory.storeBytes(of: newValue, toByteOffset: word.rawValue * 8, as: Int.self) }
  }

  // MARK: What is done

  /// The exit status, when the command has reached its end.
  var finishedStatus: CInt? { CInt(exactly: self[.finished] - 1).flatMap { $0 >= 0 ? $0 : nil } }

  /// States that the command has reached its end.
  func finish(status: CInt) { self[.finished] = Int(status) + 1 }

  /// Whether code of a library runs.
  var isCalling: Bool { self[.isCalling] != 0 }

  /// The line of a file that is being called, or 0.
  var line: Int { self[.line] }

  /// Whether a line on standard error shows the progress.
  var showsProgress: Bool {
    get { self[.showsProgress] != 0 }
    set { self[.showsProgress] = newValue ? 1 : 0 }
  }

  /// What was called last: the subject of the sentence that says how it ended.
  var subject: String {
    get {
      let count = min(max(self[.subjectCount], 0), Self.longestSubject)
      return String(decoding: UnsafeRawBufferPointer(start: memory + Self.subjectOffset, count: count), as: UTF8.self)
    }
    set {
      let bytes = Array(newValue.shortened(to: Self.longestSubject).utf8)
      (memory + Self.subjectOffset).copyMemory(from: bytes, byteCount: bytes.count)
      self[.subjectCount] = bytes.count
    }
  }

  /// Runs code of a library.
  func calling<Result, Failure: Error>(_ subject: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    self.subject = subject
    return try calling(line: 0, body)
  }

  /// Loads a library, whose initializers run, and keeps what is made of it until the command has reached its end.
  func calling<Result, Failure: Error>(library: String, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let result = try calling(library == "-" ? "the process" : "library '\(library)'", body)
    kept.append(result)
    return result
  }

  /// Calls the last subject again, for a line of a file.
  func calling<Result, Failure: Error>(line: Int, _ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    self[.line] = line
    self[.isCalling] = 1
    defer {
      // A callee that forks returns here twice.
      if getpid() != process { _exit(0) }
      self[.isCalling] = 0
    }
    return try body()
  }

  // MARK: Output

  /// The output that was not written yet.
  var pending: [UInt8] {
    let count = min(max(self[.outputCount], 0), Self.capacity)
    return Array(UnsafeRawBufferPointer(start: memory + Self.outputOffset, count: count))
  }

  /// Appends output, and writes it if there is much of it.
  func append(_ bytes: [UInt8], to output: FileOutput) throws(FileOutput.Failure) {
    if self[.outputCount] + bytes.count > Self.capacity { try flush(to: output) }
    guard bytes.count <= Self.capacity else { return try output.write(bytes) }
    (memory + Self.outputOffset + self[.outputCount]).copyMemory(from: bytes, byteCount: bytes.count)
    self[.outputCount] += bytes.count
  }

  /// Writes the output.
  func flush(to output: FileOutput) throws(FileOutput.Failure) {
    let bytes = pending
    self[.outputCount] = 0
    try output.write(bytes)
  }
}
