/// The variant of AAPCS64 of Apple's platforms.
///
/// Source: Apple, Writing ARM64 code for Apple platforms. Registers are assigned as ``AAPCS64`` assigns them, except
/// that a 16-byte integer may start at an odd register. A scalar on the stack occupies only its own bytes, and an
/// aggregate is aligned to its own alignment, an attribute included. There is no rounding to 16 bytes. Variadic arguments
/// are passed on the stack, each in whole words.
///
/// `make proof` and `make aarch64` compare it with clang. Nothing of it has run on Apple's hardware.
package struct AppleAAPCS64: CallingConvention {
  /// Creates the convention.
  package init() {}

  /// The short name.
  package var name: String { "apple" }

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:)``.
  ///
  /// `long double` has the size that it has on the host, which is right on Apple's platforms only.
  package func layout(of types: MethodTypes) throws(InvocationError) -> CallLayout { try layout(of: types, fixedCount: nil) }

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:fixedCount:)``.
  package func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout {
    var state = CallLayout(
      result: .nothing, arguments: [], generalCount: 0, vectorCount: 0, stackSize: 0, stackAlignment: 16)
    do {
      let type = try returnedType(types.result)
      try Self.refuseUnsettled(type)
      state.result = AAPCS64.placeResult(type)
    } catch {
      throw error.at(.result)
    }
    for (index, argument) in types.arguments.enumerated() {
      do {
        let type = try passedType(argument)
        try Self.refuseUnsettled(type)
        let isVariadic = fixedCount.map { index >= $0 } ?? false
        state.arguments.append(isVariadic ? Self.placeVariadic(type, in: &state) : Self.placeArgument(type, in: &state))
      } catch {
        throw error.at(.index(index))
      }
    }
    state.stackSize = state.stackSize.roundedUp(to: 8)
    return state
  }

  /// Passes a variadic argument in whole words of the stack.
  ///
  /// A composite of more than 16 bytes is passed by reference, unless it is a homogeneous aggregate.
  private static func placeVariadic(_ type: TypeEncoding, in state: inout CallLayout) -> CallLayout.Placement {
    guard let size = type.size, size > 0, let alignment = type.alignment else { return .nothing }
    if size > 16, AAPCS64.homogeneousMembers(of: type) == nil {
      let address = onStack(size: 8, occupied: 8, alignment: 8, in: &state)
      return CallLayout.Placement(passing: .reference, pieces: address.pieces)
    }
    let words = size.roundedUp(to: 8)
    return onStack(size: size, occupied: words, alignment: max(8, alignment), in: &state)
  }

  private static func placeArgument(_ type: TypeEncoding, in state: inout CallLayout) -> CallLayout.Placement {
    guard let size = type.size, size > 0, let alignment = type.alignment else { return .nothing }
    if let members = AAPCS64.homogeneousMembers(of: type) {
      if state.vectorCount + members.count <= AAPCS64.vectorRegisters {
        defer { state.vectorCount += members.count }
        return CallLayout.Placement(passing: .direct, pieces: AAPCS64.vectorPieces(members, from: state.vectorCount))
      }
      state.vectorCount = AAPCS64.vectorRegisters
      // The alignment is that of a member, even if the aggregate has an attribute.
      return onStack(size: size, occupied: size, alignment: members.size, in: &state)
    }
    guard AAPCS64.isComposite(type) else {
      return placeWords(size: size, occupied: size, alignment: alignment, in: &state)
    }
    if size > 16 {
      let address = placeWords(size: 8, occupied: 8, alignment: 8, in: &state)
      return CallLayout.Placement(passing: .reference, pieces: address.pieces)
    }
    return placeWords(size: size, occupied: size.roundedUp(to: 8), alignment: max(8, alignment), in: &state)
  }

  /// Passes a value in consecutive general-purpose registers, or on the stack.
  private static func placeWords(size: Int, occupied: Int, alignment: Int, in state: inout CallLayout) -> CallLayout.Placement {
    let words = (size + 7) / 8
    if state.generalCount + words <= AAPCS64.generalRegisters {
      defer { state.generalCount += words }
      return CallLayout.Placement(passing: .direct, pieces: AAPCS64.generalPieces(size: size, from: state.generalCount))
    }
    state.generalCount = AAPCS64.generalRegisters
    return onStack(size: size, occupied: occupied, alignment: alignment, in: &state)
  }

  private static func onStack(size: Int, occupied: Int, alignment: Int, in state: inout CallLayout) -> CallLayout.Placement {
    let offset = state.stackSize.roundedUp(to: alignment)
    state.stackSize = offset + occupied
    return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .stack(offset), offset: 0, size: size)])
  }
}
