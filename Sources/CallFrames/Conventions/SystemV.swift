/// The System V calling convention of x86-64: Linux, the BSDs, and macOS on Intel.
///
/// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, section 3.2.3.
package struct SystemV: CallingConvention {
  static let generalRegisters = 6
  static let vectorRegisters = 8

  /// Creates the convention.
  package init() {}

  /// The short name.
  package var name: String { "sysv" }

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:fixedCount:)``.
  ///
  /// Vectors of 8 and 16 bytes are supported. Others are rejected, since compilers pass them differently or require a
  /// processor extension.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a rejected type.
  package func layout(of types: MethodTypes, fixedCount: Int?) throws(InvocationError) -> CallLayout {
    try layout(of: types) { type, layout throws(InvocationError) in
      try Self.placeResult(type, in: &layout)
    } argument: { _, type, layout throws(InvocationError) in
      try Self.placeArgument(type, in: &layout)
    }
  }

  private static func placeResult(_ type: TypeEncoding, in state: inout CallLayout) throws(InvocationError) -> CallLayout.Placement {
    guard let size = type.size, size > 0 else { return .nothing }
    switch try classify(type) {
    case .memory:
      state.generalCount = 1
      return CallLayout.Placement(passing: .reference, pieces: [CallLayout.Piece(location: .general(0), offset: 0, size: 8)])
    case .x87:
      return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .x87(0), offset: 0, size: 16)])
    case .complexX87:
      let parts = [CallLayout.Piece(location: .x87(0), offset: 0, size: 16), CallLayout.Piece(location: .x87(1), offset: 16, size: 16)]
      return CallLayout.Placement(passing: .direct, pieces: parts)
    case .registers(let classes):
      var general = 0
      var vector = 0
      return CallLayout.Placement(passing: .direct, pieces: pieces(classes, size: size, general: &general, vector: &vector))
    }
  }

  private static func placeArgument(_ type: TypeEncoding, in state: inout CallLayout) throws(InvocationError) -> CallLayout.Placement {
    guard let size = type.size, size > 0, let alignment = type.alignment else { return .nothing }
    if case .registers(let classes) = try classify(type, isResult: false) {
      // A value that needs more registers than are available is passed on the stack as a whole, and the remaining
      // registers are available for later arguments.
      var general = state.generalCount
      var vector = state.vectorCount
      let pieces = pieces(classes, size: size, general: &general, vector: &vector)
      if general <= generalRegisters, vector <= vectorRegisters {
        state.generalCount = general
        state.vectorCount = vector
        return CallLayout.Placement(passing: .direct, pieces: pieces)
      }
    }
    let boundary = max(alignment, 8)
    state.stackAlignment = max(state.stackAlignment, boundary)
    let offset = state.stackSize.roundedUp(to: boundary)
    state.stackSize = offset + size.roundedUp(to: 8)
    return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .stack(offset), offset: 0, size: size)])
  }

  /// Assigns a register to each eightbyte.
  ///
  /// An eightbyte of class NO_CLASS has no register.
  private static func pieces(
    _ classes: Eightbytes, size: Int, general: inout Int, vector: inout Int
  ) -> [CallLayout.Piece] {
    var pieces: [CallLayout.Piece] = []
    if classes.second == .sseUp {
      // A 16-byte vector occupies one register.
      pieces.append(CallLayout.Piece(location: .vector(vector), offset: 0, size: 16))
      vector += 1
      return pieces
    }
    for (index, eightbyte) in [classes.first, classes.second].enumerated() {
      let piece: CallLayout.Location
      switch eightbyte {
      case .integer:
        piece = .general(general)
        general += 1
      case .sse:
        piece = .vector(vector)
        vector += 1
      case .none, .sseUp, .x87, .x87Up, .memory: continue
      }
      pieces.append(CallLayout.Piece(location: piece, offset: 8 * index, size: min(8, size - 8 * index)))
    }
    return pieces
  }
}

// MARK: - Reading

extension SystemV {
  /// Classifies the eightbytes of a type in the way of one compiler.
  ///
  /// Where the psABI leaves a choice, gcc and clang choose differently. The rules here were measured in code of gcc 12
  /// and clang 21; `make proof` compares them.
  struct EightbyteReader {
    /// A compiler.
    enum Reading: Sendable {
      case clang
      /// gcc, if `#pragma pack` packs the bit-fields of a packed struct whose declarations are unknown.
      case gcc
      /// gcc, if the attribute packs them.
      case gccPacked
    }

    private let reading: Reading

    /// Whether classification met a bit-field whose packing is unknown.
    private(set) var dependsOnPacking = false

    init(_ reading: Reading) { self.reading = reading }

    mutating func eightbytes(_ type: TypeEncoding) -> Eightbytes {
      var classes = Eightbytes()
      merge(type, at: 0, into: &classes)
      classes.cleanUp()
      return classes
    }

    private mutating func merge(_ type: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      switch type.kind {
      case .scalar(let scalar): merge(scalar, at: offset, into: &classes)
      case .complex(let part):
        merge(part, at: offset, into: &classes)
        merge(part, at: offset + part.size, into: &classes)
      case .vector(_, _, let size, _):
        // The alignment that an attribute gives to the type does not count.
        guard offset % size == 0 else { return classes.first = .memory }
        classes.merge(.sse, at: offset)
        if size == 16 { classes.merge(.sseUp, at: offset + 8) }
      case .cString, .atom, .object, .block, .classObject, .selector, .pointer:
        merge(.uint64, at: offset, into: &classes)
      case .array(let count, let element):
        var inner = Eightbytes()
        switch reading {
        case .clang: mergeElements(count, element, at: offset, into: &inner)
        case .gcc, .gccPacked: repeatElement(count, element, at: offset, into: &inner)
        }
        inner.cleanUp()
        classes.merge(inner)
      case .structure(let record): merge(record, of: type, isUnion: false, at: offset, into: &classes)
      case .union(let record): merge(record, of: type, isUnion: true, at: offset, into: &classes)
      case .void, .unknown, .bitField: break
      }
    }

    /// Whether clang passes a struct or an array in memory because of a part: an atomic part, or a part at an offset
    /// that is not a multiple of its type's alignment, even if all scalars in the part are aligned.
    private func isMemory(_ part: TypeEncoding, at offset: Int) -> Bool {
      reading == .clang && (part.qualifiers.contains(.atomic) || offset % (part.alignment ?? 1) != 0)
    }

    private mutating func mergeElements(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      guard let stride = element.stride, stride > 0 else { return }
      if isMemory(element, at: offset) { return classes.first = .memory }
      for index in 0..<count { merge(element, at: offset + index * stride, into: &classes) }
    }

    /// Classifies the first element and repeats the classes of its words over the array's words, as gcc does, even if
    /// the array has no elements or a later element is at a different offset in its word.
    private mutating func repeatElement(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
      guard let stride = element.stride else { return }
      func words(_ size: Int) -> Int { (offset % 8 + size + 7) / 8 }
      let arrayWords = words(count * stride)
      guard arrayWords > 0, offset < 16 else { return }
      var element0 = Eightbytes()
      merge(element, at: offset, into: &element0)
      if element0.first == .memory || element0.second == .memory { return classes.first = .memory }
      let start = offset / 8
      for index in 0..<arrayWords where start + index < 2 {
        let word = start + index % max(1, words(stride))
        classes.merge(word == 0 ? element0.first : element0.second, at: 8 * (start + index))
      }
    }

    private mutating func merge(
      _ record: TypeEncoding.Record, of type: TypeEncoding, isUnion: Bool, at offset: Int, into classes: inout Eightbytes
    ) {
      var inner = Eightbytes()
      let fields = record.fields ?? []
      for field in fields {
        if case .bitField(let bitField) = field.type.kind {
          guard let bits = field.bits else { continue }
          switch reading {
          case .clang:
            if bitField.width > 0, !isPadding(field, bitField, among: fields) { merge(bits, at: offset, into: &inner) }
          case .gcc, .gccPacked:
            if isUnion {
              mergeUnionMember(bitField, at: offset, into: &inner)
            } else if bitField.width > 0 {
              let isOrdinary = isOrdinary(bitField, at: bits.lowerBound, of: type)
              if isOrdinary, (8 * offset + bits.lowerBound) % bitField.width != 0 { inner.first = .memory }
              merge(bits, at: offset, into: &inner)
            }
          }
        } else {
          if isMemory(field.type, at: offset + field.offset) { inner.first = .memory }
          merge(field.type, at: offset + field.offset, into: &inner)
        }
      }
      inner.cleanUp()
      classes.merge(inner)
    }

    /// Merges the class INTEGER into every eightbyte that contains a part of a bit-field, which may be misaligned.
    private func merge(_ bits: Range<Int>, at offset: Int, into classes: inout Eightbytes) {
      classes.merge(.integer, at: offset + bits.lowerBound / 8)
      classes.merge(.integer, at: offset + (bits.upperBound - 1) / 8)
    }

    /// Whether a bit-field has no name, so that clang skips it.
    ///
    /// An encoding without names of members does not tell; a bit-field then counts as named.
    private func isPadding(_ field: TypeEncoding.Field, _ bitField: TypeEncoding.BitField, among fields: [TypeEncoding.Field]) -> Bool {
      if let declaration = bitField.declaration { return declaration.contains(.unnamed) }
      return field.name == nil && fields.contains { $0.name != nil }
    }

    /// Whether gcc treats a bit-field as an ordinary integer, which must be aligned: the bit-field has the size of an
    /// integer, lies at a multiple of that size in its struct, and no attribute packs it.
    private mutating func isOrdinary(_ bitField: TypeEncoding.BitField, at position: Int, of type: TypeEncoding) -> Bool {
      guard [8, 16, 32, 64, 128].contains(bitField.width), position % bitField.width == 0 else { return false }
      if bitField.width == 8 { return true }
      if let declaration = bitField.declaration { return !declaration.contains(.packed) }
      guard type.layoutOverride?.packing == 1 else { return true }
      dependsOnPacking = true
      return reading == .gcc
    }

    /// Merges a bit-field of a union, which gcc treats as an integer of the least size that it fits.
    private func mergeUnionMember(_ bitField: TypeEncoding.BitField, at offset: Int, into classes: inout Eightbytes) {
      let bytes = [1, 2, 4, 8].first { bitField.width <= 8 * $0 } ?? 16
      guard offset % bytes == 0 else { return classes.first = .memory }
      merge(0..<8 * bytes, at: offset, into: &classes)
    }

    private func merge(_ scalar: TypeEncoding.Scalar, at offset: Int, into classes: inout Eightbytes) {
      // A value with an unaligned member has class MEMORY, rule 1.
      guard offset % scalar.size == 0 else { return classes.first = .memory }
      let (first, second): (ArgumentClass, ArgumentClass) =
        switch scalar.traits.registers {
        case .general: (.integer, scalar.size > 8 ? .integer : .none)
        case .vector: (.sse, scalar.size > 8 ? .sseUp : .none)
        case .x87: (.x87, .x87Up)
        }
      classes.merge(first, at: offset)
      if second != .none { classes.merge(second, at: offset + 8) }
    }
  }
}

// MARK: - Classification

extension SystemV {
  /// The class of an eightbyte (psABI, section 3.2.3).
  enum ArgumentClass: Sendable {
    case none, integer, sse, sseUp, x87, x87Up, memory

    /// Returns the class of an eightbyte that contains parts of two members: rules 4(a) to 4(f) of the classification.
    func merged(with other: ArgumentClass) -> ArgumentClass {
      if self == other || other == .none { return self }
      if self == .none { return other }
      if self == .memory || other == .memory { return .memory }
      if self == .integer || other == .integer { return .integer }
      if [self, other].contains(where: { $0 == .x87 || $0 == .x87Up }) { return .memory }
      return .sse
    }
  }

  /// The classes of a value of at most two eightbytes.
  struct Eightbytes: Sendable, Equatable {
    var first: ArgumentClass = .none
    var second: ArgumentClass = .none

    mutating func merge(_ argumentClass: ArgumentClass, at offset: Int) {
      if offset < 8 { first = first.merged(with: argumentClass) } else { second = second.merged(with: argumentClass) }
    }

    /// Merges the classes of a member that is itself an aggregate and was classified separately.
    mutating func merge(_ aggregate: Eightbytes) {
      first = first.merged(with: aggregate.first)
      second = second.merged(with: aggregate.second)
    }

    /// Whether an argument of these classes is passed in memory.
    var isInMemory: Bool { first == .memory || first == .x87 }

    /// Applies the post-merger cleanup, rule 5.
    ///
    /// It applies to each nested aggregate too, since the classification is recursive.
    mutating func cleanUp() {
      if first == .memory || second == .memory || (second == .x87Up && first != .x87) || (first == .x87 && second != .x87Up) {
        (first, second) = (.memory, .memory)
      }
      if second == .sseUp, first != .sse { second = .sse }
    }
  }

  /// The result of the classification of a whole value.
  enum Classification: Sendable {
    case registers(Eightbytes)
    case x87
    case complexX87
    case memory
  }

  /// Classifies a complete type of at least one byte.
  ///
  /// - Parameter isResult: Whether it is a result: an argument of class X87 is passed in memory.
  static func classify(_ type: TypeEncoding, isResult: Bool = true) throws(InvocationError) -> Classification {
    if case .complex(.longDouble) = type.kind { return .complexX87 }
    try refuseUnsettled(type)
    guard let size = type.size, size <= 16 else { return .memory }
    let classes = classes(of: type, isResult: isResult)
    guard let classes else {
      throw InvocationError(
        .unsupportedType,
        "gcc and clang pass it differently, since they classify arrays, unaligned parts, bit-fields and atomic parts differently",
        encoding: type.description)
    }
    if classes.first == .memory { return .memory }
    if hasFlexibleEnd(type) {
      throw InvocationError(
        .unsupportedType, "an array without elements at the end may be a flexible one, which gcc and clang pass differently",
        encoding: type.description)
    }
    if classes.first == .x87 { return .x87 }
    return .registers(classes)
  }

  /// Returns the classes of a type, or nil if compilers pass it differently.
  private static func classes(of type: TypeEncoding, isResult: Bool) -> Eightbytes? {
    var reader = EightbyteReader(.clang)
    let classes = reader.eightbytes(type)
    func agrees(_ other: Eightbytes) -> Bool {
      if classes == other { return true }
      return !isResult && classes.isInMemory && other.isInMemory
    }
    reader = EightbyteReader(.gcc)
    guard agrees(reader.eightbytes(type)) else { return nil }
    guard reader.dependsOnPacking else { return classes }
    reader = EightbyteReader(.gccPacked)
    return agrees(reader.eightbytes(type)) ? classes : nil
  }

  /// Whether a struct ends with an array without elements.
  ///
  /// C's `char bytes[]` and GNU C's `char bytes[0]` have the same encoding.
  private static func hasFlexibleEnd(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .structure(let record):
      let fields = record.fields ?? []
      if fields.count > 1, case .array(0, _)? = fields.last?.type.kind { return true }
      return fields.contains { hasFlexibleEnd($0.type) }
    case .union(let record): return (record.fields ?? []).contains { hasFlexibleEnd($0.type) }
    case .array(_, let element): return hasFlexibleEnd(element)
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
      return false
    }
  }
}
