public import DynamicInvocation
public import Foundation

extension EdgeInsets {
  /// Creates the same insets from those of Foundation.
  public init(_ insets: NSEdgeInsets) {
    self.init(
      top: Double(insets.top), left: Double(insets.left), bottom: Double(insets.bottom), right: Double(insets.right))
  }
}

extension NSEdgeInsets {
  /// Creates the same insets from those of the engine.
  public init(_ insets: EdgeInsets) {
    self.init(
      top: CGFloat(insets.top), left: CGFloat(insets.left), bottom: CGFloat(insets.bottom), right: CGFloat(insets.right))
  }
}

extension NSEdgeInsets: EncodedValue {
  /// `{NSEdgeInsets=dddd}`.
  public static let typeEncoding: TypeEncoding = "{NSEdgeInsets=dddd}"
  /// The kind of the engine's insets: four numbers of double precision.
  public static var valueKind: ValueKind { EdgeInsets.valueKind }

  /// Writes the four numbers; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe EdgeInsets(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the four numbers.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> NSEdgeInsets? {
    unsafe EdgeInsets.load(from: slot, of: frame).map { NSEdgeInsets($0) }
  }
}
