import DynamicInvocation
import Workloads

/// A class whose methods have thunks, written like the code of the macro `@Invocable`, because the benchmark is built
/// without swift-syntax.
final class ThunkTarget {
  /// Returns the selector of a workload's method.
  static func selector(of suite: Suite) -> MethodSelector {
    switch suite {
    case .W0, .swift: "count()"
    case .W2, .dispatcher, .batch: "add(_:_:)"
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

extension Pair: _ThunkConvertible {
  typealias CRepresentation = workload_pair

  init(cRepresentation pair: workload_pair) { self.init(a: pair.a, b: pair.b) }
  var cRepresentation: workload_pair { workload_pair(a: a, b: b) }
}
