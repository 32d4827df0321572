import CallFrames
import DynamicInvocation

extension Locked {
  /// Returns the value of a key, which is made when the key is first asked for, while the lock is held.
  ///
  /// - Parameter make: Gets the number of keys.
  func value<Key: Hashable & Sendable, Value: Sendable>(
    _ key: Key, _ make: (_ count: Int) throws(InvocationError) -> Value
  ) throws(InvocationError) -> Value where State == [Key: Value] {
    try withLock { values throws(InvocationError) in
      if let known = values[key] { return known }
      let new = try make(values.count)
      values[key] = new
      return new
    }
  }
}
