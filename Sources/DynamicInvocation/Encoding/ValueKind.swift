/// A number that tells whether a Swift type and a type encoding mean the same bytes, so that one comparison checks an argument's type.
///
/// Scalars, pointers, objects, classes and selectors have fixed numbers. Structs, unions, arrays, vectors and complex numbers have one number for each
/// layout: the same scalars at the same places, whatever the struct is called. Numbers are given out once and stay valid for the life of the process.
@frozen
public struct ValueKind: RawRepresentable, Hashable, Sendable {
  /// The number; not stable from one run to the next for a layout.
  public let rawValue: UInt32

  /// Creates a kind from its number.
  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }
}

extension ValueKind {
  /// The kind of a scalar.
  @inlinable
  public init(_ scalar: TypeEncoding.Scalar) { rawValue = UInt32(scalar.rawValue) }

  /// No value.
  @inlinable public static var void: ValueKind { ValueKind(rawValue: 0x76) }
  /// A pointer of any type but those below.
  @inlinable public static var pointer: ValueKind { ValueKind(rawValue: 0x5E) }
  /// A C string.
  @inlinable public static var cString: ValueKind { ValueKind(rawValue: 0x2A) }
  /// An object.
  @inlinable public static var object: ValueKind { ValueKind(rawValue: 0x40) }
  /// A class.
  @inlinable public static var classObject: ValueKind { ValueKind(rawValue: 0x23) }
  /// A selector.
  @inlinable public static var selector: ValueKind { ValueKind(rawValue: 0x3A) }
  /// A block.
  @inlinable public static var block: ValueKind { ValueKind(rawValue: 0x4B) }
  /// A type without a size.
  @inlinable public static var unknown: ValueKind { ValueKind(rawValue: 0x3F) }

  /// Whether the kind is that of a layout rather than of one scalar or pointer.
  @inlinable
  public var isAggregate: Bool { rawValue >= ValueKind.firstLayout }

  /// Whether a slot of this kind may own what it refers to.
  @inlinable
  var mayOwn: Bool { self == .object || self == .cString }

  @inlinable static var firstLayout: UInt32 { 256 }

  init(of node: TypeEncoding.Node) {
    switch node.kind {
    case .void: self = .void
    case .scalar(let scalar): self.init(scalar)
    case .cString, .atom: self = .cString
    case .object: self = .object
    case .block: self = .block
    case .classObject: self = .classObject
    case .selector: self = .selector
    case .pointer: self = .pointer
    case .unknown, .bitField: self = .unknown
    case .complex, .vector, .array, .structure, .union:
      self = node.layout == nil ? .unknown : LayoutTable.shared.kind(of: LayoutDescription(of: node).text)
    }
  }
}
