/// The procedure call standard of 64-bit Arm, as Linux uses it.
///
/// Source: Procedure Call Standard for the Arm 64-bit Architecture (AAPCS64), sections 6.8 and 6.9. Apple's variant packs
/// stack arguments and passes variadic arguments on the stack; see `AppleAAPCS64`.
package struct AAPCS64: CallingConvention {
  static let generalRegisters = 8
  static let vectorRegisters = 8

  /// Creates the convention.
  package init() {}

  /// The short name.
  package var name: String { "aapcs64" }

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:)``.
  ///
  /// Vectors of 8 and 16 bytes are supported. Other vectors are rejected, and so are aggregates with floating-point
  /// members and arrays without elements that gcc and clang pass differently.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a rejected type.
  package func layout(of types: MethodTypes) throws(InvocationError) -> CallLayout {
    var state = CallLayout(
      result: .nothing, arguments: [], generalCount: 0, vectorCount: 0, stackSize: 0, stackAlignment: 16)
    do {
      let type = try returnedType(types.result)
      try Self.refuseUnsettled(type)
      try Self.refuseDisputed(type)
      state.result = Self.placeResult(type)
    } catch {
      throw error.at(.result)
    }
    for (index, argument) in types.arguments.enumerated() {
      do {
        let type = try passedType(argument)
        try Self.refuseUnsettled(type)
        try Self.refuseDisputed(type)
        state.arguments.append(try Self.placeSettledArgument(type, in: &state))
      } catch {
        throw error.at(.index(index))
      }
    }
    return state
  }

  static func placeResult(_ type: TypeEncoding) -> CallLayout.Placement {
    guard let size = type.size, size > 0 else { return .nothing }
    if let members = homogeneousMembers(of: type) {
      return CallLayout.Placement(passing: .direct, pieces: vectorPieces(members, from: 0))
    }
    if size > 16 {
      return CallLayout.Placement(passing: .reference, pieces: [CallLayout.Piece(location: .indirectResult, offset: 0, size: 8)])
    }
    return CallLayout.Placement(passing: .direct, pieces: generalPieces(size: size, from: 0))
  }

  /// Places an argument, or throws an error if it is placed elsewhere with the alignment that gcc gives it.
  private static func placeSettledArgument(_ type: TypeEncoding, in state: inout CallLayout) throws(InvocationError)
    -> CallLayout.Placement
  {
    let (alignment, other) = (naturalAlignment(of: type, as: .clang), naturalAlignment(of: type, as: .gcc))
    // A bit-field of width zero may align a value of one word to two, which clang then passes in two registers.
    let isWord = (type.size ?? 0) <= 8
    guard max(alignment, 8) != max(other, 8) || (alignment >= 16 && isWord) else {
      return placeArgument(type, alignment: alignment, in: &state)
    }
    var otherState = state
    let otherPlacement = placeArgument(type, alignment: other, in: &otherState)
    let placement = placeArgument(type, alignment: alignment, in: &state)
    guard placement == otherPlacement, state == otherState, alignment < 16 || !isWord else {
      throw InvocationError(
        .unsupportedType, "gcc and clang pass it differently, since they align a packed bit-field differently",
        encoding: type.description)
    }
    return placement
  }

  private static func placeArgument(_ type: TypeEncoding, alignment: Int, in state: inout CallLayout) -> CallLayout.Placement {
    guard let size = type.size, size > 0 else { return .nothing }
    if let members = homogeneousMembers(of: type) {
      // Rules C.1 to C.5: after one value was passed on the stack, later values do not use the remaining registers.
      if state.vectorCount + members.count <= vectorRegisters {
        defer { state.vectorCount += members.count }
        return CallLayout.Placement(passing: .direct, pieces: vectorPieces(members, from: state.vectorCount))
      }
      state.vectorCount = vectorRegisters
      return onStack(size: size, alignment: alignment, in: &state)
    }
    if size > 16, isComposite(type) {
      // Rule B.4: the caller copies the value and passes the address of the copy.
      let address = placeWords(size: 8, alignment: 8, in: &state)
      return CallLayout.Placement(passing: .reference, pieces: address.pieces)
    }
    return placeWords(size: size, alignment: alignment, in: &state)
  }

  /// Rules C.9 to C.17: passes a value in general-purpose registers, starting at an even register if it is aligned to
  /// 16 bytes.
  private static func placeWords(size: Int, alignment: Int, in state: inout CallLayout) -> CallLayout.Placement {
    let words = (size + 7) / 8
    // A packed bit-field may have this alignment in a value of one word, which any register holds.
    if alignment >= 16, words == 2 { state.generalCount = state.generalCount.roundedUp(to: 2) }
    if state.generalCount + words <= generalRegisters {
      defer { state.generalCount += words }
      return CallLayout.Placement(passing: .direct, pieces: generalPieces(size: size, from: state.generalCount))
    }
    state.generalCount = generalRegisters
    return onStack(size: size, alignment: alignment, in: &state)
  }

  private static func onStack(size: Int, alignment: Int, in state: inout CallLayout) -> CallLayout.Placement {
    let offset = state.stackSize.roundedUp(to: alignment >= 16 ? 16 : 8)
    state.stackSize = offset + size.roundedUp(to: 8)
    return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .stack(offset), offset: 0, size: size)])
  }

  static func generalPieces(size: Int, from register: Int) -> [CallLayout.Piece] {
    stride(from: 0, to: size, by: 8).map { offset in
      CallLayout.Piece(location: .general(register + offset / 8), offset: offset, size: min(8, size - offset))
    }
  }

  static func vectorPieces(_ members: HomogeneousMembers, from register: Int) -> [CallLayout.Piece] {
    (0..<members.count).map { index in
      CallLayout.Piece(location: .vector(register + index), offset: index * members.size, size: members.size)
    }
  }

  static func isComposite(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .structure, .union, .array, .complex: true
    case .void, .scalar, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: false
    }
  }
}
