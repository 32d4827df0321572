/// What of a call is repeated.
enum Phase: String, CaseIterable {
  /// The call alone, on arguments set once.
  case invoke
  /// Every argument set, the call, the result read.
  case set
  /// A new invocation, from the text of its signature, then as ``set``.
  case create
  /// A call from C of code that is not C's.
  case callback
  /// A call from C that is forwarded, as it came, to other code.
  case forward
  /// Every argument set, a message to a target whose class has the method, the result read.
  case method
  /// An event whose boxed arguments are there already.
  case boxed
  /// An event whose sender boxes its arguments.
  case boxing
  /// An event whose arguments keep their types.
  case typed
  /// A boxed event that a node of a tree sends up, past others to the one that handles it.
  case up
  /// The same down.
  case down
  /// Every argument set, a message to one object, the result read.
  case one = "1"
  /// The same to two objects.
  case two = "2"
  /// The same to eight objects.
  case eight = "8"

  /// How many objects get the message, if it is for several; else 0.
  var implementers: Int {
    switch self {
    case .invoke, .set, .create, .callback, .forward, .method, .boxed, .boxing, .typed, .up, .down: 0
    case .one: 1
    case .two: 2
    case .eight: 8
    }
  }

  /// The phase in words.
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
