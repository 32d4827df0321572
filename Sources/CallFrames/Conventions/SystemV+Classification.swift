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
  static func classify(_ type: TypeEncoding) throws(InvocationError) -> Classification {
    if case .complex(.longDouble) = type.kind { return .complexX87 }
    try refuseUnsettled(type)
    guard let size = type.size, size <= 16 else { return .memory }
    let classes = eightbytes(type, as: .standard)
    if classes != eightbytes(type, as: .gcc) {
      throw InvocationError(
        .unsupportedType, "gcc and clang pass it differently, since they read an array in it differently", encoding: type.description)
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

  /// How arrays are classified: element by element, as the psABI specifies and clang does, or as gcc does.
  private enum Reading { case standard, gcc }

  private static func eightbytes(_ type: TypeEncoding, as reading: Reading) -> Eightbytes {
    var classes = Eightbytes()
    merge(type, at: 0, into: &classes, as: reading)
    classes.cleanUp()
    return classes
  }

  private static func merge(_ type: TypeEncoding, at offset: Int, into classes: inout Eightbytes, as reading: Reading) {
    switch type.kind {
    case .scalar(let scalar): merge(scalar, at: offset, into: &classes)
    case .complex(let part):
      merge(part, at: offset, into: &classes)
      merge(part, at: offset + part.size, into: &classes)
    case .vector(_, _, let size, let alignment):
      guard offset % alignment == 0 else { return classes.first = .memory }
      classes.merge(.sse, at: offset)
      if size == 16 { classes.merge(.sseUp, at: offset + 8) }
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer:
      merge(.uint64, at: offset, into: &classes)
    case .array(let count, let element):
      var inner = Eightbytes()
      switch reading {
      case .standard: mergeElements(count, element, at: offset, into: &inner)
      case .gcc: repeatElement(count, element, at: offset, into: &inner)
      }
      inner.cleanUp()
      classes.merge(inner)
    case .structure(let record), .union(let record):
      var inner = Eightbytes()
      for field in record.fields ?? [] {
        if case .bitField(let bitField) = field.type.kind {
          guard let bits = field.bits, bitField.width > 0 else { continue }
          // A bit-field may be misaligned for its type. Every eightbyte that contains a part of it has class INTEGER.
          inner.merge(.integer, at: offset + bits.lowerBound / 8)
          inner.merge(.integer, at: offset + (bits.upperBound - 1) / 8)
        } else {
          merge(field.type, at: offset + field.offset, into: &inner, as: reading)
        }
      }
      inner.cleanUp()
      classes.merge(inner)
    case .void, .unknown, .bitField: break
    }
  }

  private static func mergeElements(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
    guard let stride = element.stride, stride > 0 else { return }
    for index in 0..<count { merge(element, at: offset + index * stride, into: &classes, as: .standard) }
  }

  /// Classifies the first element and repeats the classes of its words over those of the array, as gcc does, even if
  /// the array has no elements or a later element is at a different offset in its word.
  private static func repeatElement(_ count: Int, _ element: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
    guard let stride = element.stride else { return }
    func words(_ size: Int) -> Int { (offset % 8 + size + 7) / 8 }
    let arrayWords = words(count * stride)
    guard arrayWords > 0, offset < 16 else { return }
    var element0 = Eightbytes()
    merge(element, at: offset, into: &element0, as: .gcc)
    if element0.first == .memory || element0.second == .memory { return classes.first = .memory }
    let start = offset / 8
    for index in 0..<arrayWords where start + index < 2 {
      let word = start + index % max(1, words(stride))
      classes.merge(word == 0 ? element0.first : element0.second, at: 8 * (start + index))
    }
  }

  private static func merge(_ scalar: TypeEncoding.Scalar, at offset: Int, into classes: inout Eightbytes) {
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
