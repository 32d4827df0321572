internal import CFFIShim

/// A signature expressed in types that libffi passes correctly.
///
/// One argument becomes any number of libffi arguments: zero for an empty struct, one per register for a struct that is
/// passed in registers.
package struct LibFFILowering: Sendable {
  /// A type that is passed to libffi.
  enum LoweredType: Sendable, Hashable {
    case scalar(cffi_scalar)
    /// A struct of scalars, laid out by libffi.
    case aggregate([LoweredType], size: Int, alignment: Int)
    /// Bytes that are passed in memory, regardless of their contents; on AArch64 up to 16 of them as words.
    case memory(size: Int, alignment: Int)
  }

  /// A libffi argument and its offset in the frame.
  struct Argument: Sendable {
    var type: LoweredType
    var offset: Int
    /// The index of the argument that it belongs to.
    var index: Int
    /// The size of the value if the address of a copy is passed, or 0.
    var copied = 0
  }

  /// A part of a result that libffi writes to a scratch buffer.
  struct ResultPiece: Sendable {
    var source: Int
    var offset: Int
    var size: Int
  }

  var result: LoweredType = .scalar(.void)
  /// The parts to copy from the scratch buffer, or nil if libffi writes the result directly to the frame.
  var resultPieces: [ResultPiece]? = []
  var arguments: [Argument] = []
  /// The maximum number of bytes of arguments that libffi copies to the stack.
  package var stackSize = 0
}

extension LibFFILowering {
  /// Lowers a call for x86-64 according to the locations that the convention assigns, not to libffi's own
  /// classification.
  ///
  /// Only words, doubles and opaque memory are passed to libffi, which avoids its defects. A struct in registers is
  /// passed as its eightbytes (libffi 3.4.4 writes a struct of mixed classes over an adjacent value). Unions and
  /// bit-fields are passed as their merged eightbytes. A result is described by the registers in which it is returned
  /// (libffi reads `struct {long double}` from the wrong registers).
  init(systemV layout: CallLayout, types: MethodTypes, slots: [FrameSlot]) throws(InvocationError) {
    do {
      try lowerResult(layout.result, type: types.result)
    } catch {
      throw error.at(.result)
    }
    for (index, placement) in layout.arguments.enumerated() {
      do {
        try lowerArgument(placement, type: types.arguments[index], slot: slots[index], index: index)
      } catch {
        throw error.at(.index(index))
      }
    }
    stackSize = layout.stackSize
  }

  private mutating func lowerResult(_ placement: CallLayout.Placement, type: TypeEncoding) throws(InvocationError) {
    guard !placement.pieces.isEmpty else { return }
    if placement.passing == .reference {
      try Self.refuseOverAligned(type)
      result = .memory(size: type.size ?? 0, alignment: type.alignment ?? 1)
      resultPieces = nil
      return
    }
    var words: [LoweredType] = []
    var pieces: [ResultPiece] = []
    for piece in placement.pieces {
      switch piece.location {
      case .general: words.append(.scalar(.uint64))
      case .vector where piece.size <= 8: words.append(.scalar(.double))
      case .x87(0): words.append(placement.pieces.count == 1 ? .scalar(.longDouble) : .scalar(.complexLongDouble))
      case .x87: break
      case .vector, .stack, .indirectResult: throw Self.needsWholeVector(type)
      }
      pieces.append(
        ResultPiece(source: pieces.last.map { $0.source + $0.size.roundedUp(to: 8) } ?? 0, offset: piece.offset, size: piece.size))
    }
    result = words.count == 1 ? words[0] : .aggregate(words, size: 8 * words.count, alignment: 8)
    resultPieces = pieces
  }

  private mutating func lowerArgument(
    _ placement: CallLayout.Placement, type: TypeEncoding, slot: FrameSlot, index: Int
  ) throws(InvocationError) {
    for piece in placement.pieces {
      let lowered: LoweredType
      switch piece.location {
      case .general: lowered = .scalar(.uint64)
      case .vector where piece.size <= 8: lowered = .scalar(.double)
      // The registers of this class are exhausted for libffi as they are for the convention.
      case .stack where slot.storage == .floating: lowered = .scalar(.double)
      case .stack where slot.storage != .bytes: lowered = .scalar(.uint64)
      case .stack:
        try Self.refuseOverAligned(type)
        lowered = .memory(size: piece.size, alignment: type.alignment ?? 1)
      case .vector, .x87, .indirectResult: throw Self.needsWholeVector(type)
      }
      arguments.append(Argument(type: lowered, offset: Int(slot.offset) + piece.offset, index: index))
    }
  }

  private static func refuseOverAligned(_ type: TypeEncoding) throws(InvocationError) {
    guard let alignment = type.alignment, alignment > 16 else { return }
    throw InvocationError(
      .unsupportedType, "libffi aligns its stack to 16 bytes, the type needs \(alignment)", encoding: type.description)
  }

  private static func needsWholeVector(_ type: TypeEncoding) -> InvocationError {
    InvocationError(.unsupportedType, "libffi fills only half of a vector register", encoding: type.description)
  }
}

// MARK: - Portable

extension LibFFILowering {
  /// Lowers a call for a processor whose convention libffi implements, to scalars and structs of scalars in which
  /// arrays are expanded.
  ///
  /// Unions, bit-fields, vectors and 128-bit integers are rejected, since libffi has no type for them.
  ///
  /// - Parameter isAAPCS64: Whether structs and unions are lowered as AAPCS64 passes them: to equal floating-point numbers
  ///   in vector registers, or to memory. Unions and bit-fields are passed then, too.
  init(portable types: MethodTypes, isAAPCS64: Bool = false, slots: [FrameSlot]) throws(InvocationError) {
    func lower(_ type: TypeEncoding) throws(InvocationError) -> LoweredType {
      if isAAPCS64, let composite = try Self.lower(composite: type) { return composite }
      return try Self.lower(type)
    }
    do {
      if case .void = types.result.kind {
      } else if types.result.size != 0 {
        result = try lower(types.result)
        // libffi widens a result that is smaller than a word to a whole word, so it must not write to the frame.
        if case .scalar = result {
          resultPieces = [ResultPiece(source: 0, offset: 0, size: types.result.size ?? 0)]
        } else {
          resultPieces = nil
        }
      }
    } catch {
      throw error.at(.result)
    }
    for (index, type) in types.arguments.enumerated() where slots[index].storage != .nothing {
      do {
        var lowered: LoweredType
        if case .array = type.kind { lowered = .scalar(.pointer) } else { lowered = try lower(type) }
        var copied = 0
        if isAAPCS64, case .memory(let size, _) = lowered, size > 16 {
          // On the stack libffi aligns the address like the value, and passes what follows wrongly.
          (lowered, copied) = (.scalar(.pointer), size)
        }
        arguments.append(Argument(type: lowered, offset: Int(slots[index].offset), index: index, copied: copied))
        stackSize += slots[index].extent
      } catch {
        throw error.at(.index(index))
      }
    }
  }

  /// The maximum number of members of a struct, which limits the size of its descriptor.
  private static let mostMembers = 1 << 16

  private static func lower(_ type: TypeEncoding) throws(InvocationError) -> LoweredType {
    switch type.kind {
    case .scalar(let scalar): return .scalar(try lower(scalar, of: type))
    case .complex(let part): return .scalar(try lower(partOfComplex: part, of: type))
    case .cString, .atom, .object, .block, .classObject, .selector, .pointer: return .scalar(.pointer)
    case .structure:
      var members: [LoweredType] = []
      try flatten(type, into: &members)
      guard type.layoutOverride == nil, !type.qualifiers.contains(.atomic) else { throw refused(type) }
      return .aggregate(members, size: type.size ?? 0, alignment: type.alignment ?? 1)
    case .vector, .union, .array, .bitField, .void, .unknown: throw refused(type)
    }
  }

  /// Lowers a struct or union as AAPCS64 passes it; nil for another type.
  private static func lower(composite type: TypeEncoding) throws(InvocationError) -> LoweredType? {
    switch type.kind {
    case .structure, .union: break
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .array,
      .bitField:
      return nil
    }
    guard let size = type.size, let alignment = type.alignment, type.layoutOverride == nil, !type.qualifiers.contains(.atomic) else {
      throw refused(type)
    }
    if let members = AAPCS64.homogeneousMembers(of: type) {
      let scalar: cffi_scalar
      switch (members.base, members.size) {
      case ("float", 4): scalar = .float
      case ("double", 8): scalar = .double
      case ("long double", 16): scalar = .longDouble
      default: throw refused(type)
      }
      return .aggregate(Array(repeating: .scalar(scalar), count: members.count), size: size, alignment: alignment)
    }
    // libffi does not begin at an even register.
    guard size > 16 ? alignment <= 16 : alignment <= 8 else { throw refused(type) }
    return .memory(size: size, alignment: alignment)
  }

  private static func flatten(_ type: TypeEncoding, into members: inout [LoweredType]) throws(InvocationError) {
    guard members.count < mostMembers else {
      throw InvocationError(.limitExceeded, "a struct of more than \(mostMembers) members", encoding: type.description)
    }
    switch type.kind {
    case .structure(let record):
      // libffi respects the alignment of a nested struct only if it is described as a separate struct.
      var inner: [LoweredType] = []
      for field in record.fields ?? [] {
        if case .structure = field.type.kind {
          if field.type.size != 0 { inner.append(try lower(field.type)) }
        } else {
          try flatten(field.type, into: &inner)
        }
      }
      members += inner
    case .array(let count, let element):
      guard element.size != 0 else { return }
      for _ in 0..<count {
        guard members.count < mostMembers else {
          throw InvocationError(.limitExceeded, "a struct of more than \(mostMembers) members", encoding: type.description)
        }
        if case .array = element.kind { try flatten(element, into: &members) } else { members.append(try lower(element)) }
      }
    case .void, .scalar, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .union,
      .bitField:
      members.append(try lower(type))
    }
  }

  private static func lower(_ scalar: TypeEncoding.Scalar, of type: TypeEncoding) throws(InvocationError) -> cffi_scalar {
    switch (scalar.traits.format, scalar.size) {
    case (.signedInteger, 1): .sint8
    case (.signedInteger, 2): .sint16
    case (.signedInteger, 4): .sint32
    case (.signedInteger, 8): .sint64
    case (.unsignedInteger, 1), (.bool, _): .uint8
    case (.unsignedInteger, 2): .uint16
    case (.unsignedInteger, 4): .uint32
    case (.unsignedInteger, 8): .uint64
    case (.floatingPoint, 4): .float
    case (.floatingPoint, 8): .double
    case (.longDouble, _): .longDouble
    case (.signedInteger, _), (.unsignedInteger, _), (.floatingPoint, _): throw refused(type)
    }
  }

  private static func lower(partOfComplex part: TypeEncoding.Scalar, of type: TypeEncoding) throws(InvocationError) -> cffi_scalar {
    switch (part.traits.format, part.size) {
    case (.floatingPoint, 4): .complexFloat
    case (.floatingPoint, 8): .complexDouble
    case (.longDouble, _): .complexLongDouble
    case (.signedInteger, _), (.unsignedInteger, _), (.floatingPoint, _), (.bool, _): throw refused(type)
    }
  }

  private static func refused(_ type: TypeEncoding) -> InvocationError {
    InvocationError(.unsupportedType, "libffi has no type for it on this processor", encoding: type.description)
  }
}

// MARK: - Text

// What is passed to libffi, as text.
extension LibFFILowering {
  /// A run of a value's bytes and the name of the libffi type that it is passed as.
  package struct LoweredPart {
    package var type: String
    package var offset: Int
    package var size: Int
  }

  /// Returns the parts of the result; none for a result without bytes.
  package func resultParts(of type: TypeEncoding) -> [LoweredPart] {
    guard let resultPieces, !resultPieces.isEmpty else {
      if case .scalar(.void) = result { return [] }
      return [LoweredPart(type: result.text, offset: 0, size: type.size ?? 0)]
    }
    // For libffi, a result in two registers is a struct of two words.
    guard case .aggregate(let members, _, _) = result, members.count == resultPieces.count else {
      return [LoweredPart(type: result.text, offset: 0, size: type.size ?? 0)]
    }
    return zip(members, resultPieces).map { LoweredPart(type: $0.text, offset: $1.offset, size: $1.size) }
  }

  /// Returns the parts of each argument of a plan.
  package func argumentParts(_ plan: CallPlan) -> [[LoweredPart]] {
    var parts: [[LoweredPart]] = Array(repeating: [], count: plan.count)
    for argument in arguments {
      let slot = unsafe plan.slots[argument.index]
      let offset = argument.offset - Int(slot.offset)
      let size = min(argument.type.size ?? Int(slot.size), Int(slot.size) - offset)
      parts[argument.index].append(LoweredPart(type: argument.type.text, offset: offset, size: size))
    }
    return parts
  }
}

extension LibFFILowering.LoweredType {
  /// The name of the type in libffi.
  fileprivate var text: String {
    switch self {
    case .scalar(let scalar): scalar.text
    case .aggregate(let members, _, _): "struct {\(Self.text(members))}"
    case .memory(let size, let alignment): "memory (\(size) bytes, aligned to \(alignment))"
    }
  }

  /// Returns the text of the members, in which adjacent equal members are counted.
  private static func text(_ members: [Self]) -> String {
    var runs: [(member: Self, count: Int)] = []
    for member in members {
      if let last = runs.last, last.member == member { runs[runs.count - 1].count += 1 } else { runs.append((member, 1)) }
    }
    return runs.map { $0.count == 1 ? $0.member.text : "\($0.count) x \($0.member.text)" }.joined(separator: ", ")
  }

  /// The size in bytes, or nil if it depends on the platform.
  fileprivate var size: Int? {
    switch self {
    case .scalar(.uint64), .scalar(.double), .scalar(.pointer): 8
    case .scalar: nil
    case .aggregate(_, let size, _), .memory(let size, _): size
    }
  }
}

extension cffi_scalar {
  /// The name of libffi's type.
  fileprivate var text: String {
    switch self {
    case .void: "void"
    case .uint8: "uint8"
    case .sint8: "sint8"
    case .uint16: "uint16"
    case .sint16: "sint16"
    case .uint32: "uint32"
    case .sint32: "sint32"
    case .uint64: "uint64"
    case .sint64: "sint64"
    case .float: "float"
    case .double: "double"
    case .longDouble: "longdouble"
    case .pointer: "pointer"
    case .complexFloat: "complex_float"
    case .complexDouble: "complex_double"
    case .complexLongDouble: "complex_longdouble"
    }
  }
}
