import DynamicInvocation
import TestSupport

/// Compares the engine's placement of a value with what clang and LLVM make of it.
struct Comparison {
  /// What a comparison found.
  enum Outcome: Equatable {
    case equal
    case refused(String)
    case different(String)
  }

  let abi: ProvenABI
  private let convention: any CallingConvention
  private static let void = TypeEncoding(.void)
  private static let long = TypeEncoding(.scalar(.int64))
  private static let int = TypeEncoding(.scalar(.int32))
  private static let double = TypeEncoding(.scalar(.double))
  private static let following = [("the int after it", int), ("the double after it", double)]

  init(_ abi: ProvenABI) {
    self.abi = abi
    convention = abi.convention
  }

  /// The signature of a function.
  static func signature(_ function: ProvenFunction, of type: TypeEncoding) -> CallSignature {
    var arguments = Array(repeating: long, count: function.state.general) + Array(repeating: double, count: function.state.vector)
    if function.role == .argument { arguments.append(type) }
    return CallSignature(function.role == .result ? type : void, arguments + [int, double])
  }

  /// The values of a function and their locations, as clang and LLVM make them, or what is wrong with clang's line.
  private func lowered(_ function: ProvenFunction, of type: TypeEncoding, _ lowered: LoweredFunction) -> (
    values: [PlacedValue], stack: Int, problem: String?
  ) {
    var parameters = lowered.parameters[...]
    var assignment = LoweredAssignment(abi)
    var values: [PlacedValue] = []
    let size = type.size ?? 0
    if function.role == .result {
      let isReference = parameters.first?.isResultAddress == true
      let parts =
        isReference ? assignment.assign(parameters.prefix(1), size: 8) : LoweredAssignment.result(lowered.result, of: abi)
      if isReference { parameters.removeFirst() }
      values.append(PlacedValue(role: .result, name: "result", size: size, isReference: isReference, parts: parts))
    }
    assignment.use(function.state)
    parameters = parameters.dropFirst(function.state.general + function.state.vector)
    guard parameters.count >= 2 else { return ([], 0, "clang's function has too few parameters") }
    if function.role == .argument {
      let own = parameters.dropLast(2)
      let isReference = own.count == 1 && own.first.map { $0.isAddress && !$0.isByValue } == true && abi != .sysv
      let parts = assignment.assign(own, size: size)
      values.append(PlacedValue(role: .argument, name: "argument", size: size, isReference: isReference, parts: parts))
    } else if parameters.count != 2 {
      return ([], 0, "clang's function has too many parameters")
    }
    for ((name, type), parameter) in zip(Self.following, parameters.suffix(2)) {
      let size = type.size ?? 0
      let parts = assignment.assign([parameter], size: size)
      values.append(PlacedValue(role: .following, name: name, size: size, isReference: false, parts: parts))
    }
    return (values, assignment.stack.roundedUp(to: 8), nil)
  }

  /// The placements of the result, or of the argument, and of the values after it.
  private static func placements(_ function: ProvenFunction, _ layout: CallLayout) -> [CallLayout.Placement] {
    (function.role == .result ? [layout.result] : [layout.arguments[layout.arguments.count - 3]]) + layout.arguments.suffix(2)
  }

  /// Compares a function with its line in clang's output.
  func outcome(_ function: ProvenFunction, of type: TypeEncoding, _ line: LoweredFunction) -> Outcome {
    let layout: CallLayout
    do {
      layout = try convention.layout(of: Self.signature(function, of: type).types)
    } catch {
      return .refused(error.reason)
    }
    let clang = lowered(function, of: type, line)
    if let problem = clang.problem { return .different(problem) }
    var differences = zip(Self.placements(function, layout), clang.values).compactMap { placement, value in
      Self.difference(placement, value.parts, isReference: value.isReference, size: value.size).map { "\(value.name): \($0)" }
    }
    if layout.stackSize != clang.stack { differences.append("\(layout.stackSize) bytes of stack; clang: \(clang.stack)") }
    return differences.isEmpty ? .equal : .different(differences.joined(separator: "; "))
  }

  /// Compares a function with what gcc compiled; a refused function counts as equal if gcc does what clang does.
  ///
  /// - Parameter line: The line of clang's output for a function that is refused.
  func outcome(_ function: ProvenFunction, of type: TypeEncoding, _ measured: MeasuredSources, _ line: LoweredFunction?) -> Outcome {
    var significant = Array(repeating: false, count: type.size ?? 0)
    for member in type.cMembers where !member.bits.isEmpty {
      for byte in member.bits.lowerBound / 8...(member.bits.upperBound - 1) / 8 { significant[byte] = true }
    }
    if let line {
      let sources = ByteSources(lowered(function, of: type, line).values, function, of: abi)
      return measured.difference(from: sources, significant: significant).map { .different($0) } ?? .equal
    }
    guard let layout = try? convention.layout(of: Self.signature(function, of: type).types) else { return .refused("") }
    let sizes = [type.size ?? 0, 4, 8]
    let values = zip(sizes, Self.placements(function, layout)).enumerated().map { index, value in
      PlacedValue(
        role: index > 0 ? .following : function.role == .result ? .result : .argument, name: "", size: value.0,
        isReference: value.1.passing == .reference,
        parts: value.1.pieces.map { LoweredAssignment.Part(location: $0.location, offset: $0.offset, bytes: $0.size) })
    }
    let difference = measured.difference(from: ByteSources(values, function, of: abi), significant: significant)
    return difference.map { .different("gcc: \($0)") } ?? .equal
  }

  private static func difference(
    _ placement: CallLayout.Placement, _ parts: [LoweredAssignment.Part], isReference: Bool, size: Int
  ) -> String? {
    let limit = isReference ? 8 : size
    let isEqual =
      (placement.passing == .reference) == isReference && placement.pieces.count == parts.count
      && zip(placement.pieces, parts).allSatisfy { piece, part in
        // clang's type of an eightbyte may leave out padding, or be wider than the value.
        piece.location == part.location && piece.offset == part.offset && piece.offset + piece.size <= limit
          && piece.size >= min(part.bytes, limit - part.offset)
      }
    if isEqual { return nil }
    let other = parts.map { "\($0.location) (bytes \($0.offset)-\($0.offset + $0.bytes - 1))" }.joined(separator: ", ")
    let own = placement.pieces.map { "\($0.location) (bytes \($0.offset)-\($0.offset + $0.size - 1))" }.joined(separator: ", ")
    return "\(placement.passing) \(own); clang: \(isReference ? "by reference in " : "")\(parts.isEmpty ? "nothing" : other)"
  }
}

/// A calling convention, and the target of clang that implements it.
enum ProvenABI: String, CaseIterable, Sendable {
  case sysv, aapcs64, apple

  /// The target for clang.
  var target: String {
    switch self {
    case .sysv: "x86_64-unknown-linux-gnu"
    case .aapcs64: "aarch64-unknown-linux-gnu"
    case .apple: "arm64-apple-macosx"
    }
  }

  /// The engine's convention.
  var convention: any CallingConvention {
    switch self {
    case .sysv: SystemV()
    case .aapcs64: AAPCS64()
    case .apple: AppleAAPCS64()
    }
  }

  /// The number of general-purpose argument registers.
  var generalRegisters: Int { self == .sysv ? 6 : 8 }

  /// The number of vector argument registers.
  var vectorRegisters: Int { 8 }

  /// The structs.
  var records: EnumeratedRecords { EnumeratedRecords(self == .apple ? EnumeratedRecords.scalarsOfApple : EnumeratedRecords.scalars) }

  /// All states of the argument registers before a value, including states with one word on the stack, which show how a value
  /// is aligned there.
  var states: [RegisterState] {
    (0...generalRegisters + 1).flatMap { general in (0...vectorRegisters).map { RegisterState(general: general, vector: $0) } }
  }
}

/// The numbers of integers and of floating-point numbers before a value, each in a register as long as there is one.
struct RegisterState: Sendable, Hashable {
  var general: Int
  var vector: Int
}

/// A function with one struct, as an argument or as the result.
///
/// Before it are as many `long` and `double` arguments as the state says, after it an `int` and a `double`, which show
/// which registers are left.
struct ProvenFunction: Sendable, Hashable {
  enum Role: String, Sendable, CaseIterable { case argument, result }

  var role: Role
  var state: RegisterState
}
