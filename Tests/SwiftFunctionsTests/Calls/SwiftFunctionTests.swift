@testable import SwiftFunctions
import DynamicInvocation
import SwiftSymbols
import TestSupport
import Testing

/// Functions of the standard library that is loaded, called in the Swift convention by their symbols.
@Suite(.measured) struct SwiftFunctionTests {
  /// Returns a function of the standard library.
  static func function(
    _ symbol: String, _ parameters: [Any.Type] = [], owned: Bool = false, result: Any.Type = Void.self, of owner: Any.Type? = nil,
    selfKind: SwiftFunctionSignature.SelfKind? = nil
  ) throws -> SwiftFunction {
    let list = parameters.map { SwiftFunctionSignature.Parameter(type: $0, ownership: owned ? .owned : .borrowed, label: nil) }
    return try SwiftFunction(
      unsafe SwiftFunctionSignature(
        name: symbol, symbol: symbol, address: try DynamicLibrary.process.symbol(symbol), kind: .function, parameters: list,
        result: result, selfType: owner, selfKind: selfKind ?? (owner == nil ? .none : .value)),
      trusting: [])
  }

  static let hasPrefix = "$sSS9hasPrefixySbSSF"

  @Test("Methods, getters and initializers of the standard library are called with typed arguments")
  func typedCalls() throws {
    let hasPrefix = try Self.function(Self.hasPrefix, [String.self], result: Bool.self, of: String.self)
    #expect(try hasPrefix("invocation", "invo", as: Bool.self))
    #expect(try !hasPrefix("invocation", "x", as: Bool.self))
    let count = try Self.function("$sSS5countSivg", result: Int.self, of: String.self)
    let length: Int = try count("a string that is longer than fifteen bytes")
    #expect(length == 42)
    let description = try Self.function("$sSd11descriptionSSvg", result: String.self, of: Double.self)
    let text: String = try description(-12.5)
    #expect(text == "-12.5")
    let repeating = try Self.function("$sSS9repeating5countS2S_SitcfC", [String.self, Int.self], owned: true, result: String.self)
    let repeated: String = try repeating("long enough to be on the heap, ", 3)
    #expect(repeated.utf8.count == 93)
  }

  @Test("A mutating method changes the variable that is passed as self")
  func mutating() throws {
    let append = try Self.function("$sSS6appendyySSF", [String.self], result: Void.self, of: String.self)
    var text = "a string that is long enough to be on the heap"
    try append(&text, ", and more")
    #expect(text == "a string that is long enough to be on the heap, and more")
    let constant = text
    try append(constant, "!")
    #expect(constant == text, "the function changes a copy")
    var arguments: [Any] = ["ab", "cd"]
    _ = try append.call(updating: &arguments)
    #expect(arguments[0] as? String == "abcd")
  }

  @Test("Boxed arguments are converted, and the result is boxed")
  func boxedCalls() throws {
    let repeating = try Self.function("$sSS9repeating5countS2S_SitcfC", [String.self, Int.self], owned: true, result: String.self)
    #expect(try repeating.call(["ab", 3]) as? String == "ababab")
    #expect(throws: InvocationError.self) { try repeating.call(["ab", UInt8(3)] as [Any]) }
  }

  @Test("A wrong number of arguments and wrong types are errors that name the function and both types")
  func mismatches() throws {
    let hasPrefix = try Self.function(Self.hasPrefix, [String.self], result: Bool.self, of: String.self)
    #expect(
      message { try hasPrefix("a") } == "\(Self.hasPrefix): 1 argument is given, the function takes 2: "
        + "(Swift.String, Swift.String) -> Swift.Bool; default arguments are not applied")
    #expect(message { try hasPrefix("a", 2) } == "\(Self.hasPrefix): argument 1: Swift.Int is not Swift.String")
    #expect(message { _ = try hasPrefix("a", "b", as: Int.self) } == "\(Self.hasPrefix): return value: Swift.Int is not Swift.Bool")
    #expect(message { _ = try hasPrefix.call([1, "b"]) } == "\(Self.hasPrefix): argument 0: Swift.Int is not Swift.String")
    var number = 1
    #expect(message { try hasPrefix(&number, "b") } == "\(Self.hasPrefix): argument 0: Swift.Int is not Swift.String")
  }

  @Test("Integer and floating-point values adapt to the parameter if they fit")
  func literals() throws {
    let precise = try Self.function("$sSd11descriptionSSvg", result: String.self, of: Double.self)
    #expect(try precise(200, as: String.self) == "200.0")
    #expect(throws: InvocationError.self) { try precise(Int.max, as: String.self) }
    let rounded = try Self.function("$sSf11descriptionSSvg", result: String.self, of: Float.self)
    #expect(try rounded(1.5, as: String.self) == "1.5")
    #expect(try rounded(3, as: String.self) == "3.0")
  }

  @Test("A function that cannot be called is refused with the reason")
  func refusals() throws {
    func reason(_ parameters: [Any.Type], result: Any.Type = Void.self, isAsync: Bool = false) -> String {
      message {
        let address = try DynamicLibrary.process.symbol(Self.hasPrefix)
        let list = parameters.map { SwiftFunctionSignature.Parameter(type: $0, ownership: .borrowed, label: nil) }
        _ = try SwiftFunction(
          unsafe SwiftFunctionSignature(
            name: "f", symbol: "f", address: address, kind: .function, parameters: list, result: result, isAsync: isAsync),
          trusting: [])
      }
    }
    #expect(reason([], isAsync: true) == "f: an asynchronous function cannot be called by name without await: use asyncFunction(_:)")
    #expect(
      reason([Int.self, ((Int) async -> Int).self])
        == "f: argument 1: the closure (Swift.Int) async -> Swift.Int cannot be passed: it is asynchronous")
    #expect(reason([], result: Int.Type.self).hasPrefix("f: return value: Swift.Int.Type cannot be passed"))
    #expect(reason([(() -> Void).self, [(Int) -> Int].self, Int.Type.self, Any.Type.self]) == "no error")
  }

  @Test("Types that the toolchain passes by address are known")
  func resilientTypes() throws {
    // Mirror is a struct of four words that is not frozen: a method takes its address.
    let description = try Self.function("$ss6MirrorV11descriptionSSvg", result: String.self, of: Mirror.self)
    let text: String = try description(Mirror(reflecting: 1))
    #expect(text == "Mirror for Int")
  }
}
