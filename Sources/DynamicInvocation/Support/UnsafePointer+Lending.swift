extension UnsafePointer where Pointee: ~Copyable {
  /// Calls a function with what lies at the address.
  ///
  /// Read as any other value an object would be retained; as one that cannot be copied it is not.
  @inlinable @inline(__always)
  func lend<Result>(_ body: (borrowing Pointee) throws -> Result) rethrows -> Result {
    try unsafe body(pointee)
  }
}
