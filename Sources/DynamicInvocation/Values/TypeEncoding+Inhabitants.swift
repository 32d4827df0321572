internal import CFFIShim
import Synchronization

// Checks whether every byte pattern that C may store for a type is a valid value of a Swift type.
extension TypeEncoding {
  /// Returns the kind, or `ValueKind.unknown` if values of the Swift type cannot be created by copying bytes; see
  /// ``refusal(of:)``.
  ///
  /// - Complexity: O(1) if the type is the same as in the last successful call, otherwise O(*n*), where *n* is the
  ///   number of members.
  @inlinable @inline(__always)
  func valueKind<Value>(of type: Value.Type) -> ValueKind {
    valueKind(
      of: type, size: MemoryLayout<Value>.size == 0 ? 0 : MemoryLayout<Value>.stride, alignment: MemoryLayout<Value>.alignment)
  }

  /// Returns the kind, or `ValueKind.unknown`; see the generic form.
  ///
  /// This function is not generic, so a cached result takes only a few instructions.
  @inline(never) @usableFromInline
  func valueKind(of type: Any.Type, size: Int, alignment: Int) -> ValueKind {
    if node.checkedType.load(ordering: .relaxed) == Self.address(of: type) { return node.valueKind }
    return firstValueKind(of: type, size, alignment)
  }

  @inline(never)
  private func firstValueKind(of type: Any.Type, _ size: Int, _ alignment: Int) -> ValueKind {
    guard node.layout == Layout(size: size, alignment: alignment), refusal(of: type) == nil else { return .unknown }
    node.checkedType.store(Self.address(of: type), ordering: .relaxed)
    return node.valueKind
  }

  /// Returns the reason why values of a Swift type of the same size and alignment cannot be created by copying the
  /// bytes of this type, or nil if they can.
  ///
  /// A reference is never created from bytes. Most byte patterns are not a case of an enum. A Bool has only two valid
  /// patterns, so a Bool member of a struct must be a bool in C too.
  func refusal(of type: Any.Type) -> String? {
    if node.holdsReferences { return "a reference is never made of bytes, and \(type) declares \(self)" }
    return refusal(ofBytesOf: type)
  }

  /// Returns the reason why not all bytes that C may store for this type are a value of a Swift type of the same size,
  /// or nil if they are.
  ///
  /// Addresses of objects and texts are such bytes: the Swift type has no references of its own.
  func refusal(ofBytesOf type: Any.Type) -> String? {
    if !Self.isTrivial(type) { return "\(type) is not bitwise copyable" }
    if case .enumeration = Self.kind(of: type) {
      return "the enum \(type) has no case for most bytes; give it the encoding of its raw type, which is an encoded value"
    }
    if Self.hasInvalidBytes(type) { return "\(type) has no value for most bytes" }
    return refusal(ofMembersOf: type, in: type, at: 0)
  }

  private func refusal(ofMembersOf type: Any.Type, in whole: Any.Type, at start: Int) -> String? {
    if type is any SIMD.Type { return nil }
    for field in Self.fields(of: type) {
      let label = field.name.isEmpty ? "an element" : "the member \(field.name)"
      if let refusal = refusal(ofMember: label, field.type, in: whole, at: start + field.offset) { return refusal }
    }
    return nil
  }

  private func refusal(ofMember label: String, _ member: Any.Type, in whole: Any.Type, at place: Int) -> String? {
    switch Self.kind(of: member) {
    case .builtin: return nil
    case .structure where member == Bool.self:
      return node.hasBool(at: place) ? nil : "\(label) of \(whole) is a Bool where \(self) has no B"
    case .structure where Self.hasInvalidBytes(member): return "\(label) of \(whole) is a \(member), which has no value for most bytes"
    case .structure, .optional:
      // A pointer is an address, and a reference without a count is as unsafe to use.
      if let value = member as? any _NullableValue.Type, !value.valueTraits.isCounted, value.valueTraits.objectClass == nil,
        !value.copiesText
      {
        return nil
      }
      if let wrapped = (member as? any OptionalType.Type)?.wrappedType, !(wrapped is any _EncodedPointer.Type) {
        return "\(label) of \(whole) is an optional, which has no value for most bytes"
      }
      return refusal(ofMembersOf: member, in: whole, at: place)
    case .tuple: return refusal(ofMembersOf: member, in: whole, at: place)
    case .fixedArray(let count, let element):
      let stride = PointeeComparison.size(of: element)
      // Only a Bool is judged by its place: where the encoding has none, all elements are alike.
      for index in 0..<(node.holdsBools ? count : min(count, 1)) {
        if let refusal = refusal(ofMember: label, element, in: whole, at: place + index * stride) { return refusal }
      }
      return nil
    case .enumeration: return "\(label) of \(whole) is an enum, which has no case for most bytes"
    case .metatype: return "\(label) of \(whole) is a class, and a reference is never made of bytes"
    case .other: return "\(label) of \(whole) is a \(member), which is never made of bytes"
    }
  }

  /// Whether the memory of a value contains the bytes that C receives.
  ///
  /// An enum is passed as its raw value instead, and so is a struct with raw values, unless its raw value is all that it
  /// stores.
  package static func isPassedAsBytes(_ type: any EncodedValue.Type) -> Bool {
    if case .enumeration = kind(of: type) { return false }
    guard let rawValued = type as? any (EncodedValue & RawRepresentable).Type else { return true }
    return storesRawValue(rawValued)
  }

  private static func storesRawValue<Value: EncodedValue & RawRepresentable>(_ type: Value.Type) -> Bool {
    guard let raw = Value.RawValue.self as? any EncodedValue.Type, raw.accepts(Value.typeEncoding.valueKind) else { return true }
    let members = fields(of: type)
    // The reflection of a type that was imported from C has no members; it stores its raw value.
    if members.isEmpty { return MemoryLayout<Value>.size == MemoryLayout<Value.RawValue>.size }
    return members.count == 1 && members[0].name == "rawValue" && members[0].offset == 0 && members[0].type == Value.RawValue.self
  }

  /// The stored properties of a struct or the elements of a tuple; none of a class, or of a type without reflection.
  private static func fields(of type: Any.Type) -> [(name: String, offset: Int, type: Any.Type)] {
    if type is AnyClass { return [] }
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    let count = unsafe cffi_field_count(metadata)
    return (0..<count).map { index in
      let field = unsafe cffi_field_at(metadata, index)
      defer { unsafe field.release?(field.name) }
      let name = unsafe field.name.map { unsafe String(cString: $0) } ?? ""
      return unsafe (name, field.offset, unsafeBitCast(field.type, to: Any.Type.self))
    }
  }

  private enum TypeKind {
    case structure, enumeration, optional, builtin, tuple, metatype, other
    case fixedArray(count: Int, element: Any.Type)
  }

  /// Returns the kind stored in the first word of the type metadata.
  ///
  /// Its values are part of Swift's ABI.
  private static func kind(of type: Any.Type) -> TypeKind {
    // References to objects are managed by ARC. For an existential type this is not the address of its own metadata.
    guard let metadata = unsafe UnsafePointer<UInt>(bitPattern: address(of: type)) else { return .other }
    return switch unsafe metadata.pointee {
    case 0x200: .structure
    case 0x201: .enumeration
    case 0x202: .optional
    case 0x300: .builtin
    case 0x301: .tuple
    case 0x304, 0x306: .metatype
    // The number of elements and their type follow.
    case 0x308: unsafe .fixedArray(count: Int(bitPattern: metadata[1]), element: unsafeBitCast(metadata[2], to: Any.Type.self))
    default: .other
    }
  }

  /// Whether a type is one of the standard library's for which some bytes are invalid, such as a static string.
  private static func hasInvalidBytes(_ type: Any.Type) -> Bool {
    if type is any Numeric.Type || type is any SIMD.Type || type is any _EncodedPointer.Type || type == Bool.self { return false }
    let name = String(reflecting: type)
    guard name.hasPrefix("Swift.") else { return false }
    return !typesOfAnyBytes.contains { name.hasPrefix("Swift.\($0)") }
  }

  /// The other types of the standard library whose values are any bytes, or addresses.
  private static let typesOfAnyBytes = ["InlineArray<", "Duration", "Unsafe", "CVaListPointer", "Unmanaged<"]

  /// Whether values of a type can be copied as bytes.
  private static func isTrivial(_ type: Any.Type) -> Bool {
    func isTrivial<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }
    return _openExistential(type, do: isTrivial)
  }

  private static func address(of type: Any.Type) -> UInt {
    unsafe UInt(bitPattern: unsafeBitCast(type, to: UnsafeRawPointer.self))
  }
}

extension TypeEncoding.Node {
  /// Whether a bool that is not a bit-field is stored at an offset.
  fileprivate func hasBool(at offset: Int) -> Bool {
    guard offset >= 0, offset < layout?.size ?? 0 else { return false }
    switch kind {
    case .scalar(let scalar): return scalar == .bool && offset == 0
    case .array(_, let element):
      guard let stride = element.stride, stride > 0 else { return false }
      return element.node.hasBool(at: offset % stride)
    case .structure(let record):
      return (record.fields ?? []).contains { $0.offset <= offset && $0.type.node.hasBool(at: offset - $0.offset) }
    // Another member of a union may have stored any byte.
    case .union: return false
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: return false
    }
  }
}
