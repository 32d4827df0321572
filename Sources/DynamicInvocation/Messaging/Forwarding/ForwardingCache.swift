/// How a class forwards a message that it has no method for, cached by the invocation that sent the message.
@safe
final class ForwardingCache {
  /// The forwarder of the class.
  let forwarder: Unmanaged<Forwarder>
  /// The class.
  private let type: ObjectIdentifier
  let selector: MethodSelector
  /// The epoch of the tables at which the class was found to have no method.
  let epoch: Int

  /// The invocation with which the previous message was passed on, retained for the next message.
  ///
  /// Nothing else refers to it, and it owns nothing. It keeps the method that it called in its own cache.
  @safe @exclusivity(unchecked)
  private var spare: Unmanaged<Invocation>?

  init(_ forwarder: Unmanaged<Forwarder>, _ type: AnyClass, _ selector: MethodSelector, _ epoch: Int) {
    unsafe self.forwarder = unsafe forwarder
    self.type = ObjectIdentifier(type)
    self.selector = selector
    self.epoch = epoch
  }

  deinit { unsafe spare?.release() }

  /// Returns whether it is about the messages of a selector to instances of a class.
  @inline(__always)
  func describes(_ type: ObjectIdentifier, _ selectorWord: UInt64) -> Bool { self.type == type && selector.word == selectorWord }

  /// Whether no method table has changed since the class was found to have no method.
  @inline(__always)
  var isCurrent: Bool { epoch == MethodTable.epoch }

  /// Takes the invocation of the previous message, retained, if there is one.
  ///
  /// The cache is without it until the message has returned, so nested messages do not share it.
  @inline(__always)
  func takeSpare() -> Unmanaged<Invocation>? {
    defer { spare = nil }
    return spare
  }

  /// Takes over a retained invocation for the next message.
  ///
  /// Releases it instead if something else refers to it or still calls with it.
  @inline(__always)
  func keepSpare(_ invocation: Unmanaged<Invocation>) {
    guard unsafe invocation.isUniquelyRetained, unsafe invocation._withUnsafeGuaranteedRef({ $0.becomesSpare() }), unsafe spare == nil
    else { return unsafe invocation.release() }
    spare = unsafe invocation
  }
}

extension Unmanaged<Invocation> {
  /// Whether there is one strong reference, which the caller owns.
  @inline(__always)
  fileprivate var isUniquelyRetained: Bool {
    // The bits are those of a strong reference. Binding them to one does not retain the object.
    var reference = unsafe self
    return unsafe withUnsafeMutableBytes(of: &reference) { bits in
      unsafe isKnownUniquelyReferenced(&bits.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: Invocation.self).pointee)
    }
  }
}

extension MethodSelector {
  /// The selector as a word of a frame.
  @inline(__always)
  var word: UInt64 { UInt64(UInt(bitPattern: unsafe pointer)) }
}

extension Invocation {
  /// Returns a retained invocation of the same message to another target, without a result, to be passed to a forwarder.
  func copyToForward(to receiver: Unmanaged<AnyObject>) -> Unmanaged<Invocation> {
    guard count <= CallPlan.firstCount, unsafe slots[0].kind == .object else {
      let copy = copy()
      unsafe copy.target = receiver._withUnsafeGuaranteedRef { $0 }
      if core.state.forwardsRetained { copy.core.retainObjects() }
      return unsafe .passRetained(copy)
    }
    let spare = unsafe methodCache.forwarding.flatMap { unsafe $0._withUnsafeGuaranteedRef { unsafe $0.takeSpare() } }
    let copy = unsafe spare ?? .passRetained(Invocation(methodSignature, retainsArguments: argumentsRetained))
    unsafe copy._withUnsafeGuaranteedRef { copy in
      core.copyMessage(to: copy.core)
      unsafe copy.slots[0].write(word: UInt64(UInt(bitPattern: receiver.toOpaque())), to: copy.frame)
      if core.state.retainsObjects, unsafe copy.slots[0].retainReference(in: copy.frame) { copy.core.markOwned(0, true) }
      if core.state.forwardsRetained { copy.core.retainObjects() }
      copy.keepAlive()
    }
    return unsafe copy
  }

  /// Releases what the invocation owns, and undoes the settings that its receiver may have changed.
  ///
  /// Returns false if a call with it is running.
  @inline(__always)
  fileprivate func becomesSpare() -> Bool {
    guard core.state.runningCalls == 0 else { return false }
    if implementation != nil { implementation = nil }
    core.releaseResult()
    core.releaseArguments()
    return true
  }
}

extension FrameCore {
  /// Copies the arguments, except the target, and the settings to another frame of the same plan that owns nothing.
  ///
  /// It retains the objects and copies the C strings and arrays that this one owns. The plan has at most ``CallPlan/firstCount``
  /// arguments.
  func copyMessage(to other: FrameCore) {
    unsafe copyArguments(to: other.frame)
    unsafe plan.prepare(other.frame)
    if state.mayOwn {
      for index in 1..<count where isOwned(index) {
        other.markOwned(index, unsafe slots[index].retainOwned(in: other.frame))
      }
    }
    other.state.setMask = state.setMask
    other.state.fastPathMask = state.fastPathMask
    other.state.capturesErrno = state.capturesErrno
    other.state.capturedErrno = state.capturedErrno
    other.state.retainsObjects = state.retainsObjects
    other.state.copiesStrings = state.copiesStrings
  }

  /// Retains every object that is set, and those that are set from now on.
  ///
  /// C strings are those of the sender, which copied each that is a Swift string: the others are buffers.
  @inline(never)
  func retainObjects() {
    state.retainsObjects = true
    state.copiesStrings = true
    for index in 0..<count where unsafe slots[index].kind == .object && isSet(index) && !isOwned(index) {
      markOwned(index, unsafe slots[index].retainReference(in: frame))
    }
  }

  /// Releases what the arguments own, and those that were replaced.
  func releaseArguments() {
    guard state.mayOwn else { return }
    state.mayOwn = false
    if unsafe state.replaced != nil { releaseReplaced() }
    unsafe plan.releaseOwned(in: frame)
    unsafe plan.clearBits(in: frame)
  }
}

/// The forwarding of a message that the class of its target has no method for, by NSObject's rules from the forwarding
/// target on.
enum ForwardingChain {
  /// The maximum number of forwarding targets that are followed for one message.
  static let largestCount = 128

  /// The answer of a forwarder for a message: the next target, or nil.
  @safe
  struct Answer {
    let forwarder: Unmanaged<Forwarder>
    let target: AnyObject?
  }

  /// Follows the forwarding targets.
  ///
  /// - Parameters:
  ///   - receiver: The target.
  ///   - answer: The answer of its forwarder, if it was asked already.
  ///   - selector: The selector.
  ///   - methodSignature: The types of the message.
  ///   - send: Sends the message to an object if that has an implementation. Returns whether it did.
  /// - Returns: The object that handles the message as an invocation, or nil if the message was sent.
  /// - Throws: `InvocationError`: `unrecognizedSelector`, `forwardingCycle`, `limitExceeded`, `typeMismatch`; and
  ///   what `send` throws.
  static func follow(
    from receiver: AnyObject, _ answer: Answer?, _ selector: MethodSelector, _ methodSignature: MethodSignature,
    _ send: (AnyObject) throws -> Bool
  ) throws -> (forwarder: Unmanaged<Forwarder>, receiver: AnyObject)? {
    var receiver = receiver
    var answer = answer
    // The object at the last step that is a power of two: a cycle returns to it, however many objects precede the
    // cycle.
    var mark = receiver
    for step in 1...largestCount {
      let said: Answer
      if let answer { said = answer } else { said = try ask(receiver, selector) }
      answer = nil
      let forwarder = unsafe said.forwarder
      guard let next = said.target else {
        try unsafe requireTypes(of: receiver, forwarder, selector, methodSignature)
        return unsafe (forwarder, receiver)
      }
      guard next !== receiver, next !== mark else { throw cycle(selector, receiver, next) }
      if try send(next) { return nil }
      receiver = next
      if step & (step - 1) == 0 { mark = next }
    }
    throw InvocationError(.limitExceeded, "'\(selector)' goes through more than \(largestCount) forwarding targets")
  }

  /// Throws unless an object handles a message of these types as an invocation.
  static func requireTypes(
    of receiver: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: MethodSelector, _ methodSignature: MethodSignature
  ) throws(InvocationError) {
    guard let own = unsafe forwarder._withUnsafeGuaranteedRef({ $0.methodSignature(of: receiver, for: selector) }) else {
      throw MethodTable.unrecognized(selector, by: receiver)
    }
    // Signatures are interned, so in most cases they are the same object.
    if own.storage !== methodSignature.storage { try methodSignature.require(own, of: type(of: receiver), selector) }
  }

  private static func ask(_ receiver: AnyObject, _ selector: MethodSelector) throws(InvocationError) -> Answer {
    let table = MethodTable.of(type(of: receiver))
    guard let forwarder = unsafe table.forwarder else { throw table.unrecognized(selector) }
    return unsafe Answer(
      forwarder: forwarder, target: forwarder._withUnsafeGuaranteedRef { $0.target(of: receiver, for: selector) })
  }

  private static func cycle(_ selector: MethodSelector, _ receiver: AnyObject, _ next: AnyObject) -> InvocationError {
    let reason =
      next === receiver
      ? "\(type(of: receiver)) names itself as the forwarding target of '\(selector)'"
      : "the forwarding targets of '\(selector)' go round in a circle, from \(type(of: receiver)) back to \(type(of: next))"
    return InvocationError(.forwardingCycle, reason)
  }
}

/// A message that a thread is forwarding, so that a message that comes back is detected.
///
/// The entries of a thread are on its stack, in a linked list from the innermost one out. A C++ exception or `longjmp`
/// may unwind the stack without removing entries from the list. So each entry has a checksum: a stale one, whose memory
/// is used for something else by now, is detected and ignored.
@safe
struct ActiveForwarding {
  /// The maximum number of nested messages that a thread may be forwarding at the same time.
  static let largestDepth = 512

  private let receiver: UnsafeRawPointer
  private let selector: MethodSelector
  /// The invocation that was sent, if there was one, and the invocation that was created from it to be forwarded.
  private let sent: UnsafeRawPointer?
  private let forwarded: UnsafeRawPointer?
  private var depth: Int
  /// The address of the stack frame that contains the entry.
  ///
  /// AddressSanitizer keeps the entry itself on the heap.
  private let stackFrame: UInt
  private var outer: UnsafeMutablePointer<ActiveForwarding>?
  /// The checksum: the result of ``sum(at:)`` when the entry was added to the list.
  private var seal: UInt = 0

  /// Runs the function that forwards a message, with an entry in the list for its duration.
  ///
  /// - Parameters:
  ///   - receiver: The object that forwards; the identity of a dispatcher whose implementer forwards.
  ///   - selector: The selector.
  ///   - sent: The address of the invocation that was sent, or nil.
  ///   - forwarded: The address of the invocation that was created from it, or nil.
  /// - Throws: `InvocationError` `forwardingCycle` if the receiver is already forwarding this message;
  ///   `limitExceeded` if ``largestDepth`` other messages are being forwarded; what `body` throws.
  static func run(
    _ receiver: Unmanaged<AnyObject>, _ selector: MethodSelector, sent: UnsafeRawPointer?, forwarded: UnsafeRawPointer?,
    _ body: () throws -> Void
  ) throws {
    let latest = unsafe ThreadState.innermostForwarding?.assumingMemoryBound(to: ActiveForwarding.self)
    var active = unsafe ActiveForwarding(
      receiver: receiver.toOpaque(), selector: selector, sent: sent, forwarded: forwarded, depth: 0,
      stackFrame: ThreadState.frameAddress, outer: nil)
    let name = {
      unsafe receiver._withUnsafeGuaranteedRef {
        ($0 as? DispatcherIdentity).map { "the dispatcher of \($0.protocolName)" } ?? "\(type(of: $0))"
      }
    }
    try unsafe withUnsafeMutablePointer(to: &active) { place in
      guard unsafe latest != nil else {
        // The outermost message: there is nothing that it could repeat.
        unsafe place.pointee.depth = 1
        unsafe place.pointee.seal = unsafe place.pointee.sum(at: place)
        unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(place)
        defer { unsafe ThreadState.innermostForwarding = nil }
        return try body()
      }
      let around = unsafe live(latest, around: place)
      let outer = unsafe around == nil ? nil : latest
      unsafe place.pointee.outer = unsafe outer
      unsafe place.pointee.depth = (around?.depth ?? 0) + 1
      unsafe place.pointee.seal = unsafe place.pointee.sum(at: place)
      guard unsafe place.pointee.depth <= largestDepth else {
        throw InvocationError(
          .limitExceeded,
          "'\(selector)' to \(name()) is forwarded within \(largestDepth) other messages that are just being forwarded")
      }
      guard unsafe !isRepeated(place) else {
        throw InvocationError(.forwardingCycle, "\(name()) is forwarding '\(selector)' already, and was sent it again")
      }
      unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(place)
      defer { unsafe ThreadState.innermostForwarding = UnsafeMutableRawPointer(outer) }
      try body()
    }
  }

  /// Returns a copy of the next outer entry, or nil if there is no such entry or it is stale.
  ///
  /// An entry is valid if its checksum matches and if its stack frame has a higher address than that of the inner one,
  /// because the stack grows downwards.
  private static func live(
    _ place: UnsafeMutablePointer<ActiveForwarding>?, around inner: UnsafeMutablePointer<ActiveForwarding>
  ) -> ActiveForwarding? {
    guard let place = unsafe place else { return nil }
    var found = unsafe inner.pointee
    let stackFrame = found.stackFrame
    unsafe ThreadState.copyStackWords(
      to: &found, from: place, count: MemoryLayout<ActiveForwarding>.size / MemoryLayout<UInt>.size)
    return unsafe found.seal == found.sum(at: place) && found.stackFrame > stackFrame ? found : nil
  }

  /// A checksum of the entry's address and of the fields that are followed, counted or ordered: `outer`, `depth` and
  /// `stackFrame`.
  ///
  /// Other contents of the memory do not match it.
  ///
  /// The other fields are only compared, never followed.
  private func sum(at place: UnsafeMutablePointer<ActiveForwarding>) -> UInt {
    let next = unsafe UInt(bitPattern: outer)
    let frame = stackFrame << 31 | stackFrame >> 33
    return PointerHash.hash((UInt(bitPattern: place) ^ (next << 17 | next >> 47) ^ frame) &+ UInt(bitPattern: depth))
  }

  /// Returns whether the message was forwarded by the same receiver before, by following the invocations back to the
  /// first one.
  private static func isRepeated(_ place: UnsafeMutablePointer<ActiveForwarding>) -> Bool {
    let own = unsafe place.pointee
    guard var sent = unsafe own.sent else { return false }
    var inner = unsafe place
    var next = unsafe own.outer
    while let at = unsafe next, let other = unsafe live(at, around: inner) {
      if unsafe other.forwarded == sent {
        if unsafe other.receiver == own.receiver, other.selector == own.selector { return true }
        guard let before = unsafe other.sent else { return false }
        unsafe sent = before
      }
      unsafe inner = at
      unsafe next = unsafe other.outer
    }
    return false
  }
}
