/// The runtime's description of a type, as far as calls read it.
///
/// Source: the Swift repository's `docs/ABI/TypeMetadata.rst`. The layout is the one of 64-bit platforms.
@safe
@usableFromInline
package struct SwiftMetadata: Hashable, @unchecked Sendable {
  // Unchecked Sendable: metadata is not written to after it was created.

  @usableFromInline package let address: UnsafeRawPointer

  @usableFromInline
  package init(_ type: Any.Type) {
    unsafe address = unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  @unsafe
  init?(at address: UnsafeRawPointer?) {
    guard let address = unsafe address else { return nil }
    unsafe self.init(at: address)
  }

  private init(at address: UnsafeRawPointer) { unsafe self.address = unsafe address }

  @usableFromInline
  package static func == (left: Self, right: Self) -> Bool { unsafe left.address == right.address }

  @usableFromInline
  package func hash(into hasher: inout Hasher) { unsafe hasher.combine(address) }

  package var type: Any.Type { unsafe unsafeBitCast(address, to: Any.Type.self) }

  /// The qualified name of the type.
  package var name: String { _typeName(type, qualified: true) }

  package enum Kind {
    case structure
    case enumeration
    case optional
    case object
    case foreignReference
    case builtin
    case tuple
    case function
    case existential
    case metatype
    case existentialMetatype
    case extendedExistential
    case other
  }

  package var kind: Kind {
    switch word(0) {
    case 0x200: .structure
    case 0x201: .enumeration
    case 0x202: .optional
    case 0, 0x203, 0x305: .object
    case 0x204: .foreignReference
    case 0x300: .builtin
    case 0x301: .tuple
    case 0x302: .function
    case 0x303: .existential
    case 0x304: .metatype
    case 0x306: .existentialMetatype
    case 0x307: .extendedExistential
    case 0x800...: .object
    default: .other
    }
  }

  /// Whether this is the class of an object.
  package var isClass: Bool { kind == .object }

  /// Reads a word of the metadata.
  func word(_ index: Int) -> Int { unsafe address.load(fromByteOffset: index * 8, as: Int.self) }

  /// Reads 32 bits of the metadata.
  package func half(_ offset: Int) -> UInt32 { unsafe address.load(fromByteOffset: offset, as: UInt32.self) }

  /// The metadata whose address is a word of this metadata.
  package func metadata(_ index: Int) -> SwiftMetadata? {
    unsafe UnsafeRawPointer(bitPattern: word(index)).map { unsafe SwiftMetadata(at: $0) }
  }

  /// The nominal type descriptor of a struct, enum or class; nil for a class of Objective-C.
  package var descriptor: SwiftRecord? {
    #if _runtime(_ObjC)
      // Three more words: the cache of methods and the data, whose second bit states that the class is one of Swift.
      if isClass, word(4) & 2 == 0 { return nil }
      let index = isClass ? 8 : 1
    #else
      let index = isClass ? 5 : 1
    #endif
    return unsafe UnsafeRawPointer(bitPattern: word(index)).map { unsafe SwiftRecord(address: $0) }
  }

  #if !_runtime(_ObjC)
    /// The size of an object of a class, with its header.
    package var instanceSize: Int { Int(half(24)) }
    /// The alignment of an object of a class, less one.
    package var instanceAlignmentMask: Int { Int(half(28) & 0xFFFF) }
  #endif

  // MARK: Parts

  /// An element of a tuple or a field of a struct.
  package struct Part: Sendable {
    package let type: SwiftMetadata
    package let offset: Int
  }

  /// The elements of a tuple.
  package var elements: [Part] {
    (0..<word(1)).compactMap { index in
      metadata(3 + 2 * index).map { Part(type: $0, offset: Int(half((4 + 2 * index) * 8))) }
    }
  }

  /// The type of a field or payload, whose mangled name may depend on the generic arguments of this type, or nil.
  ///
  /// - Parameter name: The name without the mark of a weak or unowned reference.
  func type(named name: UnsafeBufferPointer<UInt8>, in descriptor: SwiftRecord) -> Any.Type? {
    unsafe _getTypeByMangledNameInContext(
      name.baseAddress.unsafelyUnwrapped, UInt(name.count), genericContext: descriptor.address, genericArguments: address + 16)
  }

  /// The stored properties of a struct; nil for another type, and for a struct whose metadata does not describe all of them.
  var storedFields: [(field: SwiftRecord.Field, offset: Int)]? {
    guard kind == .structure, let descriptor, let fields = descriptor.fields, Int(descriptor.half(20)) == fields.count,
      !fields.isEmpty || size == 0
    else { return nil }
    let offsets = Int(descriptor.half(24)) * 8
    return fields.enumerated().map { index, field in (field, Int(half(offsets + index * 4))) }
  }

  /// How a stored property refers to an object, where a reference does not retain it.
  enum ReferenceMark: UInt8 {
    case weak = 0x77  // w
    case unowned = 0x6F  // o
    case unmanaged = 0x75  // u
  }

  /// The type of a field or payload of this type, without its mark; nil if the runtime does not find it.
  ///
  /// - Parameter name: The mangled name. Two characters behind the type are a mark: `Xw`, `Xo`, `Xu`. Names of types also
  ///   end with `X` and another letter, such as `yXl`, which is `AnyObject`.
  func field(_ name: SwiftRecord, in descriptor: SwiftRecord) -> (type: SwiftMetadata, mark: ReferenceMark?)? {
    var mangled = unsafe name.mangledName
    var mark: ReferenceMark?
    if mangled.count > 2, unsafe mangled[mangled.count - 2] == UInt8(ascii: "X") {
      mark = unsafe ReferenceMark(rawValue: mangled[mangled.count - 1])
      if mark != nil { unsafe mangled = UnsafeBufferPointer(rebasing: mangled.dropLast(2)) }
    }
    return unsafe type(named: mangled, in: descriptor).map { (SwiftMetadata($0), mark) }
  }

  /// Whether this is the metatype of a struct, enum or tuple, which has no bytes in a compiled call.
  var isEmptyMetatype: Bool { kind == .metatype && !(metadata(1)?.isClass ?? true) }

  /// Whether this is a tuple whose elements are elsewhere in a field of its type, since one of them has no bytes there.
  var isTupleOfEmptyMetatypes: Bool { kind == .tuple && elements.contains { $0.type.isEmptyMetatype || $0.type.isTupleOfEmptyMetatypes } }

  /// The descriptors of the protocols of an existential type, or nil for another type, one with a superclass, and one
  /// with constraints.
  var protocols: [SwiftRecord]? {
    let superclass: UInt32 = 0x4000_0000
    guard kind == .existential, half(8) & superclass == 0 else { return nil }
    return (0..<Int(half(12))).compactMap { unsafe UnsafeRawPointer(bitPattern: word(2 + $0)).map { unsafe SwiftRecord(address: $0) } }
  }

  // MARK: Value witnesses

  /// The table of value witnesses.
  ///
  /// The witnesses of enums follow the ones that all types have.
  private var witnesses: UnsafeRawPointer {
    // Each type has a table of value witnesses, whose address is in the word before its metadata.
    unsafe UnsafeRawPointer(bitPattern: word(-1)).unsafelyUnwrapped
  }

  package var size: Int { unsafe witnesses.load(fromByteOffset: 64, as: Int.self) }
  private var flags: UInt32 { unsafe witnesses.load(fromByteOffset: 80, as: UInt32.self) }
  package var alignment: Int { Int(flags & 0xFF) + 1 }
  /// Whether values are copied and destroyed as bytes.
  package var isTrivial: Bool { flags & 0x1_0000 == 0 }
  /// Whether values can be moved as bytes.
  package var isBitwiseTakable: Bool { flags & 0x10_0000 == 0 }
  /// Whether values can be copied.
  var isCopyable: Bool { flags & 0x80_0000 == 0 }
  /// Whether an existential holds a value itself, and not a box with it.
  var isStoredInline: Bool { flags & 0x2_0000 == 0 }
  /// Whether the compiler has marked the type as one whose values have an address of their own.
  var isAddressable: Bool { flags & 0x200_0000 != 0 }

  /// Whether the cases of values can be read and written.
  var hasEnumWitnesses: Bool { flags & 0x20_0000 != 0 }

  private typealias Copy = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer) -> UnsafeMutableRawPointer
  private typealias Destroy = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

  /// Initializes memory with a copy of a value.
  @unsafe
  package func initialize(_ target: UnsafeMutableRawPointer, copying source: UnsafeRawPointer) {
    guard !isTrivial else { return unsafe target.copyMemory(from: source, byteCount: size) }
    let witness = unsafe witnesses.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
    _ = unsafe unsafeBitCast(witness, to: Copy.self)(target, source, address)
  }

  /// Destroys a value.
  @unsafe
  package func destroy(_ value: UnsafeMutableRawPointer) {
    guard !isTrivial else { return }
    let witness = unsafe witnesses.load(fromByteOffset: 8, as: UnsafeRawPointer.self)
    unsafe unsafeBitCast(witness, to: Destroy.self)(value, address)
  }

  /// A copy of a value.
  @unsafe
  package func value(at address: UnsafeRawPointer) -> Any {
    func read<Value>(_: Value.Type) -> Any { unsafe address.assumingMemoryBound(to: Value.self).pointee }
    return _openExistential(type, do: read)
  }

  /// Initializes memory with a value.
  ///
  /// - Precondition: The value is of the type.
  @unsafe
  package func store(_ value: Any, at address: UnsafeMutableRawPointer) {
    func store<Value>(_: Value.Type) {
      guard let value = value as? Value else { preconditionFailure("the value is not of the type \(name)") }
      unsafe address.initializeMemory(as: Value.self, to: value)
    }
    _openExistential(type, do: store)
  }

  /// Whether a value is of the type.
  package func contains(_ value: Any) -> Bool {
    func isValue<Value>(_: Value.Type) -> Bool { value is Value }
    return _openExistential(type, do: isValue)
  }

  private typealias GetTag = @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UInt32
  private typealias InjectTag = @convention(c) (UnsafeMutableRawPointer, UInt32, UnsafeRawPointer) -> Void

  /// The number of the case of an enum value.
  @unsafe
  func tag(of value: UnsafeRawPointer) -> UInt32 {
    let witness = unsafe witnesses.load(fromByteOffset: 88, as: UnsafeRawPointer.self)
    return unsafe unsafeBitCast(witness, to: GetTag.self)(value, address)
  }

  /// Turns a copy of the bytes of an enum value into its payload.
  @unsafe
  func project(_ bytes: UnsafeMutableRawPointer) {
    let witness = unsafe witnesses.load(fromByteOffset: 96, as: UnsafeRawPointer.self)
    unsafe unsafeBitCast(witness, to: Destroy.self)(bytes, address)
  }

  /// Turns memory with a payload into a value of the payload's case.
  @unsafe
  func inject(_ tag: UInt32, into memory: UnsafeMutableRawPointer) {
    let witness = unsafe witnesses.load(fromByteOffset: 104, as: UnsafeRawPointer.self)
    unsafe unsafeBitCast(witness, to: InjectTag.self)(memory, tag, address)
  }
}

/// A record in the constant data of a library: a type descriptor or the description of its fields.
@safe
package struct SwiftRecord: @unchecked Sendable {
  // Unchecked Sendable: constant data.

  let address: UnsafeRawPointer

  func half(_ offset: Int) -> UInt32 { unsafe address.loadUnaligned(fromByteOffset: offset, as: UInt32.self) }

  /// Returns the record at a relative address, or nil if it is null.
  func record(at offset: Int) -> SwiftRecord? {
    let distance = Int(Int32(bitPattern: half(offset)))
    return distance == 0 ? nil : unsafe SwiftRecord(address: address + offset + distance)
  }

  /// Returns the record at a relative address, or at a pointer there if the lowest bit of the address is set.
  func reference(at offset: Int) -> SwiftRecord? {
    let distance = Int(Int32(bitPattern: half(offset)))
    guard distance != 0 else { return nil }
    let target = unsafe SwiftRecord(address: address + offset + (distance & ~1))
    return distance & 1 == 0 ? target : target.pointee
  }

  /// The record whose address is here, or nil for null.
  var pointee: SwiftRecord? {
    unsafe address.loadUnaligned(as: UnsafeRawPointer?.self).map { unsafe SwiftRecord(address: $0) }
  }

  /// The text up to a null byte.
  var text: String { unsafe String(cString: address.assumingMemoryBound(to: CChar.self)) }

  /// Whether this is the descriptor of a class.
  var isClassDescriptor: Bool { half(0) & 0x1F == 16 }

  /// Whether this is the descriptor of an enum.
  var isEnumDescriptor: Bool { half(0) & 0x1F == 18 }

  /// Whether this is the descriptor of an actor.
  var isActor: Bool { isClassDescriptor && half(0) & 0x0080_0000 != 0 }

  /// Whether the superclass of a class is of a module that was built for library evolution.
  var hasResilientSuperclass: Bool { isClassDescriptor && half(0) & 0x2000_0000 != 0 }

  /// Whether the type or a type that contains it has generic parameters.
  package var isGeneric: Bool { half(0) & 0x80 != 0 }

  /// The type of a class, struct or enum without generic parameters, or nil; nil also if its values cannot be copied.
  var type: Any.Type? {
    guard (16...18).contains(half(0) & 0x1F), !isGeneric, let accessor = record(at: 12) else { return nil }
    return unsafe Self.type(accessor: accessor.address)
  }

  /// Calls a metadata accessor of a type without generic parameters; nil for a type that cannot be copied.
  @unsafe
  static func type(accessor: UnsafeRawPointer) -> Any.Type? {
    // A request of 0 asks for complete metadata. Accessors take it in the first register and return the metadata in the
    // first result register, as a C function does.
    typealias Accessor = @convention(c) (Int) -> UnsafeRawPointer?
    guard let metadata = unsafe unsafeBitCast(accessor, to: Accessor.self)(0) else { return nil }
    let type = unsafe unsafeBitCast(metadata, to: Any.Type.self)
    return SwiftMetadata(type).isCopyable ? type : nil
  }

  // MARK: Fields

  /// The fields of a struct or the cases of an enum, or nil if the library does not contain their description.
  var fields: [Field]? {
    guard let fields = record(at: 16) else { return nil }
    let size = Int(fields.half(8) >> 16)
    return (0..<Int(fields.half(12))).map { unsafe Field(record: SwiftRecord(address: fields.address + 16 + $0 * size)) }
  }

  /// A field of a struct or a case of an enum.
  struct Field {
    let record: SwiftRecord

    /// Whether the payload of a case is stored in a box.
    var isIndirect: Bool { record.half(0) & 1 != 0 }
    /// The mangled name of the type, or nil for a case without a payload.
    var type: SwiftRecord? { record.record(at: 4) }
    var name: String { record.record(at: 8)?.text ?? "" }
  }

  /// The bytes of a mangled name, which ends at a null byte and may contain addresses of four or eight bytes.
  var mangledName: UnsafeBufferPointer<UInt8> {
    var length = 0
    while true {
      let byte = unsafe address.load(fromByteOffset: length, as: UInt8.self)
      switch byte {
      case 0: return unsafe UnsafeBufferPointer(start: address.assumingMemoryBound(to: UInt8.self), count: length)
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 9
      default: length += 1
      }
    }
  }
}
