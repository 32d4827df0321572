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

  /// Compares a function with its line in clang's output.
  func outcome(_ function: ProvenFunction, of type: TypeEncoding, _ lowered: LoweredFunction) -> Outcome {
    let layout: CallLayout
    do {
      layout = try convention.layout(of: Self.signature(function, of: type).types)
    } catch {
      return .refused(error.reason)
    }
    var parameters = lowered.parameters[...]
    var assignment = LoweredAssignment(abi)
    var differences: [String] = []
    func compare(
      _ what: String, _ type: TypeEncoding, _ placement: CallLayout.Placement, _ parts: [LoweredAssignment.Part], isReference: Bool
    ) {
      guard let wrong = Self.difference(placement, parts, isReference: isReference, size: type.size ?? 0) else { return }
      differences.append("\(what): \(wrong)")
    }

    if function.role == .result {
      let address = parameters.first.flatMap { $0.isResultAddress ? $0 : nil }
      if address != nil {
        let parts = assignment.assign(parameters.prefix(1), size: 8)
        parameters.removeFirst()
        compare("result", type, layout.result, parts, isReference: true)
      } else {
        compare("result", type, layout.result, LoweredAssignment.result(lowered.result, of: abi), isReference: false)
      }
    }
    assignment.use(function.state)
    parameters = parameters.dropFirst(function.state.general + function.state.vector)
    guard parameters.count >= 2 else { return .different("clang's function has too few parameters") }
    if function.role == .argument {
      let own = parameters.dropLast(2)
      let isReference = own.count == 1 && own.first.map { $0.isAddress && !$0.isByValue } == true && abi != .sysv
      let parts = assignment.assign(own, size: type.size ?? 0)
      let placement = layout.arguments[layout.arguments.count - 3]
      compare("argument", type, placement, parts, isReference: isReference)
    } else if parameters.count != 2 {
      return .different("clang's function has too many parameters")
    }
    for ((name, type), (lowered, placement)) in zip(Self.following, zip(parameters.suffix(2), layout.arguments.suffix(2))) {
      compare(name, type, placement, assignment.assign([lowered], size: type.size ?? 0), isReference: false)
    }
    let stack = assignment.stack.roundedUp(to: 8)
    if layout.stackSize != stack { differences.append("\(layout.stackSize) bytes of stack; clang: \(stack)") }
    return differences.isEmpty ? .equal : .different(differences.joined(separator: "; "))
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
    return "\(placement); clang: \(isReference ? "by reference in " : "")\(parts.isEmpty ? "nothing" : other)"
  }
}
