internal import CFFIShim

/// Whether an object is being deallocated: its deinitializer has begun.
///
/// A reference that outlives the deinitializer dangles, and the runtime then ends the process. So code that keeps an
/// object that it was given asks first; if this is true, it keeps the object's `ObjectIdentifier` instead. Only code
/// that a deinitializer calls can be given such an object.
///
/// - Complexity: O(1), a few instructions.
package func isDeallocating(_ object: AnyObject) -> Bool {
  unsafe cffi_is_deallocating(Unmanaged.passUnretained(object).toOpaque())
}

extension Duration {
  /// The duration, or the nearest one of at most 136 years.
  ///
  /// Clocks add a duration to the current time, and trap if the sum is beyond their last time. A user writes
  /// `.seconds(Int64.max)` for a wait without an end.
  package var clamped: Duration {
    let longest = Duration.seconds(1 << 32)
    return min(max(self, .zero - longest), longest)
  }
}
