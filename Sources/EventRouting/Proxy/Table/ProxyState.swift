/// What changes in a proxy, in memory of its own: a stored property's exclusivity would be checked at each access.
@usableFromInline
@safe
struct ProxyState {
  @usableFromInline var table = KeyTable()
  /// The runs that are on the stack.
  @usableFromInline var depth = 0
  /// The number of the last handler registered: those made after a run began are not called in it.
  @usableFromInline var sequence: UInt = 0
  /// Whether something waits for the last run to end.
  @usableFromInline var hasEnded = false
}

/// Tells which keys a proxy has, without a reference to it.
///
/// It holds as long as the proxy lives.
@usableFromInline
@safe
struct KeyFilter {
  @usableFromInline let state: UnsafePointer<ProxyState>

  /// Whether the proxy has a handler for a key, be it blocked or its target dead.
  ///
  /// - Complexity: A multiplication, and mostly one comparison; no reference is counted.
  @inlinable @inline(__always)
  func contains(_ key: EventKey) -> Bool { unsafe state.pointee.table.first(key.bits) != nil }

  /// Whether the proxy has no handler at all.
  var isEmpty: Bool { unsafe state.pointee.table.count == 0 }
}
