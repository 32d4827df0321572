import DynamicInvocation
import Foundation
import TestSupport

/// Has clang lower functions to LLVM's intermediate representation.
///
/// The functions are declared and their addresses are used, so that clang writes one line for each and no code.
struct LoweringCompiler {
  let abi: ProvenABI

  /// Lowers the functions of each role in each state, for each type, and calls `body` for each.
  ///
  /// - Throws: `Command.Failure` if clang fails, also if a type has another layout than here; `LoweringError` for
  ///   output that is not understood.
  func lower(
    _ types: [TypeEncoding], roles: [ProvenFunction.Role], states: [RegisterState],
    _ body: (_ type: Int, ProvenFunction, LoweredFunction) -> Void
  ) throws {
    let text = try TemporaryFolder.shared.withFolder { folder in
      let (input, output) = (folder.appendingPathComponent("proof.c"), folder.appendingPathComponent("proof.ll"))
      try Data(Self.source(types, roles: roles, states: states).utf8).write(to: input)
      let words = ["clang", "-target", abi.target, "-std=gnu11", "-w", "-S", "-emit-llvm", "-O0", "-Xclang", "-disable-llvm-passes"]
      try Command.require(words + ["-o", output.path, input.path], log: folder.appendingPathComponent("log"))
      return String(decoding: try Data(contentsOf: output), as: UTF8.self)
    }
    var expected = 0
    try Self.read(text) { lowered in
      // clang writes the functions in the order in which they are used.
      let (type, rest) = expected.quotientAndRemainder(dividingBy: states.count * roles.count)
      let (state, role) = rest.quotientAndRemainder(dividingBy: roles.count)
      let function = ProvenFunction(role: roles[role], state: states[state])
      guard lowered.name == "\(roles[role] == .argument ? "a" : "r")\(type)_\(state)" else {
        throw LoweringError(line: lowered.name, reason: "an unexpected function")
      }
      body(type, function, lowered)
      expected += 1
    }
    guard expected == types.count * roles.count * states.count else {
      throw LoweringError(line: "", reason: "\(expected) functions of \(types.count * roles.count * states.count)")
    }
  }

  private static func source(_ types: [TypeEncoding], roles: [ProvenFunction.Role], states: [RegisterState]) -> String {
    var declarations = "#define DECLARE(n)"
    var names = "#define NAMES(n)"
    for (index, state) in states.enumerated() {
      let before = String(repeating: "long, ", count: state.general) + String(repeating: "double, ", count: state.vector)
      for role in roles {
        switch role {
        case .argument: declarations += " void a##n##_\(index)(\(before)t##n, int, double);"
        case .result: declarations += " t##n r##n##_\(index)(\(before)int, double);"
        }
        names += " \(role == .argument ? "a" : "r")##n##_\(index),"
      }
    }
    let definitions = types.enumerated().map { index, type in
      """
      \(type.cTypedef("t\(index)"))
      _Static_assert(sizeof(t\(index)) == \(type.size ?? 0) && _Alignof(t\(index)) == \(type.alignment ?? 1), "layout");
      DECLARE(\(index))
      """
    }
    let uses = types.indices.map { "NAMES(\($0))" }.joined(separator: " ")
    return ([declarations, names] + definitions + ["void *const all[] = {\(uses)};", ""]).joined(separator: "\n")
  }

  /// Reads the definitions of types, then the lines of functions.
  private static func read(_ text: String, _ body: (LoweredFunction) throws -> Void) throws {
    var types: [String: [LoweredValue.Element]] = [:]
    var pending: [Substring.UTF8View] = []
    var rest = text.utf8[...]
    while !rest.isEmpty {
      let end = rest.firstIndex(of: UInt8(ascii: "\n")) ?? rest.endIndex
      let line = Substring(rest[..<end]).utf8
      rest = rest[end...].dropFirst()
      if line.starts(with: "%".utf8) {
        pending.append(line)
      } else if line.starts(with: "declare ".utf8) {
        define(&pending, in: &types)
        try body(LoweredFunction(line, types: types))
      }
    }
  }

  /// Defines named types; a type may be defined after one that contains it, and an opaque one is not defined.
  private static func define(_ pending: inout [Substring.UTF8View], in types: inout [String: [LoweredValue.Element]]) {
    var isProgress = true
    while isProgress, !pending.isEmpty {
      let before = pending.count
      pending.removeAll { line in
        var reader = LoweringReader(line, types: types)
        guard reader.skip("%") else { return true }
        let name = reader.word()
        guard reader.skip(" = type "), let elements = try? reader.aggregate() else { return false }
        types[name] = elements
        return true
      }
      isProgress = pending.count < before
    }
    pending = []
  }
}
