// A call of C whose types cannot be passed is refused in words, and what a call returns is not lost by accident.
import CDeclarations
import DynamicInvocation

struct Division {
  var quotient: Int32
  var remainder: Int32
}

func refused(_ function: ForeignFunction, _ bytes: EncodedBytes) throws {
  let _: Division = try function(17, 5)  // error: take a struct of C as EncodedBytes
  let _: [Int] = try function("x")  // error: a result is an EncodedValue, a BoxedValue or EncodedBytes
  var place: Int32 = 0
  let _: Division = try function(&place)  // error: take a struct of C as EncodedBytes
  _ = try function(17, as: Division.self)  // error: take a struct of C as EncodedBytes
  let _: Int = try function(1, Division(quotient: 1, remainder: 2))  // error: an argument is an EncodedValue
  let result = try function(17, 5)
  let _: Double = result  // error: DiscardedResult
  bytes["quot"] = 3  // error: subscript is get-only
  _ = try Closure(declaration: "void (*)(int)") { (_: Division) in }  // error: EncodedValue
  try withClosure(declaration: "int (*)(int)", { (_: Division) -> Int32 in 0 }) { _ in }  // error: EncodedValue
  try withClosure(declaration: "int (*)(int)", { number in 0 }) { _ in }  // error: without a type annotation
}

// None of these is refused.
func accepted(_ function: ForeignFunction, _ header: CDeclarations) throws {
  var bytes = try EncodedBytes(zero: "{s=i}")
  try bytes.setMember("a", to: 7)
  try function(&bytes)
  try function(bytes, &bytes, nil)
  let _: EncodedBytes = try function(17, 5)
  let _: BoxedValue = try function(&bytes, 5)
  let _: String? = try function(nil, "x")
  let (_, _): (EncodedBytes, CInt) = try function.capturingErrno(17, 5)
  if try function(0) == 1, try function() + 1 > 2 { try function("x", [1, 2]) }
  _ = try Closure(declaration: "void (*)(int)", in: header) { (_: Int32) in }
  _ = try Closure(declaration: "void (*)(int)", in: header) { call in try call.setReturnValue(call.argument(at: 0) + 1) }
  let _: Int = try withClosure(declaration: "int (*)(int)", { (number: Int32) in number + 1 }) { pointer in try function(pointer, 3) }
}
