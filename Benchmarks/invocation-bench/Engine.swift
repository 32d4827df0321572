import Workloads

/// A way to make a call.
enum Engine: String, CaseIterable {
  /// A call in C through a function pointer: what the others are measured by.
  case direct
  /// Plain libffi.
  case libffi = "ffi_call"
  case invocation
  /// A message to a C function, found in the target's method table.
  case message
  /// A message to a Swift closure; of ``Suite/WE``, C that calls one with objects among its parameters.
  case method
  /// A message to a Swift method by a thunk, as the macro makes one; of ``Suite/WE``, C that calls one.
  case thunk
  /// A typed call of a `ForeignFunction`, without an object.
  case function
  /// A ``CallFrame`` on the stack.
  case frame
  /// A ``Closure`` that C calls.
  case closure
  /// A ``Closure`` that forwards.
  case forward
  /// A message to an object that names another as its forwarding target.
  case forwardingTarget
  /// A message to a proxy, which gets it as an invocation of its own and invokes that with another object.
  case forwardInvocation
  /// A closure of plain libffi.
  case libffiClosure = "ffi_closure"
  /// GNU libffcall.
  case avcall
  /// A `ProtocolDispatcher`, the target of an invocation.
  case dispatcher
  /// A message to each object in turn.
  case messages
  /// A call of each object's function in turn.
  case calls
  /// An array of closures, one for each object.
  case closures
  /// An `EventProxy`; its handler is a C function, in ``Phase/typed`` a closure, in ``Phase/method`` a Swift method found by its selector.
  case event
  /// The same, its target weak.
  case eventWeak = "event-weak"
  /// The same among 100,000 keys.
  case eventMany = "event-100000"
  /// A typed event to a C function.
  case eventFunction = "event-function"
  /// A dictionary from a text to closures that cast what they get from `Any`.
  case dictionaryOfCasts = "dictionary-casts"
  /// A dictionary from a text to closures of the event's types.
  case dictionaryOfClosures = "dictionary-typed"
  /// Foundation's.
  case notificationCenter = "NotificationCenter"

  /// The engines that are there on this machine.
  static var available: [Engine] { allCases.filter { $0 != .avcall || workload_has_avcall() } }

  /// Whether it is somebody else's, so that a wrong result is a remark and not our failure.
  var isRival: Bool { self == .avcall }

  /// Whether it is the package's own: what ``Gate`` counts.
  var isGated: Bool {
    switch self {
    case .invocation, .message, .method, .thunk, .function, .frame, .closure, .forward, .forwardingTarget, .forwardInvocation, .dispatcher,
      .messages, .event, .eventWeak, .eventMany, .eventFunction:
      true
    case .direct, .libffi, .libffiClosure, .avcall, .calls, .closures, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter: false
    }
  }

  /// Whether the engine has such a phase: a typed call has nothing to set ahead, and avcall nothing to prepare; only closures are called by
  /// C.
  func has(_ phase: Phase, of suite: Suite) -> Bool {
    guard suite.has(phase) else { return false }
    // The message of an event is that of its handler.
    return isForEvents == (suite == .WE) || self == .direct || self == .method || self == .thunk ? has(phase) : false
  }

  /// Whether it sends events.
  private var isForEvents: Bool {
    switch self {
    case .event, .eventWeak, .eventMany, .eventFunction, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter: true
    default: false
    }
  }

  private func has(_ phase: Phase) -> Bool {
    switch self {
    case .direct: true
    case .libffi, .invocation: phase == .invoke || phase == .set || phase == .create
    case .message, .method, .thunk: phase == .method
    case .function, .frame: phase == .set || phase == .create
    case .closure, .libffiClosure: phase == .callback
    case .forward, .forwardingTarget, .forwardInvocation: phase == .forward
    case .avcall: phase == .invoke || phase == .set
    case .dispatcher, .messages, .calls, .closures: phase.implementers > 0
    case .event where phase == .up || phase == .down: true
    case .event, .eventWeak: phase == .boxed || phase == .boxing || phase == .typed || phase == .method
    case .eventMany: phase == .boxed || phase == .typed
    case .eventFunction, .dictionaryOfClosures: phase == .typed
    case .dictionaryOfCasts, .notificationCenter: phase == .boxed || phase == .boxing
    }
  }
}
