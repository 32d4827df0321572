// The geometry of Foundation, and of Apple's frameworks. Foundation on Linux implements it in Swift, so a thunk uses the C
// representation of the engine's structs.

public import DynamicInvocation
public import Foundation

#if canImport(Darwin)
  public import CoreGraphics
#endif

#if canImport(QuartzCore)
  public import QuartzCore
#endif

#if canImport(UIKit)
  public import UIKit
#endif

/// A type of Foundation or of Apple's frameworks with the layout of an engine's type, by which it is stored and boxed: the
/// same numbers, in the same order.
public protocol _BridgedGeometry: EncodedValue, _CRepresentable where CRepresentation: EncodedValue {}

extension _BridgedGeometry {
  /// The kind of the engine's struct.
  public static var valueKind: ValueKind { CRepresentation.valueKind }

  /// Creates the same value from the engine's struct, whose numbers are in the same order.
  @inlinable
  public init(cRepresentation value: CRepresentation) { self = unsafe unsafeBitCast(value, to: Self.self) }

  /// The same value as the engine's struct, whose numbers are in the same order.
  @inlinable
  public var cRepresentation: CRepresentation { unsafe unsafeBitCast(self, to: CRepresentation.self) }

  /// Writes the numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe cRepresentation.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    unsafe CRepresentation.load(from: slot, of: frame).map { Self(cRepresentation: $0) }
  }
}

extension _BridgedGeometry where CRepresentation: _GeometryValue, CRepresentation.Number == Double {
  /// Creates the same value from the engine's struct.
  public init(_ value: CRepresentation) { self.init(cRepresentation: value) }
}

extension _GeometryValue where Number == Double {
  /// Creates the same value from the struct of a framework.
  public init<Value: _BridgedGeometry>(_ value: Value) where Value.CRepresentation == Self { self = value.cRepresentation }
}

extension FoundationBoxable where Self: _BridgedGeometry, CRepresentation: GeometryStruct {
  func boxed(_ options: ConversionOptions) -> BoxedValue { cRepresentation.box }
}

// MARK: - On each platform

extension CGFloat: _BridgedGeometry, FoundationBoxable {
  /// `d`, because the engine's platforms are 64-bit.
  public static let typeEncoding: TypeEncoding = "d"
  /// A double-precision number, because the engine's platforms are 64-bit.
  public typealias CRepresentation = Double

  func boxed(_ options: ConversionOptions) -> BoxedValue { .double(Double(self)) }
}

extension CGPoint: _BridgedGeometry, FoundationBoxable {
  /// `{CGPoint=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGPoint=dd}"
  /// The engine's struct.
  public typealias CRepresentation = Geometry.Point
}

extension CGSize: _BridgedGeometry, FoundationBoxable {
  /// `{CGSize=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGSize=dd}"
  /// The engine's struct.
  public typealias CRepresentation = Geometry.Size
}

extension CGRect: _BridgedGeometry, FoundationBoxable {
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}`.
  public static let typeEncoding: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"
  /// The engine's struct.
  public typealias CRepresentation = Geometry.Rect
}

/// The members are unsigned in C, although they are `Int` in Swift: one that exceeds `Int.max` becomes negative, and C reads
/// a negative one as unsigned.
extension NSRange: _BridgedGeometry, FoundationBoxable {
  /// `{_NSRange=QQ}`.
  public static let typeEncoding: TypeEncoding = "{_NSRange=QQ}"
  /// The engine's struct.
  public typealias CRepresentation = Geometry.IndexRange

  func boxed(_ options: ConversionOptions) throws(InvocationError) -> BoxedValue {
    guard let range = Geometry.IndexRange(self) else {
      throw InvocationError(.outOfRange, "the range (\(location), \(length)) is negative")
    }
    return .range(range)
  }
}

// MARK: - On macOS and Linux

#if !canImport(UIKit)
  extension NSEdgeInsets: _BridgedGeometry, FoundationBoxable {
    /// `{NSEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
  }

  extension AffineTransform: _BridgedGeometry, FoundationBoxable {
    /// `{CGAffineTransform=dddddd}`.
    public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.Transform2D

    // Not by the bytes: the layout of this struct of Foundation is not its interface.

    /// Creates the same affine transform from the engine's struct, whose `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
    public init(cRepresentation value: Geometry.Transform2D) {
      self.init(
        m11: CGFloat(value.a), m12: CGFloat(value.b), m21: CGFloat(value.c), m22: CGFloat(value.d), tX: CGFloat(value.tx),
        tY: CGFloat(value.ty))
    }

    /// The same affine transform as the engine's struct, whose `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
    public var cRepresentation: Geometry.Transform2D {
      Geometry.Transform2D(a: Double(m11), b: Double(m12), c: Double(m21), d: Double(m22), tx: Double(tX), ty: Double(tY))
    }
  }

  extension Geometry.Transform2D {
    /// Creates the same transform from Foundation's object.
    init(_ transform: NSAffineTransform) {
      let value = transform.transformStruct
      self.init(
        a: Double(value.m11), b: Double(value.m12), c: Double(value.m21), d: Double(value.m22), tx: Double(value.tX), ty: Double(value.tY))
    }
  }
#endif

// MARK: - On Apple's platforms

#if canImport(Darwin)
  extension CGVector: _BridgedGeometry, FoundationBoxable {
    /// `{CGVector=dd}`.
    public static let typeEncoding: TypeEncoding = "{CGVector=dd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.Vector
  }

  extension CGAffineTransform: _BridgedGeometry, FoundationBoxable {
    /// `{CGAffineTransform=dddddd}`.
    public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.Transform2D
  }
#endif

#if canImport(QuartzCore)
  extension CATransform3D: _BridgedGeometry, FoundationBoxable {
    /// `{CATransform3D=dddddddddddddddd}`.
    public static let typeEncoding: TypeEncoding = "{CATransform3D=dddddddddddddddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.Transform3D
  }
#endif

#if canImport(UIKit)
  extension UIEdgeInsets: _BridgedGeometry, FoundationBoxable {
    /// `{UIEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{UIEdgeInsets=dddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
  }

  extension UIOffset: _BridgedGeometry, FoundationBoxable {
    /// `{UIOffset=dd}`.
    public static let typeEncoding: TypeEncoding = "{UIOffset=dd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.Offset
  }

  /// Leading and trailing distances are not left and right distances: the insets are passed and read as the struct, and boxed as
  /// its bytes.
  extension NSDirectionalEdgeInsets: _BridgedGeometry {
    /// `{NSDirectionalEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{NSDirectionalEdgeInsets=dddd}"
    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
  }
#endif
