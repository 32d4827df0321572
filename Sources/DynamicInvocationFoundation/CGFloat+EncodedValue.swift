public import DynamicInvocation
public import Foundation

extension CGFloat: EncodedValue {
  /// `d`: the engine's platforms have 64 bits.
  public static let typeEncoding: TypeEncoding = "d"
  /// The kind of `d`.
  public static var valueKind: ValueKind { Double.valueKind }

  /// Writes the word; nothing is owned.
  public func store(in slot: Slot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe Double(self).store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the word.
  public static func load(from slot: Slot, of frame: UnsafeRawPointer) -> CGFloat? {
    unsafe Double.load(from: slot, of: frame).map { CGFloat($0) }
  }
}
