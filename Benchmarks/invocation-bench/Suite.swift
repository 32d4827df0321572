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

  /// A description of the suite.
  var caption: String {
    switch self {
    case .W0: "no arguments"
    case .W2: "two integers"
    case .W4: "eight mixed arguments"
    case .WR: "rectangle in and out"
    case .WE: "event of four arguments"
    case .dispatcher: "one message, several implementers"
    case .batch: "many rows of arguments"
    case .swift: "Swift functions by name"
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
