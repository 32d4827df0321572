import Workloads

/// A mechanism that makes a call.
enum Engine: String, CaseIterable {
  /// A call in C through a function pointer, which is the reference for the others.
  case direct
  /// Plain libffi.
  case libffi = "ffi_call"
  case invocation
  /// A message to a C function in the method table of the target's class.
  case message
  /// A message to a Swift closure; in ``Suite/WE``, a call from C to a Swift closure with objects among its parameters.
  case method
  /// A message to a Swift method through a thunk like those of the macro; in ``Suite/WE``, a call from C to such a
  /// thunk.
  case thunk
  /// A typed call of a `ForeignFunction`, without an object.
  case function
  /// The C function pointer of a `ForeignFunction`, whose type was compared with the signature.
  case view
  /// A ``CallFrame`` on the stack.
  case frame
  /// A ``Closure`` that C calls.
  case closure
  /// A ``Closure`` that forwards its calls.
  case forward
  /// A message to an object with another object as its forwarding target.
  case forwardingTarget
  /// A message to a proxy, which receives it as an invocation and invokes it with another object.
  case forwardInvocation
  /// A closure of plain libffi.
  case libffiClosure = "ffi_closure"
  /// GNU libffcall.
  case avcall
  /// A `ProtocolDispatcher`, the target of an invocation.
  case dispatcher
  /// A message to each object in order.
  case messages
  /// A call of each object's function in order.
  case calls
  /// An array of closures, one per object.
  case closures
  /// An `EventProxy`.
  ///
  /// Its handler is a C function; in ``Phase/typed`` a closure; in ``Phase/method`` a Swift method found by its
  /// selector.
  case event
  /// The same as ``event``, with a weak target.
  case eventWeak = "event-weak"
  /// The same as ``event``, with 100,000 keys in the proxy.
  case eventMany = "event-100000"
  /// The same as ``event``, with an asynchronous handler.
  case eventAsync = "event-async"
  /// A typed event to a C function.
  case eventFunction = "event-function"
  /// A dictionary from a text to closures that cast their arguments from `Any`.
  case dictionaryOfCasts = "dictionary-casts"
  /// A dictionary from a text to closures with the event's types.
  case dictionaryOfClosures = "dictionary-typed"
  /// Foundation's `NotificationCenter`.
  case notificationCenter = "NotificationCenter"
  /// A typed call of a `SwiftFunction`.
  case swiftFunction = "swift-function"

  /// The engines that are available in this build, on this machine.
  static var available: [Engine] {
    allCases.filter { engine in
      switch engine {
      case .avcall: workload_has_avcall()
      case .libffi, .libffiClosure: workload_has_ffi()
      default: true
      }
    }
  }

  /// Whether the engine is a third-party rival, whose wrong result is reported but is not a failure.
  var isRival: Bool { self == .avcall }

  /// Whether the engine belongs to the package and is counted by ``Gate``.
  var isGated: Bool {
    switch self {
    case .invocation, .message, .method, .thunk, .function, .view, .frame, .closure, .forward, .forwardingTarget, .forwardInvocation,
      .dispatcher, .messages, .event, .eventWeak, .eventMany, .eventAsync, .eventFunction, .swiftFunction:
      true
    case .direct, .libffi, .libffiClosure, .avcall, .calls, .closures, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter:
      false
    }
  }

  /// Returns whether the engine supports a phase of a suite.
  ///
  /// For example, a typed call has no arguments to set in advance, avcall has nothing to prepare, and C only calls
  /// closures.
  func has(_ phase: Phase, of suite: Suite) -> Bool {
    guard suite.has(phase) else { return false }
    if suite == .swift || self == .swiftFunction { return suite == .swift && (self == .swiftFunction || self == .direct) }
    // The message of an event is the message to its handler.
    return isForEvents == (suite == .WE) || self == .direct || self == .method || self == .thunk ? has(phase) : false
  }

  /// Whether the engine sends events.
  private var isForEvents: Bool {
    switch self {
    case .event, .eventWeak, .eventMany, .eventAsync, .eventFunction, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter: true
    default: false
    }
  }

  private func has(_ phase: Phase) -> Bool {
    switch self {
    case .direct: true
    case .libffi, .invocation: phase == .invoke || phase == .set || phase == .create
    case .message, .method, .thunk: phase == .method
    case .function, .frame: phase == .set || phase == .create
    case .view: phase == .set
    case .closure, .libffiClosure: phase == .callback
    case .forward, .forwardingTarget, .forwardInvocation: phase == .forward
    case .avcall: phase == .invoke || phase == .set
    case .dispatcher, .messages, .calls, .closures: phase.implementers > 0
    case .event where phase == .up || phase == .down || phase == .awaited: true
    case .eventAsync: phase == .awaited
    case .event, .eventWeak: phase == .boxed || phase == .boxing || phase == .typed || phase == .method
    case .eventMany: phase == .boxed || phase == .typed
    case .eventFunction, .dictionaryOfClosures: phase == .typed
    case .dictionaryOfCasts, .notificationCenter: phase == .boxed || phase == .boxing
    case .swiftFunction: false
    }
  }
}
