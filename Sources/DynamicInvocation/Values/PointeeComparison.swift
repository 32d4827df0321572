import Synchronization

/// Compares the pointee types of a Swift pointer and of a parameter.
///
/// A raw pointer has no pointee type and matches any pointer. An `OpaquePointer` is a handle: it matches a pointer to
/// anything but another pointer.
package enum PointeeComparison {
  /// The pointee type of an `OpaquePointer`.
  enum Opaque {}

  /// Returns whether a pointer to a Swift type can be passed for a parameter of a pointer type.
  package static func matches(_ pointee: Any.Type, _ parameter: TypeEncoding) -> Bool {
    switch parameter.kind {
    case .cString, .atom: isCharacter(pointee) || pointee == Opaque.self
    case .pointer(let target): isStored(pointee, as: target)
    case .array(_, let element): isStored(pointee, as: element)
    default: true
    }
  }

  /// Returns whether memory of the encoded type stores values of a Swift type.
  private static func isStored(_ type: Any.Type, as target: TypeEncoding) -> Bool {
    switch target.kind {
    case .void, .unknown: return true
    case .array(_, let element): return isStored(type, as: element)
    case .pointer, .cString, .atom:
      if type == Opaque.self { return false }
      guard let pointer = pointerType(type) else { return !(type is any EncodedValue.Type) && size(of: type) == 8 }
      guard let next = pointer.valueTraits.pointeeType else { return true }
      return matches(next, target)
    case .structure(let record) where (record.fields ?? []).isEmpty, .union(let record) where (record.fields ?? []).isEmpty:
      // An opaque type: any Swift type that is not one of C's own types.
      guard let encoded = type as? any EncodedValue.Type else { return true }
      return encoded.valueKind.isAggregate
    default:
      let kind = target.valueKind
      if type == Opaque.self { return !kind.hasNull }
      guard let encoded = type as? any EncodedValue.Type else {
        // C may store any bytes.
        return size(of: type) == target.size && target.refusal(ofBytesOf: type) == nil
      }
      // C reads and writes the memory itself. It must have the layout that a call gives to the value; the memory of an enum has another.
      guard TypeEncoding.isPassedAsBytes(encoded) else { return false }
      if type == Bool.self { return kind == encoded.valueKind }
      return encoded.accepts(kind) || isInteger(encoded.valueKind, ofSizeOf: kind)
    }
  }

  /// Returns the type as a pointer type, if it is a pointer or an optional pointer.
  private static func pointerType(_ type: Any.Type) -> (any _EncodedPointer.Type)? {
    if let pointer = type as? any _EncodedPointer.Type { return pointer }
    return (type as? any OptionalType.Type)?.wrappedType as? any _EncodedPointer.Type
  }

  private static func isCharacter(_ type: Any.Type) -> Bool { type == CChar.self || type == UInt8.self || type == Int8.self }

  /// Returns whether both are integers of the same size: C programs use signed and unsigned ones interchangeably.
  private static func isInteger(_ left: ValueKind, ofSizeOf right: ValueKind) -> Bool {
    guard let left = left.scalar, let right = right.scalar, left.isInteger, right.isInteger else { return false }
    return left != .bool && right != .bool && left.size == right.size
  }

  /// The distance between two values of a type in an array.
  static func size(of type: Any.Type) -> Int {
    func size<Value>(_: Value.Type) -> Int { MemoryLayout<Value>.stride }
    return _openExistential(type, do: size)
  }
}

extension TypeEncoding {
  /// Whether the type is a pointer to bytes: `^C` or `^c`, as `unsigned char *` of a declaration.
  ///
  /// Unlike a C string, it is never read as a text by itself.
  package var isBytePointer: Bool {
    guard case .pointer(let target) = kind, target.qualifiers.isDisjoint(with: .atomic) else { return false }
    return target.kind.isByte
  }
}

extension TypeEncoding.Kind {
  fileprivate var isByte: Bool {
    switch self {
    case .scalar(.int8), .scalar(.uint8): true
    default: false
    }
  }
}

/// An optional, whose wrapped type is found at run time.
protocol OptionalType {
  static var wrappedType: Any.Type { get }
}

extension Optional: OptionalType {
  static var wrappedType: Any.Type { Wrapped.self }
}

extension ValueKind {
  /// The scalar that has this kind, or nil.
  var scalar: TypeEncoding.Scalar? { UInt8(exactly: rawValue).flatMap(TypeEncoding.Scalar.init(rawValue:)) }
}

extension PlannedSignature {
  /// Returns whether the pointee of a pointer type matches an argument, or the result if the index is the number of
  /// arguments.
  ///
  /// The last matching type is cached for each argument, so that a call only compares its address.
  @inline(never) @usableFromInline
  func pointsRight<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    guard let pointee = Value.valueTraits.pointeeType else { return true }
    // Plus 1: for a struct that is passed by value, the same word is the address of its type.
    let address = UInt(bitPattern: ObjectIdentifier(pointee)) | 1
    let known = unsafe plan.slots.knownType(at: index)
    if unsafe known.pointee.load(ordering: .relaxed) == address { return true }
    guard PointeeComparison.matches(pointee, index < types.arguments.count ? types.arguments[index] : types.result) else { return false }
    unsafe known.pointee.store(address, ordering: .relaxed)
    return true
  }
}
