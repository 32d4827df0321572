// `&variable` is the address of a variable, where a call takes one, and nowhere else a copy of its value.
import DynamicInvocation
import InvocationBatches

final class Thing {}

func refused(_ function: ForeignFunction, _ target: Thing) throws {
  var number: Int32 = 0
  var numbers = [1.0]
  let constant: Int32 = 0
  try function(&constant)  // error: immutable
  try function(1, 2, 3, 4, 5, &number)  // error: '&' used with non-inout argument
  _ = try function.capturingErrno(&number, as: Int.self)  // error: '&' used with non-inout argument
  let _: [Double] = try function.map(&numbers)  // error: '&' used with non-inout argument
  try Invocation.send(target, "move(_:)", &number)  // error: '&' used with non-inout argument
  (number, numbers) = (1, [])
}
