public import DynamicInvocation
public import Foundation

extension Rect {
  /// Creates the same rectangle from one of Foundation.
  public init(_ rect: CGRect) { self.init(origin: Point(rect.origin), size: Size(rect.size)) }
}

extension CGRect {
  /// Creates the same rectangle from one of the engine.
  public init(_ rect: Rect) { self.init(origin: CGPoint(rect.origin), size: CGSize(rect.size)) }
}

extension CGRect: EncodedValue {
  /// `{CGRect={CGPoint=dd}{CGSize=dd}}`.
  public static let typeEncoding: TypeEncoding = "{CGRect={CGPoint=dd}{CGSize=dd}}"
  /// The kind of the engine's rectangle: four numbers of double precision.
  public static var valueKind: ValueKind { Rect.valueKind }

  /// Writes the four numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Rect(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the four numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> CGRect? {
    unsafe Rect.load(from: slot, of: frame).map { CGRect($0) }
  }
}
