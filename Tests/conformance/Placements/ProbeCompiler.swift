import DynamicInvocation
import Foundation
import TestSupport

/// Has gcc compile functions, and runs them to see where they read their arguments and leave their results.
///
/// gcc has rules of its own: what clang lowers says nothing about it. Each struct is tried in the
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
    try Command.require(
      compiler + ["-std=gnu11", "-O1", "-c", "-o", object, source.path], log: folder.appendingPathComponent("probe-\(abi.rawValue).log"))
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
    let text = try TemporaryFolder.shared.withFolder { folder in
      let (input, program) = (folder.appendingPathComponent("probe.c"), folder.appendingPathComponent("probe"))
      try Data(source(types).utf8).write(to: input)
      let log = folder.appendingPathComponent("log")
      try Command.require(compiler + ["-std=gnu11", "-w", "-Wno-psabi", "-O0", "-o", program.path, input.path, object], log: log)
      return try Command.require(emulator + [program.path], log: log)
    }
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
      throw Failure("\(count) of \(types.count * functions.count) functions were run")
    }
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

/// Where a function reads each byte of a struct and of the two values after it, or where it leaves each byte of a struct
/// that it returns, as the numbers of probe.c.
struct ByteSources: Hashable, Sendable {
  /// A number for a byte that is not compared, such as padding.
  static let any: Int = 0xFFFF

  /// The bytes of the struct.
  var value: [Int]
  /// The bytes of the `int` and of the `double` after it.
  var following: [Int]

  /// Numbers the bytes of the pieces of a call.
  init(_ values: [PlacedValue], _ function: ProvenFunction, of abi: ProvenABI) {
    value = []
    following = []
    for placed in values {
      let numbers = Self.numbers(placed, isResult: placed.role == .result, of: abi)
      if placed.role == .following { following += numbers } else { value = numbers }
    }
  }

  private static func numbers(_ placed: PlacedValue, isResult: Bool, of abi: ProvenABI) -> [Int] {
    var numbers = Array(repeating: any, count: placed.size)
    if placed.isReference {
      guard let part = placed.parts.first else { return numbers }
      let word =
        switch part.location {
        case .general(let register): register
        case .indirectResult: 8
        case .stack(let offset): 16 + offset / 8
        case .vector, .x87: 0
        }
      for byte in numbers.indices { numbers[byte] = 2048 + 128 * word + byte }
      return numbers
    }
    for part in placed.parts {
      let first =
        switch part.location {
        case .general(let register): 8 * register
        case .vector(let register): (isResult ? 16 : 128) + 16 * register
        case .x87(let register): 108 + 10 * register
        case .stack(let offset): 256 + offset
        case .indirectResult: any
        }
      for byte in 0..<part.bytes where part.offset + byte < placed.size { numbers[part.offset + byte] = first + byte }
    }
    return numbers
  }
}

/// A value of a function and its location, as the engine or as clang and LLVM state it.
struct PlacedValue {
  enum Role { case argument, result, following }

  var role: Role
  var name: String
  var size: Int
  var isReference: Bool
  var parts: [LoweredAssignment.Part]
}

/// What a compiled function did: for each byte the numbers at which it was found.
struct MeasuredSources: Sendable {
  /// The bytes of the struct; several numbers if a byte of a result is in several registers.
  var value: [[Int]]
  var following: [[Int]]
  /// Whether the function could not be called.
  var isStopped: Bool = false

  /// Reads a line of probe.c after the number.
  init(_ words: [Substring], size: Int, isResult: Bool) {
    guard words.count == 2 else { (value, following, isStopped) = ([], [], true); return }
    var bytes = words[1].split(separator: ",").map { $0.split(separator: "/").compactMap { Int($0) } }
    if isResult {
      // The two values are first, and each byte of the result has a first number that means nothing.
      following = Array(bytes.prefix(12))
      bytes.removeFirst(min(12, bytes.count))
      value = bytes.map { $0.count > 1 ? Array($0.dropFirst()) : $0 }
    } else {
      value = Array(bytes.prefix(size))
      following = Array(bytes.dropFirst(size))
    }
  }

  /// Returns what differs in the bytes that have a value, or nil.
  func difference(from expected: ByteSources, significant: [Bool]) -> String? {
    if isStopped { return "the function reads from somewhere else" }
    for (byte, number) in expected.value.enumerated() where significant[byte] {
      guard byte < value.count, value[byte].contains(number) else {
        return "byte \(byte) is at \(byte < value.count ? value[byte] : []), not at \(number)"
      }
    }
    for (byte, number) in expected.following.enumerated() where byte >= following.count || !following[byte].contains(number) {
      return "byte \(byte) of the int and the double after it is at \(byte < following.count ? following[byte] : []), not at \(number)"
    }
    return nil
  }
}
