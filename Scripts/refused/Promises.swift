// flags: -strict-memory-safety -Werror StrictMemorySafety
// What takes the caller's word does not compile under strict memory safety without the word.
import DynamicInvocation
import EventRouting

func promised(_ library: DynamicLibrary, _ signature: MethodSignature, _ target: AnyObject) throws {
  _ = try library.function("labs", types: "qq")  // error: unsafe
  _ = try library.function("labs", signature)  // error: unsafe
  _ = Invocation(signature, retainsArguments: false)  // error: unsafe
  signature.withFrame(retainsArguments: false) { _ in }  // error: unsafe
  _ = try Closure(signature, returnsRetained: false) { call in try call.setReturnValue(1) }  // error: unsafe
  _ = try EncodedBytes("i", bytes: [1, 0, 0, 0]).value(as: (Int8, Int8, Int8, Int8).self)  // error: unsafe
  _ = HandlerOptions(holding: .unretained)  // error: unsafe
  let address = UInt(bitPattern: ObjectIdentifier(target))
  _ = _MethodThunk.call(Invocation.self, address, mayFail: false) { _ in 1 }  // error: unsafe
}

// None of these is a promise.
func checked(_ signature: MethodSignature, _ implementation: Implementation) throws {
  let invocation = Invocation(signature)
  try invocation.setArgument(boxed: .value(EncodedBytes((Int32(1), 2.5), as: "{?=id}")), at: 0)
  try invocation.invoke(using: implementation)
  _ = try ForeignFunction(implementation, signature).makeInvocation()
  _ = try EncodedBytes("i", bytes: [1, 0, 0, 0]).value(as: Int32.self)
  _ = HandlerOptions(holding: .strong)
}

final class Item: EncodedObject {}
@MainActor final class Page: EncodedObject {
  func keep(_ item: Item) {}
  func made() -> Item { Item() }
  func show(_ number: Int, on page: Page) -> Page { self }
}
final class Store: Sendable {
  func put(_ item: sending Item) {}
}

// A message passes its arguments to the main actor, which the compiler does not see.
@MainActor func passed(_ table: MethodTable) throws {
  try table.add("keep(_:)", Page.keep)  // error: unsafe
  try table.add("made()", Page.made)  // error: unsafe
  try table.add("put(_:)", Store.put)  // error: unsafe
  try unsafe table.add("keep(_:)", Page.keep)
  try table.add("show(_:on:)", Page.show)
}
