public import DynamicInvocation
public import Foundation

extension Transform2D {
  /// Creates the same transform from one of Foundation: `m11 m12 m21 m22 tX tY` are `a b c d tx ty`.
  public init(_ transform: AffineTransform) {
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension Transform2D {
  /// Creates the same transform from an object of Foundation.
  init(_ transform: NSAffineTransform) {
    let transform = transform.transformStruct
    self.init(
      a: Double(transform.m11), b: Double(transform.m12), c: Double(transform.m21), d: Double(transform.m22),
      tx: Double(transform.tX), ty: Double(transform.tY))
  }
}

extension AffineTransform {
  /// Creates the same transform from one of the engine: `a b c d tx ty` are `m11 m12 m21 m22 tX tY`.
  public init(_ transform: Transform2D) {
    self.init(
      m11: CGFloat(transform.a), m12: CGFloat(transform.b), m21: CGFloat(transform.c), m22: CGFloat(transform.d),
      tX: CGFloat(transform.tx), tY: CGFloat(transform.ty))
  }
}

extension AffineTransform: EncodedValue {
  /// `{CGAffineTransform=dddddd}`.
  public static let typeEncoding: TypeEncoding = "{CGAffineTransform=dddddd}"
  /// The kind of the engine's transform of the plane: six numbers of double precision.
  public static var valueKind: ValueKind { Transform2D.valueKind }

  /// Writes the six numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Transform2D(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the six numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> AffineTransform? {
    unsafe Transform2D.load(from: slot, of: frame).map { AffineTransform($0) }
  }
}
