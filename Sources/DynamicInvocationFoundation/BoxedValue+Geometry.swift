public import DynamicInvocation
public import Foundation

extension BoxedValue {
  /// The point, or a struct of its layout as one; nil for another value.
  public var cgPoint: CGPoint? {
    if case .point(let value) = self { CGPoint(value) } else { bytes(as: Point.self).map { CGPoint($0) } }
  }

  /// The size, or a struct of its layout as one; nil for another value.
  public var cgSize: CGSize? {
    if case .size(let value) = self { CGSize(value) } else { bytes(as: Size.self).map { CGSize($0) } }
  }

  /// The rectangle, or a struct of its layout as one; nil for another value.
  public var cgRect: CGRect? {
    if case .rect(let value) = self { CGRect(value) } else { bytes(as: Rect.self).map { CGRect($0) } }
  }

  /// The range, or a struct of its layout as one; nil for another value, and past the greatest `Int`.
  public var nsRange: NSRange? {
    if case .range(let value) = self { NSRange(value) } else { bytes(as: IndexRange.self).flatMap { NSRange($0) } }
  }

  /// The edge insets, or a struct of their layout as some; nil for another value.
  public var nsEdgeInsets: NSEdgeInsets? {
    if case .insets(let value) = self { NSEdgeInsets(value) } else { bytes(as: EdgeInsets.self).map { NSEdgeInsets($0) } }
  }

  /// The affine transform of the plane, or a struct of its layout as one; nil for another value.
  public var foundationTransform: AffineTransform? {
    if case .affineTransform(let value) = self { AffineTransform(value) } else { bytes(as: Transform2D.self).map { AffineTransform($0) } }
  }

  private func bytes<Value: EncodedValue & BitwiseCopyable>(as type: Value.Type) -> Value? {
    if case .value(let value) = self { try? value.value(as: type) } else { nil }
  }
}
