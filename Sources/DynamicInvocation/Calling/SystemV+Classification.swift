extension SystemV {
  /// The class of an eightbyte, psABI section 3.2.3.
  enum ArgumentClass: Sendable {
    case none, integer, sse, sseUp, x87, x87Up, memory

    /// The class of an eightbyte that two members share: rules 4(a) to 4(f) of the classification.
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
  struct Eightbytes: Sendable {
    var first: ArgumentClass = .none
    var second: ArgumentClass = .none
    /// What gcc, but not clang, adds for the elements of arrays that have none.
    var disputedFirst: ArgumentClass = .none
    var disputedSecond: ArgumentClass = .none

    mutating func merge(_ argumentClass: ArgumentClass, at offset: Int) {
      if offset < 8 { first = first.merged(with: argumentClass) } else { second = second.merged(with: argumentClass) }
    }
  }

  /// What the classification says of a whole value.
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
    var classes = Eightbytes()
    merge(type, at: 0, into: &classes)
    if classes.first.merged(with: classes.disputedFirst) != classes.first
      || classes.second.merged(with: classes.disputedSecond) != classes.second
    {
      throw InvocationError(
        .unsupportedType, "gcc and clang pass it differently, since it has an array without elements inside a word",
        encoding: type.description)
    }
    // The clean-up after merging, rule 5.
    if classes.first == .memory || classes.second == .memory { return .memory }
    if classes.second == .x87Up { return classes.first == .x87 ? .x87 : .memory }
    if classes.first == .x87 || classes.first == .x87Up { return .memory }
    if classes.second == .sseUp, classes.first != .sse { classes.second = .sse }
    return .registers(classes)
  }

  private static func merge(_ type: TypeEncoding, at offset: Int, into classes: inout Eightbytes) {
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
      guard count > 0 else { return dispute(element, at: offset, in: &classes) }
      guard let stride = element.stride, stride > 0 else { return }
      for index in 0..<count { merge(element, at: offset + index * stride, into: &classes) }
    case .structure(let record), .union(let record):
      for field in record.fields ?? [] {
        if case .bitField(let bitField) = field.type.kind {
          guard let bits = field.bits, bitField.width > 0 else { continue }
          // A bit-field may be misaligned for its type; it makes every eightbyte it touches an integer.
          classes.merge(.integer, at: offset + bits.lowerBound / 8)
          classes.merge(.integer, at: offset + (bits.upperBound - 1) / 8)
        } else {
          merge(field.type, at: offset + field.offset, into: &classes)
        }
      }
    case .void, .unknown, .bitField: break
    }
  }

  /// Notes an array without elements: gcc counts its type of element, unless it begins a word; clang and the psABI do not.
  private static func dispute(_ element: TypeEncoding, at offset: Int, in classes: inout Eightbytes) {
    guard offset % 8 != 0 else { return }
    var alone = Eightbytes()
    merge(element, at: offset, into: &alone)
    classes.disputedFirst = classes.disputedFirst.merged(with: alone.first).merged(with: alone.disputedFirst)
    classes.disputedSecond = classes.disputedSecond.merged(with: alone.second).merged(with: alone.disputedSecond)
  }

  private static func merge(_ scalar: TypeEncoding.Scalar, at offset: Int, into classes: inout Eightbytes) {
    // A member that is not aligned sends the whole value to memory, rule 1.
    guard offset % scalar.size == 0 else { return classes.first = .memory }
    switch scalar {
    case .float16, .float, .double: classes.merge(.sse, at: offset)
    case .longDouble:
      classes.merge(.x87, at: offset)
      classes.merge(.x87Up, at: offset + 8)
    case .int128, .uint128:
      classes.merge(.integer, at: offset)
      classes.merge(.integer, at: offset + 8)
    default: classes.merge(.integer, at: offset)
    }
  }

  /// Refuses a vector that gcc and clang pass differently, or only with a processor extension, anywhere in the type.
  private static func refuseUnsettled(_ type: TypeEncoding) throws(InvocationError) {
    switch type.kind {
    case .vector(let element, let count, let size, _):
      guard size == 8 || size == 16, count > 1, element.size <= 8 else {
        throw InvocationError(
          .unsupportedType, "a vector of \(count) \(element.cName) in \(size) bytes has no settled way to be passed",
          encoding: type.description)
      }
    case .array(_, let element): try refuseUnsettled(element)
    case .structure(let record), .union(let record):
      if type.qualifiers.contains(.atomic) {
        throw InvocationError(
          .unsupportedType, "an atomic struct may be padded in a way the encoding does not tell", encoding: type.description)
      }
      for field in record.fields ?? [] { try refuseUnsettled(field.type) }
    default: break
    }
  }
}
