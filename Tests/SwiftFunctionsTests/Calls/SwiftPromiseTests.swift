@testable import SwiftFunctions

#if os(Linux)
  import DynamicInvocation
  import Foundation
  import TestSupport
  import Testing

  /// Functions that safe code could not call, and the promises with which they are called.
  @Suite(.measured) struct SwiftPromiseTests {
    private static func library() throws -> SwiftLibrary {
      try SwiftLibrary(SwiftCompiler.sharedLibrary(source: source, module: "Promising", flags: ["-swift-version", "6"]))
    }

    private static let source = """
      public final class Small { public init() {}; public consuming func close() {}; public func open() -> Int { 1 } }
      public struct Box { let small: Small; public init() { small = Small() }; public consuming func finish() -> Small { small } }
      public struct Number { public let number: Int; public init(_ number: Int) { self.number = number }; public consuming func taken() -> Int { number } }
      @MainActor public func render() -> Int { 1 }
      @MainActor open class Page { public init() {}; open func bump() {} }
      public func plain(_ number: Int) -> Int { number + 1 }
      public func later(_ number: Double) async -> Double { number }
      public actor Account { public init() {}; public func total() -> Int { 7 } }
      public func fill(_ bytes: UnsafeMutablePointer<Int>) { bytes.pointee = 5 }
      public func all(_ lists: [UnsafeMutableRawBufferPointer]) -> Int { lists.count }
      public func held() -> Unmanaged<Small>? { nil }
      public func closure(_ body: (UnsafePointer<Int>) -> Void) {}
      public func opaque(_ pair: (Int, OpaquePointer?)) {}
      extension UnsafeRawPointer { public var isOdd: Bool { true } }
      public struct Unique: ~Copyable { public init() {}; public func look() -> Int { 1 } }
      """

    @Test("A function of a library is called with the promise that it is called as it is declared")
    func declarations() throws {
      let library = try Self.library()
      let trusted = unsafe library.trusting(.declarations)
      for name in [
        "Small.close()", "Small.open()", "Box.finish()", "Number.taken()", "Number.number", "render()", "Page.bump()", "plain(_:)",
      ] {
        let text = message { _ = try library.function(name) }
        #expect(
          text.contains("is isolated to a global actor") && text.contains("'unsafe library.trusting(.declarations)'"),
          "\(name): \(text)")
        #expect(message { _ = try trusted.function(name) } == "no error", "\(name)")
      }
      #expect(message { _ = try library.function("Small.open()") }.contains("consumes its target"))
      #expect(!message { _ = try library.function("plain(_:)") }.contains("consumes its target"))
      #expect(message { _ = try library.asyncFunction("later(_:)") }.contains("whether it is unsafe; state"))
      #expect(try trusted.function("plain(_:)")(1, as: Int.self) == 2)
      #expect(library.promises == [] && trusted.promises == .declarations)
      #expect("\(SwiftLibrary.Promises.all)" == "[declarations, isolation, pointers, fixedLayouts]")
    }

    @Test("A synchronous member of an actor names its promise, from each side")
    func actors() throws {
      let library = unsafe try Self.library().trusting(.declarations)
      let text = message { _ = try library.function("Account.total()") }
      #expect(
        text.contains("it is a member of the actor Promising.Account, and its symbol does not state its isolation; call it on the actor"))
      #expect(text.contains("'unsafe library.trusting(.isolation)'"))
      #expect(
        message { _ = try library.asyncFunction("Account.total()") }.contains(
          "function(_:) with the promise 'unsafe library.trusting(.isolation)'"))
      let account = try library.function("Account.init()").call([])
      #expect(try unsafe library.trusting(.isolation).function("Account.total()").call([account]) as? Int == 7)
    }

    @Test("A function with an unsafe type anywhere in its declaration names its promise")
    func pointers() throws {
      let library = unsafe try Self.library().trusting(.declarations)
      for name in ["fill(_:)", "all(_:)", "held()", "closure(_:)", "opaque(_:)", "UnsafeRawPointer.isOdd"] {
        let text = message { _ = try library.function(name) }
        #expect(text.contains("is unsafe") && text.contains("'unsafe library.trusting(.pointers)'"), "\(name): \(text)")
      }
      var number = 1
      let fill = try unsafe library.trusting(.pointers).function("fill(_:)")
      try unsafe withUnsafeMutablePointer(to: &number) { try unsafe fill($0) }
      #expect(number == 5)
      let core = try SwiftLibrary("libswiftCore.so")
      for name in ["UnsafeMutableRawPointer.allocate(byteCount:alignment:)", "UnsafeMutableRawPointer.deallocate()"] {
        #expect(message { _ = try core.function(name) }.contains("trusting(.pointers)"), "\(name)")
      }
    }

    @Test("A noncopyable type is named as such")
    func noncopyable() throws {
      let library = unsafe try Self.library().trusting(.all)
      for name in ["Unique.init()", "Unique.look()"] {
        #expect(
          message { _ = try library.function(name) }.hasSuffix(
            "it is a member of 'Promising.Unique': values of 'Promising.Unique' cannot be copied"))
      }
    }

    // MARK: The toolchain

    @Test("The frozen types of the toolchain are known as such, and no others", arguments: ["Swift", "_Concurrency"])
    func frozenTypes(_ module: String) throws { #expect(try ToolchainComparison.frozenTypes(of: module) == []) }

    @Test("Functions of the toolchain that consume their target, are isolated or unsafe are known", arguments: ["Swift", "Observation"])
    func toolchain(_ module: String) throws { #expect(try ToolchainComparison.promises(of: module) == []) }
  }
#endif
