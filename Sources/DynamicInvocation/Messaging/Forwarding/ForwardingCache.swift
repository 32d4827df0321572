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

  /// Returns whether this entry is for the selector of a word, sent to instances of a class.
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
    // A strong reference has the same bits. Binding them to one does not retain the object.
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
  /// The other frame retains the objects and copies the C strings and arrays that this one owns. The plan has at most
  /// ``CallPlan/firstCount`` arguments.
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
  /// C strings belong to the sender, which copied each Swift string: the others are buffers.
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
