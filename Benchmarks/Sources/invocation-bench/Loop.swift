import AllocationCounter
import Workloads

/// The loop of one row: a suite, a phase and an engine.
struct Loop: Hashable {
  let suite: Suite
  let phase: Phase
  let engine: Engine
  /// The index of the loop among its ``variants``.
  var variant = 0

  /// The engines that each phase of a suite compares with the direct call, in the order of the report.
  private static let engines: [(suites: [Suite], phases: [Phase], engines: [Engine])] = [
    ([.W0, .W2, .W4, .WR], [.invoke], [.libffi, .invocation]),
    ([.W0, .W2, .W4, .WR], [.set], [.libffi, .invocation, .function, .view, .frame]),
    ([.W0, .W2, .W4, .WR], [.create], [.libffi, .invocation, .function, .frame]),
    ([.W0, .W2, .W4, .WR], [.callback], [.closure, .libffiClosure]),
    ([.W0, .W2, .W4, .WR], [.forward], [.forward, .forwardingTarget, .forwardInvocation]),
    ([.W0, .W2, .W4, .WR], [.method], [.message, .method, .thunk]),
    ([.WE], [.method], [.method, .thunk, .event, .eventWeak]),
    ([.WE], [.boxed], [.event, .eventWeak, .eventMany, .dictionaryOfCasts, .notificationCenter]),
    ([.WE], [.boxing], [.event, .eventWeak, .dictionaryOfCasts, .notificationCenter]),
    ([.WE], [.typed], [.event, .eventWeak, .eventMany, .eventFunction, .dictionaryOfClosures]),
    ([.WE], [.awaited], [.event, .eventAsync]),
    ([.WE], [.up, .down], [.event]),
    ([.dispatcher], [.one, .two, .eight], [.dispatcher, .messages, .calls, .closures]),
    ([.swift], [.integers, .structure, .string, .throwing, .row, .event], [.swiftFunction]),
    ([.objectiveC], [.method], [.message, .objectiveC, .objectiveCLookedUp, .gnustep]),
    ([.objectiveC], [.forward], [.objectiveCProxy, .gnustepProxy]),
    ([.objectiveC], [.one, .two], [.objectiveCReceiver]),
    ([.objectiveC], [.hooked], [.objectiveCHook]),
  ]

  /// All loops in the order of the report.
  static var all: [Loop] {
    Suite.allCases.flatMap { suite in
      engines.filter { $0.suites.contains(suite) }.flatMap { row in
        row.phases.flatMap { phase in ([.direct] + row.engines).map { Loop(suite: suite, phase: phase, engine: $0) } }
      }
    }
  }

  /// The name that `--filter` matches.
  var name: String { "\(suite.rawValue)/\(phase.rawValue)/\(engine.rawValue)" }

  /// The direct call that the loop is measured against.
  var base: Loop { Loop(suite: suite, phase: phase, engine: .direct) }

  /// Whether ``Gate`` counts the loop.
  ///
  /// Not all machines that it runs on have an Objective-C runtime.
  var isGated: Bool { engine.isGated && suite != .objectiveC }

  /// Runs `count` operations and returns the last result.
  func run(count: Int) throws -> Double {
    switch (engine, phase) {
    case (_, _) where suite == .swift: try SwiftLoop(phase: phase).run(engine, count: count)
    case (_, _) where suite == .objectiveC: try ObjectiveCLoop.run(phase, engine, count: count)
    case (.direct, _): workload_run_direct(suite.workload, count)
    case (.libffi, .create): workload_run_ffi_create(suite.workload, count)
    case (.libffi, _): workload_run_ffi(suite.workload, count, phase == .set)
    case (.method, _) where suite == .WE, (.thunk, _) where suite == .WE: try HandlerLoop().run(engine, count: count)
    case (.message, _), (.method, _), (.thunk, _), (.forwardingTarget, _), (.forwardInvocation, _):
      try MessageLoop(suite: suite).run(engine, count: count)
    case (.invocation, _): try InvocationLoop(suite: suite).run(phase, count: count)
    case (.function, _): try FunctionLoop(suite: suite).run(phase, count: count)
    case (.view, _): try ViewLoop(suite: suite).run(count: count)
    case (.frame, _): try FrameLoop(suite: suite).run(phase, count: count)
    case (.closure, _): try ClosureLoop(suite: suite).run(count: count)
    case (.forward, _): try ForwardLoop(suite: suite).run(count: count)
    case (.libffiClosure, _): workload_run_ffi_closure(suite.workload, count)
    case (.dispatcher, _), (.messages, _), (.calls, _), (.closures, _):
      try DispatcherLoop(implementers: phase.implementers).run(engine, count: count)
    case (_, .awaited): try AwaitedLoop(engine: engine).run(count: count)
    case (.event, .up), (.event, .down): try EventTreeLoop().run(phase, count: count)
    case (.event, _), (.eventWeak, _), (.eventMany, _), (.eventAsync, _), (.eventFunction, _):
      try EventLoop(engine: engine, variant: variant).run(phase, count: count)
    case (.dictionaryOfCasts, _): DictionaryLoop().runCasts(phase, count: count)
    case (.dictionaryOfClosures, _): DictionaryLoop().runTyped(count: count)
    case (.notificationCenter, _): NotificationLoop().run(phase, count: count)
    case (.swiftFunction, _), (.objectiveC, _), (.objectiveCLookedUp, _), (.objectiveCReceiver, _), (.objectiveCProxy, _),
      (.objectiveCHook, _), (.gnustep, _), (.gnustepProxy, _):
      preconditionFailure("\(engine) is an engine of another suite")
    }
  }

  /// Returns whether the loop makes the requested number of calls, and the last one returns the same as the direct
  /// call.
  ///
  /// The loop makes two calls, because the loops that set nothing keep the arguments of the second.
  private func isRight() throws -> Bool {
    let expected = try base.run(count: 2)
    let calls = workload_w0_count()
    let result = try run(count: 2)
    return result == expected && (suite != .W0 || workload_w0_count() == calls + 2)
  }

  /// Throws an error if the loop is not right.
  func check() throws { guard try isRight() else { throw WrongResult(row: name) } }
}

extension Loop {
  /// The loops whose minimum count is the count of this one.
  ///
  /// The number of other keys that a lookup among 100,000 compares first depends on the address of the key. It is zero
  /// for most keys, and therefore certain to be zero for one of several. No other count depends on addresses.
  var variants: [Loop] {
    guard engine == .eventMany else { return [self] }
    return (0..<16).map { Loop(suite: suite, phase: phase, engine: engine, variant: $0) }
  }

  /// The name of a variant, which is unique.
  var variantName: String { variant == 0 ? name : "\(name)#\(variant)" }
}

extension Loop {
  /// Returns the heap allocations of one operation, or nil where they cannot be counted.
  ///
  /// It is computed from the difference of a long and a short loop, so that allocations of the loop itself are not
  /// counted.
  func allocations() throws -> Double? {
    guard allocation_count() > 0 else { return nil }
    func count(_ operations: Int) throws -> UInt64 {
      let before = allocation_count()
      _ = try run(count: operations)
      return allocation_count() - before
    }
    func difference() throws -> Double {
      let short = try count(100)
      let long = try count(1_100)
      return (Double(long) - Double(short)) / 1_000
    }
    // A table of the process may grow while one of the loops is prepared, but not in the second difference, too.
    return min(try difference(), try difference())
  }
}

/// The error of an engine that is not timed because it returned a wrong result.
struct WrongResult: Error, CustomStringConvertible {
  var row: String

  var description: String { "\(row): the direct call has another result" }
}
