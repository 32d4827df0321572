// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/coregraphics

@frozen public struct CGFloat: Hashable, Sendable, BitwiseCopyable, ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  public init(_ value: Double) {}
  public init(floatLiteral value: Double) {}
  public init(integerLiteral value: Int) {}
}

extension Double {
  public init(_ value: CGFloat) { self = 0 }
}

@frozen public struct CGPoint: Sendable, BitwiseCopyable {
  public var x, y: CGFloat
  public init(x: CGFloat, y: CGFloat) { (self.x, self.y) = (x, y) }
  public init(x: Double, y: Double) { (self.x, self.y) = (CGFloat(x), CGFloat(y)) }
}

@frozen public struct CGSize: Sendable, BitwiseCopyable {
  public var width, height: CGFloat
  public init(width: CGFloat, height: CGFloat) { (self.width, self.height) = (width, height) }
  public init(width: Double, height: Double) { (self.width, self.height) = (CGFloat(width), CGFloat(height)) }
}

@frozen public struct CGRect: Sendable, BitwiseCopyable {
  public var origin: CGPoint
  public var size: CGSize
  public init(origin: CGPoint, size: CGSize) { (self.origin, self.size) = (origin, size) }
}

@frozen public struct CGVector: Sendable, BitwiseCopyable {
  public var dx, dy: CGFloat
  public init(dx: CGFloat, dy: CGFloat) { (self.dx, self.dy) = (dx, dy) }
}

@frozen public struct CGAffineTransform: Sendable, BitwiseCopyable {
  public var a, b, c, d, tx, ty: CGFloat
  public init(a: CGFloat, b: CGFloat, c: CGFloat, d: CGFloat, tx: CGFloat, ty: CGFloat) {
    (self.a, self.b, self.c, self.d, self.tx, self.ty) = (a, b, c, d, tx, ty)
  }
}
