// Geometry.Point, Geometry.Size and the other structs are C types, so that functions with the C calling convention can take them. They
// are re-exported, so that a client needs only the engine to use them and their members.

/// A geometry struct imported from C, whose members are 64-bit numbers of one type.
///
/// Geometry has its own default implementations: the Swift 6.3 compiler cannot import, from another module, a
/// conformance whose default members depend on the implicit `BitwiseCopyable` conformance of an imported struct. The
/// fault is gone when other modules build without these defaults.
public protocol _GeometryValue: EncodedValue {
  /// The type of the numbers.
  @_documentation(visibility: internal)
  associatedtype Number: BitwiseCopyable, CustomStringConvertible, Hashable = Double
}

extension _GeometryValue {
  /// The kind is a constant.
  @inlinable @_documentation(visibility: internal)
  public static var valueTraits: _ValueTraits { _ValueTraits(isLookedUp: false) }

  /// Copies the bytes to the slot; the frame owns nothing.
  @inlinable @inline(__always)
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe slot.write(value: self, to: frame)
    return false
  }

  /// Copies the bytes from the slot.
  @inlinable
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    // A slot is aligned to eight bytes, as these structs of 64-bit numbers are.
    unsafe slot.withValue(in: frame) { unsafe $0.load(as: Self.self) }
  }

  /// Calls a closure with all numbers, in the order of the members.
  @inlinable
  func withNumbers<Result>(_ body: (UnsafeBufferPointer<Number>) -> Result) -> Result {
    unsafe withUnsafeBytes(of: self) { unsafe body($0.assumingMemoryBound(to: Number.self)) }
  }

  /// Returns whether all numbers are equal: -0 equals 0, and a NaN equals nothing.
  @inlinable
  public static func == (left: Self, right: Self) -> Bool {
    unsafe left.withNumbers { left in unsafe right.withNumbers { right in unsafe left.elementsEqual(right) } }
  }

  /// Hashes all numbers.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    unsafe withNumbers { numbers in unsafe numbers.forEach { hasher.combine($0) } }
  }

  /// All numbers in parentheses, in the order of the members: `(0.0, 0.0, 3.0, 4.0)`.
  public var description: String {
    unsafe withNumbers { unsafe "(" + $0.map(\.description).joined(separator: ", ") + ")" }
  }
}

/// A geometry struct that has its own box case, with the properties that the engine needs.
package protocol GeometryStruct: _GeometryValue, CustomStringConvertible {
  /// The names of the struct in Swift, in C and in messages.
  static var names: GeometryNames { get }

  /// Creates a struct of zeros.
  init()

  /// The value as a box.
  var box: BoxedValue { get }
}

/// The names of a geometry struct.
package struct GeometryNames: Sendable {
  /// The name of the Swift type; at run time, an imported C struct has its C name.
  package let swift: String
  /// The names that the struct has in C libraries.
  package let structs: [String]
  /// The noun for the struct in messages.
  package let noun: String

  init(_ swift: String, in structs: [String], _ noun: String) { (self.swift, self.structs, self.noun) = (swift, structs, noun) }
}

extension GeometryStruct {
  /// Creates a copy of a value, which need not be aligned.
  init(copying bytes: UnsafeRawBufferPointer) {
    self.init()
    unsafe withUnsafeMutableBytes(of: &self) { unsafe $0.copyMemory(from: bytes) }
  }

  /// Creates a box from a value in memory, which need not be aligned.
  package static func box(at memory: UnsafeRawPointer) -> BoxedValue {
    unsafe Self(copying: UnsafeRawBufferPointer(start: memory, count: MemoryLayout<Self>.size)).box
  }
}

/// Lookup of geometry structs.
package enum GeometryStructs {
  /// All structs that have a box.
  package static let structs: [any GeometryStruct.Type] = [
    Geometry.Point.self, Geometry.Size.self, Geometry.Rect.self, Geometry.Vector.self, Geometry.IndexRange.self, Geometry.EdgeInsets.self,
    Geometry.Offset.self, Geometry.Transform2D.self, Geometry.Transform3D.self,
  ]

  private static let structsByName: [String: any GeometryStruct.Type] = Dictionary(
    uniqueKeysWithValues: structs.flatMap { type in type.names.structs.map { ($0, type) } })

  /// Returns the geometry struct that matches a type's name and layout.
  static func type(of encoding: TypeEncoding) -> (any GeometryStruct.Type)? {
    guard case .structure(let record) = encoding.kind, let type = structsByName[record.name],
      // Compared first: the kind of a large type costs more.
      encoding.size == type.typeEncoding.size, encoding.valueKind == type.valueKind
    else { return nil }
    return type
  }

  /// Returns the name of a type as it is written in Swift.
  static func name<Value>(of type: Value.Type) -> String { (type as? any GeometryStruct.Type)?.names.swift ?? "\(type)" }
}

// MARK: The structs

extension Geometry.Point: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Point=dd}`.
  public static let typeEncoding: TypeEncoding = "{Point=dd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles2 }
  package static let names = GeometryNames("Geometry.Point", in: ["Point", "CGPoint", "NSPoint", "_NSPoint"], "point")
  package var box: BoxedValue { .point(self) }

  /// The origin of the coordinate system.
  public static var zero: Geometry.Point { Geometry.Point() }
}

extension Geometry.Size: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Size=dd}`.
  public static let typeEncoding: TypeEncoding = "{Size=dd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles2 }
  package static let names = GeometryNames("Geometry.Size", in: ["Size", "CGSize", "NSSize", "_NSSize"], "size")
  package var box: BoxedValue { .size(self) }

  /// The size with zero width and height.
  public static var zero: Geometry.Size { Geometry.Size() }
}

extension Geometry.Rect: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Rect={Point=dd}{Size=dd}}`.
  public static let typeEncoding: TypeEncoding = "{Rect={Point=dd}{Size=dd}}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles4 }
  package static let names = GeometryNames("Geometry.Rect", in: ["Rect", "CGRect", "NSRect", "_NSRect"], "rect")
  package var box: BoxedValue { .rect(self) }

  /// The rectangle with zero size at the origin.
  public static var zero: Geometry.Rect { Geometry.Rect() }

  /// Creates a rectangle from the four numbers of its origin and size.
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.init(origin: Geometry.Point(x: x, y: y), size: Geometry.Size(width: width, height: height))
  }
}

extension Geometry.Vector: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Vector=dd}`.
  public static let typeEncoding: TypeEncoding = "{Vector=dd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles2 }
  package static let names = GeometryNames("Geometry.Vector", in: ["Vector", "CGVector"], "vector")
  package var box: BoxedValue { .vector(self) }

  /// The zero vector.
  public static var zero: Geometry.Vector { Geometry.Vector() }
}

extension Geometry.IndexRange: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Range=QQ}`.
  public static let typeEncoding: TypeEncoding = "{Range=QQ}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .words2 }
  /// The numbers are unsigned integers.
  @_documentation(visibility: internal)
  public typealias Number = UInt64
  package static let names = GeometryNames("Geometry.IndexRange", in: ["Range", "NSRange", "_NSRange"], "range")
  package var box: BoxedValue { .range(self) }

  /// The empty range at the first element.
  public static var zero: Geometry.IndexRange { Geometry.IndexRange() }
}

extension Geometry.EdgeInsets: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{EdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{EdgeInsets=dddd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles4 }
  package static let names = GeometryNames("Geometry.EdgeInsets", in: ["EdgeInsets", "NSEdgeInsets", "UIEdgeInsets"], "edge insets")
  package var box: BoxedValue { .insets(self) }

  /// Zero insets.
  public static var zero: Geometry.EdgeInsets { Geometry.EdgeInsets() }
}

extension Geometry.Offset: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Offset=dd}`.
  public static let typeEncoding: TypeEncoding = "{Offset=dd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles2 }
  package static let names = GeometryNames("Geometry.Offset", in: ["Offset", "UIOffset"], "offset")
  package var box: BoxedValue { .offset(self) }

  /// The zero offset.
  public static var zero: Geometry.Offset { Geometry.Offset() }
}

extension Geometry.Transform2D: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{AffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{AffineTransform=dddddd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles6 }
  package static let names = GeometryNames("Geometry.Transform2D", in: ["AffineTransform", "CGAffineTransform"], "affine transform")
  package var box: BoxedValue { .affineTransform(self) }

  /// The identity transform.
  public static var identity: Geometry.Transform2D { Geometry.Transform2D(a: 1, b: 0, c: 0, d: 1, tx: 0, ty: 0) }
}

extension Geometry.Transform3D: GeometryStruct, _CRepresentable, @retroactive Hashable, @retroactive CustomStringConvertible {
  /// `{Transform3D=dddddddddddddddd}`.
  public static let typeEncoding: TypeEncoding = "{Transform3D=dddddddddddddddd}"
  /// The kind of the encoding.
  @inlinable public static var valueKind: ValueKind { .doubles16 }
  package static let names = GeometryNames("Geometry.Transform3D", in: ["Transform3D", "CATransform3D"], "3D transform")
  package var box: BoxedValue { .transform3D(self) }

  /// The identity transform.
  public static var identity: Geometry.Transform3D {
    var transform = Geometry.Transform3D()
    transform.m11 = 1
    transform.m22 = 1
    transform.m33 = 1
    transform.m44 = 1
    return transform
  }
}
