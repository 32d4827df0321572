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
  /// Rows of `double (double)`.
  case rowsDD = "dd"
  /// Rows of the types of ``Suite/W0``, which have no argument that changes.
  case rowsW0 = "W0"
  /// Rows of the types of ``Suite/W2``.
  case rowsW2 = "W2"
  /// Rows of the types of ``Suite/W4``.
  case rowsW4 = "W4"
  /// Rows of the types of ``Suite/WR``.
  case rowsWR = "WR"
  /// Rows of a function of the mathematical library, which has a vector variant.
  case rowsExp = "exp"
  /// The same as ``rowsExp``.
  case rowsSin = "sin"
  /// The same as ``rowsExp``.
  case rowsCos = "cos"
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

  /// The number of objects that receive the message, or 0 if the phase sends no message to implementers.
  var implementers: Int {
    switch self {
    case .invoke, .set, .create, .callback, .forward, .method, .boxed, .boxing, .typed, .awaited, .up, .down, .rowsDD, .rowsW0, .rowsW2,
      .rowsW4, .rowsWR, .rowsExp, .rowsSin, .rowsCos, .integers, .structure, .string, .throwing, .row, .event:
      0
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
    case .awaited: "send an event from a node, typed, and wait for its handler"
    case .up: "send an event up, past \(EventTreeLoop.passing) nodes"
    case .down: "send an event down, past \(EventTreeLoop.passing) nodes"
    case .one: "to one object"
    case .two: "to two objects"
    case .eight: "to eight objects"
    case .rowsDD: "a row of double (double)"
    case .rowsW0: "a row without arguments that change"
    case .rowsW2: "a row of two integers"
    case .rowsW4: "a row of eight mixed arguments"
    case .rowsWR: "a row of a rectangle, a point and a range"
    case .rowsExp, .rowsSin, .rowsCos: "a row of \(rawValue)"
    case .integers: "a function of two integers"
    case .structure: "a struct in and out"
    case .string: "a string as an argument"
    case .throwing: "a function that can throw"
    case .row: "a method with an integer"
    case .event: "a method for an event of five arguments"
    }
  }
}
