// The geometry that Foundation has on macOS, where AppKit uses it, and on Linux.

#if !canImport(UIKit)

  public import DynamicInvocation
  public import Foundation

  // MARK: NSEdgeInsets

  extension Geometry.EdgeInsets {
    /// Creates the same insets from Foundation's struct.
    public init(_ insets: NSEdgeInsets) {
      self.init(
        top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom), right: Double(insets.right))
    }
  }

  extension NSEdgeInsets {
    /// Creates the same insets from the engine's struct.
    public init(_ insets: Geometry.EdgeInsets) {
      self.init(
        top: CGFloat(insets.top), left: CGFloat(insets.left), bottom: CGFloat(insets.bottom), right: CGFloat(insets.right))
    }
  }

  extension NSEdgeInsets: _BridgedGeometry {
    /// `{NSEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"

    /// The engine's insets.
    public typealias CRepresentation = Geometry.EdgeInsets
    /// Creates the same insets from the engine's struct.
    public init(cRepresentation insets: Geometry.EdgeInsets) { self.init(insets) }
    /// The same insets as the engine's struct.
    public var cRepresentation: Geometry.EdgeInsets { Geometry.EdgeInsets(self) }
  }

  extension NSEdgeInsets: FoundationBoxable {}

  extension BoxedValue {
    /// The edge insets, or a struct of the same layout as edge insets; nil for any other value.
    public var nsEdgeInsets: NSEdgeInsets? {
      if case .insets(let value) = self { NSEdgeInsets(value) } else { bytes(as: Geometry.EdgeInsets.self).map { NSEdgeInsets($0) } }
    }
  }

  // MARK: AffineTransform

  extension Geometry.Transform2D {
    /// Creates the same transform from Foundation's struct: `m11 m12 m21 m22 tX tY` are `a b c d tx ty`.
    public init(_ transform: AffineTransform) {
      self.init(
        a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
        tx: Double(transform.tX), ty: Double(transform.tY))
    }
  }

  extension Geometry.Transform2D {
    /// Creates the same transform from Foundation's object.
    init(_ transform: NSAffineTransform) {
      let transform = transform.transformStruct
      self.init(
        a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
        tx: Double(transform.tX), ty: Double(transform.tY))
    }
  }

  extension AffineTransform {
    /// Creates the same transform from the engine's struct: `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
    public init(_ transform: Geometry.Transform2D) {
      self.init(
        m11: CGFloat(transform.a), m12: CGFloat(transform.b), m21: CGFloat(transform.c), m22: CGFloat(transform.d),
        tX: CGFloat(transform.tx), tY: CGFloat(transform.ty))
    }
  }

  extension AffineTransform: _BridgedGeometry {
    /// `{CGAffineTransform=dddddd}`.
    public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"

    /// The engine's transform.
    public typealias CRepresentation = Geometry.Transform2D
    /// Creates the same transform from the engine's struct.
    public init(cRepresentation transform: Geometry.Transform2D) { self.init(transform) }
    /// The same transform as the engine's struct.
    public var cRepresentation: Geometry.Transform2D { Geometry.Transform2D(self) }
  }

  extension AffineTransform: FoundationBoxable {}

  extension BoxedValue {
    /// The affine transform, or a struct of the same layout as an affine transform; nil for any other value.
    public var foundationTransform: AffineTransform? {
      if case .affineTransform(let value) = self {
        AffineTransform(value)
      } else {
        bytes(as: Geometry.Transform2D.self).map { AffineTransform($0) }
      }
    }
  }

#endif
