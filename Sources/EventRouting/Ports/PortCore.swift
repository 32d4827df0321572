internal import DynamicInvocation

/// The queue of a port, and its delivery in the isolation of the owner.
@usableFromInline
@safe
final class PortCore: @unchecked Sendable {
  // Unchecked: `queue`, `waiting`, `isScheduled` and `dropped` are accessed with the lock held, `batch`, `isDelivering` and
  // `node` in the isolation of the owner.

  /// Whether an event was let into the queue.
  @usableFromInline
  enum Admission: Sendable {
    case queued
    case dropped
    case full
  }

  let owner: any Actor
  let overflow: EventPort.Overflow
  private let limit: Int
  private let node: WeakResponder
  /// Whether the node is a ``ResponderNode``.
  private let isNode: Bool
  /// The keys whose events are coalesced.
  private let coalesced: [EventKey: CoalescedKey]
  /// Whether there are such keys.
  @usableFromInline let isCoalescing: Bool
  private let lock: Lock = Lock(LockToken())
  @safe @exclusivity(unchecked) private var queue: PortRecords = PortRecords()
  /// The senders that wait for room, until they are woken or cancelled.
  private var waiting: WaitingSignals = WaitingSignals()
  /// Whether a task delivers the queue, or was started to.
  @safe @exclusivity(unchecked) private var isScheduled: Bool = false
  private var dropped: Int = 0
  /// Events taken from the queue but not yet delivered.
  ///
  /// It also owns the memory of the event that is being delivered.
  @safe @exclusivity(unchecked) private var batch: PortRecords = PortRecords()
  /// Whether an event is being delivered.
  @safe @exclusivity(unchecked) private var isDelivering: Bool = false

  /// How many events a task delivers before it lets others have the actor.
  private static let turn = 1_024

  init(
    _ node: some Responder, on owner: any Actor, _ overflow: EventPort.Overflow, _ coalescing: [EventKey: EventPort.Coalescing]
  ) {
    self.node = WeakResponder(node)
    isNode = node is ResponderNode
    self.owner = owner
    self.overflow = overflow
    coalesced = coalescing.mapValues { CoalescedKey($0) }
    isCoalescing = !coalescing.isEmpty
    limit =
      switch overflow {
      case .suspends(let limit), .drops(let limit): max(1, limit)
      case .unbounded: .max
      }
  }

  /// How many events wait to be taken for delivery.
  var waitingCount: Int { lock.withLock { _ in queue.count } }

  /// How many senders wait for room.
  var senderCount: Int { lock.withLock { _ in waiting.count } }

  /// How many events were dropped.
  var droppedCount: Int { lock.withLock { _ in dropped } }

  /// Appends an event, which a closure initializes, unless too many wait.
  @usableFromInline
  func append(
    size: Int, alignment: Int, _ run: @escaping (UnsafeMutableRawPointer, PortNode?) -> Void,
    _ initialize: (UnsafeMutableRawPointer) -> Void
  ) -> Admission {
    var starts = false
    let answer = lock.withLock { _ -> Admission in
      guard queue.count < limit else {
        guard case .drops = overflow else { return .full }
        dropped += 1
        return .dropped
      }
      unsafe queue.append(size: size, alignment: alignment, run, initialize)
      starts = !isScheduled
      isScheduled = true
      return .queued
    }
    // Detached: the task also delivers events of other tasks, and must not have the task-local values of this one.
    if starts { Task.detached { [self] in await drain(on: owner) } }
    return answer
  }

  /// Drops an event with an object that is being deallocated.
  @usableFromInline
  func refuse(_ key: EventKey) -> Admission {
    lock.withLock { _ in dropped += 1 }
    EventLog.warn { "the event \"\(key)\" was not posted: an object among its arguments is being deallocated".asLine }
    return Admission.dropped
  }

  /// Posts an event of a coalesced key; returns nil for other keys.
  @usableFromInline
  func coalesce(_ key: EventKey, _ event: @escaping (PortNode) -> Void) -> Admission? { coalesced[key]?.post(event, to: self) }

  /// Waits until the queue is taken for delivery; returns false if the task was cancelled.
  @usableFromInline
  nonisolated(nonsending) func waitForRoom() async -> Bool {
    if Task.isCancelled { return false }
    let signal = Signal()
    let place = lock.withLock { _ -> WaitingSignals.Place? in
      guard queue.count >= limit else { return nil }
      return waiting.add(signal)
    }
    guard let place else { return true }
    await signal.wait(isolation: #isolation)
    guard Task.isCancelled else { return true }
    // If it was woken, another sender gets the room.
    if !lock.withLock({ _ in waiting.remove(place) }) { wake(atMost: 1) }
    return false
  }

  /// Wakes the senders that have waited longest, if there is room.
  private func wake(atMost most: Int) {
    var rest = most
    while rest > 0, let signal = lock.withLock({ _ in queue.count < limit ? waiting.takeFirst() : nil }) {
      if signal.send() { rest -= 1 }
    }
  }
}

// MARK: In the isolation of the owner

extension PortCore {
  /// Delivers what is queued, until nothing is.
  private func drain(on owner: isolated any Actor) async {
    while true {
      if deliver(atMost: Self.turn) {
        await Task.yield()
      } else if lock.withLock({ _ in
        isScheduled = queue.count > 0
        return !isScheduled
      }) {
        return
      }
    }
  }

  /// Delivers everything that was queued before, and then sends an event; returns nil when the node was deallocated.
  @usableFromInline
  func answer(on owner: isolated any Actor, _ send: @Sendable (PortNode) -> SendOutcome) -> SendOutcome? {
    deliverWaiting()
    return target.map { send($0) }
  }

  /// Delivers everything that was queued before, and then sends an event and waits for its handlers; returns nil when the
  /// node was deallocated.
  ///
  /// Nothing waits for the queue while a handler is suspended. So a handler may wait for an event that it sends here.
  @usableFromInline
  func answerAwaiting(
    on owner: isolated any Actor, _ send: nonisolated(nonsending) @Sendable (PortNode) async -> SendOutcome
  ) async -> SendOutcome? {
    deliverWaiting()
    guard let target else { return nil }
    return await send(target)
  }

  /// Delivers everything that was queued before, and then asks; returns nil when nobody answers, or the node was deallocated.
  func ask<Answer: Sendable>(
    on owner: isolated any Actor, _ ask: nonisolated(nonsending) @Sendable (PortNode) async throws -> Answer?
  ) async throws -> Answer? {
    deliverWaiting()
    guard let target else { return nil }
    return try await ask(target)
  }

  /// Delivers what was queued before, and no more: other tasks may post without end.
  private func deliverWaiting() { _ = deliver(atMost: batch.count + waitingCount) }

  /// The node; nil when it was deallocated.
  @inline(__always)
  private var target: PortNode? {
    #if !_runtime(_ObjC)
      // Without the reference counts and the cast of an existential.
      if isNode {
        guard unsafe WeakObject.tryRetain(node.address) else { return nil }
        return unsafe .node(Unmanaged.fromOpaque(node.address).takeRetainedValue())
      }
    #endif
    return node.node.map { PortNode($0) }
  }

  /// Delivers events in order; returns whether more may wait.
  private func deliver(atMost limit: Int) -> Bool {
    guard limit > 0 else { return true }
    if isDelivering { return deliverWithin(atMost: limit) }
    isDelivering = true
    defer { isDelivering = false }
    var rest = limit
    while rest > 0 {
      if batch.count == 0, !takeQueue() { return false }
      rest -= 1
      deliverFirst()
      if batch.count == 0 { batch.reset() }
    }
    return true
  }

  /// Delivers events while the handler of another event runs the executor of the owner, as a modal dialog does.
  ///
  /// The memory of that other event is put aside: until the event's delivery ends, it is neither used again nor freed.
  @inline(never)
  private func deliverWithin(atMost limit: Int) -> Bool {
    let outer = batch.detachMemory()
    defer { batch.attach(outer) }
    var rest = limit
    while true {
      // The loop may exceed the limit: it must leave no event in the memory of this delivery to the outer delivery.
      if batch.count == 0 {
        batch.reset()
        guard rest > 0 else { return true }
        guard takeQueue() else { return false }
      }
      deliverFirst()
      rest -= 1
    }
  }

  @inline(__always)
  private func deliverFirst() {
    // Looked up for each event: the handlers of the event before may have released the node.
    let target = target
    if target == nil { lock.withLock { _ in dropped += 1 } }
    batch.takeFirst()?.deliver(to: target)
  }

  /// Takes all events from the queue, and wakes as many waiting senders as there is room for; returns whether there were events.
  private func takeQueue() -> Bool {
    let (hasEvents, someWait) = lock.withLock { _ in
      guard queue.count > 0 else { return (false, false) }
      swap(&queue, &batch)
      return (true, !waiting.isEmpty)
    }
    if someWait { wake(atMost: limit) }
    return hasEvents
  }
}

/// The node of a port.
///
/// Code that is generic over the class of the node would be generic over the payload too, if the class is not known.
@usableFromInline
enum PortNode {
  case node(ResponderNode)
  case other(any Responder)

  init(_ node: any Responder) { self = (node as? ResponderNode).map { .node($0) } ?? .other(node) }

  /// The node.
  var responder: any Responder {
    switch self {
    case .node(let node): node
    case .other(let node): node
    }
  }
}

/// An event in the queue of a port.
@usableFromInline
struct PortEvent<Payload: EventPayload> {
  @usableFromInline let key: EventKey
  @usableFromInline let rules: RoutingRules
  @usableFromInline let payload: Payload

  @inlinable @inline(__always)
  init(_ key: EventKey, _ rules: RoutingRules, _ payload: Payload) {
    self.key = key
    self.rules = rules
    self.payload = payload
  }

  @inlinable @inline(__always)
  func outcome(from node: PortNode) -> SendOutcome {
    switch node {
    case .node(let node): node.route(key, source: node, payload: payload, rules: rules)
    case .other(let node): node.route(key, source: node, payload: payload, rules: rules)
    }
  }

  @inlinable
  nonisolated(nonsending) func outcomeAwaiting(from node: PortNode) async -> SendOutcome {
    switch node {
    case .node(let node): await node.routeAwaiting(key, source: node, payload: payload, rules: rules)
    case .other(let node): await node.routeAwaiting(key, source: node, payload: payload, rules: rules)
    }
  }
}

extension PortCore {
  /// Appends an event.
  ///
  /// It is inlined where the payload's type is known: the closure then captures nothing, and delivers without generic
  /// code.
  @inlinable @inline(__always)
  func put<Payload: EventPayload>(_ key: EventKey, _ payload: Payload, _ rules: RoutingRules) -> Admission {
    typealias Event = PortEvent<Payload>
    if payload.hasEnding { return refuse(key) }
    if isCoalescing, let answer = coalesce(key, { node in _ = Event(key, rules, payload).outcome(from: node) }) { return answer }
    return unsafe append(
      size: MemoryLayout<Event>.size, alignment: MemoryLayout<Event>.alignment,
      { place, node in
        let event = unsafe place.assumingMemoryBound(to: Event.self)
        if let node { _ = unsafe event.pointee.outcome(from: node) }
        unsafe event.deinitialize(count: 1)
      },
      { unsafe $0.initializeMemory(as: Event.self, to: Event(key, rules, payload)) })
  }
}

/// Events of any types in chunks of memory that are never moved, as a list.
@safe
struct PortRecords: ~Copyable {
  /// Delivers the event at an address to a node and deinitializes it; without a node, only deinitializes it.
  typealias Run = (UnsafeMutableRawPointer, PortNode?) -> Void

  /// What stands before an event.
  @safe
  private struct Header {
    let run: Run
    /// The number of bytes from the header to the event.
    let offset: Int
    var next: UnsafeMutablePointer<Header>?
  }

  /// An event that was taken from the list; the records own its memory.
  @safe
  struct Taken {
    private let address: UnsafeMutableRawPointer

    fileprivate init(at address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    /// Delivers the event to a node if there is one, and ends it.
    func deliver(to node: PortNode?) {
      let header = unsafe address.assumingMemoryBound(to: Header.self)
      unsafe header.pointee.run(address + header.pointee.offset, node)
      unsafe header.deinitialize(count: 1)
    }
  }

  @safe
  fileprivate struct Chunk {
    let base: UnsafeMutableRawPointer
    let capacity: Int
  }

  /// The size of most chunks in bytes.
  private static let chunkSize = 1 << 16
  /// The maximum number of chunks that are kept for the next events.
  private static let mostKept = 4

  /// The memory of a list, without the events in it.
  @safe
  struct Memory {
    fileprivate var chunks: [Chunk] = []
    /// The number of chunks that are in use.
    fileprivate var used: Int = 0
    /// The rest of a chunk that is in use.
    @safe fileprivate var free: UnsafeMutableRawPointer?
    fileprivate var freeSize: Int = 0
  }

  private var memory: Memory = Memory()
  @safe private var first: UnsafeMutablePointer<Header>?
  @safe private var last: UnsafeMutablePointer<Header>?
  private(set) var count: Int = 0

  init() {}

  deinit {
    var next = first
    while let header = unsafe next {
      unsafe next = unsafe header.pointee.next
      unsafe Taken(at: UnsafeMutableRawPointer(header)).deliver(to: nil)
    }
    for chunk in memory.chunks { unsafe chunk.base.deallocate() }
  }

  /// Appends an event, which a closure initializes.
  @inline(__always)
  mutating func append(size: Int, alignment: Int, _ run: @escaping Run, _ initialize: (UnsafeMutableRawPointer) -> Void) {
    let alignment = max(16, alignment)
    let offset = (MemoryLayout<Header>.size + alignment - 1) & ~(alignment - 1)
    let stride = (offset + size + 15) & ~15
    let place: UnsafeMutableRawPointer
    if let free = memory.free, stride <= memory.freeSize, alignment == 16 {
      unsafe place = free
      memory.free = unsafe free + stride
      memory.freeSize -= stride
    } else {
      unsafe place = unsafe reserve(stride, alignment)
    }
    let header = unsafe place.bindMemory(to: Header.self, capacity: 1)
    unsafe header.initialize(to: Header(run: run, offset: offset, next: nil))
    unsafe initialize(place + offset)
    if let last { unsafe last.pointee.next = header } else { first = unsafe header }
    last = unsafe header
    count += 1
  }

  /// Reserves memory in the next chunk.
  @inline(never)
  private mutating func reserve(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
    if alignment > 16 || size > Self.chunkSize {
      // The event has a chunk of its own; the rest of the chunk before stays free.
      let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
      unsafe memory.chunks.insert(Chunk(base: base, capacity: size), at: memory.used)
      memory.used += 1
      return unsafe base
    }
    if memory.used == memory.chunks.count {
      unsafe memory.chunks.append(Chunk(base: .allocate(byteCount: Self.chunkSize, alignment: 16), capacity: Self.chunkSize))
    }
    let base = unsafe memory.chunks[memory.used].base
    memory.used += 1
    memory.free = unsafe base + size
    memory.freeSize = Self.chunkSize - size
    return unsafe base
  }

  /// Removes the first event from the list, and returns it.
  @inline(__always)
  mutating func takeFirst() -> Taken? {
    guard let header = first else { return nil }
    first = unsafe header.pointee.next
    if unsafe first == nil { last = nil }
    count -= 1
    return unsafe Taken(at: UnsafeMutableRawPointer(header))
  }

  /// Takes the memory from the list until ``attach(_:)``; the list keeps the events in that memory.
  mutating func detachMemory() -> Memory {
    defer { memory = Memory() }
    return memory
  }

  /// Gives the memory back, and frees the memory that the list has now; the events in that have ended.
  mutating func attach(_ memory: Memory) {
    for chunk in self.memory.chunks { unsafe chunk.base.deallocate() }
    self.memory = memory
  }

  /// Keeps some chunks for the next events, after the last one has ended.
  mutating func reset() {
    var kept = 0
    memory.chunks.removeAll { chunk in
      if chunk.capacity == Self.chunkSize, kept < Self.mostKept {
        kept += 1
        return false
      }
      unsafe chunk.base.deallocate()
      return true
    }
    (memory.used, memory.free, memory.freeSize) = (0, nil, 0)
  }
}
