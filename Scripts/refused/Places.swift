// `&variable` is the address of a variable, where a call takes one, and nowhere else a copy of its value. (Except for a pack of arrays,
// as of `map`: the compiler of Swift 6.3 accepts `&` there, and passes the value.)
import DynamicInvocation

final class Thing {}

func refused(_ function: ForeignFunction, _ target: Thing) throws {
  var number: Int32 = 0
  let constant: Int32 = 0
  try function(&constant)  // error: immutable
  try function(1, 2, 3, 4, 5, &number)  // error: '&' used with non-inout argument
  _ = try function.capturingErrno(&number, as: Int.self)  // error: '&' used with non-inout argument
  try Invocation.send(target, "move(_:)", &number)  // error: '&' used with non-inout argument
  number = 1
}
