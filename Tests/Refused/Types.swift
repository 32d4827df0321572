// What the engine cannot pass does not compile, and what it lends cannot be kept.
import DynamicInvocation

final class Plain: Sendable {
  func give() -> Unencoded { Unencoded() }
}

struct Unencoded {
  var x = 0
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

func kept(_ signature: MethodSignature) {
  signature.withFrame { (frame: borrowing CallFrame) in
    let copy = copy frame  // error: noncopyable type
    _ = copy.methodSignature
  }
}
