internal import CallFrames
internal import DynamicInvocation

/// The parts of the values of a type that may be objects.
private indirect enum ObjectParts: Sendable {
  case none
  case object
  case parts([SwiftMetadata.Part])
  case enumeration
  case existential
  case error
  /// An array, set or dictionary of the standard library.
  case collection

  static let known: Locked<[SwiftMetadata: ObjectParts]> = Locked([:])
}

extension SwiftMetadata {
  /// An object in a value that is being deallocated, so that a copy of the value must not be kept; nil if none is found.
  ///
  /// It is looked for in structs, tuples, enums, optionals, existentials, and in the first elements of arrays, sets and dictionaries.
  /// What a closure has captured is not known, nor where a tuple with the metatype of a struct has its objects.
  ///
  /// - Complexity: O(parts of the value). The parts of a type are found once.
  @unsafe
  package func deallocatingObject(in value: UnsafeRawPointer) -> ObjectIdentifier? {
    switch objectParts {
    case .none: return nil
    case .object: return unsafe Self.deallocating(value.load(as: UnsafeRawPointer?.self))
    case .parts(let parts):
      for part in parts { if let found = unsafe part.type.deallocatingObject(in: value + part.offset) { return found } }
      return nil
    case .enumeration: return unsafe deallocatingPayload(of: value)
    case .existential:
      guard let type = unsafe SwiftMetadata(at: value.load(fromByteOffset: 24, as: UnsafeRawPointer?.self)) else { return nil }
      return unsafe type.deallocatingObject(in: type.isStoredInline ? value : Self.boxed(value, type))
    case .error:
      func find<Value: Error>(_ error: Value) -> ObjectIdentifier? {
        unsafe withUnsafePointer(to: error) { unsafe SwiftMetadata(Value.self).deallocatingObject(in: $0) }
      }
      return unsafe find(value.assumingMemoryBound(to: (any Error).self).pointee)
    case .collection:
      func find<Value>(_: Value.Type) -> ObjectIdentifier? {
        unsafe (value.assumingMemoryBound(to: Value.self).pointee as? any StandardCollection)?.deallocatingElement
      }
      return _openExistential(type, do: find)
    }
  }

  @unsafe
  private static func deallocating(_ object: UnsafeRawPointer?) -> ObjectIdentifier? {
    guard let object = unsafe object else { return nil }
    return unsafe Unmanaged<AnyObject>.fromOpaque(object)._withUnsafeGuaranteedRef { isDeallocating($0) ? ObjectIdentifier($0) : nil }
  }

  /// The value in the box whose address is at an address.
  @unsafe
  private static func boxed(_ address: UnsafeRawPointer, _ type: SwiftMetadata) -> UnsafeRawPointer {
    unsafe address.load(as: UnsafeRawPointer.self) + 16.roundedUp(to: type.alignment)
  }

  @unsafe
  private func deallocatingPayload(of value: UnsafeRawPointer) -> ObjectIdentifier? {
    let tag = Int(unsafe tag(of: value))
    let payload: (type: SwiftMetadata, isIndirect: Bool)
    if kind == .optional {
      guard tag == 0, let type = metadata(2) else { return nil }
      payload = (type, false)
    } else {
      guard let descriptor, let fields = descriptor.fields, fields.indices.contains(tag), let name = fields[tag].type,
        let type = field(name, in: descriptor)?.type, !type.isTupleOfEmptyMetatypes
      else { return nil }
      payload = (type, fields[tag].isIndirect)
    }
    // The payload is uncovered in a copy of the bytes, which owns nothing.
    return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: alignment) { memory in
      let bytes = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe bytes.copyMemory(from: value, byteCount: size)
      unsafe project(bytes)
      return unsafe payload.type.deallocatingObject(in: payload.isIndirect ? Self.boxed(bytes, payload.type) : UnsafeRawPointer(bytes))
    }
  }

  private var objectParts: ObjectParts {
    if isTrivial { return .none }
    if isClass { return .object }
    if let known = ObjectParts.known.withLock({ $0[self] }) { return known }
    let parts = findObjectParts()
    ObjectParts.known.withLock { $0[self] = parts }
    return parts
  }

  private func findObjectParts() -> ObjectParts {
    switch kind {
    case .existential:
      let flags = half(8)
      // The special protocol is `Error`, whose values are boxed otherwise.
      guard flags & 0x3F00_0000 == 0 else { return .error }
      return flags & 0x8000_0000 == 0 ? .object : .existential
    case .extendedExistential:
      guard let shape = unsafe UnsafeRawPointer(bitPattern: word(1)) else { return .none }
      // The low byte of its flags: no special kind, or a class.
      switch unsafe shape.load(as: UInt8.self) {
      case 0: return .existential
      case 1: return .object
      default: return .none
      }
    case .tuple: return .parts(elements.filter { !$0.type.isTrivial })
    case .optional, .enumeration: return hasEnumWitnesses ? .enumeration : .none
    case .structure:
      if type is any StandardCollection.Type { return .collection }
      guard isCopyable, let descriptor, let fields = storedFields else { return .none }
      return .parts(
        fields.compactMap { each, offset in
          // A weak or unowned reference may be copied while its object is being deallocated.
          guard let name = each.type, let (type, mark) = field(name, in: descriptor), mark == nil, !type.isTrivial,
            type.kind != .builtin, !type.isTupleOfEmptyMetatypes
          else { return nil }
          return Part(type: type, offset: offset)
        })
    default: return .none
    }
  }
}

/// A collection whose elements are looked at without code of a user.
private protocol StandardCollection {
  var deallocatingElement: ObjectIdentifier? { get }
}

extension Collection {
  fileprivate var deallocatingElement: ObjectIdentifier? {
    let type = SwiftMetadata(Element.self)
    guard !type.isTrivial else { return nil }
    for element in prefix(100) {
      if let found = unsafe withUnsafePointer(to: element, { unsafe type.deallocatingObject(in: $0) }) { return found }
    }
    return nil
  }
}

extension Array: StandardCollection {}
extension ContiguousArray: StandardCollection {}
extension ArraySlice: StandardCollection {}
extension Set: StandardCollection {}
extension Dictionary: StandardCollection {}
