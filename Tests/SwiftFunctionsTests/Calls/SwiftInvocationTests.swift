import SwiftFunctions
import DynamicInvocation
import InvocationRecords
import TestSupport
import Testing

/// Calls of Swift functions as objects.
@Suite(.measured, .serialized) struct SwiftInvocationTests {
  private static func words(_ name: String) throws -> SwiftFunction { try SwiftWordsLibrary.library().function("Words." + name) }
  private static func string(_ name: String) throws -> SwiftFunction {
    try SwiftLibrary("libswiftCore.so").function("Swift.String." + name)
  }

  @Test("An invocation is built, invoked, changed and invoked again")
  func replay() throws {
    let call = try Self.string("hasPrefix(_:)").makeInvocation()
    #expect(call.description == "Swift.String.hasPrefix(_:)(unset, unset)")
    try call.setArgument("invocation", at: 0)
    try call.setArgument("invo", at: 1)
    #expect(!call.hasReturnValue && call.target as? String == "invocation")
    try call.invoke()
    #expect(try call.returnValue(as: Bool.self))
    #expect(call.description == #"Swift.String.hasPrefix(_:)("invocation", "invo") -> true"#)
    try call.setArgument("x", at: 1)
    try call.invoke()
    #expect(try call.returnValue() as Bool == false)
    try call.invoke(with: "x-ray")
    #expect(try call.returnValue(as: Any.self) as? Bool == true)
    #expect(try call.argument(at: 0, as: String.self) == "x-ray")
  }

  @Test("Arguments are converted as in a boxed call, and a copy is independent")
  func conversions() throws {
    let mixed = try Self.words("mixed(_:_:_:_:_:_:)")
    let call = try mixed.makeInvocation(arguments: [1, 2, 3, 4, false, 6])
    #expect(try call.argument(at: 2, as: Int32.self) == 3)
    let other = call.copy()
    try other.setArgument(UInt(0), at: 5)
    try call.invoke()
    try other.invoke()
    #expect(try call.returnValue(as: Int.self) == 604_321)
    #expect(try other.returnValue(as: Int.self) == 4321)
    let result = call.copy()
    #expect(try result.returnValue(as: Int.self) == 604_321)
  }

  @Test("A mutating method and an inout parameter change the arguments of the invocation")
  func variables() throws {
    let call = try Self.string("append(_: Swift.String)").makeInvocation(arguments: ["a text that is long enough for the heap", "!"])
    let recorded = call.copy()
    try call.invoke()
    try call.invoke()
    #expect(try call.argument(at: 0, as: String.self) == "a text that is long enough for the heap!!")
    #expect(try recorded.argument(at: 0, as: String.self) == "a text that is long enough for the heap")
    let append = try Self.words("append(_:_:)").makeInvocation(arguments: ["a", 12])
    try append.invoke()
    #expect(try append.argument(at: 0, as: String.self) == "a12")
    #expect(try append.returnValue(as: Int.self) == 3)
  }

  @Test("A call can be made by another function of the same types, and by no other")
  func otherFunctions() throws {
    let call = try Self.string("hasPrefix(_:)").makeInvocation(arguments: ["invocation", "tion"])
    try call.invoke(using: Self.string("hasSuffix(_:)"))
    #expect(try call.returnValue(as: Bool.self))
    #expect(
      message { try call.invoke(using: Self.words("isOdd(_:)")) }
        == "Words.isOdd(_:): 2 arguments are given, the function takes 1: (Swift.Int) -> Swift.Bool")
    #expect(message { try call.invoke(using: Self.words("append(_:_:)")) }.contains("argument 0: the parameter is inout in only one"))
    #expect(message { try call.invoke(using: Self.string("append(_: Swift.String)")) }.contains("return value: Swift.Bool is not ()"))
  }

  @Test("Errors name the function, the argument and both types")
  func errors() throws {
    let call = try Self.words("isOdd(_:)").makeInvocation()
    #expect(message { try call.invoke() } == "Words.isOdd(_:): argument 0: the argument is not set")
    #expect(message { _ = try call.argument(at: 0, as: Int.self) } == "Words.isOdd(_:): argument 0: the argument is not set")
    #expect(message { try call.setArgument(1, at: 1) } == "Words.isOdd(_:): argument 1: the function has 1 arguments")
    #expect(message { try call.setArgument(1, at: -1) } == "Words.isOdd(_:): argument -1: the function has 1 arguments")
    #expect(message { try call.setArgument("a", at: 0) } == "Words.isOdd(_:): argument 0: Swift.String is not Swift.Int")
    #expect(
      message { try call.setArguments([1, 2]) } == "Words.isOdd(_:): 2 arguments are given, the function takes 1: (Swift.Int) -> Swift.Bool"
    )
    #expect(message { _ = try call.returnValue(as: Bool.self) } == "Words.isOdd(_:): no call has returned")
    #expect(message { try call.invoke(with: 1) } == "Words.isOdd(_:): the function has no target")
    try call.setReturnValue(true)
    #expect(try call.returnValue(as: Bool.self))
    #expect(message { try call.setReturnValue("a") } == "Words.isOdd(_:): return value: Swift.String is not Swift.Bool")
    #expect(message { _ = try call.returnValue(as: Int.self) } == "Words.isOdd(_:): return value: Swift.Int is not Swift.Bool")
  }

  @Test("What the function throws is thrown, and there is no result")
  func thrown() throws {
    let call = try Self.words("checked(_:)").makeInvocation(arguments: [1])
    try call.invoke()
    try call.setArgument(-1, at: 0)
    #expect(message { try call.invoke() } == "Failure(code: -1)")
    #expect(!call.hasReturnValue)
  }

  @Test("Objects are kept while they are arguments, and no longer")
  func ownership() throws {
    let count = try Self.words("counterCount()")
    let before: Int = try count()
    do {
      let counter = try Self.words("makeCounter(_:)").call([1])
      let call = try Self.words("Counter.copy()").makeInvocation(arguments: [counter])
      for _ in 0..<100 { try call.invoke() }
      let copy = call.copy()
      try copy.invoke()
      #expect(try count(as: Int.self) == before + 3)
    }
    #expect(try count(as: Int.self) == before)
  }

  @Test("An invocation is guarded while its call runs, which may be changing its arguments")
  func guarded() throws {
    let churn = try Self.words("churn(_:_:)")
    let call = churn.makeInvocation()
    var messages: [String] = []
    func message(_ body: () throws -> Void) {
      do { try body() } catch { messages.append("\(error)") }
    }
    let body: () -> Void = {
      message { _ = try call.argument(at: 0, as: [String].self) }
      message { _ = try call.argument(at: 1, as: Any.self) }
      message { _ = try call.returnValue(as: Any.self) }
      message { try call.setArgument(["b"], at: 0) }
      message { try call.setReturnValue(()) }
      message { try call.invoke() }
      message { _ = try call.copy().argument(at: 0, as: [String].self) }
      messages.append("\(call)")
    }
    let list = (0..<20).map { "a text that is long enough for the heap \($0)" }
    try call.setArgument(list, at: 0)
    try call.setArgument(body, at: 1)
    for _ in 0..<50 {
      messages = []
      try call.invoke()
      let running = "Words.churn(_:_:): a call of this invocation is running; use a copy"
      #expect(
        Array(messages.prefix(7)) == [
          running, running, "Words.churn(_:_:): no call has returned", running, running, running,
          "Words.churn(_:_:): argument 0: the argument is not set",
        ])
      #expect(messages.last?.hasPrefix("Words.churn(_:_:)(in use, ") == true)
      #expect(try call.argument(at: 0, as: [String].self) == ["new", "list"])
      try call.setArgument(list, at: 0)
    }
    try call.setArgument({} as () -> Void, at: 1)
  }

  @Test("The target of a running mutating method is not read")
  func guardedTarget() throws {
    let call = try Self.words("Churned.churn(_:)").makeInvocation()
    var seen: [Any?] = [1]
    let body: () -> Void = {
      seen = [call.target]
      if let copy = call.copy().target { seen.append(copy) }
    }
    try call.setArgument(try Self.words("Churned.init()").call([]), at: 0)
    try call.setArgument(body, at: 1)
    #expect(call.target != nil)
    try call.invoke()
    #expect(seen.count == 1 && seen[0] == nil && call.target != nil)
    try call.setArgument({} as () -> Void, at: 1)
  }

  @Test("An undo stack calls what was registered")
  func undo() throws {
    let counter = try Self.words("makeCounter(_:)").call([1])
    let next = try Self.words("Counter.next(by:)")
    let stack = InvocationUndoStack()
    stack.register(try next.makeInvocation(arguments: [counter, -5]))
    _ = try next.call([counter, 5])
    try stack.undo()
    #expect(try Self.words("Counter.value").call([counter]) as? Int == 1)
    stack.register(try next.makeInvocation(arguments: [counter, -5]))
    stack.removeAll(withTarget: counter as AnyObject)
    #expect(!stack.canUndo)
  }
}
