// The geometry that Foundation has on macOS, where AppKit uses it, and on Linux.

#if !canImport(UIKit)

  public import DynamicInvocation
  public import Foundation

  // MARK: NSEdgeInsets

  extension NSEdgeInsets: _BridgedGeometry {
    /// `{NSEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
    /// Creates the same insets from the engine's struct.
    public init(cRepresentation value: Geometry.EdgeInsets) {
      self.init(top: CGFloat(value.top), left: CGFloat(value.left), bottom: CGFloat(value.bottom), right: CGFloat(value.right))
    }
    /// The same insets as the engine's struct.
    public var cRepresentation: Geometry.EdgeInsets {
      Geometry.EdgeInsets(top: Double(top), left: Double(left), bottom: Double(bottom), right: Double(right))
    }
  }

  extension NSEdgeInsets: FoundationBoxable {}

  extension BoxedValue {
    /// The insets, or a struct of the same layout; nil for any other value.
    public var nsEdgeInsets: NSEdgeInsets? { geometry(as: NSEdgeInsets.self) }
  }

  // MARK: AffineTransform

  extension AffineTransform: _BridgedGeometry {
    /// `{CGAffineTransform=dddddd}`.
    public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.Transform2D
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

  extension AffineTransform: FoundationBoxable {}

  extension BoxedValue {
    /// The affine transform, or a struct of the same layout; nil for any other value.
    public var foundationTransform: AffineTransform? { geometry(as: AffineTransform.self) }
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
