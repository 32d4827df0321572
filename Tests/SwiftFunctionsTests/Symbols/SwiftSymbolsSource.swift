/// The source of a library with every kind of declaration.
enum SwiftSymbolsSource {
  static let text = """
    public struct Rect {
      public var width: Double
      public var height: Double
      public init(width: Double, height: Double) { self.width = width; self.height = height }
      public init?(square side: Double?) { guard let side else { return nil }; width = side; height = side }
      public func area(scale: Double) -> Double { width * height * scale }
      public mutating func grow(by amount: Double) { width += amount }
      public static func unit() -> Rect { Rect(width: 1, height: 1) }
      public static func both() -> Int { 1 }
      public func both() -> Int { 2 }
      public static var shared: Rect { get { unit() } set {} }
      public var diagonal: Double { (width * width + height * height).squareRoot() }
      public subscript(index: Int) -> Double { get { index == 0 ? width : height } set { width = newValue } }
      public subscript(named name: String, _ other: Int) -> Double? { nil }
      public static func + (a: Rect, b: Rect) -> Rect { Rect(width: a.width + b.width, height: a.height + b.height) }
      public struct Corner { public var name: String; public init(name: String) { self.name = name } }
    }
    public final class Counter {
      public var value: Int
      public init(start: Int) { value = start }
      public func next() -> Int { value += 1; return value }
      public static func make() -> Counter { Counter(start: 0) }
      public static var total: Int = 0
    }
    open class Shape {
      public init() {}
      open func name() -> String { "shape" }
      open class func kind() -> String { "none" }
      open func later() async -> Int { 1 }
      public func copy() -> Self { self }
    }
    public enum Level {
      case low, high(Int)
      public func rank() -> Int { 1 }
    }
    public protocol Greeter { func greet() -> String }
    extension Greeter { public func twice() -> String { greet() + greet() } }
    public protocol Container<Item> { associatedtype Item }
    public struct Hello: Greeter { public init() {}; public func greet() -> String { "hello" } }
    struct Hidden: Greeter { func greet() -> String { "hidden" } }
    public struct Addressed {
      var storage: UnsafeMutablePointer<Int>
      public var value: Int { unsafeAddress { UnsafePointer(storage) } unsafeMutableAddress { storage } }
    }
    public struct Problem: Error { public init() {} }
    public struct Box<T> { public init() {}; public func count() -> Int { 1 } }
    public struct Unique: ~Copyable { public init() {}; public func use() -> Int { 1 } }

    public func area(of rect: Rect, scale: Double) -> Double { rect.area(scale: scale) }
    public func area(of side: Double) -> Double { side * side }
    public func pick(_ value: Int) -> Int { value }
    public func pick(_ value: String) -> String { value }
    public func run() {}
    public func exchange(_ a: inout Int, _ b: __owned String, _ c: __shared [Int], d: consuming Counter, e: borrowing Rect) {}
    public func sum(_ values: Int..., scale: Double) -> Int { values.reduce(0, +) }
    public func fail(_ flag: Bool) throws -> Int { if flag { throw Problem() }; return 1 }
    public func failTyped() throws(Problem) -> Int { throw Problem() }
    public func later(_ x: Int) async throws -> String { "\\(x)" }
    public func apply(
      _ body: (Int) -> Int, lazily other: @autoclosure () -> Int, _ kept: @escaping @Sendable (inout String) async throws -> Void
    ) -> ((Rect) -> Int)? { nil }
    public func generic<T: Greeter>(_ x: T) -> T { x }
    public func opaque() -> some Greeter { Hello() }
    public func packs<each T>(_ x: repeat each T) {}
    public func unique(_ x: borrowing Unique) {}
    public func existentials(
      _ g: any Greeter, _ e: (any Error)?, _ t: any Greeter.Type, _ a: AnyObject, _ c: any Greeter & Sendable
    ) -> Any { g }
    public func constrained(_ k: any Container<Int>) {}
    public func tuples(_ pair: (x: Int, y: String?), _ empty: Void) -> (Int, [String: [Double]]) { (1, [:]) }
    public func types(_ type: Int.Type, _ other: Rect.Type) -> Any.Type { type }
    public func sent(_ x: sending Counter) -> sending Counter { x }
    public func corner(_ x: Rect.Corner, _ y: String.Tagged) -> Set<String>.Index? { nil }
    public func größe(_ µ: Int) -> Int { µ }
    public var global: Int = 1
    extension Int { public func doubled() -> Int { self * 2 } }
    extension String { public struct Tagged { public init(tag: String) {}; public var length: Int { 0 } } }
    prefix operator **
    public prefix func ** (x: Rect) -> Double { x.width }
    """
}
