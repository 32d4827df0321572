// A typed event is checked by the compiler, and what is wrong with a handler is said in words.
import EventRouting

final class Row: EncodedObject {}

struct Unencoded {
  var x = 0
}

final class Controller {
  func several(_ row: Row?, _ rows: [Int]) {}
  func later(_ rows: [Int]) async {}
  func plain(_ index: Int) {}
}

actor Store {
  func tapped(_ row: Row?, _ index: Int) {}
}

func refused(_ proxy: EventProxy, _ node: ResponderNode) throws {
  let moved: TypedEventKey<(Int, Geometry.Rect)> = "moved"
  proxy.send(moved, source: nil, 3)  // error: cannot convert value
  proxy.send(moved, source: nil, 3, "frame")  // error: 'String'
  node.send(moved, 3, 4.0)  // error: 'Double'
  node.send(moved, source: nil, 3, 4.0)  // error: 'Double'
  try proxy.register(moved) { (_: Row?, index: Int, frame: Geometry.Point) in }  // error: cannot convert value
}

func handlers(_ proxy: EventProxy, _ controller: Controller, _ store: Store) throws {
  try proxy.register("k") { (_: Row?, rows: [Int]) in }  // error: each an EncodedValue or an optional of one
  try proxy.register("k") { (_: Row?, value: Unencoded?) in }  // error: each an EncodedValue or an optional of one
  try proxy.register("k") { (index: Int) in }  // error: a handler takes the source first, an object or an optional one
  try proxy.register("k") {}  // error: a handler takes the source first, an object or an optional one
  // The last of seven arguments.
  try proxy.register("k") { (_: Row?, a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: [Int]) in }  // error: each an EncodedValue
  try proxy.register("k") { (_: Row?, rows: [Int]) async in }  // error: each an EncodedValue or an optional of one
  try proxy.register("k", target: controller) { (_: Controller, _: Row?, index: Int) in }  // error: capture the target weakly
  try proxy.register("k", target: controller) { (_: Controller, _: Row?, rows: [Int]) in }  // error: capture the target weakly
  try proxy.register("k", target: controller) { (_: Controller, rows: [Int]) async in }  // error: capture the target weakly
  try proxy.register("k", target: controller, Controller.several)  // error: each an EncodedValue or an optional of one
  try proxy.register("k", target: controller, Controller.plain)  // error: a handler takes the source first
  try proxy.register("k", target: controller, Controller.later)  // error: a handler takes the source first
  try proxy.register("k", target: store, Store.tapped)  // error: an actor's method is called in a closure that awaits it
  try proxy.register("k", store.tapped)  // error: partially applied
  try proxy.register("k") { row, index in print(row, index) }  // error: write the types of a closure's parameters
}

func table(_ table: MethodTable) {
  table.add("tapped(_:_:)", Store.tapped)  // error: an actor's method is called on its actor only
}
