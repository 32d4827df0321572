import DynamicInvocation
import Workloads

/// An object with another object as its forwarding target.
private final class Relay: Forwarding {
  let target = Target()

  func forwardingTarget(for selector: MethodSelector) -> AnyObject? { target }
}

/// Sends a workload's message to an object.
///
/// The class of the object has the method (a C function, a Swift closure or a thunk), or the object forwards the
/// message to one that has it.
struct MessageLoop {
  let suite: Suite

  /// Sends the message `count` times and returns the last result, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let selector = engine == .thunk ? ThunkTarget.selector(of: suite) : "measure"
    if engine != .thunk {
      let implementation =
        engine == .method
        ? try closure()
        : Implementation(workload_callee(suite.workload), methodSignature: try MethodSignature(types: suite.types))
      try MethodTable.of(Target.self).replace(selector, implementation)
    }
    let invocation = Invocation(try MethodSignature(types: suite.types), retainsArguments: false)
    let target: AnyObject =
      switch engine {
      case .forwardingTarget: Relay()
      case .forwardInvocation: InvocationProxy(target: Target())
      case .thunk: ThunkTarget()
      default: Target()
      }
    invocation.target = target
    invocation.selector = selector
    return try withExtendedLifetime(target) {
      switch suite {
      case .W0: try send(invocation, InvocationLoop.W0.self, count: count)
      case .W2, .dispatcher, .objectiveC: try send(invocation, InvocationLoop.W2.self, count: count)
      case .W4: try send(invocation, InvocationLoop.W4.self, count: count)
      case .WR: try send(invocation, InvocationLoop.WR.self, count: count)
      case .WE, .swift: suite.hasOtherLoops
      }
    }
  }

  private func send<Workload: InvocationWorkload>(_ invocation: Invocation, _: Workload.Type, count: Int) throws -> Double {
    var last = 0.0
    for index in 0..<count {
      try Workload.set(invocation, index: index)
      try invocation.invoke()
      last = try Workload.result(invocation)
    }
    return last
  }

  private func closure() throws -> Implementation {
    switch suite {
    case .W0: try Implementation { (_: Target) in workload_w0(nil, nil) }
    case .W2, .dispatcher, .objectiveC: try Implementation { (_: Target, a: Int, b: Int) -> Int in a &+ b }
    case .W4:
      try Implementation {
        (_: Target, a: Int32, b: Double, c: Float, d: Int8, _: UnsafeRawPointer?, f: Int16, g: Pair, h: Double) -> Double in
        mixed(a, b, c, d, f, g, h)
      }
    case .WR:
      try Implementation { (_: Target, rect: Geometry.Rect, point: Geometry.Point, range: Geometry.IndexRange) -> Geometry.Rect in
        Geometry.Rect(
          x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
          height: rect.size.height + Double(range.length))
      }
    case .WE, .swift: suite.hasOtherLoops
    }
  }
}

/// A class whose methods have thunks, written like the code of the macro `@Invocable`, because the benchmark is built
/// without swift-syntax.
final class ThunkTarget {
  /// Returns the selector of a workload's method.
  static func selector(of suite: Suite) -> MethodSelector {
    switch suite {
    case .W0, .swift: "count()"
    case .W2, .dispatcher, .objectiveC: "add(_:_:)"
    case .W4: "mix(_:_:_:_:_:_:_:_:)"
    case .WR: "move(_:_:_:)"
    case .WE: "handle(_:_:_:_:_:)"
    }
  }

  func count() { workload_w0(nil, nil) }

  func add(_ a: Int, _ b: Int) -> Int { a &+ b }

  func mix(_ a: Int32, _ b: Double, _ c: Float, _ d: Int8, _ e: UnsafeRawPointer?, _ f: Int16, _ g: Pair, _ h: Double) -> Double {
    mixed(a, b, c, d, f, g, h)
  }

  func move(_ rect: Geometry.Rect, _ point: Geometry.Point, _ range: Geometry.IndexRange) -> Geometry.Rect {
    Geometry.Rect(
      x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
      height: rect.size.height + Double(range.length))
  }
}

extension ThunkTarget {
  func handle(_ source: Button, _ button: Button, _ tag: Int, _ rect: Geometry.Rect, _ other: Button?) {
    invocation_bench.handle(source, button, tag, rect, other)
  }
}

extension ThunkTarget: _InvocableClass {
  static var invocableMethods: _InvocableMethods {
    var methods = _InvocableMethods(of: ThunkTarget.self)
    unsafe methods.add(
      "count()",
      { target, _ in _MethodThunk.call(ThunkTarget.self, target, mayFail: false) { $0.count() } } as @convention(c) (UInt, UInt) -> Void,
      parameters: [], returning: nil, isThrowing: false)
    unsafe methods.add(
      "add(_:_:)",
      { target, _, a, b in
        _MethodThunk.call(ThunkTarget.self, target, mayFail: _MethodThunk.mayFail(Int.self) || _MethodThunk.mayFail(Int.self)) { target in
          try _MethodThunk.lend(Int.self, 2, a) { a in
            try _MethodThunk.lend(Int.self, 3, b) { b in
              _MethodThunk.result(target.add(a, b))
            }
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Int>, _MethodThunk.Form<Int>) -> _MethodThunk.Form<Int>,
      parameters: [Int.self, Int.self], returning: Int.self, isThrowing: false)
    unsafe methods.add(
      "mix(_:_:_:_:_:_:_:_:)",
      { target, _, a, b, c, d, e, f, g, h in
        _MethodThunk.call(ThunkTarget.self, target, mayFail: _MethodThunk.mayFail(UnsafeRawPointer?.self)) { target in
          try _MethodThunk.lend(Int32.self, 2, a) { a in
            try _MethodThunk.lend(Double.self, 3, b) { b in
              try _MethodThunk.lend(Float.self, 4, c) { c in
                try _MethodThunk.lend(Int8.self, 5, d) { d in
                  try _MethodThunk.lend(UnsafeRawPointer?.self, 6, e) { e in
                    try _MethodThunk.lend(Int16.self, 7, f) { f in
                      try _MethodThunk.lend(Pair.self, 8, g) { g in
                        try _MethodThunk.lend(Double.self, 9, h) { h in
                          _MethodThunk.result(target.mix(a, b, c, d, e, f, g, h))
                        }
                      }
                    }
                  }
                }
              }
            }
          }
        }
      }
        as @convention(c) (
          UInt, UInt, _MethodThunk.Form<Int32>, _MethodThunk.Form<Double>, _MethodThunk.Form<Float>, _MethodThunk.Form<Int8>,
          _MethodThunk.Form<UnsafeRawPointer?>,
          _MethodThunk.Form<Int16>, _MethodThunk.Form<Pair>, _MethodThunk.Form<Double>
        ) -> _MethodThunk.Form<Double>,
      parameters: [
        Int32.self, Double.self, Float.self, Int8.self, UnsafeRawPointer?.self, Int16.self, Pair.self, Double.self,
      ], returning: Double.self, isThrowing: false)
    unsafe methods.add(
      "move(_:_:_:)",
      { target, _, rect, point, range in
        _MethodThunk.call(ThunkTarget.self, target, mayFail: _MethodThunk.mayFail(Geometry.Rect.self)) { target in
          try _MethodThunk.lend(Geometry.Rect.self, 2, rect) { rect in
            try _MethodThunk.lend(Geometry.Point.self, 3, point) { point in
              try _MethodThunk.lend(Geometry.IndexRange.self, 4, range) { range in
                _MethodThunk.result(target.move(rect, point, range))
              }
            }
          }
        }
      }
        as @convention(c) (
          UInt, UInt, _MethodThunk.Form<Geometry.Rect>, _MethodThunk.Form<Geometry.Point>, _MethodThunk.Form<Geometry.IndexRange>
        ) ->
        _MethodThunk.Form<Geometry.Rect>,
      parameters: [Geometry.Rect.self, Geometry.Point.self, Geometry.IndexRange.self], returning: Geometry.Rect.self, isThrowing: false)
    unsafe methods.add(
      "handle(_:_:_:_:_:)",
      { target, _, source, button, tag, rect, other in
        _MethodThunk.call(
          ThunkTarget.self, target,
          mayFail: _MethodThunk.mayFail(Button.self) || _MethodThunk.mayFail(Int.self) || _MethodThunk.mayFail(Geometry.Rect.self)
            || _MethodThunk.mayFail(Button?.self)
        ) { target in
          try _MethodThunk.lend(Button.self, 2, source) { source in
            try _MethodThunk.lend(Button.self, 3, button) { button in
              try _MethodThunk.lend(Int.self, 4, tag) { tag in
                try _MethodThunk.lend(Geometry.Rect.self, 5, rect) { rect in
                  try _MethodThunk.lend(Button?.self, 6, other) { other in
                    target.handle(source, button, tag, rect, other)
                  }
                }
              }
            }
          }
        }
      }
        as @convention(c) (
          UInt, UInt, _MethodThunk.Form<Button>, _MethodThunk.Form<Button>, _MethodThunk.Form<Int>, _MethodThunk.Form<Geometry.Rect>,
          _MethodThunk.Form<Button?>
        ) ->
        Void,
      parameters: [Button.self, Button.self, Int.self, Geometry.Rect.self, Button?.self], returning: nil, isThrowing: false)
    return methods
  }
}

extension Pair: _CRepresentable {
  typealias CRepresentation = workload_pair

  init(cRepresentation pair: workload_pair) { self.init(a: pair.a, b: pair.b) }
  var cRepresentation: workload_pair { workload_pair(a: a, b: b) }
}

/// Sends one message to several objects.
struct DispatcherLoop {
  /// The number of objects.
  let implementers: Int

  private final class Implementer {}

  private typealias Callee = @convention(c) (UnsafeRawPointer, UnsafePointer<CChar>, Int, Int) -> Int

  /// Sends the message `count` times and returns the last result, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    let selector: MethodSelector = "measure"
    let signature = try MethodSignature(types: Suite.dispatcher.types)
    let code = workload_callee(.w2)
    try MethodTable.of(Implementer.self).replace(selector, Implementation(code, methodSignature: signature))
    let objects = (0..<implementers).map { _ in Implementer() }
    let invocation = Invocation(signature, retainsArguments: false)
    invocation.selector = selector
    var last = 0
    switch engine {
    case .dispatcher:
      let description = try DispatchProtocol(
        "Measured", methods: [DispatchProtocol.Method(selector, signature, isRequired: true)])
      let dispatcher = try ProtocolDispatcher(description, implementers: objects)
      invocation.target = dispatcher
      for index in 0..<count {
        try invocation.setArgument(index, at: 2)
        try invocation.setArgument(2, at: 3)
        try invocation.invoke()
        last = try invocation.returnValue()
      }
      withExtendedLifetime(dispatcher) {}
    case .messages:
      for index in 0..<count {
        try invocation.setArgument(index, at: 2)
        try invocation.setArgument(2, at: 3)
        for object in objects {
          invocation.target = object
          try invocation.invoke()
        }
        last = try invocation.returnValue()
      }
    case .calls:
      let function = unsafeBitCast(code, to: Callee.self)
      for index in 0..<count {
        for object in objects { last = function(Unmanaged.passUnretained(object).toOpaque(), selector.pointer, index, 2) }
      }
    case .closures:
      let function = unsafeBitCast(code, to: Callee.self)
      let closures = objects.map { object -> (Int, Int) -> Int in
        { function(Unmanaged.passUnretained(object).toOpaque(), selector.pointer, $0, $1) }
      }
      for index in 0..<count {
        for closure in closures { last = closure(index, 2) }
      }
    default: preconditionFailure("\(engine) sends no message to several objects")
    }
    withExtendedLifetime(objects) {}
    return Double(last)
  }
}

/// Runs a workload in the opposite direction: C calls a `Closure` as often as it would call the callee.
struct ClosureLoop {
  let suite: Suite

  /// Makes `count` calls and returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let closure = try make()
    return withExtendedLifetime(closure) { workload_run_callback(suite.workload, closure.pointer, count) }
  }

  private func make() throws -> Closure {
    switch suite {
    case .W0:
      try Closure(types: suite.types) { (_: Unmanaged<Target>?, _: MethodSelector?) in workload_w0(nil, nil) }
    case .W2, .dispatcher, .objectiveC:
      try Closure(types: suite.types) { (_: Unmanaged<Target>?, _: MethodSelector?, a: Int, b: Int) -> Int in a &+ b }
    case .W4:
      try Closure(types: suite.types) {
        (
          _: Unmanaged<Target>?, _: MethodSelector?, a: Int32, b: Double, c: Float, d: Int8, _: UnsafeRawPointer?, f: Int16, g: Pair,
          h: Double
        ) -> Double in
        mixed(a, b, c, d, f, g, h)
      }
    case .WR:
      try Closure(types: suite.types) {
        (_: Unmanaged<Target>?, _: MethodSelector?, rect: Geometry.Rect, point: Geometry.Point, range: Geometry.IndexRange) -> Geometry.Rect
        in
        Geometry.Rect(
          x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
          height: rect.size.height + Double(range.length))
      }
    case .WE, .swift: suite.hasOtherLoops
    }
  }
}

/// Runs a workload through a closure that C calls and that forwards each call to the callee.
struct ForwardLoop {
  let suite: Suite

  /// Makes `count` calls and returns the last result, to be checked.
  func run(count: Int) throws -> Double {
    let implementation = suite.implementation
    let closure = try Closure(MethodSignature(types: suite.types)) { call in try call.forward(to: implementation) }
    return withExtendedLifetime(closure) { workload_run_callback(suite.workload, closure.pointer, count) }
  }
}
