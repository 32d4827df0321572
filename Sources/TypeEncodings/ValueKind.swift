/// A number that identifies the representation of a type, so that one comparison checks whether a Swift type matches a
/// type encoding.
///
/// Scalars, pointers, objects, classes and selectors have fixed numbers. Structs, unions, arrays, vectors and complex
/// numbers have one number for each layout: the same scalars at the same offsets, regardless of struct names. A number
/// is assigned once and stays valid for the lifetime of the process. The numbers of the geometry structs are assigned first.
@frozen
public struct ValueKind: Hashable, Sendable, CustomStringConvertible {
  /// The number.
  ///
  /// The number of a layout is not stable from one process to another.
  @usableFromInline package let rawValue: UInt32

  /// Creates a kind from its number.
  @inlinable
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// Returns whether two kinds have the same number.
  @inlinable @inline(__always)
  public static func == (left: ValueKind, right: ValueKind) -> Bool { left.rawValue == right.rawValue }

  /// The character of a scalar or a reference (`d`, `@`), or the number of a layout (`layout 256`).
  public var description: String {
    guard !isAggregate, let scalar = Unicode.Scalar(rawValue) else { return "layout \(rawValue)" }
    return self == .block ? "@?" : String(scalar).escaped
  }
}

extension ValueKind {
  /// The kind of a scalar.
  @inlinable
  package init(_ scalar: TypeEncoding.Scalar) { rawValue = UInt32(scalar.rawValue) }

  /// The kind of `void`.
  @inlinable package static var void: ValueKind { ValueKind(rawValue: 0x76) }
  /// A pointer, except a C string, object, class, selector or block.
  @inlinable package static var pointer: ValueKind { ValueKind(rawValue: 0x5E) }
  /// A C string.
  @inlinable package static var cString: ValueKind { ValueKind(rawValue: 0x2A) }
  /// An object.
  @inlinable package static var object: ValueKind { ValueKind(rawValue: 0x40) }
  /// A class.
  @inlinable package static var classObject: ValueKind { ValueKind(rawValue: 0x23) }
  /// A selector.
  @inlinable package static var selector: ValueKind { ValueKind(rawValue: 0x3A) }
  /// A block.
  @inlinable package static var block: ValueKind { ValueKind(rawValue: 0x4B) }
  /// A type without a size.
  @inlinable package static var unknown: ValueKind { ValueKind(rawValue: 0x3F) }

  /// A struct of two doubles, without padding.
  @inlinable package static var doubles2: ValueKind { ValueKind(rawValue: firstLayout) }
  /// A struct of four doubles.
  @inlinable package static var doubles4: ValueKind { ValueKind(rawValue: firstLayout + 1) }
  /// A struct of six doubles.
  @inlinable package static var doubles6: ValueKind { ValueKind(rawValue: firstLayout + 2) }
  /// A struct of sixteen doubles.
  @inlinable package static var doubles16: ValueKind { ValueKind(rawValue: firstLayout + 3) }
  /// A struct of two unsigned 64-bit integers.
  @inlinable package static var words2: ValueKind { ValueKind(rawValue: firstLayout + 4) }

  /// The kinds of layouts that are known when compiling, so that they need not be looked up.
  static var knownLayouts: [(kind: ValueKind, description: String)] {
    let (double, word) = (TypeEncoding.Scalar.double.cName, TypeEncoding.Scalar.uint64.cName)
    return [
      (.doubles2, "\(double)@0x2#16/8"), (.doubles4, "\(double)@0x4#32/8"), (.doubles6, "\(double)@0x6#48/8"),
      (.doubles16, "\(double)@0x16#128/8"), (.words2, "\(word)@0x2#16/8"),
    ]
  }

  /// Whether the kind identifies a layout rather than a scalar or pointer.
  @inlinable
  package var isAggregate: Bool { rawValue >= ValueKind.firstLayout }

  /// Whether a slot of this kind may own the object or memory it refers to.
  @inlinable
  package var mayOwn: Bool { self == .object || self == .cString }

  @inlinable package static var firstLayout: UInt32 { 256 }

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
