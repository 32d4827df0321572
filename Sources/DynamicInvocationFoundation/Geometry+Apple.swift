// Vectors and transforms of Core Graphics and Core Animation, which only Apple's platforms have.

#if canImport(Darwin)

  public import CoreGraphics
  public import DynamicInvocation
  internal import Foundation
  #if canImport(QuartzCore)
    public import QuartzCore
  #endif

  // MARK: CGVector

  extension CGVector: _BridgedGeometry {
    /// `{CGVector=dd}`.
    public static let typeEncoding: TypeEncoding = "{CGVector=dd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.Vector
    /// Creates the same vector from the engine's struct.
    public init(cRepresentation value: Geometry.Vector) { self.init(dx: CGFloat(value.dx), dy: CGFloat(value.dy)) }
    /// The same vector as the engine's struct.
    public var cRepresentation: Geometry.Vector { Geometry.Vector(dx: Double(dx), dy: Double(dy)) }
  }

  extension CGVector: FoundationBoxable {}

  extension BoxedValue {
    /// The vector, or a struct of the same layout; nil for any other value.
    public var cgVector: CGVector? { geometry(as: CGVector.self) }
  }

  // MARK: CGAffineTransform

  extension CGAffineTransform: _BridgedGeometry {
    /// `{CGAffineTransform=dddddd}`.
    public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.Transform2D
    /// Creates the same affine transform from the engine's struct.
    public init(cRepresentation value: Geometry.Transform2D) {
      self.init(
        a: CGFloat(value.a), b: CGFloat(value.b), c: CGFloat(value.c), d: CGFloat(value.d), tx: CGFloat(value.tx), ty: CGFloat(value.ty))
    }
    /// The same affine transform as the engine's struct.
    public var cRepresentation: Geometry.Transform2D {
      Geometry.Transform2D(a: Double(a), b: Double(b), c: Double(c), d: Double(d), tx: Double(tx), ty: Double(ty))
    }
  }

  extension CGAffineTransform: FoundationBoxable {}

  extension BoxedValue {
    /// The affine transform, or a struct of the same layout; nil for any other value.
    public var cgAffineTransform: CGAffineTransform? { geometry(as: CGAffineTransform.self) }
  }

  #if canImport(QuartzCore)

    // MARK: CATransform3D

    extension CATransform3D: _BridgedGeometry {
      /// `{CATransform3D=dddddddddddddddd}`.
      public static let typeEncoding: TypeEncoding = "{CATransform3D=dddddddddddddddd}"

      /// The engine's struct.
      public typealias CRepresentation = Geometry.Transform3D
      /// Creates the same transform from the engine's struct.
      public init(cRepresentation value: Geometry.Transform3D) {
        self.init(
          m11: CGFloat(value.m11), m12: CGFloat(value.m12), m13: CGFloat(value.m13), m14: CGFloat(value.m14), m21: CGFloat(value.m21),
          m22: CGFloat(value.m22), m23: CGFloat(value.m23), m24: CGFloat(value.m24), m31: CGFloat(value.m31), m32: CGFloat(value.m32),
          m33: CGFloat(value.m33), m34: CGFloat(value.m34), m41: CGFloat(value.m41), m42: CGFloat(value.m42), m43: CGFloat(value.m43),
          m44: CGFloat(value.m44))
      }
      /// The same transform as the engine's struct.
      public var cRepresentation: Geometry.Transform3D {
        Geometry.Transform3D(
          m11: Double(m11), m12: Double(m12), m13: Double(m13), m14: Double(m14), m21: Double(m21), m22: Double(m22), m23: Double(m23),
          m24: Double(m24), m31: Double(m31), m32: Double(m32), m33: Double(m33), m34: Double(m34), m41: Double(m41), m42: Double(m42),
          m43: Double(m43), m44: Double(m44))
      }
    }

    extension CATransform3D: FoundationBoxable {}

    extension BoxedValue {
      /// The transform, or a struct of the same layout; nil for any other value.
      public var caTransform3D: CATransform3D? { geometry(as: CATransform3D.self) }
    }

  #endif

#endif
