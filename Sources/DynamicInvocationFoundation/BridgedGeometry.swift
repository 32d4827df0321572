public import DynamicInvocation

/// A struct of Foundation or of Apple's frameworks with the layout of an engine's struct, by which it is stored and boxed.
public protocol _BridgedGeometry: EncodedValue, _ThunkConvertible where CRepresentation: EncodedValue {}

extension _BridgedGeometry {
  /// The kind of the engine's struct.
  public static var valueKind: ValueKind { CRepresentation.valueKind }

  /// Writes the numbers, which need no ownership.
  public func store(in slot: FrameSlot, of frame: UnsafeMutableRawPointer, keeping: Bool) -> Bool {
    unsafe cRepresentation.store(in: slot, of: frame, keeping: keeping)
  }

  /// Reads the numbers.
  public static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Self? {
    unsafe CRepresentation.load(from: slot, of: frame).map { Self(cRepresentation: $0) }
  }
}

extension _BridgedGeometry where CRepresentation: _GeometryValue, CRepresentation.Number == Double {
  /// Creates the same value from the engine's struct.
  public init(_ value: CRepresentation) { self.init(cRepresentation: value) }
}

extension _GeometryValue where Number == Double {
  /// Creates the same value from the struct of a framework.
  public init<Value: _BridgedGeometry>(_ value: Value) where Value.CRepresentation == Self { self = value.cRepresentation }
}

extension FoundationBoxable where Self: _BridgedGeometry, CRepresentation: GeometryStruct {
  func boxed(_ options: ConversionOptions) -> BoxedValue { cRepresentation.box }
}

extension BoxedValue {
  /// The geometry as a framework's struct, or a struct of the same layout; nil for any other value.
  func geometry<Value: _BridgedGeometry>(as type: Value.Type) -> Value?
  where Value.CRepresentation: GeometryStruct & BitwiseCopyable {
    let value = geometry as? Value.CRepresentation ?? bytes(as: Value.CRepresentation.self)
    return value.map { Value(cRepresentation: $0) }
  }
}

extension BoxedValue {
  /// Returns the bytes of the box as a struct of a type, or nil if their layout differs.
  func bytes<Value: EncodedValue & BitwiseCopyable>(as type: Value.Type) -> Value? {
    if case .value(let value) = self { try? value.value(as: type) } else { nil }
  }
}
