public import DynamicInvocation
import Synchronization

/// A pass that awaits its handlers, which are all called by one task.
///
/// The pass is a sequence of visits: ``next()`` goes on to a node with handlers, the sender calls them, and ``take(_:)``
/// goes on with their answer. So only the calls of handlers are asynchronous, and they are specialized for the
/// arguments. A handler may be suspended, so the state is on the heap; the next pass uses its memory again.
@usableFromInline
@safe
final class AwaitingPass {
  /// The pass within which handlers are called.
  let active: UnsafeMutablePointer<ActivePass>
  /// The event as the visited node receives it.
  @safe @usableFromInline @exclusivity(unchecked)
  var event: DeliveredEvent = DeliveredEvent(key: .empty)
  /// The visits of nodes of a tree of ``ResponderNode``s.
  @safe @exclusivity(unchecked)
  private var records: Walk<RecordTopology> = Walk()
  /// The visits of nodes of any class; nil unless the path has led to one.
  @safe @exclusivity(unchecked)
  private var others: Walk<AnyTopology>?
  /// Whether there is such a walk: a comparison with nil would copy it.
  @safe @exclusivity(unchecked)
  private var hasOthers: Bool = false
  /// The task that is listed with this pass; nil before an asynchronous handler is called.
  @safe @exclusivity(unchecked)
  private var entry: AwaitingTasks.Entry?

  private init() { unsafe active = .allocate(capacity: 1) }

  deinit {
    records.path.end()
    others?.path.end()
    unsafe active.deallocate()
  }

  private func begin(_ key: EventKey, from sender: some Responder, source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?) {
    event.key = key
    let nesting = unsafe ActivePass.innermost?.pointee.nesting ?? 0
    // A pass on the stack of the thread may end before this one, so it is not referred to. A reference is one word;
    // converting it otherwise would retain it.
    unsafe active.initialize(
      to: ActivePass(
        key, rules, from: unsafeBitCast(sender, to: UnsafeRawPointer.self), within: Self.innermost?.active, nesting: nesting &+ 1))
    if rules.emptyKey == .isIgnored, key == EventKey.empty {
      records.refuse(nil)
    } else if let error = unsafe active.pointee.refusal(ofAwaiting: sender, rules, active) {
      records.refuse(error)
    } else {
      if let record = RecordTopology.record(of: sender) {
        let pass = unsafe Pass<RecordTopology>(rules: rules, source: source, recorder: recorder, active: active)
        if records.begin(pass, from: record, &event) { return }
      }
      beginOthers(from: sender, source, rules, recorder)
    }
  }

  @inline(never)
  private func beginOthers(from sender: any Responder, _ source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?) {
    var walk = unsafe Walk(Pass<AnyTopology>(rules: rules, source: source, recorder: recorder, active: active), PathBuffer())
    _ = walk.begin(from: sender, &event)
    others = .some(consume walk)
    hasOthers = true
  }

  /// Goes on to the next node with handlers for the event, and returns its proxy; nil at the end of the pass.
  @usableFromInline
  func next() -> EventProxy? { hasOthers ? others?.next(&event) : records.next(&event) }

  /// Goes on with the answer of the node's handlers.
  @usableFromInline
  func take(_ answer: consuming EventProxy.Outcome) {
    if hasOthers { others?.take(answer, &event) } else { records.take(answer, &event) }
  }

  /// Ends the pass, and returns its outcome; afterwards another one can begin.
  private func end() -> SendOutcome {
    delist()
    var outcome = records.reset()
    if hasOthers {
      if let other = others?.outcome { outcome = other }
      others?.path.end()
      others = nil
      hasOthers = false
    }
    event = DeliveredEvent(key: .empty)
    unsafe active.deinitialize(count: 1)
    return outcome
  }

  // MARK: Memory

  /// The address of a pass that has ended, for the next one; 0 without one.
  private static let spare: Atomic<UInt> = Atomic(0)

  /// Begins a pass, in the memory of one that has ended if there is one.
  static func begin(
    _ key: EventKey, from sender: some Responder, source: AnyObject?, _ rules: RoutingRules, _ recorder: ReportRecorder?
  ) -> AwaitingPass {
    let ended = unsafe UnsafeRawPointer(bitPattern: spare.exchange(0, ordering: .acquiring))
    let pass = unsafe ended.map { unsafe Unmanaged<AwaitingPass>.fromOpaque($0).takeRetainedValue() } ?? AwaitingPass()
    pass.begin(key, from: sender, source: source, rules, recorder)
    return pass
  }

  /// Ends a pass, and returns its outcome; keeps its memory for the next pass, unless the memory of another is kept already.
  static func end(_ pass: AwaitingPass) -> SendOutcome {
    let outcome = pass.end()
    let ended = unsafe Unmanaged.passRetained(pass)
    let (kept, _) = unsafe spare.compareExchange(expected: 0, desired: UInt(bitPattern: ended.toOpaque()), ordering: .releasing)
    if !kept { unsafe ended.release() }
    return outcome
  }

  // MARK: The pass of a task

  /// Lists this pass as the one that awaits a handler of the current task, which runs on an actor.
  @usableFromInline
  func enlist(on actor: (any Actor)?) {
    guard entry == nil else { return }
    unsafe active.pointee.beginAwaiting(on: actor)
    entry = AwaitingTasks.set(UInt(bitPattern: unsafe Unmanaged.passUnretained(self).toOpaque()), of: Self.currentTask)
    DispatchReport.Observer.awaitingPassesChanged(by: 1)
  }

  /// Ends the listing.
  func delist() {
    guard let entry else { return }
    AwaitingTasks.reset(entry)
    DispatchReport.Observer.awaitingPassesChanged(by: -1)
    self.entry = nil
  }

  /// The innermost pass that awaits a handler of the current task; nil in other tasks, also in those that the handler
  /// has created.
  static var innermost: AwaitingPass? {
    guard DispatchReport.Observer.isAnyAwaiting, let address = AwaitingTasks.pass(of: currentTask) else { return nil }
    return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0).takeUnretainedValue() }
  }

  /// The address of the task that is running; 0 outside of tasks.
  private static var currentTask: UInt { UInt(bitPattern: unsafe ThreadState.currentTask) }

  /// Runs handlers that are synchronous.
  @usableFromInline
  func run(_ handlers: () -> EventProxy.Outcome) -> EventProxy.Outcome { unsafe ActivePass.run(within: active, handlers) }
}

// MARK: Visiting all nodes

extension AwaitingPass {
  /// Calls the handlers of each node, and waits for asynchronous ones.
  @inlinable
  nonisolated(nonsending) func drive<Payload: EventPayload>(source: AnyObject?, _ payload: Payload) async {
    while let proxy = next() {
      if let resent = event.resent {
        take(await callHandlers(of: proxy, source: source, resent: resent))
      } else {
        take(await callHandlers(of: proxy, source: source, payload))
      }
    }
  }

  /// Calls the handlers of a node with the arguments of an event that was resent.
  @usableFromInline
  nonisolated(nonsending) func callHandlers(
    of proxy: EventProxy, source: AnyObject?, resent: [BoxedValue]
  ) async -> EventProxy.Outcome {
    let payload = KeptPayload(resent)
    guard let asking = unsafe active.pointee.asking else { return await callHandlers(of: proxy, source: source, payload) }
    return await callHandlers(of: proxy, source: source, unsafe AskingPayload(payload, asking))
  }

  /// Calls the handlers of a node.
  @inlinable @inline(__always)
  nonisolated(nonsending) func callHandlers<Payload: EventPayload>(
    of proxy: EventProxy, source: AnyObject?, _ payload: Payload
  ) async -> EventProxy.Outcome {
    guard let first = unsafe proxy.state.pointee.first(event.key.bits), unsafe first.hasAsynchronous else {
      return run { proxy.run(event.key, upTo: event.last, skipping: event.skipping, source: source, payload) }
    }
    enlist(on: #isolation)
    if unsafe first.pointee.sequence <= event.last, let handler = unsafe proxy.beginAwaiting(first, source) {
      defer { proxy.endAwaiting(handler) }
      do {
        return handler.answer(try await payload.deliverAwaiting(to: handler, source: source))
      } catch {
        return handler.answer(error)
      }
    }
    return unsafe await proxy.awaitAll(first, upTo: event.last, skipping: event.skipping, source: source, payload)
  }
}

/// The innermost pass of each task that awaits a handler.
///
/// A task only accesses its own entry. An entry is in one of a few slots that the address of the task selects, without a
/// lock; if other tasks have them all, it is in a table.
enum AwaitingTasks {
  /// The address of a task, 0 in a free slot, and the address of its pass.
  fileprivate struct Slot: ~Copyable {
    let task: Atomic<UInt> = Atomic(0)
    let pass: Atomic<UInt> = Atomic(0)
  }

  /// A pass that was set, and what was there before.
  @safe
  struct Entry {
    let task: UInt
    /// Where it is; nil in the table.
    fileprivate let slot: UnsafeMutablePointer<Slot>?
    /// The address of the pass that the task had in the same place, or nil.
    fileprivate let former: UInt?
  }

  private static let slotBits: UInt = 8
  /// The number of slots that a task may have.
  private static let choices: Int = 4

  // The slots are never deallocated, and consist of atomic values.
  private nonisolated(unsafe) static let slots: UnsafeMutablePointer<Slot> = {
    let count = 1 << Int(slotBits) + choices
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Slot()) }
    return unsafe slots
  }()

  private static let table: Locked<PointerTable<UInt>> = Locked(PointerTable(), atFork: .awaitingTasks)

  @inline(__always)
  private static func first(of task: UInt) -> UnsafeMutablePointer<Slot> {
    unsafe slots + Int(bitPattern: PointerHash.hash(task) &>> (UInt(UInt.bitWidth) - slotBits))
  }

  /// The slot that a task has, or nil.
  @inline(__always)
  private static func slot(of task: UInt) -> UnsafeMutablePointer<Slot>? {
    let first = unsafe first(of: task)
    for index in 0..<choices where unsafe first[index].task.load(ordering: .relaxed) == task { return unsafe first + index }
    return nil
  }

  /// The address of the pass of a task.
  static func pass(of task: UInt) -> UInt? {
    guard task != 0 else { return nil }
    if let slot = unsafe slot(of: task) { return unsafe slot.pointee.pass.load(ordering: .relaxed) }
    return table.withLock { table in table[task] }
  }

  /// Sets the pass of a task.
  ///
  /// - Returns: What ``reset(_:)`` needs.
  static func set(_ pass: UInt, of task: UInt) -> Entry {
    if let slot = unsafe slot(of: task) {
      return unsafe Entry(task: task, slot: slot, former: slot.pointee.pass.exchange(pass, ordering: .relaxed))
    }
    let first = unsafe first(of: task)
    for index in 0..<choices
    where unsafe first[index].task.compareExchange(expected: 0, desired: task, ordering: .relaxed).exchanged {
      unsafe first[index].pass.store(pass, ordering: .relaxed)
      return unsafe Entry(task: task, slot: first + index, former: nil)
    }
    return table.withLock { table in
      let former = table[task]
      table[task] = pass
      return unsafe Entry(task: task, slot: nil, former: former)
    }
  }

  /// Sets the pass of a task to the one that it had before.
  @inline(__always)
  static func reset(_ entry: Entry) {
    if let slot = unsafe entry.slot {
      if let former = entry.former {
        unsafe slot.pointee.pass.store(former, ordering: .relaxed)
      } else {
        unsafe slot.pointee.task.store(0, ordering: .relaxed)
      }
    } else {
      table.withLock { table in table[entry.task] = entry.former }
    }
  }
}
