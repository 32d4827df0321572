import SwiftFunctions
import DynamicInvocation
import TestSupport

/// Functions of a Swift library that the soak compiles, found by their names; all threads share them.
struct SwiftCallees: Sendable {
  let join: SwiftFunction
  let append: SwiftFunction
  let check: SwiftFunction
  let make: SwiftFunction
  let text: SwiftFunction
  let setText: SwiftFunction
  let object: SwiftFunction
  /// A function with a closure as its parameter, and one that returns a closure; nil where closures are not passed.
  let each: SwiftFunction?
  let maker: SwiftFunction?

  /// Compiles the library.
  ///
  /// - Throws: The compiler's failure, and `InvocationError` for a function that is not found.
  init() throws {
    let library = try unsafe SwiftLibrary(SwiftCompiler.sharedLibrary(source: Self.source, module: "Soaked", flags: ["-O"])).trusting(
      .declarations)
    join = try library.function("Soaked.join(_:_:)")
    append = try library.function("Soaked.append(_:to:)")
    check = try library.function("Soaked.check(_:_:)")
    make = try library.function("Soaked.Item.init(object:text:)")
    text = try library.function("Soaked.Item.text")
    setText = try library.setter("Soaked.Item.text")
    object = try library.function("Soaked.Item.object")
    #if arch(x86_64)
      each = try library.function("Soaked.each(_:_:)")
      maker = try library.function("Soaked.maker(_:)")
    #else
      (each, maker) = (nil, nil)
    #endif
  }

  private static let source = """
    public struct Refusal: Error { public let object: AnyObject; public let text: String }
    public final class Item {
      public let object: AnyObject
      public var text: String
      public init(object: AnyObject, text: String) { self.object = object; self.text = text }
    }
    public func join(_ list: [String], _ separator: String) -> String { list.reduce("") { $0 + $1 + separator } }
    public func append(_ object: AnyObject, to list: [AnyObject]) -> [AnyObject] { list + [object] }
    public func check(_ object: AnyObject, _ text: String) throws -> AnyObject {
      if text.utf8.count % 2 == 0 { throw Refusal(object: object, text: text + text) }
      return Item(object: object, text: text)
    }
    public func each(_ list: [AnyObject], _ body: (AnyObject, String) throws -> String) rethrows -> [String] {
      try list.enumerated().map { index, object in try body(object, "number \\(index) of a list of objects") }
    }
    public func maker(_ object: AnyObject) -> (String, Double) -> AnyObject { { text, _ in Item(object: object, text: text) } }
    """
}
