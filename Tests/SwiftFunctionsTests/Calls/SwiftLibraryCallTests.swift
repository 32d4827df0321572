import DynamicInvocation
import SwiftFunctions
import TestSupport
import Testing

/// Functions of a Swift library that the tests compile: errors, variables, ownership.
@Suite(.measured) struct SwiftLibraryCallTests {
  private static func function(_ name: String) throws -> SwiftFunction { try SwiftLibraryCode.library().function("Shapes." + name) }

  @Test("What a function throws is thrown, and the result is not read")
  func untypedErrors() throws {
    let untyped = try Self.function("untyped(_:)")
    #expect(try untyped(2, as: Int.self) == 2)
    #expect(message { _ = try untyped(7, as: Int.self) } == "Failure(code: 7)")
    #expect(message { _ = try untyped.call([7]) } == "Failure(code: 7)")
  }

  @Test("A typed error is taken from registers or from memory")
  func typedErrors() throws {
    let typed = try Self.function("typed(_:)")
    #expect(try typed(1, as: Double.self) == 0.5)
    #expect(message { _ = try typed(9, as: Double.self) } == "Failure(code: 9)")
    let detailed = try Self.function("detailed(_:)")
    #expect(try detailed(1, as: String.self) == "fine")
    #expect(
      message { _ = try detailed(9, as: String.self) }
        == #"Detailed(code: 9, text: "a text on the heap, of more than 15 bytes", rate: 1.5)"#)
  }

  @Test("Inout parameters change variables")
  func inOut() throws {
    let swap = try Self.function("swap(_:_:)")
    var text = "a"
    var number = 1
    let changed: Bool = try unsafe withUnsafeMutablePointer(to: &number) { try unsafe swap(&text, $0) }
    #expect(changed && text == "a!" && number == 2)
    var arguments: [Any] = ["b", 5]
    #expect(try swap.call(updating: &arguments) as? Bool == true)
    #expect(arguments[0] as? String == "b!" && arguments[1] as? Int == 6)
    #expect(
      message { try swap("a", 1) } == "Shapes.swap(_:_:): argument 0: the parameter is inout: pass a variable, or use call(updating:)")
    // The change of a copy would be lost.
    #expect(
      message { _ = try swap(&text, number, as: Bool.self) }
        == "Shapes.swap(_:_:): argument 1: the parameter is inout: pass an UnsafeMutablePointer to the variable, or use call(updating:)")
    #expect(text == "a!" && number == 2)
    let boxed = try unsafe withUnsafeMutablePointer(to: &text) { text in
      try unsafe withUnsafeMutablePointer(to: &number) { try unsafe swap.call([text, $0]) }
    }
    #expect(boxed as? Bool == true && text == "a!!" && number == 3)
  }

  @Test("Arguments of an event are passed in registers of both kinds and on the stack")
  func events() throws {
    let event = try Self.function("event(_:_:_:_:)")
    func make<T>(_: T.Type) throws -> Double {
      let value = unsafe unsafeBitCast((1.5, 2.5), to: T.self)
      return try event(1, value, value, "four")
    }
    #expect(try _openExistential(event.argumentTypes[1], do: make) == 13)
  }

  @Test("A hundred thousand calls leave no object behind, whoever owns the arguments")
  func ownership() throws {
    let (make, renamed) = (try Self.function("square()"), try Self.function("Shape.renamed(_:)"))
    let (consume, alive) = (try Self.function("consume(_:_:)"), try Self.function("aliveCount()"))
    let before: Int = try alive()
    for index in 0..<20_000 {
      let object = try make.call([])
      let other = try renamed.call([object, " and a long text, number \(index)"])
      let list = ["one text that is on the heap", "and another one, \(index)"]
      #expect(try consume.call([list, other]) as? Int ?? 0 > 30)
      try make()
    }
    #expect(try alive() as Int == before)
  }
}
