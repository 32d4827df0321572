// What the engine cannot pass does not compile, and what it lends cannot be kept.
import DynamicInvocation

final class Plain: Sendable {
  func give() -> Unencoded { Unencoded() }
}

struct Unencoded {
  var x = 0
}

class View: @unchecked Sendable {}

extension Plain {
  func show(_ view: View) {}
  func list(_ rows: [Int]) -> Int { rows.count }
  func any(_ object: AnyObject?) throws {}
  func later(_ rows: [Int]) async {}
  func fine(_ index: Int) async {}
  @MainActor func shown(_ view: View) {}
}

func refused(_ function: ForeignFunction, _ invocation: Invocation, _ table: MethodTable) throws {
  _ = try Implementation { (_: Plain, value: Unencoded) in _ = value }  // error: EncodedValue
  try table.add("give()", Plain.give)  // error: EncodedValue
  _ = try Closure(types: "v{Unencoded=q}") { (value: Unencoded) in _ = value }  // error: EncodedValue
  let _: Unencoded = try function(1)  // error: EncodedValue
  try function(Unencoded())  // error: EncodedValue
  try invocation.setArgument(Unencoded(), at: 0)  // error: EncodedValue
  _ = unsafe Implementation(function: { (x: Int) in x })  // error: BitwiseCopyable
}

@MainActor
func methods(_ table: MethodTable) throws {
  try table.add("show(_:)", Plain.show)  // error: objects whose class is an EncodedObject
  try table.add("list(_:)", Plain.list)  // error: its parameters are EncodedValues
  try table.add("any(_:)", Plain.any)  // error: its parameters are EncodedValues
  try table.add("later(_:)", Plain.later)  // error: its parameters are EncodedValues
  try table.add("fine(_:)", Plain.fine)  // error: a method of a table is not asynchronous
  try table.add("shown(_:)", Plain.shown)  // error: its parameters are EncodedValues
  try table.add("k(_:)") { (_: Plain, view: View) in _ = view }  // error: its parameters are EncodedValues
  try table.add("k(_:)") { (_: Plain, index: Int, rows: [Int]) -> Int in index + rows.count }  // error: pass anything else in a SwiftValue
  _ = try Implementation { (_: Plain, view: View) in _ = view }  // error: objects whose class is an EncodedObject
  _ = try Implementation { (_: Plain, index: Int) async in _ = index }  // error: an implementation is not asynchronous
}

func kept(_ signature: MethodSignature) {
  signature.withFrame { (frame: borrowing CallFrame) in
    let copy = copy frame  // error: noncopyable type
    _ = copy.methodSignature
  }
}
