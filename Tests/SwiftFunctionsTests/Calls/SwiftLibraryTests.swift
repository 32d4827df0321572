import SwiftFunctions
import DynamicInvocation
import TestSupport
import Testing

/// Functions of a Swift library by their names, with the types that their symbols state.
@Suite(.measured) struct SwiftLibraryTests {
  @Test("A function of the standard library is found by name and called")
  func standardLibrary() throws {
    let library = try SwiftLibrary("libswiftCore.so")
    let hasPrefix = try library.function("Swift.String.hasPrefix(_:)")
    #expect(hasPrefix.argumentTypes.map { "\($0)" } == ["String", "String"])
    #expect(try hasPrefix("invocation", "invo", as: Bool.self))
    #expect(hasPrefix.description == "Swift.String.hasPrefix(_:): (Swift.String, Swift.String) -> Swift.Bool")
  }

  @Test("A function whose last type is Float is found, although its symbol ends as symbols of other kinds do")
  func floats() throws {
    let halved = try SwiftLibraryCode.library().function("Shapes.halved(_:)")
    #expect(try halved(3 as Float, as: Float.self) == 1.5)
  }

  @Test("A function whose last type repeats an earlier one is found, whatever letter stands for it")
  func repetitions() throws {
    var source = "public enum Tree<A> { case leaf }\n"
    var type = "Tree<String>"
    for depth in 1...24 {
      source += "public func f\(depth)(_ a: \(type)) -> \(type) { a }\n"
      type = "Tree<\(type)>"
    }
    let library = try SwiftCompiler.library(source: source, module: "Repeated")
    let symbols = try (1...24).map { try library.function("Repeated.f\($0)(_:)").symbol }
    // These letters end the names of records and thunks, too.
    for end in ["HF", "MF", "TF"] { #expect(symbols.contains { $0.hasSuffix(end) }) }
  }

  @Test("The setter of a subscript takes the target, the value and the indices")
  func subscripts() throws {
    let source = """
      public struct Row {
        public var items: [Int]
        public init(items: [Int]) { self.items = items }
        public subscript(index: Int) -> Int { get { items[index] } set { items[index] = newValue } }
      }
      """
    let library = try SwiftCompiler.library(source: source, module: "Subscripted")
    var arguments = [try library.function("Row.init(items:)").call([[1, 2, 3]]), 20, 1]
    _ = try library.setter("Row.subscript(_:)").call(updating: &arguments)
    #expect("\(arguments[0])" == "Row(items: [1, 20, 3])")
  }

  @Test("Methods are virtual, initializers and accessors are called, and objects are objects")
  func members() throws {
    let library = try SwiftLibraryCode.library()
    let make = try library.function("Shapes.Square.init(name:)")
    let square = try make.call(["a square"]) as AnyObject
    let area = try library.function("Shapes.Shape.area()")
    #expect(try area(square, as: Double.self) == 4)
    #expect(throws: InvocationError.self) { try area(ManagedBuffer<Int, Int>.self, as: Double.self) }
    #expect(try library.function("Shapes.Shape.area()", isVirtual: false)(square, as: Double.self) == 1)
    #expect(try library.function("Shapes.Shape.name")(square, as: String.self) == "a square")
    try library.setter("Shapes.Shape.name")(square, "another name")
    #expect(try library.function("Shapes.Shape.name")(square, as: String.self) == "another name")
  }

  @Test("A struct is created, read and changed by names alone")
  func structs() throws {
    let library = try SwiftLibraryCode.library()
    var arguments = [try library.function("Shapes.Point.init(x:y:)").call([1.5, 2]), 7.5]
    #expect(try library.function("Shapes.Point.y").call([arguments[0]]) as? Double == 2)
    _ = try library.setter("Shapes.Point.x").call(updating: &arguments)
    #expect("\(arguments[0])" == "Point(x: 7.5, y: 2.0)")
  }

  @Test("The functions and types of a library are listed")
  func lists() throws {
    let library = try SwiftLibraryCode.library()
    #expect(try library.functions().contains("Shapes.Shape.area() -> Swift.Double"))
    #expect(try library.types().map { "\($0)" }.contains("Square"))
    #expect(try library.conformers(of: (any Error).self).map { "\($0)" }.sorted() == ["Detailed", "Failure"])
  }
}
