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
    let shim = here.appendingPathComponent("../../../CFFIShim").standardizedFileURL
    var objects: [String] = []
    let own = ["harness.c", "registers.S", "swift.c", "swift.S"].map { here.appendingPathComponent($0) }
    let kernels = ["cffi_kernel_aarch64.S", "cffi_swift_aarch64.S", "cffi_packing.c"]
    let engine = (kernels + ["cffi_closure_aarch64.S", "cffi_closure.c", "cffi_memory.c"])
      .map { shim.appendingPathComponent($0) }
    let probe = folder.appendingPathComponent("probe.c")
    try Data(RegisterProbe.source.utf8).write(to: probe)
    for source in own + engine + [probe] {
      let object = folder.appendingPathComponent(source.lastPathComponent + ".o").path
      let flags = ["-std=gnu11", "-O1", "-fexceptions", "-D_Nonnull=", "-D_Nullable=", "-I", shim.appendingPathComponent("include").path]
      let words = CrossCompiler.gcc.words + flags + ["-c", source.path, "-o", object]
      try Command.require(words, log: folder.appendingPathComponent("harness.log"))
      objects.append(object)
    }
    self.objects = objects
  }

  /// Compiles callees, calls them, and says for each what went wrong, or nil.
  ///
  /// - Throws: A compiler's failure, and the harness's before the first call.
  func differences(_ calls: [PlannedCall], by compilation: Compilation) throws -> [String?] {
    try TemporaryFolder.shared.withFolder { try differences(calls, by: compilation, in: $0) }
  }

  private func differences(_ calls: [PlannedCall], by compilation: Compilation, in place: URL) throws -> [String?] {
    func path(_ name: String) -> String { place.appendingPathComponent(name).path }
    let log = place.appendingPathComponent("log")

    try Data(Self.source(calls).utf8).write(to: URL(fileURLWithPath: path("callees.c")))
    let compiler = CrossCompiler(rawValue: compilation.compiler.command) ?? .gcc
    let flags = ["-std=gnu11", "-w"] + compilation.flags + [path("callees.c"), "-o"]
    if compiler == .apple {
      try Self.writeAppleHeader(in: place)
      try Command.require(compiler.words + ["-S", "-I", place.path] + flags + [path("callees.s")], log: log)
      let assembly = try String(contentsOf: URL(fileURLWithPath: path("callees.s")), encoding: .utf8)
      try Data(MachOAssembly.elf(assembly).utf8).write(to: URL(fileURLWithPath: path("callees.s")))
      try Command.require(CrossCompiler.gcc.words + ["-c", path("callees.s"), "-o", path("callees.o")], log: log)
    } else {
      try Command.require(compiler.words + ["-c"] + flags + [path("callees.o")], log: log)
    }
    try Command.require(CrossCompiler.link + ["-o", path("harness"), path("callees.o")] + objects, log: log)

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
    let callees = CalleeSource(calls.map(\.signature), calling: true)
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
}

/// A compiler that makes code for AArch64 on another machine.
enum CrossCompiler: String, CaseIterable, Sendable {
  case gcc, clang
  /// clang for Apple's platforms, whose assembly is translated for Linux.
  case apple

  /// The GNU compiler, which also assembles and links.
  private static let gnu = "aarch64-linux-gnu-gcc"

  /// The emulator: Debian's packages have it by one name or the other.
  static let emulator: String =
    CCompiler(command: "qemu-aarch64").available ? "qemu-aarch64" : "qemu-aarch64-static"

  /// All that is needed.
  static let commands: [String] = [gnu, "clang", emulator]

  /// The words that begin a compilation.
  var words: [String] {
    switch self {
    // gcc 12 reads a variadic struct of vectors or _Float16 members as another type than it writes, and so loses it when it optimizes.
    case .gcc: [Self.gnu, "-fno-strict-aliasing"]
    case .clang: ["clang", "--target=aarch64-linux-gnu", "-isystem", "/usr/aarch64-linux-gnu/include"]
    // Variables of a thread need Apple's runtime; there is one caller at a time.
    case .apple:
      ["clang", "--target=arm64-apple-macosx", "-D_Thread_local=", "-fno-stack-protector", "-mllvm", "-aarch64-neon-syntax=generic"]
    }
  }

  /// The words of a link; static, so that the emulator needs no folder of libraries.
  static let link: [String] = [gnu, "-static", "-pthread"]
}

/// Assembly that clang writes for Apple's platforms, translated for the assembler of Linux.
///
/// The instructions stay as they are. Sections, relocations and the underscore before the names of C are changed.
enum MachOAssembly {
  /// Directives without an equivalent that is needed.
  private static let dropped: Set<String> = [".build_version", ".subsections_via_symbols", ".loh", ".private_extern"]

  /// Returns the text for Linux.
  static func elf(_ text: String) -> String {
    text.split(separator: "\n").compactMap { line(String($0)) }.joined(separator: "\n") + "\n"
  }

  private static func line(_ text: String) -> String? {
    // A semicolon begins a comment there, and separates instructions here.
    let code = text.prefix { $0 != ";" }.trimmingSuffix { $0 == " " || $0 == "\t" }
    let words = code.split { $0 == " " || $0 == "\t" }
    guard let first = words.first.map(String.init) else { return nil }
    if dropped.contains(first) { return nil }
    if first == ".section" { return section(String(words[1])) }
    if first == ".zerofill" { return zeroFill(words.dropFirst().joined()) }
    if first == ".comm" { return common(words.dropFirst().joined(), isLocal: false) }
    return symbols(relocations(String(code)))
  }

  private static func section(_ name: String) -> String {
    if name.hasPrefix("__TEXT,__text") { return ".text" }
    return name.hasPrefix("__TEXT") ? ".section .rodata" : ".data"
  }

  /// `__DATA,__bss,_name,size,alignment`, with the exponent of the alignment.
  private static func zeroFill(_ operands: String) -> String {
    common(operands.split(separator: ",").dropFirst(2).joined(separator: ","), isLocal: true)
  }

  private static func common(_ operands: String, isLocal: Bool) -> String {
    let parts = operands.split(separator: ",").map(String.init)
    let alignment = parts.count > 2 ? 1 << (Int(parts[2]) ?? 4) : 16
    let name = symbols(parts[0])
    return (isLocal ? ".local \(name)\n" : "") + ".comm \(name),\(parts[1]),\(alignment)"
  }

  private static func relocations(_ code: String) -> String {
    code.replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@GOTPAGEOFF/) { ":got_lo12:\($0.1)" }
      .replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@GOTPAGE/) { ":got:\($0.1)" }
      .replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@PAGEOFF/) { ":lo12:\($0.1)" }
      .replacing("@PAGE", with: "")
  }

  /// Removes the underscore before each name of C.
  private static func symbols(_ code: String) -> String {
    code.replacing(/(^|[^A-Za-z0-9_.$])_([A-Za-z])/) { "\($0.1)\($0.2)" }
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = String(self)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
