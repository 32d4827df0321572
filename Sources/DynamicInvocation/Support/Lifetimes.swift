internal import CFFIShim

/// Whether an object is being deallocated: its deinitializer has begun.
///
/// A reference that outlives the deinitializer dangles, and the runtime ends the process for it. So who keeps an object that
/// it was given asks first, and else keeps its `ObjectIdentifier`. Only code that a deinitializer calls can be given such an object.
///
/// - Complexity: O(1), a few instructions.
package func isDeallocating(_ object: AnyObject) -> Bool {
  unsafe cffi_is_deallocating(Unmanaged.passUnretained(object).toOpaque())
}

extension Duration {
  /// The duration, or the nearest one of at most 136 years.
  ///
  /// Clocks add a duration to the time that it is, and trap if the sum is beyond their last one. A user writes
  /// `.seconds(Int64.max)` for a wait without an end.
  package var clamped: Duration {
    let longest = Duration.seconds(1 << 32)
    return min(max(self, .zero - longest), longest)
  }
}
