@_spi(Reflection) import Swift
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
    if Self.kind(of: type) == .enumeration {
      return "the enum \(type) has no case for most bytes; give it the encoding of its raw type, which is an encoded value"
    }
    return refusal(ofMembersOf: type, in: type, at: 0)
  }

  private func refusal(ofMembersOf type: Any.Type, in whole: Any.Type, at start: Int) -> String? {
    var refusal: String?
    _ = unsafe _forEachField(of: type) { name, offset, member, _ in
      let place = start + offset
      let label = unsafe String(cString: name)
      switch Self.kind(of: member) {
      case .structure where member == Bool.self:
        if !node.hasBool(at: place) { refusal = "the member \(label) of \(whole) is a Bool where \(self) has no B" }
      case .structure where member == Unicode.Scalar.self:
        refusal = "the member \(label) of \(whole) has no value for most bytes"
      case .structure: refusal = self.refusal(ofMembersOf: member, in: whole, at: place)
      case .enumeration: refusal = "the member \(label) of \(whole) is an enum, which has no case for most bytes"
      case .metatype: refusal = "the member \(label) of \(whole) is a class, and a reference is never made of bytes"
      case .other: break
      }
      return refusal == nil
    }
    return refusal
  }

  /// Whether C receives the bytes of a value of the type.
  ///
  /// An enum is passed as its raw value instead.
  static func isPassedAsBytes(_ type: Any.Type) -> Bool { kind(of: type) != .enumeration }

  private enum TypeKind {
    case structure, enumeration, metatype, other
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
    case 0x304, 0x306: .metatype
    default: .other
    }
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
    case .structure(let record), .union(let record):
      return (record.fields ?? []).contains { $0.offset <= offset && $0.type.node.hasBool(at: offset - $0.offset) }
    case .void, .complex, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField: return false
    }
  }
}
