internal import CFFIShim

/// What a call takes as an argument: an encoded value, an array, or a boxed value.
///
/// An array is passed as the address of a copy of its elements, which is freed when the call has returned; what the callee writes to it is lost.
/// Write `&array` for a buffer that the callee fills. A ``BoxedValue`` is converted to the argument's type, as the signature demands. A type of yours
/// becomes an argument by being an ``EncodedValue``.
public protocol CallArgument {
  /// Writes the value as the next argument of a call.
  func write(to frame: inout FrameWriter)
}

extension EncodedValue {
  /// Writes the value as the next argument of a call.
  @inlinable @inline(__always)
  public func write(to frame: inout FrameWriter) { frame.write(self) }
}

extension Array: CallArgument where Element: EncodedValue {
  /// Writes the address of a copy of the elements as the next argument of a call.
  public func write(to frame: inout FrameWriter) { frame.writeCopy(of: self) }
}

extension BoxedValue: CallArgument {
  /// Writes the value, converted to the argument's type, as the next argument of a call.
  public func write(to frame: inout FrameWriter) { frame.write(boxed: self) }
}
