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

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:fixedCount:)``.
  ///
  /// Vectors of 8 and 16 bytes are supported. Other vectors are rejected. So are aggregates with floating-point members
  /// and arrays without elements, if gcc and clang pass them differently.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a rejected type.
  package func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout {
    func refuse(_ type: TypeEncoding) throws(InvocationError) {
      try Self.refuseUnsettled(type)
      try Self.refuseDisputed(type)
    }
    return try layout(of: types) { type, _ throws(InvocationError) in
      try refuse(type)
      return Self.placeResult(type)
    } argument: { _, type, layout throws(InvocationError) in
      try refuse(type)
      return try Self.placeSettledArgument(type, in: &layout)
    }
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

  /// Places an argument, or throws an error if the alignment that gcc gives it leads to another place.
  private static func placeSettledArgument(
    _ type: TypeEncoding, in state: inout CallLayout
  ) throws(InvocationError) -> CallLayout.Placement {
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

// MARK: - Homogeneous

extension AAPCS64 {
  /// One to four equal floating-point or vector members, each passed in a vector register (AAPCS64, section
  /// 5.9.5).
  struct HomogeneousMembers: Sendable, Hashable {
    /// The base type.
    ///
    /// Floating-point types are compared by type, vectors only by size.
    var base: String
    /// The size of one member in bytes.
    var size: Int
    var count: Int
  }

  /// Returns the members of a floating-point number, a vector, or a homogeneous aggregate; nil for any other type.
  static func homogeneousMembers(of type: TypeEncoding) -> HomogeneousMembers? { homogeneousMembers(of: type, as: .clang) }

  /// Throws an error for an aggregate that only one of gcc and clang treats as homogeneous, or that they divide
  /// differently.
  static func refuseDisputed(_ type: TypeEncoding) throws(InvocationError) {
    guard homogeneousMembers(of: type, as: .gcc) != homogeneousMembers(of: type, as: .clang) else { return }
    throw InvocationError(
      .unsupportedType,
      "gcc and clang pass it differently, since they treat arrays without elements, unnamed bit-fields and atomic parts differently",
      encoding: type.description)
  }

  /// The treatment of members of size zero and of atomic members.
  ///
  /// clang skips structs that contain only arrays without elements; gcc does not. gcc treats a bit-field of width zero
  /// in a union as an integer. clang does not treat an atomic number as a base type.
  enum Reading { case gcc, clang }

  private static func homogeneousMembers(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    guard let size = type.size, size <= 64 else { return nil }
    if reading == .gcc, let members = wrappedMembers(of: type) { return members }
    guard let members = members(of: type, as: reading), (1...4).contains(members.count) else { return nil }
    return members
  }

  /// Returns the members of the only member that has bytes: gcc passes a struct of a single vector or complex number as
  /// that member.
  private static func wrappedMembers(of type: TypeEncoding) -> HomogeneousMembers? {
    switch type.kind {
    case .complex, .vector: return members(of: type, as: .gcc)
    case .array(1, let element): return wrappedMembers(of: element)
    case .structure(let record):
      guard let field = record.fields?.last(where: { $0.type.size == type.size }) else { return nil }
      return wrappedMembers(of: field.type)
    case .void, .scalar, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array, .union, .bitField:
      return nil
    }
  }

  /// Returns the common base type and the number of members of a type, with a count of zero for a type of size zero.
  private static func members(of type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    switch type.kind {
    case .scalar(let scalar):
      return scalar.isInteger ? nil : HomogeneousMembers(base: scalar.cName, size: scalar.size, count: 1)
    case .complex(let part):
      return part.isInteger ? nil : HomogeneousMembers(base: part.cName, size: part.size, count: 2)
    case .vector(_, _, let size, _):
      return size == 8 || size == 16 ? HomogeneousMembers(base: "vector", size: size, count: 1) : nil
    case .array(let count, let element):
      // An array without elements makes the type inhomogeneous in both compilers. An array of empty structs does not.
      guard count > 0, var inner = part(element, as: reading) else { return nil }
      inner.count *= count
      return inner
    case .structure(let record):
      return joined(record, isUnion: false, size: type.size, as: reading) { $0 + $1 }
    case .union(let record):
      return joined(record, isUnion: true, size: type.size, as: reading) { max($0, $1) }
    case .void, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return nil
    }
  }

  /// Returns the members of a member of a struct or union, or of an element of an array.
  private static func part(_ type: TypeEncoding, as reading: Reading) -> HomogeneousMembers? {
    if reading == .clang, type.qualifiers.contains(.atomic) { return nil }
    return members(of: type, as: reading)
  }

  private static func joined(
    _ record: TypeEncoding.Record, isUnion: Bool, size: Int?, as reading: Reading, _ combine: (Int, Int) -> Int
  ) -> HomogeneousMembers? {
    var result = HomogeneousMembers(base: "", size: 0, count: 0)
    for field in record.fields ?? [] {
      if case .bitField(let bitField) = field.type.kind, bitField.width == 0, reading == .clang || !isUnion { continue }
      if reading == .clang, isEmpty(field.type) { continue }
      guard let inner = part(field.type, as: reading) else { return nil }
      if inner.count == 0 { continue }
      guard result.count == 0 || (result.base == inner.base && result.size == inner.size) else { return nil }
      result = HomogeneousMembers(base: inner.base, size: inner.size, count: combine(result.count, inner.count))
    }
    // Padding between or after the members makes the aggregate inhomogeneous.
    return result.count * result.size == size ? result : nil
  }

  /// Whether a type is a struct or union that contains only empty types, arrays without elements and bit-fields of
  /// width zero, or an array of such a type.
  private static func isEmpty(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .array(let count, let element): return count > 0 && isEmpty(element)
    case .structure(let record), .union(let record):
      return (record.fields ?? []).allSatisfy { field in
        switch field.type.kind {
        case .bitField(let bitField): bitField.width == 0
        case .array(0, _): true
        case _: isEmpty(field.type)
        }
      }
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return false
    }
  }

  /// Returns the alignment used for passing.
  ///
  /// For a struct or union it is the alignment of its members, regardless of an alignment attribute of the whole type.
  /// A packing lowers the alignment of the members, and an attribute of a member or of its type raises it (AAPCS64,
  /// section 5.9). A packing does not lower the alignment of a bit-field of width zero; with gcc 12, of any bit-field.
  static func naturalAlignment(of type: TypeEncoding, as reading: Reading) -> Int {
    let alignment = type.memberAlignment ?? 1
    return switch type.kind {
    case .structure(let record), .union(let record): max(alignment, containerAlignment(in: record, as: reading))
    default: alignment
    }
  }

  private static func containerAlignment(in record: TypeEncoding.Record, as reading: Reading) -> Int {
    (record.fields ?? []).reduce(1) { largest, field in
      guard case .bitField(let bitField) = field.type.kind, reading == .gcc || bitField.width == 0 else { return largest }
      return max(largest, bitField.container.size)
    }
  }
}

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

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:fixedCount:)``.
  ///
  /// `long double` has the size that it has on the host, which is right on Apple's platforms only.
  package func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout {
    var layout = try self.layout(of: types) { type, _ throws(InvocationError) in
      try Self.refuseUnsettled(type)
      return AAPCS64.placeResult(type)
    } argument: { index, type, layout throws(InvocationError) in
      try Self.refuseUnsettled(type)
      let isVariadic = fixedCount.map { index >= $0 } ?? false
      return isVariadic ? Self.placeVariadic(type, in: &layout) : Self.placeArgument(type, in: &layout)
    }
    layout.stackSize = layout.stackSize.roundedUp(to: 8)
    return layout
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
      // A member gives the alignment, even if the aggregate has an attribute.
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
