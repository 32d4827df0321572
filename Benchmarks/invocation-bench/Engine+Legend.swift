import BenchmarkSupport

extension Engine {
  /// A description of the engine.
  var caption: String {
    switch self {
    case .direct: "a call in C through a function pointer; of dispatcher a single one; of swift the compiled call"
    case .libffi: "plain libffi"
    case .invocation: "an `Invocation` of a C function"
    case .message: "a message to a C function"
    case .method: "a message to a Swift closure; of WE a call from C to one, with objects among its parameters"
    case .thunk: "a message to a Swift method by a thunk as the macro makes them; of WE a call from C to one"
    case .function: "a typed call of a `ForeignFunction`"
    case .view: "the C function pointer of a `ForeignFunction`, compared with the signature once"
    case .frame: "a `CallFrame` on the stack"
    case .closure: "a `Closure` that C calls"
    case .forward: "a `Closure` that forwards its calls"
    case .forwardingTarget: "a message to an object that names another as its forwarding target"
    case .forwardInvocation: "a message to a proxy that receives it as an invocation"
    case .libffiClosure: "a closure of plain libffi"
    case .avcall: "avcall of GNU libffcall"
    case .dispatcher: "a `ProtocolDispatcher`"
    case .messages: "a message to each object"
    case .calls: "a call of each object's C function"
    case .closures: "a call of each closure of an array"
    case .event: "an `EventProxy`, its target held strongly"
    case .eventWeak: "an `EventProxy`, its target held weakly"
    case .eventAsync: "an `EventProxy`, its handler an asynchronous closure"
    case .eventMany: "an `EventProxy` with 100,000 keys"
    case .eventFunction: "an `EventProxy` with a typed event to a C function"
    case .dictionaryOfCasts: "a dictionary of closures that cast their arguments from `Any`"
    case .dictionaryOfClosures: "a dictionary of closures with the types of the event"
    case .notificationCenter: "Foundation's `NotificationCenter`"
    case .rowLoop: "a loop in C that calls through a function pointer"
    case .callEach: "a batch of columns"
    case .map: "a batch of arrays, which are copied"
    case .concurrent: "a batch on two threads"
    case .vectorized: "the vector variant of a function"
    case .swiftFunction: "a typed call of a `SwiftFunction`"
    }
  }

  /// Whose the engine is.
  var kind: EngineKind {
    switch self {
    case .direct, .rowLoop: .direct
    case .callEach, .map, .concurrent, .vectorized: .own
    case .libffi, .libffiClosure: .libffi
    default: isGated ? .own : .other
    }
  }
}
