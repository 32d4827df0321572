import DynamicInvocation
import SwiftFunctions
import TestSupport

/// The text of the error that a closure throws.
func message(_ body: () throws -> Void) -> String { InvocationFixtures.message(body) }

/// A Swift library that is compiled for the tests.
enum SwiftLibraryCode {
  static func library() throws -> SwiftLibrary {
    try SwiftCompiler.library(source: source, module: "Shapes", flags: ["-swift-version", "6"])
  }

  private static let source = """
    #if canImport(Glibc)
    import Glibc
    #elseif canImport(Musl)
    import Musl
    #else
    import Darwin
    #endif
    public struct Point { public var x: Double, y: Double; public init(x: Double, y: Double) { self.x = x; self.y = y } }
    public struct Failure: Error, Equatable { public var code: Int }
    public struct Detailed: Error { public var code: Int; public var text: String; public var rate: Double }
    // Of each thread, as tests run at the same time.
    nonisolated(unsafe) let aliveKey: pthread_key_t = { var key = pthread_key_t(); pthread_key_create(&key, nil); return key }()
    var alive: Int {
      get { Int(bitPattern: pthread_getspecific(aliveKey)) }
      set { pthread_setspecific(aliveKey, UnsafeMutableRawPointer(bitPattern: newValue)) }
    }
    open class Shape {
      public var name: String
      public init(name: String) { self.name = name; alive += 1 }
      deinit { alive -= 1 }
      open func area() -> Double { 1 }
      public final func renamed(_ other: String) -> Shape { Shape(name: name + other) }
    }
    public class Square: Shape {
      override public func area() -> Double { 4 }
    }
    public func halved(_ value: Float) -> Float { value / 2 }
    public func square() -> Shape { Square(name: "square") }
    public func aliveCount() -> Int { alive }
    public func untyped(_ code: Int) throws -> Int { if code > 2 { throw Failure(code: code) }; return code }
    public func typed(_ code: Int) throws(Failure) -> Double { if code > 2 { throw Failure(code: code) }; return 0.5 }
    public func detailed(_ code: Int) throws(Detailed) -> String {
      if code > 2 { throw Detailed(code: code, text: "a text on the heap, of more than 15 bytes", rate: 1.5) }; return "fine"
    }
    public func swap(_ left: inout String, _ right: inout Int) -> Bool { left += "!"; right += 1; return true }
    public func event(_ tag: Int, _ from: Point, _ to: Point, _ name: String) -> Double {
      Double(tag) + from.x + from.y + to.x + to.y + Double(name.utf8.count)
    }
    public func consume(_ list: __owned [String], _ shape: __owned Shape) -> Int { list.count + shape.name.count }
    """
}
