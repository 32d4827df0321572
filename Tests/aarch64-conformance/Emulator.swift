import DynamicInvocation
import Foundation
import TestSupport

/// Runs calls in a process of emulated AArch64.
struct Emulator: Sendable {
  private let folder: URL
  private let objects: [String]

  /// Compiles the kernels and the harness.
  init() throws {
    folder = TemporaryFolder.shared.url.appendingPathComponent("aarch64", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let here = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    let shim = here.appendingPathComponent("../../CFFIShim").standardizedFileURL
    var objects: [String] = []
    let own = ["harness.c", "registers.S", "swift.c", "swift.S"].map { here.appendingPathComponent($0) }
    let kernels = ["cffi_kernel_aarch64.S", "cffi_swift_aarch64.S", "cffi_packing.c"]
    let engine = (kernels + ["cffi_closure_aarch64.S", "cffi_closure.c", "cffi_memory.c"])
      .map { shim.appendingPathComponent($0) }
    let (capture, caller) = (folder.appendingPathComponent("capture.c"), folder.appendingPathComponent("caller.c"))
    try Data(RegisterCapture.source.utf8).write(to: capture)
    try Data(RegisterCaller.source.utf8).write(to: caller)
    for source in own + engine + [capture, caller] {
      let object = folder.appendingPathComponent(source.lastPathComponent + ".o").path
      let flags = ["-std=gnu11", "-O1", "-fexceptions", "-D_Nonnull=", "-D_Nullable=", "-I", shim.appendingPathComponent("include").path]
      try Self.run(CrossCompiler.gcc.words + flags + ["-c", source.path, "-o", object], log: folder.appendingPathComponent("harness.log"))
      objects.append(object)
    }
    self.objects = objects
  }

  /// Compiles callees, calls them, and says for each what went wrong, or nil.
  ///
  /// - Throws: A compiler's failure, and the harness's before the first call.
  func differences(_ calls: [PlannedCall], by compilation: CrossCompilation) throws -> [String?] {
    let place = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: place) }
    func path(_ name: String) -> String { place.appendingPathComponent(name).path }
    let log = place.appendingPathComponent("log")

    try Data(Self.source(calls).utf8).write(to: URL(fileURLWithPath: path("callees.c")))
    let flags = ["-std=gnu11", "-w", "-\(compilation.optimization)", path("callees.c"), "-o"]
    if compilation.compiler == .apple {
      try Self.writeAppleHeader(in: place)
      try Self.run(compilation.compiler.words + ["-S", "-I", place.path] + flags + [path("callees.s")], log: log)
      let assembly = try String(contentsOf: URL(fileURLWithPath: path("callees.s")), encoding: .utf8)
      try Data(MachOAssembly.elf(assembly).utf8).write(to: URL(fileURLWithPath: path("callees.s")))
      try Self.run(CrossCompiler.gcc.words + ["-c", path("callees.s"), "-o", path("callees.o")], log: log)
    } else {
      try Self.run(compilation.compiler.words + ["-c"] + flags + [path("callees.o")], log: log)
    }
    try Self.run(CrossCompiler.link + ["-o", path("harness"), path("callees.o")] + objects, log: log)

    try calls.enumerated().reduce(into: Data()) { $0.append($1.element.encoded(callee: $1.offset)) }
      .write(to: URL(fileURLWithPath: path("calls")))
    let words = [CrossCompiler.emulator, path("harness"), path("calls"), path("answers")]
    let end = try Command.run(words, log: log)
    guard var answers = try? Data(contentsOf: URL(fileURLWithPath: path("answers"))) else {
      throw Command.Failure(words: words, status: end.status, output: end.text)
    }
    return calls.map { call in
      let answer = answers.prefix(call.answerSize)
      answers = answers.dropFirst(call.answerSize)
      return answer.count == call.answerSize ? call.difference(answer) : "it did not come back: \(end.text)"
    }
  }

  /// The callees, a table of them, and an assertion for each type that it is laid out there as here.
  static func source(_ calls: [PlannedCall]) -> String {
    let callees = CalleeSource(calls.map(\.signature), calling: true, capturing: false)
    let layouts = callees.types.enumerated().map { index, type in
      "_Static_assert(sizeof(t\(index)) == \(type.size ?? 0) && _Alignof(t\(index)) == \(type.alignment ?? 1), \"layout\");"
    }
    let tables = [
      "const void *const callees[] = {\(calls.indices.map { "f\($0)" }.joined(separator: ", "))};",
      "const void *const callers[] = {\(calls.enumerated().map { $1.isCalledBack ? "c\($0)" : "0" }.joined(separator: ", "))};",
    ]
    return ([callees.text] + layouts + tables).joined(separator: "\n")
  }

  /// Writes the declarations that callees need of a header that clang does not have for Apple's target.
  private static func writeAppleHeader(in folder: URL) throws {
    let text = "void *memcpy(void *, const void *, unsigned long);\nvoid *memset(void *, int, unsigned long);\n"
    try Data(text.utf8).write(to: folder.appendingPathComponent("string.h"))
  }

  private static func run(_ words: [String], log: URL) throws {
    let result = try Command.run(words, log: log)
    guard result.status == 0 else { throw Command.Failure(words: words, status: result.status, output: result.text) }
  }
}
