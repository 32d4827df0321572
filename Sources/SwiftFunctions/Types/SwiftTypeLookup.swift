internal import CFFIShim
internal import SwiftSymbols

/// Finds types by their mangled names.
enum SwiftTypeLookup {
  /// Returns the type with a mangled name without prefix, or nil if the runtime has none.
  ///
  /// The runtime searches all loaded libraries.
  static func type(mangled name: [UInt8]) -> Any.Type? {
    // The runtime takes a length, but it reads names from compiled code too, which end in a zero byte.
    let terminated = name + [0]
    return unsafe terminated.withUnsafeBufferPointer { bytes in
      guard let start = bytes.baseAddress else { return nil }
      return unsafe _getTypeByMangledNameInContext(start, UInt(name.count), genericContext: nil, genericArguments: nil)
    }
  }

  /// Whether a type that the runtime does not find is generic: it is found with generic arguments.
  ///
  /// False also for a generic type of more than four parameters, or whose requirements neither `Int` nor `[Int]` meets.
  ///
  /// - Parameter name: The mangled name without prefix and without generic arguments.
  static func isGeneric(mangled name: [UInt8]) -> Bool {
    for argument in ["Si", "SaySiG"] {
      for count in 1...4 {
        let arguments = "y" + String(repeating: argument, count: count)
        // Those of a type that contains the type end with an underscore.
        for end in ["G", "_G"] where type(mangled: name + Array((arguments + end).utf8)) != nil { return true }
      }
    }
    return false
  }

  /// Why the type of a symbol cannot be looked up, or nil.
  static func refusal(of type: SwiftSymbol.TypeName) -> String? {
    if type.contents.contains(.pack) { return "'\(type.text)' contains a parameter pack" }
    if type.contents.contains(.genericParameter) || type.contents.contains(.signature) {
      return "'\(type.text)' depends on generic parameters"
    }
    if type.contents.contains(.opaque) { return "'\(type.text)' is an opaque type, which a symbol does not name" }
    return type.mangled == nil ? "'\(type.text)' is a type that no name finds" : nil
  }
}

/// The descriptor of a nominal type in a library.
///
/// The layout is part of the stable binary interface: flags, parent, name and metadata accessor, each 32 bits wide, of
/// which all but the flags are relative addresses.
@safe
struct SwiftTypeRecord {
  private let descriptor: UnsafeRawPointer

  @unsafe
  init(descriptor: UnsafeRawPointer) { unsafe self.descriptor = unsafe descriptor }

  private var flags: UInt32 { unsafe descriptor.loadUnaligned(as: UInt32.self) }

  /// Whether it describes a class, struct or enum.
  var isType: Bool { (16...18).contains(flags & 0x1F) }

  /// Whether the type or a type that contains it has generic parameters.
  var isGeneric: Bool { flags & 0x80 != 0 }

  /// The metadata of a type without generic parameters, or nil.
  func metadata() -> Any.Type? {
    guard isType, !isGeneric else { return nil }
    let offset = unsafe descriptor.loadUnaligned(fromByteOffset: 12, as: Int32.self)
    guard offset != 0 else { return nil }
    return unsafe Self.metadata(accessor: descriptor + 12 + Int(offset))
  }

  /// Calls a metadata accessor of a type without generic parameters; nil for a type that cannot be copied.
  @unsafe
  static func metadata(accessor: UnsafeRawPointer) -> Any.Type? {
    // A request of 0 asks for complete metadata. Accessors take it in the first register and return the metadata in the
    // first result register, as a C function does.
    typealias Accessor = @convention(c) (Int) -> UnsafeRawPointer?
    let call = unsafe unsafeBitCast(accessor, to: Accessor.self)
    guard let metadata = unsafe call(0) else { return nil }
    let type = unsafe unsafeBitCast(metadata, to: Any.Type.self)
    return isCopyable(type) ? type : nil
  }

  /// Whether the values of a type can be copied.
  static func isCopyable(_ type: Any.Type) -> Bool {
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    // The value witness table is before the metadata; its flags follow eight functions, the size and the stride.
    let table = unsafe metadata.load(fromByteOffset: -MemoryLayout<Int>.size, as: UnsafeRawPointer.self)
    let flags = unsafe table.load(fromByteOffset: 10 * MemoryLayout<Int>.size, as: UInt32.self)
    return flags & 0x80_0000 == 0
  }
}
