// A typed event is checked by the compiler.
import DynamicInvocation
import EventRouting

final class Row: EncodedObject {}

func refused(_ proxy: EventProxy, _ node: ResponderNode) throws {
  let moved: TypedEventKey<(Int, Rect)> = "moved"
  proxy.send(moved, source: nil, 3)  // error: cannot convert value
  proxy.send(moved, source: nil, 3, "frame")  // error: 'String'
  node.send(moved, 3, 4.0)  // error: 'Double'
  try proxy.register(moved) { (_: Row?, index: Int, frame: Point) in }  // error: cannot convert value
  try proxy.register("moved") { (_: Row?, index: Int) async in }  // error: synchronous function type
}
