public import DynamicInvocation
public import Foundation

extension Size {
  /// Creates the same size from one of Foundation.
  public init(_ size: CGSize) { self.init(width: Double(size.width), height: Double(size.height)) }
}

extension CGSize {
  /// Creates the same size from one of the engine.
  public init(_ size: Size) { self.init(width: size.width, height: size.height) }
}

extension CGSize: EncodedValue {
  /// `{CGSize=dd}`.
  public static let typeEncoding: TypeEncoding = "{CGSize=dd}"
  /// The kind of the engine's size: two numbers of double precision.
  public static var valueKind: ValueKind { Size.valueKind }

  /// Writes the two numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Size(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the two numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> CGSize? {
    unsafe Size.load(from: slot, of: frame).map { CGSize($0) }
  }
}
