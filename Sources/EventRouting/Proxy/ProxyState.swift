public import DynamicInvocation
import Synchronization

/// The mutable state of a proxy, in separately allocated memory: each access to a stored property would be checked for
/// exclusivity.
@usableFromInline
@safe
struct ProxyState: ~Copyable {
  /// The first handler of each key.
  @usableFromInline var table: PointerTable<UnsafeMutablePointer<HandlerRecord>> = unsafe PointerTable()
  /// The number of runs that are on the stack.
  @usableFromInline var depth = 0
  /// The sequence number of the last handler registered: handlers registered after a run began are not called in it.
  @usableFromInline var sequence: UInt = 0
  /// Whether objects wait to be released at the end of the last run.
  @usableFromInline var hasEnded = false

  /// The first handler of a key.
  @inlinable @inline(__always)
  func first(_ key: UInt) -> UnsafeMutablePointer<HandlerRecord>? { unsafe table[key] }
}

extension EventProxy {
  /// The sequence number of the last handler registered with any proxy.
  ///
  /// A pass uses it to exclude handlers registered later.
  static var lastSequence: UInt { sequence.load(ordering: .relaxed) }

  /// Returns the sequence number of a new handler.
  static func nextSequence() -> UInt { sequence.wrappingAdd(1, ordering: .relaxed).newValue }

  private static let sequence: Atomic<UInt> = Atomic(0)

  /// Whether any proxy has a handler that also receives events that were stopped.
  static var hasStopListeners: Bool { stopListeners.load(ordering: .relaxed) != 0 }

  /// Counts the handlers that also receive events that were stopped.
  static func stopListenersChanged(by change: Int) { stopListeners.wrappingAdd(change, ordering: .relaxed) }

  private static let stopListeners: Atomic<Int> = Atomic(0)
}

/// Checks which keys a proxy has, without a reference to it.
///
/// It is valid as long as the proxy is alive.
@usableFromInline
@safe
struct KeyFilter {
  @usableFromInline let state: UnsafePointer<ProxyState>

  /// Whether the proxy has a handler for a key, including blocked handlers and those whose target was deallocated.
  ///
  /// - Complexity: A multiplication, and usually one comparison; no reference counting.
  @inlinable @inline(__always)
  func contains(_ key: EventKey) -> Bool { unsafe state.pointee.first(key.bits) != nil }

  /// Whether the proxy has no handler at all.
  var isEmpty: Bool { unsafe state.pointee.table.count == 0 }
}
