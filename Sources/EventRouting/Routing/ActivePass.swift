internal import DynamicInvocation

/// A pass that a thread is just carrying out.
///
/// Those of a thread lie in a list on its stack, from the innermost one out: that tells how deep a send is nested, and a handler which way its event goes.
@safe
struct ActivePass {
  /// The pass whose handler sent this event, nil when none did.
  private(set) var outer: UnsafeMutablePointer<ActivePass>?
  /// The pass that no handler sent; of that one itself nil.
  private var outermost: UnsafeMutablePointer<ActivePass>?
  /// How many passes are carried out within each other, with this one.
  let nesting: Int
  let direction: RoutingRules.Direction
  /// The key under which the node that is just asked got the event, or would be asked first.
  private(set) var key: EventKey
  /// The node whose handlers are running, as a record or by its address, which is that of an object in memory.
  private var record: NodeRecord?
  private var object: UnsafeRawPointer?
  private(set) var isAsking: Bool = false
  /// Of the outermost pass, how many sends were refused since it has last asked a node.
  private var refusals: Int = 0

  init(_ key: EventKey, _ rules: RoutingRules) {
    self.key = key
    direction = rules.direction
    unsafe outer = Self.innermost
    let outer = unsafe outer
    nesting = unsafe (outer?.pointee.nesting ?? 0) &+ 1
    unsafe outermost = unsafe outer.map { unsafe $0.pointee.outermost ?? $0 }
    unsafe object = nil
  }

  /// The innermost pass of the thread.
  static var innermost: UnsafeMutablePointer<ActivePass>? {
    unsafe InnermostPass.place?.assumingMemoryBound(to: ActivePass.self)
  }

  /// Notes the node that is asked now, until ``endAsking()``.
  mutating func beginAsking(_ key: EventKey, record: NodeRecord?, object: UnsafeRawPointer?) {
    self.key = key
    self.record = record
    unsafe self.object = unsafe object
    isAsking = true
    refusals = 0
  }

  mutating func endAsking() { isAsking = false }
}

extension ActivePass {
  /// How many of the innermost steps an error names.
  private static var mostSteps: Int { 8 }

  /// The error that refuses the send, if it is nested too deep; it is noted.
  ///
  /// A handler that sends its own key twice, at a limit of 64, would do so 2 to the power of 64 times if only the deepest sends were refused. So once the
  /// outermost pass has seen as many refusals as the limit, all sends within it are refused until it asks its next node.
  @inline(__always)
  func refusal(of sender: some Responder, _ rules: RoutingRules) -> RoutingError? {
    guard let outermost = unsafe outermost else { return nil }
    return unsafe refusal(of: sender, limit: rules.depthLimit ?? RoutingRules.defaultDepthLimit, within: outermost)
  }

  @inline(never)
  private func refusal(of sender: some Responder, limit: Int, within outermost: UnsafeMutablePointer<ActivePass>) -> RoutingError? {
    guard unsafe nesting > limit || outermost.pointee.refusals >= limit else { return nil }
    unsafe outermost.pointee.refusals += 1
    var steps = [RoutingError.Step(key: key, node: sender.responderName)]
    var next = unsafe outer
    while let pass = unsafe next, steps.count < Self.mostSteps {
      unsafe steps.append(RoutingError.Step(key: pass.pointee.key, node: pass.pointee.nodeName))
      unsafe next = pass.pointee.outer
    }
    return .depthExceeded(limit: limit, steps.reversed())
  }

  /// The name of the node whose handlers are running, nil when it has died of them.
  private var nodeName: String? {
    if let record { return record.node?.responderName }
    return unsafe object.flatMap { unsafe WeakResponder.object(at: $0) }.map { ($0 as? any Responder)?.responderName ?? "\(type(of: $0))" }
  }
}

/// Notices that a walk goes in a circle, without memory for the nodes it has seen.
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

/// A responder of any class on the way of a pass, which does not keep it alive.
///
/// What ended stays in memory as long as this does, without anything that it held: it allocates no side table, as a `weak` variable would.
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

  /// The responder, nil when it has ended.
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

  /// The object at the address of a reference like this one that is still there, nil when it has ended.
  static func object(at address: UnsafeRawPointer) -> AnyObject? {
    #if _runtime(_ObjC)
      // The pass that asks it keeps it.
      return unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue()
    #else
      return unsafe WeakObject.tryRetain(address) ? Unmanaged<AnyObject>.fromOpaque(address).takeRetainedValue() : nil
    #endif
  }
}
