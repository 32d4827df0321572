/// The part of a call that a loop repeats.
enum Phase: String, CaseIterable {
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

  /// The number of objects that receive the message, or 0 if the phase sends no message to implementers.
  var implementers: Int {
    switch self {
    case .invoke, .set, .create, .callback, .forward, .method, .boxed, .boxing, .typed, .up, .down: 0
    case .one: 1
    case .two: 2
    case .eight: 8
    }
  }

  /// A description of the phase.
  var caption: String {
    switch self {
    case .invoke: "the call alone"
    case .set: "set arguments, call, read the result"
    case .create: "create from a type encoding, set, call, read"
    case .callback: "C calls back"
    case .forward: "C calls, the call is forwarded"
    case .method: "set arguments, send the message, read the result"
    case .boxed: "send an event, boxed"
    case .boxing: "box the arguments, send an event"
    case .typed: "send an event, typed"
    case .up: "send an event up, past \(EventTreeLoop.passing) nodes"
    case .down: "send an event down, past \(EventTreeLoop.passing) nodes"
    case .one: "to one object"
    case .two: "to two objects"
    case .eight: "to eight objects"
    }
  }
}
