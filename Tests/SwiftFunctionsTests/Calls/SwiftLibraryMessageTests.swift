@testable import SwiftFunctions

#if os(Linux)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// What a look-up says that fails, and what to do about it.
  @Suite(.measured) struct SwiftLibraryMessageTests {
    private static func library() throws -> String { try SwiftCompiler.sharedLibrary(source: source, module: "Messages") }

    @Test("A private and an internal function are named as such, and to be declared public")
    func hidden() throws {
      let library = try unsafe SwiftLibrary(Self.library()).trusting(.declarations)
      for name in ["Messages.secret(_:)", "secret", "Messages.inner()", "Item.hidden()"] {
        let text = message { _ = try library.function(name) }
        #expect(
          text.contains("has no Swift function '\(name)'") && text.contains("which is private or internal; declare it public"), "\(text)")
      }
      #expect(!message { _ = try library.function("Messages.nothing()") }.contains("private"))
    }

    @Test("The public functions of a stripped library are called, and the others are not known", arguments: ["strip", "linker"])
    func stripped(by way: String) throws {
      let path: String
      if way == "linker" {
        path = try SwiftCompiler.sharedLibrary(source: Self.source, module: "MessagesStripped", flags: ["-Xlinker", "-s"])
      } else {
        let original = try SwiftCompiler.sharedLibrary(source: Self.source, module: "MessagesStrip")
        path = TemporaryFolder.shared.url.appendingPathComponent("libMessagesStrip.so").path
        try #require(Command.run(["strip", "--strip-all", original, "-o", path]).status == 0)
      }
      let library = try unsafe SwiftLibrary(path).trusting(.declarations)
      #expect(try library.function("open(_:)")(4, as: Int.self) == 12)
      #expect("\(try library.function("Item.init(number:)").call([3]))" == "Item(number: 3)")
      let text = message { _ = try library.function("secret(_:)") }
      #expect(text.contains("the library is stripped of the others; declare it public"), "\(text)")
    }

    @Test("A library without public functions, and one that is not of Swift, are told apart")
    func empty() throws {
      let path = try SwiftCompiler.sharedLibrary(source: "struct Item { var number = 1 }; func inner() -> Int { 1 }", module: "Closed")
      let text = message { _ = try unsafe SwiftLibrary(path).trusting(.declarations).function("inner()") }
      #expect(text.contains("exports no Swift functions: it is a Swift library; declare the functions public"), "\(text)")
      let libm = try SwiftLibrary("libm.so.6")
      let other = message { _ = try libm.function("cos(_:)") }
      #expect(other.hasSuffix("exports no Swift functions: it is no Swift library"), "\(other)")
      #expect(try libm.types().isEmpty)
    }

    @Test(
      "A library that another version of Swift has compiled is named as such, if a look-up fails",
      .enabled(if: !SwiftBuildEvidence.runtimeRevisions.isEmpty, "the toolchain's libraries state no revision of the compiler"))
    func otherVersion() throws {
      // The compiler leaves the revision of its LLVM in the library.
      let path = try SwiftCompiler.sharedLibrary(source: Self.source, module: "MessagesOther")
      #expect(!message { _ = try unsafe SwiftLibrary(path).trusting(.declarations).function("nothing()") }.contains("another version"))
      var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      let mark = Data("llvm-project.git ".utf8)
      var start = bytes.startIndex
      while let found = bytes.range(of: mark, in: start..<bytes.endIndex) {
        bytes.replaceSubrange(found.upperBound..<found.upperBound + 4, with: Data("zzzz".utf8))
        start = found.upperBound
      }
      let copy = TemporaryFolder.shared.url.appendingPathComponent("libMessagesOther2.so")
      try bytes.write(to: copy)
      let library = try unsafe SwiftLibrary(copy.path).trusting(.declarations)
      #expect(try library.function("open(_:)")(4, as: Int.self) == 12)
      let text = message { _ = try library.function("nothing()") }
      #expect(text.contains("another version of Swift has compiled the library"), "\(text)")
      #expect(text.contains("compile it with the version of this program"))
    }

    @Test("A function whose generic parameters its arguments do not fix is refused with its signature and what to do")
    func generics() throws {
      let library = try unsafe SwiftLibrary(Self.library()).trusting(.declarations)
      let text = message { _ = try library.function("generic(_:)") }
      #expect(text.contains("it is generic: <A>"), "\(text)")
      #expect(text.contains("call it in a function of the library that states the types"))
      let member = message { _ = try library.function("Box.value()") }
      #expect(member.contains("it is a member of the generic type 'Messages.Box'; call it in a function of the library"), "\(member)")
    }

    #if arch(x86_64)
      @Test("A Float80, which is passed on the stack and returned in an x87 register, is refused wherever it is passed")
      func extendedPrecision() throws {
        let core = try SwiftLibrary("libswiftCore.so")
        let error = try #require(throws: InvocationError.self) { try core.function("Swift._exp2(Swift.Float80)") }
        #expect(error.code == .unsupportedType && error.argument == .index(0))
        #expect(error.reason == "Swift.Float80 cannot be passed: it is passed in x87 registers or on the stack, which is not supported")
        let library = try SwiftCompiler.library(source: Self.extended, module: "Extended")
        let refused = [
          "argument(_:_:_:)", "result()", "structure(_:)", "optional(_:)", "choice(_:)", "tuple(_:)", "closure(_:)", "returned()",
          "Pair.sum()",
        ]
        for name in refused {
          let error = try #require(throws: InvocationError.self, "\(name)") { try library.function(name) }
          #expect(error.code == .unsupportedType && error.reason.contains("Swift.Float80 cannot be passed"), "\(error)")
        }
        // In memory it is like any other value.
        #expect(try library.function("array(_:)")([Float80(1), 2.5], as: Int.self) == 3)
        #expect(try library.function("any(_:)").call([Float80(2.5)]) as? Bool == true)
      }

      private static let extended = """
        public struct Pair { public var a: Float80; public var b: Int; public func sum() -> Int { Int(a) + b } }
        public enum Choice { case number(Float80), none }
        public func argument(_ a: Int, _ b: Float80, _ c: Int) -> Int { a + Int(b) + c }
        public func result() -> Float80 { 1.5 }
        public func structure(_ a: Pair) -> Int { a.b }
        public func optional(_ a: Float80?) -> Int { Int(a ?? 0) }
        public func choice(_ a: Choice) -> Int { 1 }
        public func tuple(_ a: (Int, Float80)) -> Int { a.0 }
        public func closure(_ a: (Float80) -> Int) -> Int { a(2) }
        public func returned() -> () -> Float80 { { 1.5 } }
        public func array(_ a: [Float80]) -> Int { Int(a.reduce(0, +)) }
        public func any(_ a: Any) -> Bool { a as? Float80 == 2.5 }
        """
    #endif

    @Test("An InlineArray is refused by its name")
    func inlineArrays() throws {
      let source = "public func total(_ a: InlineArray<4, Int>) -> Int { a[0] }"
      let library = try SwiftCompiler.library(source: source, module: "Inlined")
      let error = try #require(throws: InvocationError.self) { try library.function("total(_:)") }
      #expect(error.code == .unsupportedType && error.argument == .index(0))
      #expect(
        error.reason.hasPrefix("Swift.InlineArray<") && error.reason.hasSuffix("is of a kind (776) that is not supported"), "\(error)")
    }

    @Test("A number that does not fit is told apart from one of another type")
    func numbers() throws {
      let source = """
        public func narrow(_ a: Int8, _ b: Float) -> Int { Int(a) }
        public func add(_ a: Int, _ b: inout Int) { b += a }
        """
      let library = try SwiftCompiler.library(source: source, module: "Narrow")
      let narrow = try library.function("narrow(_:_:)")
      func error(_ first: Any, _ second: Any) throws -> InvocationError {
        let error = try #require(throws: InvocationError.self) { _ = try narrow.call([first, second]) }
        let call = narrow.makeInvocation()
        let other = try #require(throws: InvocationError.self) { try call.setArguments([first, second]) }
        #expect("\(error)" == "\(other)" && error.code == other.code)
        return error
      }
      #expect(try "\(error(-129, 1))" == "Narrow.narrow(_:_:): argument 0: -129 does not fit Swift.Int8")
      #expect(try error(-129, 1).code == .outOfRange)
      #expect(try "\(error(1, 16_777_217))" == "Narrow.narrow(_:_:): argument 1: 16777217 has no exact value of Swift.Float")
      #expect(try error(1, 16_777_217).code == .inexact)
      #expect(try "\(error(1, 1e300))" == "Narrow.narrow(_:_:): argument 1: 1e+300 does not fit Swift.Float")
      #expect(try error(1, 1e300).code == .outOfRange)
      #expect(try error(UInt(1), 1).code == .typeMismatch && error(1.0, 1).code == .typeMismatch)
      #expect(try narrow.call([-128, 0.1]) as? Int == -128)

      // A call has a form with `&` for its first argument only.
      let add = try library.function("add(_:_:)")
      #expect(
        message { try add(1, 2) }
          == "Narrow.add(_:_:): argument 1: the parameter is inout: pass an UnsafeMutablePointer to the variable, or use call(updating:)")
      var sum = 2
      try unsafe withUnsafeMutablePointer(to: &sum) { try unsafe add(1, $0) }
      #expect(sum == 3)
      // Also if another argument is converted.
      try unsafe withUnsafeMutablePointer(to: &sum) { try unsafe add(4 as Any, $0) }
      #expect(sum == 7)
    }

    private static let source = """
      public struct Item {
        public var number: Int
        public init(number: Int) { self.number = number }
        @inline(never) func hidden() -> Int { number }
      }
      public struct Box<A> { public var a: A; public func value() -> A { a } }
      public func open(_ value: Int) -> Int { secret(value) + inner() + Item(number: value).hidden() }
      @inline(never) private func secret(_ value: Int) -> Int { value }
      @inline(never) func inner() -> Int { 4 }
      public func generic<A>(_ a: A) -> [A] { [a] }
      """
  }
#endif
