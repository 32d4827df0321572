public import DynamicInvocation
public import Foundation

extension Point {
  /// Creates the same point from one of Foundation.
  public init(_ point: CGPoint) { self.init(x: Double(point.x), y: Double(point.y)) }
}

extension CGPoint {
  /// Creates the same point from one of the engine.
  public init(_ point: Point) { self.init(x: point.x, y: point.y) }
}

extension CGPoint: EncodedValue {
  /// `{CGPoint=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGPoint=dd}"
  /// The kind of the engine's point: two numbers of double precision.
  public static var valueKind: ValueKind { Point.valueKind }

  /// Writes the two numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Point(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the two numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> CGPoint? {
    unsafe Point.load(from: slot, of: frame).map { CGPoint($0) }
  }
}
