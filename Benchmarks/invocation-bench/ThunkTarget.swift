import DynamicInvocation
import Workloads

/// A class whose methods have thunks, written as the macro `@Invocable` writes them: the benchmark is built without swift-syntax.
final class ThunkTarget {
  /// The selector of a workload's method.
  static func selector(of suite: Suite) -> Selector {
    switch suite {
    case .W0: "count()"
    case .W2, .dispatcher: "add(_:_:)"
    case .W4: "mix(_:_:_:_:_:_:_:_:)"
    case .WR: "move(_:_:_:)"
    case .WE: preconditionFailure("events have loops of their own")
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

extension ThunkTarget: InvocableClass {
  static var invocableMethods: InvocableMethods {
    var methods = InvocableMethods(of: ThunkTarget.self)
    unsafe methods.add(
      "count()",
      { target, _ in Thunk.call(ThunkTarget.self, target, mayFail: false) { $0.count() } } as @convention(c) (UInt, UInt) -> Void,
      parameters: [], returning: nil, isThrowing: false)
    unsafe methods.add(
      "add(_:_:)",
      { target, _, a, b in
        Thunk.call(ThunkTarget.self, target, mayFail: Thunk.mayFail(Int.self) || Thunk.mayFail(Int.self)) { target in
          try Thunk.result(target.add(Thunk.argument(Int.self, 2, a), Thunk.argument(Int.self, 3, b)))
        }
      } as @convention(c) (UInt, UInt, Thunk.Form<Int>, Thunk.Form<Int>) -> Thunk.Form<Int>,
      parameters: [Int.self, Int.self], returning: Int.self, isThrowing: false)
    unsafe methods.add(
      "mix(_:_:_:_:_:_:_:_:)",
      { target, _, a, b, c, d, e, f, g, h in
        Thunk.call(ThunkTarget.self, target, mayFail: Thunk.mayFail(UnsafeRawPointer?.self)) { target in
          try Thunk.result(
            target.mix(
              Thunk.argument(Int32.self, 2, a), Thunk.argument(Double.self, 3, b), Thunk.argument(Float.self, 4, c),
              Thunk.argument(Int8.self, 5, d), Thunk.argument(UnsafeRawPointer?.self, 6, e), Thunk.argument(Int16.self, 7, f),
              Thunk.argument(Pair.self, 8, g), Thunk.argument(Double.self, 9, h)))
        }
      }
        as @convention(c) (
          UInt, UInt, Thunk.Form<Int32>, Thunk.Form<Double>, Thunk.Form<Float>, Thunk.Form<Int8>, Thunk.Form<UnsafeRawPointer?>,
          Thunk.Form<Int16>, Thunk.Form<Pair>, Thunk.Form<Double>
        ) -> Thunk.Form<Double>,
      parameters: [
        Int32.self, Double.self, Float.self, Int8.self, UnsafeRawPointer?.self, Int16.self, Pair.self, Double.self,
      ], returning: Double.self, isThrowing: false)
    unsafe methods.add(
      "move(_:_:_:)",
      { target, _, rect, point, range in
        Thunk.call(ThunkTarget.self, target, mayFail: Thunk.mayFail(Rect.self)) { target in
          try Thunk.result(
            target.move(Thunk.argument(Rect.self, 2, rect), Thunk.argument(Point.self, 3, point), Thunk.argument(IndexRange.self, 4, range))
          )
        }
      } as @convention(c) (UInt, UInt, Thunk.Form<Rect>, Thunk.Form<Point>, Thunk.Form<IndexRange>) -> Thunk.Form<Rect>,
      parameters: [Rect.self, Point.self, IndexRange.self], returning: Rect.self, isThrowing: false)
    return methods
  }
}

extension Pair: ThunkConvertible {
  typealias ThunkForm = workload_pair

  init(thunkForm pair: workload_pair) { self.init(a: pair.a, b: pair.b) }
  var thunkForm: workload_pair { workload_pair(a: a, b: b) }
}
