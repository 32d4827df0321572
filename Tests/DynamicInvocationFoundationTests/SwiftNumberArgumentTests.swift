import SwiftFunctions
import DynamicInvocation
import EventRoutingFoundation
import Foundation
import TestSupport
import Testing

/// Numbers as arguments of Swift functions whose parameters have other number types.
@Suite(.measured) struct SwiftNumberArgumentTests {
  private static let types = [
    "Int8", "UInt8", "Int16", "UInt16", "Int32", "UInt32", "Int64", "UInt64", "Int", "UInt", "Int128", "UInt128", "Float16", "Float",
    "Double", "CGFloat",
  ]

  /// The operators of two integers, and those that assign.
  private static let operators = ["+", "-", "*", "/", "%", "&", "|", "^"].map {
    "public static func \($0) (a: Fixed, b: Fixed) -> Fixed { a }\npublic static func \($0)= (a: inout Fixed, b: Fixed) {}"
  }.joined(separator: "\n")

  private static let source =
    """
    import Foundation
    public struct Fixed: BinaryInteger, FixedWidthInteger {
      public typealias Words = Int.Words
      public typealias Magnitude = UInt
      public var value: Int
      public init(integerLiteral value: Int) { self.value = value }
      public init?<T: BinaryInteger>(exactly source: T) { fatalError("not implemented") }
      public init?<T: BinaryFloatingPoint>(exactly source: T) { fatalError("not implemented") }
      public init<T: BinaryInteger>(_ source: T) { fatalError("not implemented") }
      public init<T: BinaryFloatingPoint>(_ source: T) { fatalError("not implemented") }
      public init<T: BinaryInteger>(truncatingIfNeeded source: T) { fatalError("not implemented") }
      public init<T: BinaryInteger>(clamping source: T) { fatalError("not implemented") }
      public init(_truncatingBits bits: UInt) { value = Int(bitPattern: bits) }
      public static var bitWidth: Int { 64 }
      public static var isSigned: Bool { true }
      public static var max: Fixed { 1 }
      public static var min: Fixed { 1 }
      public var words: Int.Words { value.words }
      public var magnitude: UInt { value.magnitude }
      public var nonzeroBitCount: Int { 0 }
      public var leadingZeroBitCount: Int { 0 }
      public var trailingZeroBitCount: Int { 0 }
      public var byteSwapped: Fixed { self }
      public func addingReportingOverflow(_ x: Fixed) -> (partialValue: Fixed, overflow: Bool) { (self, false) }
      public func subtractingReportingOverflow(_ x: Fixed) -> (partialValue: Fixed, overflow: Bool) { (self, false) }
      public func multipliedReportingOverflow(by x: Fixed) -> (partialValue: Fixed, overflow: Bool) { (self, false) }
      public func dividedReportingOverflow(by x: Fixed) -> (partialValue: Fixed, overflow: Bool) { (self, false) }
      public func remainderReportingOverflow(dividingBy x: Fixed) -> (partialValue: Fixed, overflow: Bool) { (self, false) }
      public func multipliedFullWidth(by other: Fixed) -> (high: Fixed, low: UInt) { (self, 0) }
      public func dividingFullWidth(_ dividend: (high: Fixed, low: UInt)) -> (quotient: Fixed, remainder: Fixed) { (self, self) }
      \(operators)
      public static prefix func ~ (a: Fixed) -> Fixed { a }
    }
    public func echoFixed(_ n: Fixed) -> Fixed { n }
    public func echoDecimal(_ n: Decimal) -> Decimal { n }
    public func echoDuration(_ n: Duration) -> Duration { n }
    public func echoAny(_ n: Any?) -> Any? { n }
    public func echoList(_ n: [Int64?]) -> [Int64?] { n }
    open class Base { public init() {} }
    open class Derived: Base {}
    public func echoBase(_ n: Base??) -> Base?? { n }
    public struct Box { public init() {}; public var wide: Int64? = 1; public var real: CGFloat?? = 1 }

    """
    + types.map { type in
      """
      public func echo\(type)(_ n: \(type)) -> \(type) { n }
      public func echo\(type)Optional(_ n: \(type)?) -> \(type)? { n }
      public func echo\(type)Nested(_ n: \(type)??) -> \(type)?? { n }

      """
    }.joined()

  private static func library() throws -> SwiftLibrary {
    try unsafe SwiftLibrary(SwiftCompiler.sharedLibrary(source: source, module: "Numbers")).trusting(.declarations)
  }

  private static let integers: [Int] = [
    0, 1, -1, 3, 127, 128, 255, 256, -128, -129, 65_504, 65_505, 65_535, 65_536, 1 << 24, (1 << 24) + 1, 1 << 53, (1 << 53) + 1,
    -(1 << 53) - 1, .max, .min, .max - 1_023,
  ]
  private static let reals: [Double] = [
    0, -0.0, 0.1, 1, 65_504, 65_520, 1e20, -1e300, .greatestFiniteMagnitude, .leastNonzeroMagnitude, .leastNormalMagnitude, .pi, .nan,
    .infinity, -.infinity, Double(UInt64.max),
  ]

  private static func same(_ a: Any?, _ b: Any?) -> Bool { String(reflecting: a as Any) == String(reflecting: b as Any) }

  /// Compares the conversions to a type with the compiler's own calls.
  private static func check<N: Numeric>(
    _ type: N.Type, _ exact: (Int) -> N?, _ rounded: ((Double) -> N)?, isFinite: (N) -> Bool = { _ in true }
  ) throws {
    let name = "\(type)"
    let library = try library()
    let functions = try ["", "Optional", "Nested"].map { try library.function("echo\(name)\($0)(_:)") }
    for number in integers {
      for function in functions {
        let given = Result { try function.call([number]) }
        guard let wanted = exact(number) else {
          #expect(throws: InvocationError.self, "\(function.name) \(number)") { try given.get() }
          if case .failure(let error as InvocationError) = given { expect([.outOfRange, .inexact].contains(error.code), "\(error)") }
          continue
        }
        try expect((given.get() as? N).map { same($0, wanted) } ?? false, "\(function.name) \(number)")
        let invocation = try function.makeInvocation(arguments: [number])
        try expect(same(invocation.argument(at: 0, as: N.self), wanted))
      }
    }
    guard let rounded else {
      for function in functions { #expect(throws: InvocationError.self, "\(function.name)") { try function.call([1.0]) } }
      return
    }
    for number in reals {
      for function in functions {
        let wanted = rounded(number)
        let given = Result { try function.call([number]) }
        if !isFinite(wanted), number.isFinite {
          #expect { try given.get() } throws: { ($0 as? InvocationError)?.code == .outOfRange }
        } else {
          try expect((given.get() as? N).map { same($0, wanted) } ?? false, "\(function.name) \(number)")
        }
      }
    }
  }

  @Test("An Int becomes any number type that represents it, a Double any floating-point type, also in optionals")
  func numbers() throws {
    func check<N: FixedWidthInteger>(_ type: N.Type) throws { try Self.check(type, { N(exactly: $0) }, nil) }
    let integers: [any FixedWidthInteger.Type] = [
      Int8.self, UInt8.self, Int16.self, UInt16.self, Int32.self, UInt32.self, Int64.self, UInt64.self, Int.self, UInt.self, Int128.self,
      UInt128.self,
    ]
    for type in integers { try check(type) }
    #if !(os(macOS) && arch(x86_64))
      try Self.check(Float16.self, { Float16(exactly: $0) }, { Float16($0) }, isFinite: \.isFinite)
    #endif
    try Self.check(Float.self, { Float(exactly: $0) }, { Float($0) }, isFinite: \.isFinite)
    try Self.check(Double.self, { Double(exactly: $0) }, { $0 })
    try Self.check(CGFloat.self, { Double(exactly: $0).map { CGFloat($0) } }, { CGFloat($0) })
  }

  @Test("The initializers of types of other modules are not called: such types take values of their own only")
  func otherTypes() throws {
    let library = try Self.library()
    for name in ["Fixed", "Decimal", "Duration"] {
      let echo = try library.function("echo\(name)(_:)")
      for number in [3, Int.max, Int.min, 0.5, Double.nan] as [Any] {
        #expect { try echo.call([number]) } throws: { ($0 as? InvocationError)?.code == .typeMismatch }
      }
    }
    try expectEqual(library.function("echoDecimal(_:)").call([Decimal(3)]) as? Decimal, 3)
  }

  @Test("Conversions compose: optionals of optionals, superclasses, existential types; elements are converted as by as?")
  func composed() throws {
    let library = try Self.library()
    try expectEqual(library.function("echoAny(_:)").call([7]) as? Int, 7)
    let derived = try library.function("Derived.init()").call([]) as AnyObject
    try expect(library.function("echoBase(_:)").call([derived]) as AnyObject === derived)
    let list = try library.function("echoList(_:)")
    try expectEqual(list.call([[Int64(1), 2]]) as? [Int64?], [1, 2])
    #expect(throws: InvocationError.self) { try list.call([[1, 2]]) }
    var arguments = [try library.function("Box.init()").call([]), 77]
    _ = try library.function("Box.wide.setter").call(updating: &arguments)
    arguments = [arguments[0], 3]
    _ = try library.function("Box.real.setter").call(updating: &arguments)
    expectEqual("\(arguments[0])", "Box(wide: Optional(77), real: Optional(Optional(3.0)))")
    let nothing = try library.function("echoInt64Optional(_:)").call([Int?.none as Any])
    expect(nothing as? Int64? == .some(nil))
  }

  #if arch(x86_64)
    @Test("A Float80 in a wrapped value takes numbers, too") func extended() throws {
      let node = ResponderNode("node")
      nonisolated(unsafe) var seen: [Float80] = []
      try node.proxy.register("n") { (_: AnyObject?, n: SwiftValue<Float80>) in seen.append(n.value) }
      for number in [Int.max, 3] { expectEqual(node.send("n", any: [number]).handledCount, 1) }
      expectEqual(node.send("n", any: [0.5]).handledCount, 1)
      expectEqual(seen, [Float80(Int.max), 3, 0.5])
    }
  #endif
}
