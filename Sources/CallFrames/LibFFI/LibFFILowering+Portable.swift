internal import CFFIShim

extension LibFFILowering {
  /// Lowers a call for a processor whose convention libffi implements, to scalars and structs of scalars in which
  /// arrays are expanded.
  ///
  /// Unions, bit-fields, vectors and 128-bit integers are rejected, since libffi has no type for them.
  init(portable types: MethodTypes, slots: [FrameSlot]) throws(InvocationError) {
    do {
      if case .void = types.result.kind {
      } else if types.result.size != 0 {
        result = try Self.lower(types.result)
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
        let lowered: LoweredType
        if case .array = type.kind { lowered = .scalar(.pointer) } else { lowered = try Self.lower(type) }
        arguments.append(Argument(type: lowered, offset: Int(slots[index].offset), index: index))
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
