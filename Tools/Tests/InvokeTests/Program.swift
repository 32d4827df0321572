import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// The program under test, run as a process.
enum Program {
  /// What a run came to.
  struct Run {
    var status: Int32
    var output: String
    var errors: String

    /// The lines of the output, without the newline at the end of each.
    var lines: [String] {
      var lines = output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      if lines.last == "" { lines.removeLast() }
      return lines
    }

    /// Expects the status 0, this output, and nothing on standard error.
    func expectOutput(_ expected: String, sourceLocation: SourceLocation = #_sourceLocation) {
      #expect(status == 0 && output == expected && errors == "", "\(self)", sourceLocation: sourceLocation)
    }

    /// Expects a status, no output, and an error with a text, or this error if the text ends with a newline.
    func expectError(_ expected: String, status expectedStatus: Int32 = 1, sourceLocation: SourceLocation = #_sourceLocation) {
      let isWhole = expected.hasSuffix("\n")
      #expect(status == expectedStatus && output == "", "\(self)", sourceLocation: sourceLocation)
      #expect(isWhole ? errors == "Error: " + expected : errors.hasPrefix("Error: "), "\(self)", sourceLocation: sourceLocation)
      #expect(isWhole || expected.isEmpty || errors.contains(expected), "\(self)", sourceLocation: sourceLocation)
    }

    /// Expects that a terminal would show all characters, and obey none.
    func expectPlain(sourceLocation: SourceLocation = #_sourceLocation) {
      let obeyed = (output + errors).unicodeScalars.filter {
        [.control, .lineSeparator].contains($0.properties.generalCategory) && $0 != "\n" || $0.properties.isBidiControl
      }
      #expect(obeyed.isEmpty, "\(output.debugDescription) \(errors.debugDescription)", sourceLocation: sourceLocation)
    }
  }

  /// The program lies beside the test bundle, where the build put both.
  static let url: URL = {
    #if canImport(Darwin)
      let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? Bundle.main
      let folder = bundle.bundleURL.deletingLastPathComponent()
    #else
      let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    #endif
    return folder.appendingPathComponent("invoke")
  }()

  /// The environment of the program with the address sanitizer: it looks for no leaks, as the program and its callees end
  /// their processes within a command.
  private static let environment: [String: String] =
    Sanitizer.current == .address
    ? ["ASAN_OPTIONS": "\(ProcessInfo.processInfo.environment["ASAN_OPTIONS"] ?? ""):detect_leaks=0"] : [:]

  /// Runs the program to its end.
  ///
  /// - Parameters:
  ///   - environment: Variables to set besides this process's.
  ///   - program: Another program to run in its place.
  static func run(
    _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], program: URL = url
  ) throws -> Run {
    try withFolder { folder in
      // Files rather than pipes: they never fill up.
      let files = ["input", "output", "errors"].map { folder.appendingPathComponent($0) }
      try Data(input).write(to: files[0])
      let status = try Command.run(
        [program.path] + arguments, environment: self.environment.merging(environment) { $1 }, input: files[0].path,
        output: files[1].path, errors: files[2].path)
      return Run(
        status: status, output: String(decoding: try Data(contentsOf: files[1]), as: UTF8.self),
        errors: Emulator.withoutReports(String(decoding: try Data(contentsOf: files[2]), as: UTF8.self)))
    }
  }

  /// Makes a folder that is removed in the end, with files.
  static func withFolder<Result>(_ files: [String: String] = [:], _ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("invoke-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, text) in files { try Data(text.utf8).write(to: folder.appendingPathComponent(name)) }
    return try body(folder)
  }

  /// Returns the program, not yet started.
  static func process(_ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = url
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    return process
  }

  /// A program that is asked line by line.
  final class Conversation {
    let process: Process
    private let input = Pipe()
    private let output = Pipe()

    init(_ arguments: [String]) throws {
      process = Program.process(arguments)
      process.standardInput = input
      process.standardOutput = output
      // The threads of tests block signals, and a process inherits that.
      var (none, former) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &former)
      defer { pthread_sigmask(SIG_SETMASK, &former, nil) }
      try process.run()
    }

    func ask(_ line: String) -> String {
      tell(line)
      return String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    }

    func tell(_ line: String) { input.fileHandleForWriting.write(Data((line + "\n").utf8)) }

    func end() throws {
      try input.fileHandleForWriting.close()
      process.waitUntilExit()
    }

    /// Ends the input, and expects that the program succeeds.
    func expectEnd(sourceLocation: SourceLocation = #_sourceLocation) throws {
      try end()
      #expect(process.terminationStatus == 0, sourceLocation: sourceLocation)
    }
  }

  /// Runs `invoke call` with words.
  static func call(_ words: String...) throws -> Run { try run(["call"] + words) }

  /// Runs a batch from standard input and gives its answers.
  static func batch(_ lines: [String]) throws -> [String] {
    let run = try run(["call", "--batch"], input: Array(lines.map { $0 + "\n" }.joined().utf8))
    #expect(run.status == 0)
    #expect(run.errors == "")
    return run.lines
  }
}

/// A line of a batch.
func request(_ library: String, _ symbol: String, _ types: String, _ arguments: String, _ more: String = "") -> String {
  #"{"library":"\#(library)","symbol":"\#(symbol)","types":"\#(types)","arguments":\#(arguments)\#(more)}"#
}

/// The kind of error of an answer, or nil when it is none.
func errorKind(_ answer: String) throws -> String? {
  let object = try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any]
  let error = object?["error"] as? [String: Any]
  if error != nil { #expect((error?["message"] as? String)?.isEmpty == false) }
  return error?["kind"] as? String
}

/// A terminal whose other end is given to a program.
final class Terminal {
  private let main: CInt
  /// The end for a program, which stays open here, so that nothing is lost that was written to it.
  let other: FileHandle

  init() throws {
    // glibc's headers hide these from Swift; the engine does not need headers.
    let libc = try DynamicLibrary("libc.so.6")
    main = try libc.function("posix_openpt", types: "ii")(O_RDWR | O_NOCTTY)
    let granted: CInt = try libc.function("grantpt", types: "ii")(main)
    let unlocked: CInt = try libc.function("unlockpt", types: "ii")(main)
    // Unlike `ptsname`, this writes to memory of the caller: tests run beside each other.
    var name = [CChar](repeating: 0, count: 64)
    let named: CInt = try libc.function("ptsname_r", types: "ii^cQ")(main, &name, name.count)
    try #require(granted == 0 && unlocked == 0 && named == 0)
    let path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    other = FileHandle(fileDescriptor: open(path, O_RDWR | O_NOCTTY), closeOnDealloc: true)
  }

  deinit { close(main) }

  /// Returns what was written, waiting for it; empty if nothing comes.
  func read() -> String {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    var waiting = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 30_000) == 1 else { return "" }
    let count = Foundation.read(main, &bytes, bytes.count)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
