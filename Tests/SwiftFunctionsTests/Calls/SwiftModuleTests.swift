@testable import SwiftFunctions

#if os(Linux)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Whether the values of types are passed by their parts or by address, compared with what the compiler does.
  @Suite(.measured) struct SwiftModuleTests {
    // MARK: The toolchain

    @Test(
      "Each public type of the toolchain's modules is passed as the compiler passes it", arguments: [["_StringProcessing", "RegexBuilder"]])
    func toolchain(_ modules: [String]) throws { #expect(try ToolchainComparison.passing(of: modules) == []) }

    @Test("The path of a type in an extension is the path of what it extends, referred to or spelled")
    func paths() {
      func context(_ type: Any.Type) -> SwiftTypeContext? { SwiftMetadata(type).descriptor.map { SwiftTypeContext($0) } }
      #expect(context(UnsafeBufferPointer<Int>.Iterator.self)?.path == "UnsafeBufferPointer.Iterator")
      #expect(context(UnsafeBufferPointer<Int>.Iterator.self)?.module == "Swift")
      #expect(context(Array<Int>.PathPart.self)?.path == "Array.PathPart")
      #expect(context(String.PathPart.Side.self)?.path == "String.PathPart.Side")
      #expect(context(Dictionary<Int, String>.Keys.PathPart.self)?.path == "Dictionary.Keys.PathPart")
      #expect(context(Task<Int, any Error>.PathPart.self)?.path == "Task.PathPart")
    }

    // MARK: Modules of others

    private static let declarations = """
      public struct Numbers { public let x: Double; public let y: Double }
      public struct Hidden { let x: Double; private let y: Int32 }
      public struct Text { let text: String }
      public struct Open { public private(set) var text: String; public internal(set) var more: Int }
      public struct Objects { let objects: [Int]; let any: AnyObject? }
      public struct Empty {}
      public struct Pair<A, B> { public var a: A; public var b: B }
      public struct Phantom<A> { let text: String }
      public struct Outer { public struct Inner { let text: String }; public enum Case { case a(String), b }; let inner: Inner }
      public enum Plain { case a, b }
      public enum One { case only(String) }
      public enum Payload { case a(String), b(Int), c }
      public enum Either<A> { case a(A), b }
      public indirect enum Tree { case leaf(Int), node(Tree, Tree) }
      public enum Nothing {}
      @frozen public struct Fixed { public let text: String; public let other: Double }
      @frozen public struct FixedNumbers { public let x: Double; public let y: Double }
      @frozen public struct FixedPair<A> { public var a: A; public var b: String }
      @frozen public struct Holder { public let numbers: Numbers; public let text: Text }
      @frozen public enum FixedPlain { case a, b }
      @frozen public enum FixedPayload { case a(String), b }
      @frozen public enum FixedEither<A> { case a(A), b(String) }
      extension Array { public struct Part { let start: Int; let text: String }; public enum Side { case a(String), b } }
      extension String { public struct Number { let number: Int }; public enum Side { case a(String), b } }
      extension Dictionary where Key == Int { public struct Entry { let text: String } }
      """

    private static let types = [
      "Numbers", "Hidden", "Text", "Open", "Objects", "Empty", "Pair<Int, Double>", "Pair<String, Text>", "Phantom<Int>", "Outer",
      "Outer.Inner",
      "Outer.Case", "Plain", "One", "Payload", "Either<Int>", "Either<String>", "Tree", "Fixed", "FixedNumbers", "FixedPair<Int>", "Holder",
      "FixedPlain", "FixedPayload", "FixedEither<Int>", "Array<Int>.Part", "Array<Int>.Side", "String.Number", "String.Side",
      "Dictionary<Int, Int>.Entry", "Result<Int, Never>", "Result<Text, Never>", "Text?", "Numbers?", "[Text]",
      "TaskPriority", "AsyncStream<Text>", "ContinuousClock.Instant?", "Range<Int>",
    ]

    @Test(
      "What neither metadata nor symbols state is refused, and all else is passed as the compiler passes it",
      arguments: SwiftCompiler.Mode.allCases)
    func modes(_ mode: SwiftCompiler.Mode) throws {
      // The mangled name of the module repeats a word by a reference.
      let module = "KitKit_\(mode.rawValue)"
      let probe = try SwiftCallProbe(Self.types, prelude: Self.declarations, module: module, flags: mode.flags)
      #expect(probe.rows.count == Self.types.count, "\(probe.rows.map(\.text))")
      let (differences, refused) = ToolchainComparison.compare(probe.rows)
      #expect(differences == [])
      #expect(refused.values.allSatisfy { $0.contains("library evolution") && $0.contains("trusting(.fixedLayouts)") }, "\(refused)")
      if mode == .plain || mode == .optimized { #expect(refused.isEmpty) }
      // Enums and structs without strings are decided in each mode, structs where it is known which compiler wrote them.
      var decided = ["Plain", "One", "Payload", "Either<Int>", "Tree", "FixedPayload", "Outer.Case", "TaskPriority", "Range<Int>"]
      if Self.isCompilerKnown { decided.append("FixedNumbers") }
      for type in decided { #expect(refused[type] == nil, "\(type)") }
    }

    @Test(
      "Each kind of symbol tells alone in which mode a module was compiled",
      arguments: [
        "public class Witness { public init() {} }", "public final class Witness {}", "public class Witness<T> {}",
        "public enum Witness { case a, b }",
        "public struct Witness { public let witness: String }", "public struct Witness<T> { public private(set) var witness: [T] }",
        "@frozen public struct Witness { public var witness: String }", "open class Witness { open var witness = 1 }",
      ])
    func evidence(_ witness: String) throws {
      let number = abs(witness.utf8.reduce(0) { ($0 &* 31 &+ Int($1)) % 100_003 })
      for flags in [[], ["-enable-library-evolution"]] {
        let module = "Witness\(number)_\(flags.count)"
        let path = try SwiftCompiler.sharedLibrary(source: Self.person + witness, module: module, flags: flags)
        let library = try unsafe SwiftLibrary(path).trusting(.declarations)
        if flags.isEmpty {
          let person = try library.function("Person.init(name:)").call(["Ann"])
          #expect(try library.function("greet(_:)").call([person]) as? String == "Hello, Ann")
        } else {
          #expect(message { _ = try library.function("greet(_:)") }.contains("'\(module)' was built for library evolution, and nothing"))
        }
      }
    }

    private static let person = """
      public struct Person { let name: String; public init(name: String) { self.name = name } }
      public func greet(_ person: Person) -> String { "Hello, " + person.name }

      """

    /// Whether libraries state the revision of the compiler, which Debian's do not.
    private static let isCompilerKnown = !SwiftBuildEvidence.runtimeRevisions.isEmpty

    @Test(
      "A module whose symbols state nothing is refused, and called with a promise",
      .enabled(if: isCompilerKnown, "the toolchain's libraries state no revision of the compiler"))
    func unknown() throws {
      let source = """
        \(Self.person)
        public struct Size { let width: Double; let height: Double; public init(_ width: Double, _ height: Double) { (self.width, self.height) = (width, height) } }
        public func area(_ size: Size) -> Double { size.width * size.height }
        """
      let library = try SwiftCompiler.library(source: source, module: "Stateless")
      let size = try library.function("Size.init(_:_:)").call([2.0, 3.0])
      #expect(try library.function("area(_:)").call([size]) as? Double == 6)
      #expect(
        message { _ = try library.function("greet(_:)") }.contains(
          "argument 0: Stateless.Person cannot be passed: nothing states whether its module 'Stateless' was built for library evolution; "
            + "'unsafe library.trusting(.fixedLayouts)' states that the module was not, or that the type is frozen"))
      let trusted = unsafe library.trusting(.fixedLayouts)
      let person = try trusted.function("Person.init(name:)").call(["Ann"])
      #expect(try trusted.function("greet(_:)").call([person]) as? String == "Hello, Ann")
      #expect(throws: InvocationError.self) { try library.function("greet(_:)") }
    }

    @Test("A subclass of a class of the standard library does not state that its module was built for library evolution")
    func subclasses() throws {
      let source = """
        \(Self.person)
        public final class Storage: ManagedBuffer<Int, Int> {}
        public class Plain { public init() {} }
        """
      let library = try SwiftCompiler.library(source: source, module: "Subclassing")
      let person = try library.function("Person.init(name:)").call(["Ann"])
      #expect(try library.function("greet(_:)").call([person]) as? String == "Hello, Ann")
    }

    @Test("A struct of a module that was built for library evolution is not passed by value")
    func evolution() throws {
      let source = """
        public struct Point { public var x: Double; public var y: Double }
        extension Point { public func scaled(_ k: Double) -> Point { Point(x: x * k, y: y * k) } }
        """
      let flags = ["-O", "-enable-library-evolution"]
      for module in ["MinMin", "Min"] {
        let library = try SwiftCompiler.library(source: source, module: module, flags: flags)
        #expect(message { _ = try library.function("Point.scaled(_:)") }.contains("'\(module)' was built for library evolution"))
      }
    }
  }

  // Types in extensions with and without conditions, of types with and without an abbreviation.
  extension Array where Element == Int { struct PathPart {} }
  extension String { struct PathPart { enum Side {} } }
  extension Dictionary.Keys where Key == Int { struct PathPart {} }
  extension Task where Failure == any Error { struct PathPart {} }
#endif
