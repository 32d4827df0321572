import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// What a callee, a receiver or an argument of another type could free or overwrite.
@Suite(.measured) struct KeptArgumentsTests {
  private final class Item: EncodedObject {
    let values: [Int]
    init(_ value: Int) { values = Array(repeating: value, count: 20) }
  }

  private final class Store: Forwarding {
    var messages: [Invocation] = []
    func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "v@:@*") }
    func forwardInvocation(_ invocation: Invocation) { messages.append(invocation) }
  }
  private final class StoringProxy: InvocationProxy {
    var messages: [Invocation] = []
    override func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "v@:@*") }
    override func forwardInvocation(_ invocation: Invocation) { messages.append(invocation) }
  }

  @Test("A message that was sent in a line retains its arguments when its receiver stores it") func storedMessages() throws {
    let (store, proxy) = (Store(), StoringProxy())
    weak var item: Item?
    do {
      for _ in 0..<2 {
        let new = Item(4)
        item = new
        try Invocation.send(store, "store:text:", new, "text of the message, which is long")
        try Invocation.send(proxy, "store:text:", new, "text of the message, which is long")
      }
    }
    for message in store.messages + proxy.messages {
      expect(message.argumentsRetained)
      try expectEqual(message.argument(at: 2, as: Item.self).values, Array(repeating: 4, count: 20))
      try expectEqual(message.argument(at: 3, as: String.self), "text of the message, which is long")
    }
    store.messages = []
    proxy.messages = []
    expectNil(item)
  }

  @Test("Proxies that name each other have no types for a message") func proxiesInACircle() throws {
    let (first, second) = (InvocationProxy(), InvocationProxy())
    first.target = first
    expectError(.unrecognizedSelector) { try Invocation.send(first, "x") }
    (first.target, second.target) = (second, first)
    expectError(.unrecognizedSelector) { _ = try Invocation(target: first, selector: "x") }
    let invocation = try Invocation.message("v@:", to: first, "x")
    expectError(.unrecognizedSelector) { try invocation.invoke() }
    first.target = nil
    // As many as forwarding targets may name each other; more are refused.
    try MethodTable.of(Item.self).add("first") { (item: Item) -> Int in item.values[0] }
    var last: AnyObject = Item(6)
    for _ in 0..<128 { last = InvocationProxy(target: last) }
    try expectEqual(Invocation.send(last, "first") as Int, 6)
    for _ in 0..<1_000 { last = InvocationProxy(target: last) }
    expectError(.unrecognizedSelector) { _ = try Invocation.send(last, "first") as Int }
  }

  @Test("A chain of 100,000 proxies is released without a stack for each") func longChains() {
    weak var last: Item?
    do {
      let item = Item(1)
      last = item
      var proxy: AnyObject = item
      for _ in 0..<100_000 { proxy = InvocationProxy(target: proxy) }
      expect((proxy as? InvocationProxy)?.target is InvocationProxy)
    }
    expectNil(last)
  }

  private struct Nothing: _CallArgument { func write(to frame: inout FrameWriter) {} }

  @Test("An argument of another type that writes nothing traps") func nothingWritten() async {
    await #expect(processExitsWith: .failure) {
      let strlen = try DynamicLibrary(Platform.cLibrary).function("strlen", types: "Q*")
      _ = try strlen(Nothing()) as UInt
    }
  }
}
