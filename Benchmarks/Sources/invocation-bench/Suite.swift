import DynamicInvocation
import Workloads

/// A workload: one callee, with the arguments that each engine passes to it.
enum Suite: String, CaseIterable {
  case W0, W2, W4, WR, WE
  /// A message with the types of W2 to one or several implementers.
  case dispatcher
  /// Native Swift functions, each a phase.
  case swift

  /// The types of the callee.
  var types: String {
    switch self {
    case .W0: "v@:"
    case .W2, .dispatcher: "q@:qq"
    case .W4: "d@:idfc^vs{II=ii}d"
    case .WR: "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}{Point=dd}{_NSRange=QQ}"
    case .WE: "v@:@@q{Rect={Point=dd}{Size=dd}}@"
    case .swift: "of the phase"
    }
  }

  /// The suite's number in C.
  var workload: workload_suite {
    switch self {
    case .W0, .swift: .w0
    case .W2, .dispatcher: .w2
    case .W4: .w4
    case .WR: .wr
    case .WE: .we
    }
  }

  /// The callee.
  var implementation: Implementation { Implementation(workload_callee(workload)) }

  /// Stops the program, as an engine has no loop for the suite.
  var hasOtherLoops: Never { preconditionFailure("\(self) has loops of its own") }
}

/// The part of a call that a loop repeats.
enum Phase: String {
  /// Only the call, on arguments that are set once.
  case invoke
  /// Setting every argument, the call, and reading the result.
  case set
  /// Creating an invocation from the text of its signature, then the same as ``set``.
  case create
  /// A call from C to code that is not written in C.
  case callback
  /// A call from C that is forwarded unchanged to other code.
  case forward
  /// Setting every argument, a message to a target whose class has the method, and reading the result.
  case method
  /// An event whose arguments are boxed already.
  case boxed
  /// An event whose sender boxes its arguments.
  case boxing
  /// An event whose arguments keep their types.
  case typed
  /// The same as ``typed``, but from a node, and the sender waits for asynchronous handlers.
  case awaited
  /// A boxed event that a node of a tree sends up, past other nodes, to the node that handles it.
  case up
  /// The same as ``up``, but down.
  case down
  /// Setting every argument, a message to one object, and reading the result.
  case one = "1"
  /// The same as ``one``, but with two objects.
  case two = "2"
  /// The same as ``one``, but with eight objects.
  case eight = "8"
  /// A Swift function of two integers.
  case integers
  /// A Swift function that takes and returns a struct of four numbers.
  case structure = "struct"
  /// A Swift function that takes a string.
  case string
  /// A Swift function that can throw, and does not.
  case throwing
  /// A method of a Swift class that takes and returns an integer.
  case row
  /// A method of a Swift class with the arguments of an event.
  case event

  /// The number of objects that receive the message of the suite ``Suite/dispatcher``.
  var implementers: Int { Int(rawValue) ?? 0 }
}

/// A mechanism that makes a call.
enum Engine: String {
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

  /// Whether the engine belongs to the package and is counted by ``Gate``.
  var isGated: Bool {
    switch self {
    case .direct, .libffi, .libffiClosure, .calls, .closures, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter: false
    default: true
    }
  }
}
