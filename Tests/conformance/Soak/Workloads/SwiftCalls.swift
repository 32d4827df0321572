import DynamicInvocation
import SwiftFunctions
import TestSupport

/// Swift functions by their names, with texts, arrays, objects and closures: typed, boxed, as invocations, and throwing.
final class SwiftCalls: Workload {
  static let name: String = "Swift functions"
  static let weight: Int = 5

  private let world: World
  private let counter: CallCounter
  private var callees: SwiftCallees { world.swift }

  private struct Refusal: Error {}

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
  }

  func turn(_ generator: inout SeededGenerator) throws {
    let number = Int.random(in: 0...1_000_000, using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: try joinTyped(number)
    case 1: try joinByInvocation(number)
    case 2: try passObjects(number)
    case 3: try throwErrors(number)
    case 4: try passClosures(number)
    default: try makeItems(number)
    }
  }

  private func count(_ calls: Int, _ isRight: Bool, _ name: String) throws {
    counter.make(calls)
    guard isRight else { throw Failure("\(name) of a Swift library returned another value") }
    counter.receive(calls)
  }

  private func joinTyped(_ number: Int) throws {
    let list = ["a text of more than fifteen bytes", "number \(number)"]
    let typed: String = try callees.join(list, ", ")
    try callees.join(list, ", ")
    let boxed = try callees.join.call([list, ", "]) as? String
    try count(3, typed == list.map { $0 + ", " }.joined() && boxed == typed, "join")
  }

  private func joinByInvocation(_ number: Int) throws {
    let invocation = try callees.join.makeInvocation(arguments: [["a", "\(number)"], "+"])
    try invocation.invoke()
    let copy = invocation.copy()
    try copy.setArgument("a separator of more than fifteen bytes", at: 1)
    try copy.invoke()
    let (first, second): (String, String) = try (invocation.returnValue(), copy.returnValue())
    try count(2, first == "a+\(number)+" && second.hasSuffix("of more than fifteen bytes"), "join")
  }

  private func passObjects(_ number: Int) throws {
    let (first, second) = (world.tracker.object(number), world.tracker.object())
    let list: [AnyObject] = try callees.append(first as AnyObject, [second as AnyObject])
    let boxed = try callees.append.call([second, list]) as? [AnyObject]
    try count(2, list.count == 2 && list[1] === first && boxed?.count == 3 && boxed?[2] === second, "append")
  }

  private func throwErrors(_ number: Int) throws {
    let object = world.tracker.object(number)
    let text = String(repeating: "x", count: 20 + number % 2)
    var errors = 0
    var items = 0
    do {
      let item: AnyObject = try callees.check(object as AnyObject, text)
      items += try callees.text(item, as: String.self) == text ? 1 : 0
    } catch { errors += "\(error)".contains(text + text) ? 1 : 0 }
    let invocation = try callees.check.makeInvocation(arguments: [object, text])
    do { try invocation.invoke() } catch { errors += 1 }
    do { items += try callees.check.call([object, text]) is Void ? 0 : 1 } catch { errors += 1 }
    // An argument of another type is refused after the first was stored.
    do { _ = try callees.check.call([object, number]) } catch is InvocationError { errors += 1 }
    try count(3, number % 2 == 0 ? errors == 4 && items == 0 : errors == 1 && items == 2, "check")
  }

  private func passClosures(_ number: Int) throws {
    guard let each = callees.each, let maker = callees.maker else { return }
    let objects = (0..<3).map { world.tracker.object($0) }
    let kept = world.tracker.object(number)
    let body = { (object: AnyObject, text: String) throws -> String in
      guard let tracked = object as? LifetimeTracked, tracked.payload < 2 || kept.payload % 2 == 0 else { throw Refusal() }
      return "\(text), \(tracked.payload)"
    }
    var texts: [String] = []
    do { texts = try each(objects as [AnyObject], body) } catch is Refusal {}
    let make: (String, Double) -> AnyObject = try maker(kept as AnyObject)
    let isSame = try callees.object(make("a text of more than fifteen bytes", 0.5), as: AnyObject.self) === kept
    try count(3, texts.count == (number % 2 == 0 ? 3 : 0) && isSame, "each")
  }

  private func makeItems(_ number: Int) throws {
    let object = world.tracker.object(number)
    let item = try callees.make.call([object, "a text of more than fifteen bytes"]) as AnyObject
    try callees.setText(item, "another text, of object \(number)")
    let text: String = try callees.text(item)
    let isSame = try callees.object(item, as: AnyObject.self) === object
    try count(4, text == "another text, of object \(number)" && isSame, "Item")
  }
}

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
