@testable import SwiftFunctions
import DynamicInvocation
import SwiftSymbols
import TestSupport
import Testing

/// Functions of a Swift library that the tests compile, called with types given by hand.
@Suite(.measured) struct SwiftLibraryCallTests {
  private static func function(
    _ symbol: String, _ parameters: [SwiftFunctionSignature.Parameter] = [], result: Any.Type = Void.self, of owner: Any.Type? = nil,
    error: Any.Type? = nil, descriptor: String? = nil, isVirtual: Bool = true
  ) throws -> SwiftFunction {
    let library = try SwiftLibraryCode.library().library
    let types = unsafe SwiftFunctionSignature(
      name: symbol, symbol: symbol, address: try library.symbol(symbol), kind: .function, parameters: parameters, result: result,
      selfType: owner, selfKind: owner == nil ? .none : .object, isThrowing: true, typedError: error,
      methodDescriptor: try descriptor.map { try library.symbol($0) })
    return try SwiftFunction(types, isVirtual: isVirtual, trusting: .declarations)
  }

  private static func borrowed(_ types: Any.Type...) -> [SwiftFunctionSignature.Parameter] {
    types.map { SwiftFunctionSignature.Parameter(type: $0, ownership: .borrowed, label: nil) }
  }

  private static func type(_ name: String) throws -> Any.Type {
    _ = try SwiftLibraryCode.library().library
    return try #require(_typeByName(name))
  }

  private static func aliveCount() throws -> Int { try function("shapes_alive", result: Int.self)() }

  @Test("What a function throws is thrown, and the result is not read")
  func untypedErrors() throws {
    let untyped = try Self.function("shapes_untyped", Self.borrowed(Int.self), result: Int.self)
    #expect(try untyped(2, as: Int.self) == 2)
    #expect { _ = try untyped(7, as: Int.self) } throws: { "\($0)" == "Failure(code: 7)" }
    #expect { _ = try untyped.call([7]) } throws: { "\($0)" == "Failure(code: 7)" }
  }

  @Test("A typed error is taken from registers or from memory")
  func typedErrors() throws {
    let typed = try Self.function(
      "shapes_typed", Self.borrowed(Int.self), result: Double.self, error: try Self.type("6Shapes7FailureV"))
    #expect(try typed(1, as: Double.self) == 0.5)
    #expect { _ = try typed(9, as: Double.self) } throws: { "\($0)" == "Failure(code: 9)" }
    let detailed = try Self.function(
      "shapes_detailed", Self.borrowed(Int.self), result: String.self, error: try Self.type("6Shapes8DetailedV"))
    #expect(try detailed(1, as: String.self) == "fine")
    #expect {
      _ = try detailed(9, as: String.self)
    } throws: {
      "\($0)" == #"Detailed(code: 9, text: "a text on the heap, of more than 15 bytes", rate: 1.5)"#
    }
  }

  @Test("Inout parameters change variables")
  func inOut() throws {
    let parameters = [String.self, Int.self].map { SwiftFunctionSignature.Parameter(type: $0 as Any.Type, ownership: .inOut, label: nil) }
    let swap = try Self.function("shapes_swap", parameters, result: Bool.self)
    var text = "a"
    var number = 1
    let changed: Bool = try unsafe withUnsafeMutablePointer(to: &number) { try unsafe swap(&text, $0) }
    #expect(changed && text == "a!" && number == 2)
    var arguments: [Any] = ["b", 5]
    #expect(try swap.call(updating: &arguments) as? Bool == true)
    #expect(arguments[0] as? String == "b!" && arguments[1] as? Int == 6)
    #expect {
      try swap("a", 1)
    } throws: {
      "\($0)" == "shapes_swap: argument 0: the parameter is inout: pass a variable, or use call(updating:)"
    }
    // The change of a copy would be lost.
    #expect {
      _ = try swap(&text, number, as: Bool.self)
    } throws: {
      "\($0)" == "shapes_swap: argument 1: the parameter is inout: pass an UnsafeMutablePointer to the variable, or use call(updating:)"
    }
    #expect(text == "a!" && number == 2)
    let boxed = try unsafe withUnsafeMutablePointer(to: &text) { text in
      try unsafe withUnsafeMutablePointer(to: &number) { try unsafe swap.call([text, $0]) }
    }
    #expect(boxed as? Bool == true && text == "a!!" && number == 3)
  }

  @Test("A method of a class is called as the class of the object implements it, unless asked otherwise")
  func methods() throws {
    let shape = try Self.type("6Shapes5ShapeC")
    let square = try Self.function("shapes_square", result: shape).call([]) as AnyObject
    let symbol = "$s6Shapes5ShapeC4areaSdyF"
    let area = try Self.function(symbol, result: Double.self, of: shape, descriptor: symbol + "Tq")
    #expect(try area(square, as: Double.self) == 4)
    let own = try Self.function(symbol, result: Double.self, of: shape, descriptor: symbol + "Tq", isVirtual: false)
    #expect(try own(square, as: Double.self) == 1)
    #expect(throws: InvocationError.self) { try area(ManagedBuffer<Int, Int>.self, as: Double.self) }
  }

  @Test("A member of an actor is refused, since its symbol does not state its isolation")
  func actors() throws {
    let account = try Self.type("6Shapes7AccountC")
    #expect {
      _ = try Self.function("$s6Shapes7AccountC5totalSiyF", result: Int.self, of: account)
    } throws: {
      "\($0)".contains("it is a member of the actor Shapes.Account, and its symbol does not state its isolation; call it on the actor")
    }
  }

  @Test("Arguments of an event are passed in registers of both kinds and on the stack")
  func events() throws {
    let point = try Self.type("6Shapes5PointV")
    let event = try Self.function("shapes_event", Self.borrowed(Int.self, point, point, String.self), result: Double.self)
    func make<T>(_: T.Type) throws -> Double {
      let value = unsafe unsafeBitCast((1.5, 2.5), to: T.self)
      return try event(1, value, value, "four")
    }
    #expect(try _openExistential(point, do: make) == 13)
  }

  @Test("A hundred thousand calls leave no object behind, whoever owns the arguments")
  func ownership() throws {
    let shape = try Self.type("6Shapes5ShapeC")
    let make = try Self.function("shapes_square", result: shape)
    let renamed = try Self.function("$s6Shapes5ShapeC7renamedyACSSF", Self.borrowed(String.self), result: shape, of: shape)
    let owned = [[String].self as Any.Type, shape].map { SwiftFunctionSignature.Parameter(type: $0, ownership: .owned, label: nil) }
    let consume = try Self.function("shapes_consume", owned, result: Int.self)
    let before = try Self.aliveCount()
    for index in 0..<20_000 {
      let object = try make.call([])
      let other = try renamed.call([object, " and a long text, number \(index)"])
      let list = ["one text that is on the heap", "and another one, \(index)"]
      #expect(try consume.call([list, other]) as? Int ?? 0 > 30)
      try make()
    }
    #expect(try Self.aliveCount() == before)
  }
}
