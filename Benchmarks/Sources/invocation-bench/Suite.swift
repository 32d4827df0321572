import DynamicInvocation
import Workloads

/// A workload: one callee, with the arguments that each engine passes to it.
enum Suite: String, CaseIterable {
  case W0, W2, W4, WR, WE
  /// A message with the types of W2 to one or several implementers.
  case dispatcher
  /// Native Swift functions, each a phase.
  case swift
  /// Messages of gcc's Objective-C with GNUstep, with the types of W2.
  case objectiveC = "objc"

  /// The types of the callee.
  var types: String {
    switch self {
    case .W0: "v@:"
    case .W2, .dispatcher, .objectiveC: "q@:qq"
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
    case .W2, .dispatcher, .objectiveC: .w2
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

/// The part of a call that a loop repeats; Benchmarks/legend.json describes each.
enum Phase: String {
  case invoke, set, create, callback, forward, method
  // Of events.
  case boxed, boxing, typed, awaited, up, down
  // Of messages to several objects.
  case one = "1"
  case two = "2"
  case eight = "8"
  // Of Swift functions.
  case integers
  case structure = "struct"
  case string, throwing, row, event
  // Of Objective-C messages.
  case hooked

  /// The number of objects that receive the message of the suite ``Suite/dispatcher``.
  var implementers: Int { Int(rawValue) ?? 0 }
}

/// A mechanism that makes a call; Benchmarks/legend.json describes each.
enum Engine: String {
  // Of the package.
  case invocation, message, method, thunk, function, view, frame, closure, forward, forwardingTarget, forwardInvocation
  case dispatcher, messages
  case swiftFunction = "swift-function"
  case objectiveC = "objc"
  case objectiveCLookedUp = "objc-lookup"
  case objectiveCReceiver = "objc-receiver"
  case objectiveCProxy = "objc-proxy"
  case objectiveCHook = "objc-hook"
  /// An event: its handler is a C function; in ``Phase/typed`` a closure; in ``Phase/method`` a Swift method found by its
  /// selector.
  case event
  case eventWeak = "event-weak"
  case eventMany = "event-100000"
  case eventAsync = "event-async"
  case eventFunction = "event-function"

  // Others.
  case direct
  case libffi = "ffi_call"
  case libffiClosure = "ffi_closure"
  case calls, closures
  case dictionaryOfCasts = "dictionary-casts"
  case dictionaryOfClosures = "dictionary-typed"
  case notificationCenter = "NotificationCenter"
  case gnustep
  case gnustepProxy = "NSProxy"

  /// Whether the engine belongs to the package and is counted by ``Gate``, except in ``Suite/objectiveC``.
  var isGated: Bool {
    switch self {
    case .direct, .libffi, .libffiClosure, .calls, .closures, .dictionaryOfCasts, .dictionaryOfClosures, .notificationCenter, .gnustep,
      .gnustepProxy:
      false
    default: true
    }
  }
}
