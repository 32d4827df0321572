internal import DynamicInvocation

/// A pass that a thread is executing.
///
/// The active passes of a thread form a linked list on its stack, starting with the innermost one. The list provides
/// the nesting depth of a send, and the direction of the event that a handler is called with.
@safe
struct ActivePass {
  /// The pass whose handler sent this event, nil when no handler did.
  private(set) var outer: UnsafeMutablePointer<ActivePass>?
  /// The outermost pass, which no handler sent; nil for that pass itself.
  private var outermost: UnsafeMutablePointer<ActivePass>?
  /// The number of nested passes, including this one.
  let nesting: Int
  let direction: RoutingRules.Direction
  /// The part of the route that is running.
  var phase: EventContext.Phase
  /// Whether a handler has stopped the event.
  var isStopped: Bool = false
  /// The node that the event was sent from, which the caller of the send keeps alive.
  private let sender: UnsafeRawPointer
  /// The key with which the current node received the event, or the key of the event before any node is visited.
  private(set) var key: EventKey
  /// The node whose handlers are running: its record, or the address of its object, whose memory is still allocated.
  private var record: NodeRecord?
  private var object: UnsafeRawPointer?
  private(set) var isVisiting: Bool = false
  /// In the outermost pass: how many sends were refused since it last visited a node.
  private var refusals: Int = 0
  /// Of a pass that has awaited a handler: the address of the actor on which it runs, 0 without an actor.
  ///
  /// Only such a pass may be the outer one of code in another isolation domain. 1 for all other passes.
  private var actor: UInt = 1
  /// What the sender asks, once a handler was called that may answer; nil for a send.
  var asking: UnsafeMutablePointer<Asking>?
  /// The asynchronous handlers that the sender waits for, once a handler was called that may be one of them.
  var started: Unmanaged<StartedHandlers>?

  /// - Parameters:
  ///   - outer: The pass whose handler sends this event, if there is one.
  ///   - nesting: The number of nested passes; nil to count from the outer one.
  @inline(__always)
  init(
    _ key: EventKey, _ rules: RoutingRules, from sender: UnsafeRawPointer, within outer: UnsafeMutablePointer<ActivePass>?,
    nesting: Int? = nil
  ) {
    self.key = key
    direction = rules.direction
    phase = rules.direction == .up ? .up : .down
    unsafe self.sender = unsafe sender
    unsafe self.outer = unsafe outer
    self.nesting = unsafe nesting ?? (outer?.pointee.nesting ?? 0) &+ 1
    unsafe outermost = unsafe outer.map { unsafe $0.pointee.outermost ?? $0 }
    unsafe object = nil
    unsafe asking = nil
    unsafe started = nil
  }

  /// The innermost pass on the stack of the thread.
  static var innermostOnThread: UnsafeMutablePointer<ActivePass>? {
    unsafe ThreadState.innermostPass?.assumingMemoryBound(to: ActivePass.self)
  }

  /// The innermost pass of the code that is running: on the stack of the thread, or a pass that awaits a handler of the
  /// current task.
  static var innermost: UnsafeMutablePointer<ActivePass>? {
    let onThread = unsafe innermostOnThread
    guard let awaiting = unsafe AwaitingPass.innermost?.active else { return unsafe onThread }
    // A pass of the thread that a handler of the awaiting pass has sent is the inner one.
    var next = unsafe onThread
    while let pass = unsafe next {
      if unsafe pass == awaiting { return unsafe onThread }
      unsafe next = pass.pointee.outer
    }
    return unsafe awaiting
  }

  /// Runs code within a pass, as the innermost one on the stack of the thread.
  @inline(__always)
  static func run<Result>(within pass: UnsafeMutablePointer<ActivePass>?, _ code: () -> Result) -> Result {
    let former = unsafe ThreadState.innermostPass
    unsafe ThreadState.innermostPass = UnsafeMutableRawPointer(pass)
    defer { unsafe ThreadState.innermostPass = former }
    return code()
  }

  /// Runs code that starts an asynchronous handler: until it returns, the refusals of all passes that begin on the stack
  /// of the thread also count for the outermost one.
  @inline(never)
  static func starting<Result>(_ code: () -> Result) -> Result {
    let innermost = unsafe innermost
    let former = unsafe ThreadState.startingPass
    if unsafe former == nil { unsafe ThreadState.startingPass = UnsafeMutableRawPointer(innermost?.pointee.outermost ?? innermost) }
    defer { unsafe ThreadState.startingPass = former }
    return unsafe run(within: innermost, code)
  }

  /// Records the node that is visited now, until ``endVisit()``.
  mutating func beginVisit(_ key: EventKey, record: NodeRecord?, object: UnsafeRawPointer?) {
    self.key = key
    self.record = record
    unsafe self.object = unsafe object
    isVisiting = true
    refusals = 0
  }

  /// Records the isolation domain, as an asynchronous handler may await another one.
  @inline(__always)
  mutating func beginAwaiting(on actor: (any Actor)?) {
    // A reference is one word; converting it otherwise would retain it.
    unsafe self.actor = unsafeBitCast(actor, to: (UInt, UInt).self).0
  }

  mutating func endVisit() { isVisiting = false }
}

extension ActivePass {
  /// The maximum number of innermost steps in an error.
  private static var mostSteps: Int { 8 }

  /// The error that refuses the send, if it is nested too deep; the refusal is counted.
  ///
  /// If only the deepest sends were refused, a handler that sends its own key twice, at a limit of 64, would do so 2 to
  /// the power of 64 times. So once the number of refusals in the outermost pass has reached the limit, all sends
  /// within it are refused until it visits its next node. An asynchronous handler that a send has started may outlive that
  /// send, so a pass that the handler begins has refusals of its own. Until the handler suspends, these also count
  /// for the outermost pass on the stack: else each such handler would begin at 0.
  @inline(__always)
  func refusal(of sender: some Responder, _ rules: RoutingRules) -> SendOutcome.RoutingError? {
    guard let outermost = unsafe outermost else { return nil }
    return unsafe refusal(of: sender, limit: rules.depthLimit ?? RoutingRules.defaultDepthLimit, within: outermost)
  }

  /// The error that refuses a send that awaits its handlers.
  func refusal(ofAwaiting sender: some Responder, _ rules: RoutingRules, _ own: UnsafeMutablePointer<ActivePass>) -> SendOutcome
    .RoutingError?
  {
    // No limit is less than 1.
    guard nesting > 1 else { return nil }
    return unsafe refusal(of: sender, limit: rules.depthLimit ?? RoutingRules.defaultDepthLimit, within: outermost ?? own)
  }

  @inline(never)
  private func refusal(of sender: some Responder, limit: Int, within outermost: UnsafeMutablePointer<ActivePass>) -> SendOutcome
    .RoutingError?
  {
    let starting = unsafe ThreadState.startingPass?.assumingMemoryBound(to: ActivePass.self)
    guard unsafe nesting > limit || outermost.pointee.refusals >= limit || (starting?.pointee.refusals ?? 0) >= limit else { return nil }
    unsafe outermost.pointee.refusals += 1
    if let starting = unsafe starting, unsafe starting != outermost { unsafe starting.pointee.refusals += 1 }
    var steps = [SendOutcome.RoutingError.Step(key: key, node: sender.responderName)]
    var next = unsafe outer
    while let pass = unsafe next, steps.count < Self.mostSteps {
      // The tree of another isolation domain must not be read here.
      let name = unsafe pass.pointee.isIsolatedHere ? pass.pointee.nodeName : nil
      unsafe steps.append(SendOutcome.RoutingError.Step(key: pass.pointee.key, node: name))
      unsafe next = pass.pointee.outer
    }
    return .depthExceeded(limit: limit, steps.reversed())
  }

  /// Whether the nodes of the pass belong to the isolation domain of the code that is running.
  ///
  /// Actors that share a serial executor exclude each other, too.
  private var isIsolatedHere: Bool {
    if actor == 1 { return true }
    let current = unsafe ThreadState.currentExecutor
    guard let address = unsafe UnsafeRawPointer(bitPattern: actor) else { return unsafe current == nil }
    // The sender keeps it alive. The first of the two words of an executor identifies it.
    guard let actor = unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue() as? any Actor else { return false }
    return unsafe unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UInt).self).0 == current
  }

  /// The name of the node whose handlers are running; nil when they have deallocated the node, and between two nodes.
  private var nodeName: String? {
    // The record of the last node may be freed.
    isVisiting ? node?.responderName : nil
  }

  /// The node whose handlers are running, for an error; nil when they have deallocated it.
  var nodeIdentity: DispatchReport.NodeIdentity? { node.map { DispatchReport.NodeIdentity($0) } }

  /// The node whose handlers are running, nil when they have deallocated it.
  private var node: (any Responder)? {
    if let record { return record.node }
    return unsafe object.flatMap { unsafe WeakResponder.object(at: $0) } as? any Responder
  }

  /// The nodes of the event's route, from the sender on; nil if `node` is not among them, or if the nodes of the pass belong to
  /// another isolation domain.
  func route(containing node: any Responder) -> [any Responder]? {
    guard isIsolatedHere else { return nil }
    guard let sender = unsafe Unmanaged<AnyObject>.fromOpaque(sender).takeUnretainedValue() as? any Responder else { return nil }
    let path: [any Responder]
    if direction == .up {
      path = AnyTopology.chain(from: sender, to: nil) { AnyTopology.next(of: $0) }
    } else {
      guard let here = self.node else { return nil }
      path = AnyTopology.chain(from: here, to: sender, by: \.nextResponder).reversed()
    }
    return path.contains { $0 === node } ? path : nil
  }
}

extension AnyTopology {
  /// The nodes from one to another or to the end, each once.
  fileprivate static func chain(
    from start: any Responder, to end: (any Responder)?, by next: (any Responder) -> (any Responder)?
  ) -> [any Responder] {
    var nodes: [any Responder] = []
    var seen: Set<ObjectIdentifier> = []
    var node: (any Responder)? = start
    while let here = node, seen.insert(ObjectIdentifier(here)).inserted {
      nodes.append(here)
      if let end, here === end { break }
      node = next(here)
    }
    return nodes
  }
}

/// Detects that a walk is in a cycle, without storing the nodes it has visited.
///
/// R. Brent: An improved Monte Carlo factorization algorithm (1980), section 2.
struct CycleWatch<Tree: Topology> {
  private var landmark: Tree.Node?
  private var steps: Int = 0
  private var power: Int = 1

  /// Takes the next node of the walk, and returns whether the walk has come back to it.
  mutating func meets(_ node: Tree.Node) -> Bool {
    if let landmark, Tree.isSame(landmark, node) { return true }
    steps += 1
    if steps == power {
      landmark = node
      power *= 2
      steps = 0
    }
    return false
  }
}

/// A reference to a responder of any class in the path of a pass; it does not keep the responder alive.
///
/// The memory of a deallocated responder stays allocated as long as this reference exists, but everything the responder
/// held is released. Unlike a `weak` variable, it allocates no side table.
@safe
struct WeakResponder {
  /// The address of the object, to compare.
  let address: UnsafeRawPointer

  #if _runtime(_ObjC)
    private weak var responder: (any Responder)?
  #else
    private unowned let responder: any Responder
  #endif

  init(_ responder: any Responder) {
    unsafe address = UnsafeRawPointer(Unmanaged.passUnretained(responder as AnyObject).toOpaque())
    self.responder = responder
  }

  /// The responder, nil when it was deallocated.
  var node: (any Responder)? {
    #if _runtime(_ObjC)
      return responder
    #else
      guard unsafe WeakObject.tryRetain(address) else { return nil }
      let node = responder
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
      return node
    #endif
  }

  /// The object at the address of a ``WeakResponder`` that still exists; nil when the object was deallocated.
  static func object(at address: UnsafeRawPointer) -> AnyObject? {
    #if _runtime(_ObjC)
      // The pass that calls this keeps the object alive.
      return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    #else
      return unsafe WeakObject.tryRetain(address) ? Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue() : nil
    #endif
  }
}
