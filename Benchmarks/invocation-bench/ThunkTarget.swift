import DynamicInvocation
import Workloads

/// A class whose methods have thunks, written like the code of the macro `@Invocable`, because the benchmark is built
/// without swift-syntax.
final class ThunkTarget {
  /// Returns the selector of a workload's method.
  static func selector(of suite: Suite) -> Selector {
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

  func move(_ rect: Rect, _ point: Point, _ range: IndexRange) -> Rect {
    Rect(
      x: rect.origin.x + point.x, y: rect.origin.y + point.y, width: rect.size.width + Double(range.location),
      height: rect.size.height + Double(range.length))
  }
}

extension ThunkTarget {
  func handle(_ source: Button, _ button: Button, _ tag: Int, _ rect: Rect, _ other: Button?) {
    invocation_bench.handle(source, button, tag, rect, other)
  }
}

extension ThunkTarget: InvocableClass {
  static var invocableMethods: InvocableMethods {
    var methods = InvocableMethods(of: ThunkTarget.self)
    unsafe methods.add(
      "count()",
      { target, _ in MethodThunk.call(ThunkTarget.self, target, mayFail: false) { $0.count() } } as @convention(c) (UInt, UInt) -> Void,
      parameters: [], returning: nil, isThrowing: false)
    unsafe methods.add(
      "add(_:_:)",
      { target, _, a, b in
        MethodThunk.call(ThunkTarget.self, target, mayFail: MethodThunk.mayFail(Int.self) || MethodThunk.mayFail(Int.self)) { target in
          try MethodThunk.lend(Int.self, 2, a) { a in
            try MethodThunk.lend(Int.self, 3, b) { b in
              MethodThunk.result(target.add(a, b))
            }
          }
        }
      } as @convention(c) (UInt, UInt, MethodThunk.Form<Int>, MethodThunk.Form<Int>) -> MethodThunk.Form<Int>,
      parameters: [Int.self, Int.self], returning: Int.self, isThrowing: false)
    unsafe methods.add(
      "mix(_:_:_:_:_:_:_:_:)",
      { target, _, a, b, c, d, e, f, g, h in
        MethodThunk.call(ThunkTarget.self, target, mayFail: MethodThunk.mayFail(UnsafeRawPointer?.self)) { target in
          try MethodThunk.lend(Int32.self, 2, a) { a in
            try MethodThunk.lend(Double.self, 3, b) { b in
              try MethodThunk.lend(Float.self, 4, c) { c in
                try MethodThunk.lend(Int8.self, 5, d) { d in
                  try MethodThunk.lend(UnsafeRawPointer?.self, 6, e) { e in
                    try MethodThunk.lend(Int16.self, 7, f) { f in
                      try MethodThunk.lend(Pair.self, 8, g) { g in
                        try MethodThunk.lend(Double.self, 9, h) { h in
                          MethodThunk.result(target.mix(a, b, c, d, e, f, g, h))
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
          UInt, UInt, MethodThunk.Form<Int32>, MethodThunk.Form<Double>, MethodThunk.Form<Float>, MethodThunk.Form<Int8>,
          MethodThunk.Form<UnsafeRawPointer?>,
          MethodThunk.Form<Int16>, MethodThunk.Form<Pair>, MethodThunk.Form<Double>
        ) -> MethodThunk.Form<Double>,
      parameters: [
        Int32.self, Double.self, Float.self, Int8.self, UnsafeRawPointer?.self, Int16.self, Pair.self, Double.self,
      ], returning: Double.self, isThrowing: false)
    unsafe methods.add(
      "move(_:_:_:)",
      { target, _, rect, point, range in
        MethodThunk.call(ThunkTarget.self, target, mayFail: MethodThunk.mayFail(Rect.self)) { target in
          try MethodThunk.lend(Rect.self, 2, rect) { rect in
            try MethodThunk.lend(Point.self, 3, point) { point in
              try MethodThunk.lend(IndexRange.self, 4, range) { range in
                MethodThunk.result(target.move(rect, point, range))
              }
            }
          }
        }
      }
        as @convention(c) (UInt, UInt, MethodThunk.Form<Rect>, MethodThunk.Form<Point>, MethodThunk.Form<IndexRange>) ->
        MethodThunk.Form<Rect>,
      parameters: [Rect.self, Point.self, IndexRange.self], returning: Rect.self, isThrowing: false)
    unsafe methods.add(
      "handle(_:_:_:_:_:)",
      { target, _, source, button, tag, rect, other in
        MethodThunk.call(
          ThunkTarget.self, target,
          mayFail: MethodThunk.mayFail(Button.self) || MethodThunk.mayFail(Int.self) || MethodThunk.mayFail(Rect.self)
            || MethodThunk.mayFail(Button?.self)
        ) { target in
          try MethodThunk.lend(Button.self, 2, source) { source in
            try MethodThunk.lend(Button.self, 3, button) { button in
              try MethodThunk.lend(Int.self, 4, tag) { tag in
                try MethodThunk.lend(Rect.self, 5, rect) { rect in
                  try MethodThunk.lend(Button?.self, 6, other) { other in
                    target.handle(source, button, tag, rect, other)
                  }
                }
              }
            }
          }
        }
      }
        as @convention(c) (
          UInt, UInt, MethodThunk.Form<Button>, MethodThunk.Form<Button>, MethodThunk.Form<Int>, MethodThunk.Form<Rect>,
          MethodThunk.Form<Button?>
        ) ->
        Void,
      parameters: [Button.self, Button.self, Int.self, Rect.self, Button?.self], returning: nil, isThrowing: false)
    return methods
  }
}

extension Pair: ThunkConvertible {
  typealias CRepresentation = workload_pair

  init(cRepresentation pair: workload_pair) { self.init(a: pair.a, b: pair.b) }
  var cRepresentation: workload_pair { workload_pair(a: a, b: b) }
}
