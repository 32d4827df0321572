public import DynamicInvocation
import Synchronization

/// What changes in a proxy, in memory of its own: each access to a stored property would be checked for exclusivity.
@usableFromInline
@safe
struct ProxyState: ~Copyable {
  /// The first handler of each key.
  @usableFromInline var table: PointerTable<UnsafeMutablePointer<HandlerRecord>> = unsafe PointerTable()
  /// The runs that are on the stack.
  @usableFromInline var depth = 0
  /// The number of the last handler registered: those made after a run began are not called in it.
  @usableFromInline var sequence: UInt = 0
  /// Whether something waits for the last run to end.
  @usableFromInline var hasEnded = false

  /// The first handler of a key.
  @inlinable @inline(__always)
  func first(_ key: UInt) -> UnsafeMutablePointer<HandlerRecord>? { unsafe table[key] }
}

extension EventProxy {
  /// The number of the last handler registered with any proxy, so that a pass knows which were there when it began.
  static var lastSequence: UInt { sequence.load(ordering: .relaxed) }

  /// Numbers a new handler.
  static func nextSequence() -> UInt { sequence.wrappingAdd(1, ordering: .relaxed).newValue }

  private static let sequence: Atomic<UInt> = Atomic(0)
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
  func contains(_ key: EventKey) -> Bool { unsafe state.pointee.first(key.bits) != nil }

  /// Whether the proxy has no handler at all.
  var isEmpty: Bool { unsafe state.pointee.table.count == 0 }
}
