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
    case .W2, .dispatcher: .w2
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
    case .integers, .structure, .string, .throwing, .row, .event: self == .swift
    case .method: self != .dispatcher && self != .swift
    case .invoke, .set, .create, .callback, .forward: self != .WE && self != .dispatcher && self != .swift
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
    case .invoke, .set, .create, .callback, .forward, .method, .boxed, .boxing, .typed, .awaited, .up, .down, .integers, .structure,
      .string, .throwing, .row, .event:
      0
    case .one: 1
    case .two: 2
    case .eight: 8
    }
  }
}
