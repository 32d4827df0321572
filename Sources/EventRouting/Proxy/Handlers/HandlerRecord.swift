internal import DynamicInvocation

/// What a call of a handler needs, in memory of its own: nothing in it is a reference that would be counted.
///
/// Its ``EventRegistration`` owns it, and all that the addresses in it lead to.
@usableFromInline
@safe
struct HandlerRecord {
  /// The handlers of a key form a list, in the order in which they are called.
  @usableFromInline var next: UnsafeMutablePointer<HandlerRecord>?
  /// What keeps the handler from being called at once.
  @usableFromInline var gate: Gate = Gate(rawValue: 0)
  /// The age of the method tables when the method was looked up.
  var epoch = 0
  /// The number of the handler among those of all proxies.
  @usableFromInline var sequence: UInt = 0
  /// The registration.
  @usableFromInline let registration: Unmanaged<EventRegistration>
  /// What runs Swift code.
  @usableFromInline let body: Unmanaged<HandlerBody>?
  /// The types of a Swift closure's arguments, as one tuple.
  @usableFromInline let argumentTypes: ObjectIdentifier?
  /// The target; a weak one is to be retained while it is used.
  @usableFromInline var target: ObjectAddress = .none
  /// The class that the source must have, if any.
  @usableFromInline let source: SourceRule
  /// What the handler replies when it says nothing.
  @usableFromInline let reply: PlainReply
  /// Whether a function handles it and nothing needs care: neither the frame, nor the result, nor the reply.
  private(set) var isQuick = false
  /// How arguments get into a frame.
  @usableFromInline var layout: HandlerLayout = .none
  /// The function that the frame is for; nil for Swift code.
  @usableFromInline var function: UnsafePointer<HandlerFunction>?

  init(_ registration: EventRegistration, body: HandlerBody?, source: SourceRule, reply: StandardReply) {
    unsafe self.registration = .passUnretained(registration)
    unsafe self.body = body.map { unsafe .passUnretained($0) }
    argumentTypes = body?.argumentTypes
    self.source = source
    self.reply = PlainReply(reply)
  }
}

/// What keeps a handler from being called at once, or wants care when it is.
@usableFromInline
struct Gate: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt
  @inlinable init(rawValue: UInt) { self.rawValue = rawValue }

  /// It was removed.
  @inlinable static var removed: Gate { Gate(rawValue: 1) }
  /// It runs for its only time.
  @inlinable static var spent: Gate { Gate(rawValue: 2) }
  /// It is to be removed after a call.
  @inlinable static var once: Gate { Gate(rawValue: 4) }
  /// Its target is weak; set once and for all.
  @inlinable static var weak: Gate { Gate(rawValue: 8) }
  /// Its method is looked up in a table that may have changed.
  @inlinable static var lookedUp: Gate { Gate(rawValue: 16) }
  /// Somebody blocks it.
  @inlinable static var blocked: Gate { Gate(rawValue: 32) }

  /// It takes events that go up.
  @inlinable static var upOnly: Gate { Gate(rawValue: 64) }
  /// It takes events that go down.
  @inlinable static var downOnly: Gate { Gate(rawValue: 128) }

  /// What makes it out of question.
  @inlinable static var closed: Gate { Gate(rawValue: removed.rawValue | spent.rawValue | blocked.rawValue) }

  /// Whether the handler may be called at once, if its target is alive, and was not looked up.
  @inlinable @inline(__always)
  var isOpen: Bool { rawValue & ~Gate.weak.rawValue == 0 }
}

/// A reply without arguments in one byte.
@usableFromInline
enum PlainReply: UInt8 {
  case handled
  case ignored
  case handledAndContinue
  case stopNode
  case stopSubtree
  case stopPass

  init(_ reply: StandardReply) {
    switch reply {
    case .handled: self = .handled
    case .ignored: self = .ignored
    case .handledAndContinue: self = .handledAndContinue
    case .handledAndStop(.node): self = .stopNode
    case .handledAndStop(.subtree): self = .stopSubtree
    case .handledAndStop(.pass): self = .stopPass
    }
  }
}

extension HandlerRecord {
  /// Whether an event would call it.
  ///
  /// - Parameter skipping: What the way of the event makes out of question besides.
  func isCallable(skipping: Gate = []) -> Bool {
    unsafe gate.isDisjoint(with: .closed.union(skipping)) && registration._withUnsafeGuaranteedRef { $0.isAlive }
  }

  /// Takes over what a plan says.
  mutating func follow(_ plan: HandlerPlan) {
    layout = plan.layout
    unsafe function = plan.function
    isQuick = unsafe layout.isSmall && function?.pointee.isPlain == true && reply == .handled
  }
}

extension UnsafeMutablePointer<HandlerRecord> {
  /// Whether the handler may be called at once but for a look into the method tables, and these are as they were.
  @usableFromInline
  var isCurrent: Bool {
    unsafe pointee.gate.rawValue & ~(Gate.weak.rawValue | Gate.lookedUp.rawValue) == 0 && pointee.epoch == MethodTable.epoch
  }

  /// Retains a weak target for the time of a call; says whether it is alive.
  @usableFromInline
  func retainTarget() -> Bool { unsafe pointee.registration._withUnsafeGuaranteedRef { $0.retainTarget() } }

  /// Releases a target that was retained for a call, which may end it.
  @inlinable @inline(__always)
  func releaseTarget() {
    unsafe Unmanaged<AnyObject>.fromOpaque(pointee.target.address.unsafelyUnwrapped).release()
  }

  /// What the handler replies when it says nothing.
  @inlinable @inline(__always)
  var standardReply: EventReply { unsafe pointee.reply == .handled ? .handled : otherReply }

  @usableFromInline
  var otherReply: EventReply {
    switch unsafe pointee.reply {
    case .handled: .handled
    case .ignored: .ignored
    case .handledAndContinue: .handledAndContinue
    case .stopNode: .handledAndStop(.node)
    case .stopSubtree: .handledAndStop(.subtree)
    case .stopPass: .handledAndStop(.pass)
    }
  }
}
