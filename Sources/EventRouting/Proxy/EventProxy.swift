public import DynamicInvocation
import Synchronization

/// The handlers of one node, by key.
///
///     let proxy = EventProxy()
///     try proxy.register("row.tapped", target: controller, selector: "tapped(_:index:)")
///     try proxy.register("row.moved") { (row: Row?, from: Int, to: Int) in ... }
///     proxy.send("row.tapped", source: row, arguments: [.int(3)])     // boxed, checked when it is sent
///     proxy.send("row.moved", source: row, 3, 5)           // typed, without conversion
///
/// A handler's first argument is the source of the event, an object or nil; the event's own arguments follow. The
/// handlers of a key are called by priority, within a priority interceptors first, and then in the order of
/// registration. An error that a handler throws, or that prevents it from being called, is stored in the result,
/// and the next handler is called.
///
/// While an event is running, handlers may register and remove handlers, send events, and release objects. A handler
/// registered during the event is not called by it, and one removed during the event is no longer called.
///
/// A proxy belongs to the isolation domain in which it was created; the compiler checks this. Only a weak target may be
/// released on any thread, at any time.
///
/// - Complexity: Finding the handlers of a key takes the same time for any number of keys. A send allocates nothing,
///   except for copies of strings, for errors, and for the array of boxes that interceptors, and handlers with an optional
///   number or struct, receive.
@safe
public final class EventProxy: CustomStringConvertible {
  @usableFromInline let state: UnsafeMutablePointer<ProxyState>
  /// Removed handlers and replaced plans that a running event may use; released when no event is running.
  @safe @exclusivity(unchecked)
  private var ended: [AnyObject] = []
  /// The nodes that the proxy belongs to.
  ///
  /// They are notified of each key whose phases change, such as with its first and its last handler.
  @safe @exclusivity(unchecked)
  var nodes: [NodeRecord] = []
  /// The interceptors of keys with a prefix, in the order in which they were registered.
  @safe @exclusivity(unchecked)
  var interceptorsOfPrefixes: OrderedChunks<EventRegistration> = OrderedChunks()

  /// The number of nested deliveries of last events: the handler that receives one may register the next handler.
  @safe @exclusivity(unchecked)
  var lastEventDepth = 0

  /// Creates a proxy without handlers.
  public init() {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ProxyState())
  }

  deinit {
    // All handlers are marked as removed first: deinitializers of captured objects may query them.
    let listed = unsafe firstsInOrder.flatMap { unsafe list($0) }
    for registration in listed + interceptorsOfPrefixes.all {
      registration.proxy = nil
      _ = registration.takeListed()
      registration.links.list?.unlink(registration)
      if registration.options.seesStopped, registration.makeBody == nil { Self.stopListenersChanged(by: -1) }
      unsafe registration.record.pointee.flags.insert(.removed)
    }
    unsafe state.pointee.table.forEach { unsafe $1.pointee.list.end() }
    for registration in listed { unsafe Unmanaged.passUnretained(registration).release() }
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The number of keys and handlers.
  public var description: String {
    "EventProxy(\(keys.count.counted("key")), \(registrations.count.counted("handler")))"
  }
}

// MARK: Queries

extension EventProxy {
  /// Whether a handler would be called for a key: one that is not blocked, and whose target is alive.
  ///
  /// - Complexity: O(handlers of the key); allocates nothing.
  public func handles(_ key: EventKey) -> Bool {
    // A target that another thread releases may be deallocated here, and remove handlers.
    unsafe state.pointee.depth += 1
    defer { endRun() }
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next {
      if unsafe record.pointee.isCallable() { return true }
      unsafe next = record.pointee.next
    }
    return false
  }

  /// The keys that have a handler of their own, in the order in which they were first registered.
  ///
  /// - Complexity: O(*n* log *n*); allocates.
  public var keys: [EventKey] {
    unsafe firstsInOrder.compactMap { first in unsafe list(first).first { $0.template == nil }?.key }
  }

  /// The keys for which handlers are listed, even if only an interceptor of a prefix is, in no particular order.
  var listedKeys: [EventKey] {
    var keys: [EventKey] = []
    unsafe state.pointee.table.forEach { bits, _ in keys.append(EventKey(bits: bits)) }
    return keys
  }

  /// The number of ``listedKeys``.
  var keyCount: Int { unsafe state.pointee.table.count }

  /// The handlers of a key, in the order in which they are called.
  ///
  /// An interceptor of a prefix is among them once an event of the key has reached the proxy, or the key has a handler.
  public func registrations(for key: EventKey) -> [EventRegistration] { unsafe list(state.pointee.table[key.bits]) }

  /// All handlers, key by key, and at the end the interceptors of prefixes.
  public var registrations: [EventRegistration] {
    unsafe firstsInOrder.flatMap { unsafe list($0).filter { $0.template == nil } } + interceptorsOfPrefixes.all
  }

  private func list(_ first: UnsafeMutablePointer<HandlerRecord>?) -> [EventRegistration] {
    var list: [EventRegistration] = []
    var next = unsafe first
    while let record = unsafe next {
      unsafe list.append(record.pointee.registration.takeUnretainedValue())
      unsafe next = record.pointee.next
    }
    return list
  }

  private var firstsInOrder: [UnsafeMutablePointer<HandlerRecord>] {
    var firsts: [UnsafeMutablePointer<HandlerRecord>] = unsafe []
    unsafe state.pointee.table.forEach { unsafe firsts.append($1) }
    // Interceptors of prefixes do not count: they were registered before the key.
    return unsafe firsts.map { first in
      unsafe (first, list(first).filter { $0.template == nil }.map { unsafe $0.record.pointee.sequence }.min() ?? .max)
    }
    .sorted { unsafe $0.1 < $1.1 }
    .map { unsafe $0.0 }
  }
}

// MARK: Changes

extension EventProxy {
  /// Removes the handlers of a key; interceptors of a prefix stay.
  public func removeHandlers(for key: EventKey) {
    for registration in registrations(for: key) where registration.template == nil { remove(registration) }
  }

  /// Removes all handlers.
  public func removeAllHandlers() {
    for registration in registrations { remove(registration) }
  }

  /// Removes the handlers whose target was deallocated.
  ///
  /// An event does the same for the handlers that it reaches.
  public func removeDeadHandlers() {
    for registration in registrations where !registration.isAlive { remove(registration) }
  }

  /// Adds a handler by the duplicate policy of its options, and calls it with the last event of its key if the options ask for that.
  func add(_ registration: EventRegistration) throws(InvocationError) -> EventRegistration {
    try place(registration)
    sendLast(to: registration)
    return registration
  }

  private func place(_ registration: EventRegistration) throws(InvocationError) {
    let key = registration.key
    if registration.options.duplicates == .append {
      removeDeadIfDue(key)
      insert(registration)
      return
    }
    let former = registrations(for: key)
    for other in former where !other.isAlive { remove(other) }
    let peers = former.filter {
      $0.isPeer && $0.isInterceptor == registration.isInterceptor && !$0.phases.isDisjoint(with: registration.phases)
    }
    if let other = peers.first(where: \.counts) {
      switch registration.options.duplicates {
      case .append: break
      case .keepFirst: return
      case .error:
        throw InvocationError(
          .duplicateHandler,
          "the key '\(key)' has a handler already: \(other.handler.name); the option duplicates: .append keeps both, .replace the new one")
      case .replace:
        insert(registration)
        for other in peers { remove(other) }
        return
      }
    }
    insert(registration)
  }

  /// Removes the handlers of a key whose target was deallocated, if the handlers have doubled since the last time.
  private func removeDeadIfDue(_ key: EventKey) {
    guard let first = unsafe state.pointee.table[key.bits], unsafe first.pointee.list.isDue else { return }
    for other in registrations(for: key) where !other.isAlive { remove(other) }
    unsafe state.pointee.table[key.bits]?.pointee.list.deadAreRemoved()
  }

  func insert(_ registration: EventRegistration) {
    // The interceptors of prefixes were registered before this handler.
    _ = unsafe state.pointee.first(registration.key.bits)
    unsafe registration.record.pointee.sequence = beginSequence()
    list(registration)
  }

  /// The sequence number of a handler that is registered now.
  func beginSequence() -> UInt {
    let number = Self.nextSequence()
    unsafe state.pointee.sequence = number
    return number
  }

  /// Adds a handler with a sequence number to the list of its key.
  func list(_ registration: EventRegistration) {
    let record = unsafe registration.record
    let bits = registration.key.bits
    registration.proxy = self
    if registration.options.seesStopped { Self.stopListenersChanged(by: 1) }
    _ = unsafe Unmanaged.passRetained(registration)
    let first = unsafe state.pointee.table[bits]
    var list = unsafe first?.pointee.list ?? HandlerList()
    let formerPhases = list.phases
    unsafe list.orderIfLong(first)
    list.add(registration.phases)
    let before = unsafe handler(before: registration, first, list)
    unsafe list.order?.insert(record)
    unsafe record.pointee.next = unsafe before == nil ? first : before?.pointee.next
    unsafe record.pointee.previous = unsafe before
    if unsafe record.pointee.next == nil { unsafe list.last = unsafe record }
    unsafe record.pointee.next?.pointee.previous = unsafe record
    if let before = unsafe before {
      unsafe before.pointee.next = unsafe record
    } else {
      unsafe state.pointee.table[bits] = record
    }
    unsafe state.pointee.table[bits]?.pointee.list = list
    notifyNodes(registration.key, list.phases, unlessStill: formerPhases)
  }

  /// The handler of a list after which a new one is inserted; nil if it becomes the first one.
  private func handler(
    before registration: EventRegistration, _ first: UnsafeMutablePointer<HandlerRecord>?, _ list: HandlerList
  ) -> UnsafeMutablePointer<HandlerRecord>? {
    func goesBefore(_ other: UnsafeMutablePointer<HandlerRecord>) -> Bool {
      unsafe registration.isBefore(other.pointee.registration.takeUnretainedValue())
    }
    guard let first = unsafe first, unsafe !goesBefore(first) else { return nil }
    if let last = unsafe list.last, unsafe !goesBefore(last) { return unsafe last }
    if let order = list.order { return unsafe order.handler(before: registration.record) }
    var before = unsafe first
    while let next = unsafe before.pointee.next, unsafe !goesBefore(next) { unsafe before = next }
    return unsafe before
  }

  /// Removes a handler, if it is registered here.
  ///
  /// - Complexity: Constant for few handlers of a key; O(log *n*) for *n*.
  @usableFromInline
  func remove(_ registration: EventRegistration) {
    guard registration.proxy === self else { return }
    guard registration.makeBody == nil else { return removeInterceptor(ofPrefix: registration) }
    unlist(registration)
    // An interceptor of a prefix ends for all keys.
    if let template = registration.template { remove(template) }
  }

  /// Removes a handler from the list of its key.
  func unlist(_ registration: EventRegistration) {
    guard registration.proxy === self else { return }
    let record = unsafe registration.record
    let bits = registration.key.bits
    registration.proxy = nil
    registration.links.list?.unlink(registration)
    if registration.options.seesStopped { Self.stopListenersChanged(by: -1) }
    unsafe record.pointee.flags.insert(.removed)
    guard let first = unsafe state.pointee.table[bits] else { preconditionFailure("the key of a handler has a list") }
    var list = unsafe first.pointee.list
    let formerPhases = list.phases
    list.remove()
    unsafe list.order?.remove(record)
    unsafe record.pointee.next?.pointee.previous = unsafe record.pointee.previous
    if let before = unsafe record.pointee.previous {
      unsafe before.pointee.next = unsafe record.pointee.next
      if unsafe record.pointee.next == nil { unsafe list.last = unsafe before }
    } else if let next = unsafe record.pointee.next {
      unsafe state.pointee.table[bits] = next
    } else {
      unsafe state.pointee.table[bits] = nil
      list.end()
    }
    list.phases = list.order?.phases ?? phases(of: registration.key, atMost: formerPhases)
    unsafe state.pointee.table[bits]?.pointee.list = list
    // An awaited run that is at this handler releases it itself.
    if unsafe record.pointee.pins == 0 { releaseRemoved(registration) }
    notifyNodes(registration.key, list.phases, unlessStill: formerPhases)
    // Last, since a target that is released here may do anything.
    registration.dropDeadTarget()
  }

  /// Releases a handler that was removed.
  private func releaseRemoved(_ registration: EventRegistration) {
    // A running event may be at this handler, and continue with its next.
    keepWhileRunning(registration)
    unsafe Unmanaged.passUnretained(registration).release()
  }

  /// Keeps a handler in memory while an awaited run is at it.
  @inlinable @inline(__always)
  func pin(_ record: UnsafeMutablePointer<HandlerRecord>) { unsafe record.pointee.pins &+= 1 }

  /// Ends ``pin(_:)``, and releases the handler if it was removed meanwhile.
  @inlinable @inline(__always)
  func unpin(_ record: UnsafeMutablePointer<HandlerRecord>) {
    unsafe record.pointee.pins &-= 1
    if unsafe record.pointee.flags.contains(.removed) { unsafe unpinRemoved(record) }
  }

  @usableFromInline @inline(never)
  func unpinRemoved(_ record: UnsafeMutablePointer<HandlerRecord>) {
    if unsafe record.pointee.pins == 0 { releaseRemoved(unsafe record.pointee.registration.takeUnretainedValue()) }
  }

  /// The handler after a removed handler; the removed handler no longer links to others.
  ///
  /// - Complexity: O(handlers of the key).
  @usableFromInline
  func next(afterRemoved record: UnsafeMutablePointer<HandlerRecord>) -> UnsafeMutablePointer<HandlerRecord>? {
    let registration = unsafe record.pointee.registration.takeUnretainedValue()
    var next = unsafe state.pointee.table[registration.key.bits]
    while let other = unsafe next, unsafe !registration.isBefore(other.pointee.registration.takeUnretainedValue()) {
      unsafe next = other.pointee.next
    }
    return unsafe next
  }

  /// Keeps an object alive until no event is running.
  func keepWhileRunning(_ object: AnyObject) {
    guard unsafe state.pointee.depth > 0 else { return }
    ended.append(object)
    unsafe state.pointee.hasEnded = true
  }

  /// Releases the objects that were kept for a running event.
  @usableFromInline
  func releaseEnded() {
    let objects = ended
    ended = []
    unsafe state.pointee.hasEnded = false
    // Objects that are deallocated here may send events and register handlers.
    withExtendedLifetime(objects) {}
  }

  /// What the handlers of one node have made of an event: their combined reply, and their errors.
  public struct Outcome: CustomStringConvertible {
    /// The number of handlers that were called, without those that were called after another one had stopped the event.
    public var calls: Int
    /// The combined reply: ignored when every handler ignored the event, and otherwise the reply that ends the most.
    ///
    /// A handler that fails has no reply. A resend is the last reply: it ends the node's handlers.
    public var reply: EventReply
    /// The errors: an ``EventError`` for a handler that could not be called, otherwise the error that the handler threw.
    ///
    /// An error of one handler does not prevent the others from being called.
    public var errors: [any Error]

    /// Creates a result, by default of a node without a handler for the event.
    @inlinable
    init(calls: Int = 0, reply: EventReply = .ignored, errors: [any Error] = []) {
      self.calls = calls
      self.reply = reply
      self.errors = errors
    }

    /// Whether no handler was called, and none failed.
    public var isUnhandled: Bool { calls == 0 && errors.isEmpty }

    /// Combines a further reply with the result.
    @usableFromInline
    mutating func add(_ reply: EventReply) {
      calls += 1
      if reply.rank > self.reply.rank { self.reply = reply }
    }

    /// Combines the reply of a handler with the result; returns whether it ends the node's handlers.
    ///
    /// - Parameter reply: Nil for a handler that returned no reply; then the reply of its options counts.
    @inlinable @inline(__always)
    mutating func add(_ reply: consuming EventReply?, of record: UnsafeMutablePointer<HandlerRecord>) -> Bool {
      if reply == nil, unsafe record.pointee.reply == .handled {
        calls &+= 1
        switch self.reply {
        case .ignored, .handledAndContinue: self.reply = .handled
        case .handled, .handledAndStop, .resend: break
        }
        return false
      }
      return addOther(unsafe reply ?? record.otherReply)
    }

    @usableFromInline @inline(never)
    mutating func addOther(_ reply: EventReply) -> Bool {
      add(reply)
      return reply.endsNode
    }

    /// The number of handlers called, the reply, and the errors.
    public var description: String {
      let called = calls == 0 ? "no handler called" : "\(calls.counted("handler")) called: \(reply)"
      if errors.isEmpty { return called }
      return (called + "; \(errors.count.counted("error")): \(errors.lazy.map { $0.withType }.joinedInLine(separator: "; "))").asLine
    }
  }
}

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
  /// The proxy, if it has interceptors of prefixes.
  @usableFromInline var proxyWithPrefixes: Unmanaged<EventProxy>?

  /// The first handler of a key, after the interceptors of its prefixes were listed for it.
  ///
  /// The paths that call the only handler of a key read the table; if it has no handler, they leave the event to other paths.
  @inlinable @inline(__always)
  func first(_ key: UInt) -> UnsafeMutablePointer<HandlerRecord>? {
    if let first = unsafe table[key] { return unsafe first }
    guard let proxy = unsafe proxyWithPrefixes else { return nil }
    return unsafe proxy._withUnsafeGuaranteedRef { unsafe $0.listInterceptors(ofPrefixesOf: key) }
  }
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

// MARK: - Sending

/// Sending events.
extension EventProxy {
  /// Sends an event with boxed arguments.
  ///
  /// Each argument is converted exactly to the type of the handler's parameter. An object of any class is passed
  /// unchanged to a parameter that is an object.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - arguments: The other arguments.
  /// - Returns: The number of handlers called, their combined reply and the errors. A reply ``EventReply/resend(_:_:)``
  ///   is not followed: a proxy alone cannot route the event.
  /// - Complexity: The calls of the handlers; allocates nothing, except for copies of strings and for interceptors.
  @inlinable @inline(__always)
  @discardableResult
  public func send(_ key: EventKey, source: AnyObject?, arguments: [BoxedValue]) -> Outcome {
    unsafe arguments.withUnsafeBufferPointer { unsafe send(key, source: source, boxes: $0) }
  }

  /// Sends boxes from a buffer.
  @inlinable @inline(__always)
  func send(_ key: EventKey, source: AnyObject?, boxes: UnsafeBufferPointer<BoxedValue>) -> Outcome {
    // A result that is created here costs nothing when the caller ignores it.
    if unsafe sendQuickly(key, source: source, boxes) { return Outcome(calls: 1, reply: .handled, errors: []) }
    return unsafe sendCarefully(key, source: source, boxes)
  }

  /// Calls the only handler by the fast path, if it is a function that allows it; returns whether it did.
  @usableFromInline
  func sendQuickly(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> Bool {
    guard let first = unsafe state.pointee.table[key.bits], unsafe first.pointee.isQuick, let handler = unsafe begin(first, source)
    else { return false }
    let wasCalled = unsafe handler.callQuickly(boxes, source: source)
    endRun(of: handler)
    return wasCalled
  }

  /// Sends an event with arguments of any kind.
  package func send<Payload: EventPayload>(_ key: EventKey, source: AnyObject?, payload: Payload) -> Outcome {
    sendCarefully(key, source: source, payload)
  }

  @usableFromInline
  func sendCarefully(_ key: EventKey, source: AnyObject?, _ boxes: UnsafeBufferPointer<BoxedValue>) -> Outcome {
    guard let first = unsafe state.pointee.first(key.bits) else { return Outcome() }
    guard let handler = unsafe begin(first, source) else {
      return logFailures(unsafe runAll(first, upTo: state.pointee.sequence, skipping: [], source: source, BorrowedPayload(boxes)))
    }
    do {
      return answer(try unsafe handler.call(boxes, source: source), of: handler)
    } catch {
      return logFailures(answer(error, of: handler))
    }
  }
}

/// Copies boxes into memory bitwise, without retaining their contents: the caller keeps them alive.
@usableFromInline
enum UnretainedBox {
  @usableFromInline typealias Words = (UInt64, UInt64, UInt64, UInt64, UInt8)

  @inlinable @inline(__always)
  static func store(_ box: BoxedValue, at place: UnsafeMutablePointer<BoxedValue>) {
    unsafe UnsafeMutableRawPointer(place).storeBytes(of: unsafeBitCast(box, to: Words.self), as: Words.self)
  }
}
