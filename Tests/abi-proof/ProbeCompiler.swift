import DynamicInvocation
import Foundation
import TestSupport

/// Has gcc compile functions, and runs them to see where they read their arguments and leave their results.
///
/// gcc's rules are not those of clang, so that what clang lowers says nothing about it. Each struct is tried in the
/// states of the registers in which something changes.
struct ProbeCompiler {
  let abi: ProvenABI
  private let compiler: [String]
  private let emulator: [String]
  private let object: String

  /// Compiles the probe, or returns nil if this machine has no gcc for the convention.
  init?(_ abi: ProvenABI) throws {
    guard let (compiler, emulator) = Self.commands(of: abi) else { return nil }
    (self.abi, self.compiler, self.emulator) = (abi, compiler, emulator)
    let folder = TemporaryFolder.shared.url
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("probe.c")
    object = folder.appendingPathComponent("probe-\(abi.rawValue).o").path
    try Self.run(
      compiler + ["-std=gnu11", "-O1", "-c", "-o", object, source.path], folder.appendingPathComponent("probe-\(abi.rawValue).log"))
  }

  private static func commands(of abi: ProvenABI) -> (compiler: [String], emulator: [String])? {
    func available(_ command: String) -> Bool { CCompiler(command: command).available }
    #if os(Linux)
      switch abi {
      case .sysv:
        #if arch(x86_64)
          return available("gcc") ? (["gcc"], []) : nil
        #else
          return nil
        #endif
      case .aapcs64:
        #if arch(arm64)
          return available("gcc") ? (["gcc"], []) : nil
        #else
          guard available("aarch64-linux-gnu-gcc") else { return nil }
          guard let emulator = ["qemu-aarch64", "qemu-aarch64-static"].first(where: available) else { return nil }
          return (["aarch64-linux-gnu-gcc", "-static"], [emulator])
        #endif
      case .apple: return nil
      }
    #else
      return nil
    #endif
  }

  /// The states of the registers: none in use, too few left for two words, none left, and words on the stack.
  static func states(of abi: ProvenABI) -> [RegisterState] {
    let numbers =
      abi == .sysv
      ? [(0, 0), (5, 0), (5, 7), (6, 8), (7, 8), (0, 8)] : [(0, 0), (1, 0), (7, 0), (7, 7), (8, 8), (9, 8), (0, 6)]
    return numbers.map { RegisterState(general: $0.0, vector: $0.1) }
  }

  /// The functions of each struct: an argument in each state, and a result.
  var functions: [ProvenFunction] {
    Self.states(of: abi).map { ProvenFunction(role: .argument, state: $0) }
      + [ProvenFunction(role: .result, state: RegisterState(general: 0, vector: 0))]
  }

  /// Compiles and runs the functions of each type, and calls `body` with what they did.
  func probe(_ types: [TypeEncoding], _ body: (_ type: Int, ProvenFunction, MeasuredSources) -> Void) throws {
    let folder = TemporaryFolder.shared.url.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, program) = (folder.appendingPathComponent("probe.c"), folder.appendingPathComponent("probe"))
    try Data(source(types).utf8).write(to: input)
    let log = folder.appendingPathComponent("log")
    try Self.run(compiler + ["-std=gnu11", "-w", "-Wno-psabi", "-O0", "-o", program.path, input.path, object], log)
    let text = try Self.run(emulator + [program.path], folder.appendingPathComponent("output"))
    var count = 0
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let number = words.first.flatMap({ Int($0) }) else { continue }
      let (type, index) = number.quotientAndRemainder(dividingBy: functions.count)
      let function = functions[index]
      body(type, function, MeasuredSources(Array(words.dropFirst()), size: types[type].size ?? 0, isResult: function.role == .result))
      count += 1
    }
    guard count == types.count * functions.count else {
      throw Command.Failure(words: [program.path], status: 1, output: "\(count) of \(types.count * functions.count) functions were run")
    }
  }

  @discardableResult
  private static func run(_ words: [String], _ log: URL) throws -> String {
    let result = try Command.run(words, log: log)
    guard result.status == 0 else { throw Command.Failure(words: words, status: result.status, output: result.text) }
    return result.text
  }

  private func source(_ types: [TypeEncoding]) -> String {
    var functions: [String] = []
    var uses: [String] = []
    for (number, type) in types.enumerated() {
      functions.append(type.cTypedef("t\(number)"))
      functions.append(
        "_Static_assert(sizeof(t\(number)) == \(type.size ?? 0) && _Alignof(t\(number)) == \(type.alignment ?? 1), \"layout\");")
      for (index, function) in self.functions.enumerated() {
        let name = "f\(number)_\(index)"
        switch function.role {
        case .argument:
          let before = (0..<function.state.general).map { "long g\($0), " } + (0..<function.state.vector).map { "double v\($0), " }
          functions.append("void \(name)(\(before.joined())t\(number) t, int i, double d) { take(&t, sizeof t, &i, &d); }")
        case .result:
          functions.append("t\(number) \(name)(int i, double d) { t\(number) t; give(&t, sizeof t); take(&t, 0, &i, &d); return t; }")
        }
        uses.append(
          "probe(\(number * self.functions.count + index), \(name), sizeof(t\(number)), \(function.role == .result ? 1 : 0));")
      }
    }
    return """
      void take(const void *, int, const int *, const double *); void give(void *, int);
      void probe(int, void *, int, int); void probe_start(void);
      \(functions.joined(separator: "\n"))
      int main(void) { probe_start();
      \(uses.joined(separator: "\n"))
      return 0; }
      """
  }
}
