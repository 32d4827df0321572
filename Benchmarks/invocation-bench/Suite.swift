import DynamicInvocation
import Workloads

/// A workload: one callee, with the arguments that each engine passes to it.
enum Suite: String, CaseIterable {
  case W0, W2, W4, WR, WE
  /// A message with the types of W2 to one or several implementers.
  case dispatcher
  /// Rows of arguments, of the types of the phase.
  case batch
  /// Native Swift functions, each a phase.
  case swift

  /// The types of the callee.
  var types: String {
    switch self {
    case .W0: "v@:"
    case .W2, .dispatcher: "q@:qq"
    case .batch: "dd"
    case .swift: "of the phase"
    case .W4: "d@:idfc^vs{II=ii}d"
    case .WR: "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}{Point=dd}{_NSRange=QQ}"
    case .WE: "v@:@@q{Rect={Point=dd}{Size=dd}}@"
    }
  }

  /// The suite's number in C.
  var workload: workload_suite {
    switch self {
    case .W0, .swift: .w0
    case .W2, .dispatcher, .batch: .w2
    case .W4: .w4
    case .WR: .wr
    case .WE: .we
    }
  }

  /// Returns whether the suite supports a phase: events are sent, messages go to one object or several, other calls are
  /// made.
  func has(_ phase: Phase) -> Bool {
    switch phase {
    case .boxed, .boxing, .typed, .awaited, .up, .down: self == .WE
    case .one, .two, .eight: self == .dispatcher
    case .rowsDD, .rowsW0, .rowsW2, .rowsW4, .rowsWR, .rowsExp, .rowsSin, .rowsCos: self == .batch
    case .integers, .structure, .string, .throwing, .row, .event: self == .swift
    case .method: self != .dispatcher && self != .batch && self != .swift
    case .invoke, .set, .create, .callback, .forward: self != .WE && self != .dispatcher && self != .batch && self != .swift
    }
  }

  /// The callee.
  var implementation: Implementation { Implementation(workload_callee(workload)) }
}

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
}
