internal import DynamicInvocation

/// The data that a call of a handler needs, in separately allocated memory; it contains no counted references.
///
/// Its ``EventRegistration`` owns it, and all memory that it points to.
@usableFromInline
@safe
struct HandlerRecord {
  /// The next handler: the handlers of a key form a list, in the order in which they are called.
  @usableFromInline var next: UnsafeMutablePointer<HandlerRecord>?
  /// Flags that prevent a direct call of the handler.
  @usableFromInline var flags: HandlerFlags = HandlerFlags(rawValue: 0)
  /// The number of awaited runs that are at this handler, which keep it in memory while they are suspended.
  @usableFromInline var pins: Int = 0
  /// The epoch of the method tables when the method was looked up.
  var epoch = 0
  /// The sequence number of the handler, counted over all proxies.
  @usableFromInline var sequence: UInt = 0
  /// The registration.
  @usableFromInline let registration: Unmanaged<EventRegistration>
  /// The Swift code of a closure or an interceptor.
  @usableFromInline let body: Unmanaged<HandlerBody>?
  /// The types of a Swift closure's arguments, as one tuple.
  @usableFromInline let argumentTypes: ObjectIdentifier?
  /// The target; a weak one must be retained while it is used.
  @usableFromInline var target: ObjectAddress = .none
  /// The rule for the source: its class, if any, and whether it may be null.
  @usableFromInline let source: SourceRule
  /// The reply of a handler that returns no reply.
  @usableFromInline let reply: PlainReply
  /// Whether the handler is a function that takes the fast path: the frame is small, the call is plain, and the reply
  /// is handled.
  @usableFromInline private(set) var isQuick = false
  /// How arguments are written to a frame.
  @usableFromInline var layout: HandlerLayout = .none
  /// The function that is called with the frame; nil for Swift code.
  @usableFromInline var function: UnsafePointer<HandlerFunction>?
  /// The handler before, as long as this one is registered.
  var previous: UnsafeMutablePointer<HandlerRecord>?
  /// What is known of all handlers of the key; current only in the key's first handler.
  var list: HandlerList = HandlerList()

  init(_ registration: EventRegistration, body: HandlerBody?, source: SourceRule, reply: PlainReply) {
    unsafe self.registration = .passUnretained(registration)
    unsafe self.body = body.map { unsafe .passUnretained($0) }
    argumentTypes = body?.argumentTypes
    self.source = source
    self.reply = reply
  }
}

/// What a key's first handler knows of all handlers of the key, so that one more is added in constant time.
@safe
struct HandlerList {
  /// The number of handlers at which a registration first looks for deallocated targets.
  private static let firstLimit = 16

  /// The last handler.
  var last: UnsafeMutablePointer<HandlerRecord>?
  /// The number of handlers.
  private(set) var count: Int = 0
  /// The number of handlers at which a registration looks for deallocated targets.
  private var limit: Int = firstLimit
  /// The phases in which the handlers receive events.
  var phases: PhaseSet = .none
  /// The order of the handlers, if they are many; the list owns it.
  private var storedOrder: Unmanaged<HandlerOrder>?

  var order: HandlerOrder? { unsafe storedOrder?.takeUnretainedValue() }

  /// Creates the order of a list that became long.
  mutating func orderIfLong(_ first: UnsafeMutablePointer<HandlerRecord>?) {
    guard count >= HandlerOrder.fewest, unsafe storedOrder == nil else { return }
    unsafe storedOrder = .passRetained(HandlerOrder(first))
  }

  /// Frees the order, when the last handler was removed.
  mutating func end() {
    unsafe storedOrder?.release()
    unsafe storedOrder = nil
  }

  /// Whether so many handlers were added that a registration has to look for deallocated targets.
  var isDue: Bool { count >= limit }

  mutating func add(_ phases: PhaseSet) {
    count += 1
    self.phases = self.phases.union(phases)
  }

  mutating func remove() { count -= 1 }

  /// Sets when to look for deallocated targets again: the time for the search stays in proportion to the handlers that are added.
  mutating func deadAreRemoved() { limit = max(Self.firstLimit, 2 * count) }
}

/// Flags of a handler that prevent it from being called, or from being called directly.
@usableFromInline
struct HandlerFlags: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt
  @inlinable init(rawValue: UInt) { self.rawValue = rawValue }

  /// It was removed.
  @inlinable static var removed: HandlerFlags { HandlerFlags(rawValue: 1) }
  /// It is running for the only time.
  @inlinable static var spent: HandlerFlags { HandlerFlags(rawValue: 2) }
  /// It is removed after a call.
  @inlinable static var once: HandlerFlags { HandlerFlags(rawValue: 4) }
  /// Its target is weak; never changes.
  @inlinable static var weak: HandlerFlags { HandlerFlags(rawValue: 8) }
  /// Its method is looked up in a table that may have changed.
  @inlinable static var lookedUp: HandlerFlags { HandlerFlags(rawValue: 16) }
  /// It is blocked.
  @inlinable static var blocked: HandlerFlags { HandlerFlags(rawValue: 32) }

  // The phases in which it does not receive events: see ``HandlerFlags/phases``.

  /// It does not receive events that go up.
  @inlinable static var notUp: HandlerFlags { HandlerFlags(rawValue: 64) }
  /// It does not receive events in the capture phase; set unless it was registered for that phase.
  @inlinable static var notCapture: HandlerFlags { HandlerFlags(rawValue: 256) }
  /// It does not receive events that were stopped; set unless its options ask for them.
  @inlinable static var notStopped: HandlerFlags { HandlerFlags(rawValue: 512) }

  /// Its token is bound to a task, which may have been cancelled.
  @inlinable static var watched: HandlerFlags { HandlerFlags(rawValue: 1_024) }

  /// It is asynchronous; a synchronous send starts it or refuses it.
  @inlinable static var asynchronous: HandlerFlags { HandlerFlags(rawValue: 2_048) }

  /// Any flag that forbids the call.
  @inlinable static var closed: HandlerFlags { HandlerFlags(rawValue: removed.rawValue | spent.rawValue | blocked.rawValue) }

  /// The flags that do not prevent a direct call: a weak target is retained, and a pass visits a node only if a handler
  /// of it receives events of the phase.
  @inlinable static var open: HandlerFlags { HandlerFlags(rawValue: weak.rawValue | notCapture.rawValue | notStopped.rawValue) }

  /// Whether the handler may be called directly, if its target is alive.
  @inlinable @inline(__always)
  var isOpen: Bool { rawValue & ~HandlerFlags.open.rawValue == 0 }
}

/// A reply without arguments, in one byte.
@usableFromInline
enum PlainReply: UInt8, Sendable {
  case handled
  case ignored
  case handledAndContinue
  case stopNode
  case stopSubtree
  case stopPass

  /// Traps for a resend, which has arguments.
  init(_ reply: EventReply) {
    switch reply {
    case .handled: self = .handled
    case .ignored: self = .ignored
    case .handledAndContinue: self = .handledAndContinue
    case .handledAndStop(.node): self = .stopNode
    case .handledAndStop(.subtree): self = .stopSubtree
    case .handledAndStop(.pass): self = .stopPass
    case .resend:
      preconditionFailure("options cannot resend an event: the handler returns that reply, and the option rewritesTo declares it")
    }
  }
}

extension EventReply {
  /// Creates a reply without arguments.
  init(_ reply: PlainReply) {
    self =
      switch reply {
      case .handled: .handled
      case .ignored: .ignored
      case .handledAndContinue: .handledAndContinue
      case .stopNode: .handledAndStop(.node)
      case .stopSubtree: .handledAndStop(.subtree)
      case .stopPass: .handledAndStop(.pass)
      }
  }
}

extension HandlerRecord {
  /// Whether an event would call it.
  ///
  /// - Parameter skipping: Further flags that forbid the call, from the direction of the event.
  func isCallable(skipping: HandlerFlags = []) -> Bool {
    unsafe flags.isDisjoint(with: .closed.union(skipping)) && registration._withUnsafeGuaranteedRef { $0.isAlive }
  }

  /// Copies the layout and the function of a plan.
  mutating func follow(_ plan: HandlerPlan) {
    layout = plan.layout
    unsafe function = plan.function
    isQuick = unsafe layout.isSmall && function?.pointee.isPlain == true && reply == .handled
  }
}

extension UnsafeMutablePointer<HandlerRecord> {
  /// Whether the handler may be called directly although it is looked up, because the method tables have not changed.
  @usableFromInline
  var isCurrent: Bool {
    unsafe pointee.flags.rawValue & ~(HandlerFlags.open.rawValue | HandlerFlags.lookedUp.rawValue) == 0
      && pointee.epoch == MethodTable.epoch
  }

  /// Retains a weak target for the duration of a call; returns whether it is alive.
  @inlinable @inline(__always)
  func retainTarget() -> Bool {
    #if _runtime(_ObjC)
      return unsafe pointee.registration._withUnsafeGuaranteedRef { $0.retainTarget() }
    #else
      // The registration has an unowned reference to the target as long as the record has its address.
      guard let address = unsafe pointee.target.address else { return false }
      return unsafe WeakObject.tryRetain(address)
    #endif
  }

  /// Whether this handler, or one after it, is asynchronous.
  @inlinable
  var hasAsynchronous: Bool {
    var next: UnsafeMutablePointer<HandlerRecord>? = unsafe self
    while let record = unsafe next {
      if unsafe record.pointee.flags.contains(.asynchronous) { return true }
      unsafe next = record.pointee.next
    }
    return false
  }

  /// Whether the registration has ended in another isolation domain, or with a task.
  @usableFromInline
  var hasEnded: Bool { unsafe pointee.registration._withUnsafeGuaranteedRef { $0.hasEnded } }

  /// Releases a target that was retained for a call, which may deallocate it.
  @inlinable @inline(__always)
  func releaseTarget() {
    unsafe Unmanaged<AnyObject>.fromOpaque(pointee.target.address.unsafelyUnwrapped).release()
  }

  /// The reply of a handler that returns no reply.
  @usableFromInline
  var otherReply: EventReply { unsafe EventReply(pointee.reply) }
}

/// The order of the handlers of a key that has many: adding or removing one takes no walk over all.
final class HandlerOrder {
  /// The place of a handler: it is called before handlers of a lower priority; within a priority interceptors are first, and
  /// otherwise the earlier registration.
  struct Place: Comparable {
    let priority: Int
    let isInterceptor: Bool
    let sequence: UInt

    static func < (left: Place, right: Place) -> Bool {
      if left.priority != right.priority { return left.priority > right.priority }
      if left.isInterceptor != right.isInterceptor { return left.isInterceptor }
      return left.sequence < right.sequence
    }
  }

  @safe
  private struct Member: OrderedMember {
    let record: UnsafeMutablePointer<HandlerRecord>

    var order: Place { unsafe record.pointee.registration._withUnsafeGuaranteedRef { $0.order } }
  }

  /// The number of handlers of a key above which it has an order.
  static var fewest: Int { 32 }

  private var members: OrderedChunks<Member> = OrderedChunks()
  /// The number of handlers for each bit of ``PhaseSet``.
  private var counts: [Int] = Array(repeating: 0, count: 6)

  /// The number of handlers.
  var count: Int { members.all.count }

  /// Creates the order of a list.
  init(_ first: UnsafeMutablePointer<HandlerRecord>?) {
    var next = unsafe first
    while let record = unsafe next {
      unsafe insert(record)
      unsafe next = record.pointee.next
    }
  }

  /// The handler after which a new one is inserted; nil if it becomes the first.
  func handler(before record: UnsafeMutablePointer<HandlerRecord>) -> UnsafeMutablePointer<HandlerRecord>? {
    unsafe members.last(before: Member(record: record).order)?.record
  }

  func insert(_ record: UnsafeMutablePointer<HandlerRecord>) {
    unsafe members.insert(Member(record: record))
    count(unsafe record.pointee.flags.phases, 1)
  }

  func remove(_ record: UnsafeMutablePointer<HandlerRecord>) {
    unsafe members.remove(Member(record: record))
    count(unsafe record.pointee.flags.phases, -1)
  }

  /// The phases in which the handlers receive events.
  var phases: PhaseSet {
    PhaseSet(rawValue: counts.indices.reduce(0) { counts[$1] > 0 ? $0 | 1 << UInt8($1) : $0 })
  }

  private func count(_ phases: PhaseSet, _ change: Int) {
    for bit in counts.indices where phases.rawValue >> UInt8(bit) & 1 != 0 { counts[bit] += change }
  }
}

/// Which objects a handler accepts as the source of an event.
@usableFromInline
struct SourceRule {
  /// The class; nil for any object.
  @usableFromInline let type: ObjectIdentifier?
  /// Whether the handler does not accept null.
  @usableFromInline let isRequired: Bool

  /// Any object, or null.
  static var any: SourceRule { SourceRule(AnyObject.self, isRequired: false) }

  /// Creates the rule for the class of a first parameter.
  @inlinable
  init<Source: AnyObject>(_ source: Source.Type, isRequired: Bool) {
    type = source == AnyObject.self ? nil : ObjectIdentifier(source)
    self.isRequired = isRequired
  }

  /// Whether an object may be passed to the handler.
  @inlinable @inline(__always)
  func accepts(_ source: AnyObject?) -> Bool {
    guard let source else { return !isRequired }
    guard let type else { return true }
    return ObjectIdentifier(Swift.type(of: source)) == type || isSubclass(Swift.type(of: source))
  }

  @usableFromInline
  func isSubclass(_ subclass: AnyClass) -> Bool {
    var ancestor: AnyClass? = _getSuperclass(subclass)
    while let next = ancestor {
      if ObjectIdentifier(next) == type { return true }
      ancestor = _getSuperclass(next)
    }
    return false
  }

  /// The source that was accepted, as its class, or nil; a cast would retain it again.
  @inlinable @inline(__always)
  static func optional<Source: AnyObject>(_ source: AnyObject?, as type: Source.Type) -> Source? {
    unsafe unsafeBitCast(source, to: Source?.self)
  }

  /// Returns the accepted source, cast to its class; it must not be nil.
  @inlinable @inline(__always)
  static func required<Source: AnyObject>(_ source: AnyObject?, as type: Source.Type) -> Source {
    unsafe unsafeBitCast(source, to: Source.self)
  }

  /// The error for an object that the handler does not accept.
  func failure(_ source: AnyObject?) -> InvocationError {
    guard let source else { return InvocationError(.nullNotAllowed, "the event has no source", argument: .index(0), encoding: "@") }
    let wanted = type.map { "\(unsafe unsafeBitCast($0, to: AnyClass.self))" } ?? "an object"
    return InvocationError(
      .typeMismatch, "the source is of the class \(Swift.type(of: source)), not \(wanted)", argument: .index(0), encoding: "@")
  }
}

/// The address of an object that its owner keeps alive, or null; passed without reference counting.
@usableFromInline
@safe
struct ObjectAddress {
  @usableFromInline let address: UnsafeRawPointer?

  /// No object.
  static var none: ObjectAddress { ObjectAddress(nil) }

  @inlinable @inline(__always)
  init(_ object: AnyObject?) { unsafe address = object.map { unsafe UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) } }

  /// The object.
  var object: AnyObject? { unsafe address.map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() } }

  /// The object as its class; the address must not be null.
  @inlinable @inline(__always)
  func object<Target: AnyObject>(as type: Target.Type) -> Target {
    unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped).takeUnretainedValue()
  }

  /// Borrows the object as its class; the address must not be null.
  @inlinable @inline(__always)
  func withObject<Target: AnyObject, Result>(_ run: (Target) throws -> Result) rethrows -> Result {
    try unsafe Unmanaged<Target>.fromOpaque(address.unsafelyUnwrapped)._withUnsafeGuaranteedRef { try run($0) }
  }

  /// Borrows the object as its class, or nil.
  @inlinable @inline(__always)
  func withOptional<Object: AnyObject, Result>(_ run: (Object?) throws -> Result) rethrows -> Result {
    guard let address = unsafe address else { return try run(nil) }
    return try unsafe Unmanaged<Object>.fromOpaque(address)._withUnsafeGuaranteedRef { try run($0) }
  }
}
