import DynamicInvocation
import Synchronization
import TestSupport
import Testing

/// A callee may replace the arguments of the invocation that calls it: what it was given lives until its call ends.
@Suite(.measured) struct ReplacedArgumentTests {
  private final class Receiver {
    let onEnd: () -> Void
    init(onEnd: @escaping () -> Void = {}) { self.onEnd = onEnd }
    deinit { onEnd() }
  }
  private final class Item: EncodedObject {
    let name: String
    let onEnd: () -> Void
    init(_ name: String, onEnd: @escaping () -> Void = {}) {
      self.name = name
      self.onEnd = onEnd
    }
    deinit { onEnd() }
  }

  private enum Way: CaseIterable { case table, implementation, using, call }

  private static let calls: Atomic<Int> = Atomic(0)

  private func invoke(_ invocation: Invocation, _ implementation: Implementation, _ way: Way) throws {
    switch way {
    case .table:
      // A selector for each: tests that run at the same time share the table of the class.
      let selector = MethodSelector("handle\(Self.calls.add(1, ordering: .relaxed).newValue)")
      invocation.selector = selector
      try MethodTable.of(Receiver.self).add(selector, implementation)
      try invocation.invoke()
      MethodTable.of(Receiver.self).remove(selector)
    case .implementation:
      invocation.implementation = implementation
      try invocation.invoke()
    case .using: try invocation.invoke(using: implementation)
    case .call: try invocation.call(implementation)
    }
  }

  @Test("An argument replaced during the call lives until it ends", arguments: Way.allCases)
  private func replaced(_ way: Way) throws {
    var log: [String] = []
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    let invocation = Invocation(try MethodSignature(types: "v@:@@"))
    nonisolated(unsafe) let unguarded = invocation
    let receiver = Receiver()
    invocation.target = receiver
    invocation.selector = "handle"
    let implementation = try Implementation { (_: Receiver, item: Item, other: Item?) throws in
      try unguarded.setArguments([Item("second") { note("second ended") }, nil])
      try unguarded.setArgument(boxed: .object(Item("third") { note("third ended") }), at: 2)
      note("\(item.name) \(other?.name ?? "nil")")
    }
    try invocation.setArguments([Item("first") { note("first ended") }, Item("other") { note("other ended") }])
    try invoke(invocation, implementation, way)
    expectEqual(log.first, "first other")
    expectEqual(Set(log.dropFirst()), ["first ended", "other ended", "second ended"])
    log = []
    try invocation.setArgument(Item("last"), at: 2)
    expectEqual(log, ["third ended"])
    withExtendedLifetime(receiver) {}
  }

  @Test("A target that nobody else keeps lives until its method returns, even if that takes it away", arguments: Way.allCases)
  private func target(_ way: Way) throws {
    var log: [String] = []
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    let invocation = Invocation(try MethodSignature(types: "v@:"))
    nonisolated(unsafe) let unguarded = invocation
    invocation.target = Receiver { note("ended") }
    invocation.selector = "handle"
    let implementation = try Implementation { (receiver: Receiver) in
      unguarded.target = nil
      note("still there")
      receiver.onEnd()
    }
    try invoke(invocation, implementation, way)
    expectEqual(log, ["still there", "ended", "ended"])
  }

  @Test("An argument that was replaced during the call and that the callee returns is kept as the result", arguments: [false, true])
  func returned(isNested: Bool) throws {
    let code: @convention(c) (UnsafeRawPointer?, @convention(c) () -> Void) -> UnsafeRawPointer? = { object, callback in
      callback()
      return object
    }
    let signature = try MethodSignature(types: "@@^?")
    let function = try ForeignFunction(Implementation(function: code, methodSignature: signature), signature)
    let ways: [(Invocation) throws -> Void] = [
      { try $0.invoke() }, { try $0.invoke(using: function.implementation) }, { try $0.call(function.implementation) },
    ]
    for way in ways {
      var ended: [String] = []
      let invocation = function.makeInvocation()
      var depth = 0
      let callback = {
        depth += 1
        let name = "second \(depth)"
        try? invocation.setArgument(Item(name) { ended.append(name) }, at: 0)
        if isNested, depth == 1 { try? invocation.invoke() }
      }
      try withClosure(types: "v", { () -> Void in callback() }) { pointer in
        try invocation.setArguments([Item("first") { ended.append("first") }, pointer])
        try way(invocation)
      }
      try require(!ended.contains("first"))
      try expectEqual(invocation.returnValue(as: Item.self).name, "first")
      try expectEqual((invocation.objectReturnValue() as? Item)?.name, "first")
      try invocation.setReturnValue(nil as AnyObject?)
      expectEqual(ended, (isNested ? ["second 1", "first"] : ["first"]))
    }
  }

  @Test("An argument replaced by a call within the call lives until the outer one ends")
  func nested() throws {
    var log: [String] = []
    nonisolated(unsafe) let note: (String) -> Void = { log.append($0) }
    let invocation = Invocation(try MethodSignature(types: "v@:@q"))
    nonisolated(unsafe) let unguarded = invocation
    invocation.target = Receiver()
    invocation.selector = "handle"
    invocation.implementation = try Implementation { (_: Receiver, item: Item, depth: Int) throws in
      if depth < 4 {
        try unguarded.setArguments([Item("item \(depth + 1)") { note("item \(depth + 1) ended") }, depth + 1])
        try unguarded.invoke()
      }
      note(item.name)
    }
    try invocation.setArguments([Item("item 0") { note("item 0 ended") }, 0])
    try invocation.invoke()
    expectEqual(log.prefix(5), ["item 4", "item 3", "item 2", "item 1", "item 0"])
    expectEqual(Set(log.dropFirst(5)), ["item 0 ended", "item 1 ended", "item 2 ended", "item 3 ended"])
  }

  @Test("What a replaced argument's end does to the invocation is done after the call")
  func endUsesInvocation() throws {
    let invocation = Invocation(try MethodSignature(types: "q@:@"))
    nonisolated(unsafe) let unguarded = invocation
    var ended = 0
    invocation.target = Receiver()
    invocation.selector = "handle"
    invocation.implementation = try Implementation { (_: Receiver, item: Item?) throws -> Int in
      try unguarded.setArgument(nil, at: 2)
      return item == nil ? 1 : 2
    }
    try invocation.setArgument(
      Item("first") {
        ended += 1
        try? unguarded.invoke()
      }, at: 2)
    try invocation.invoke()
    expectEqual(ended, 1)
    try expect(invocation.returnValue(as: Int.self) == 2 || invocation.returnValue(as: Int.self) == 1)
  }
}
