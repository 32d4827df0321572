import DynamicInvocation
import SwiftFunctions
import TestSupport

/// Callees of random signatures that C compilers made, on both backends, with raw and with boxed values.
final class CompiledCalls: CountedWorkload, Workload {
  static let name: String = "C callees"
  static let weight: Int = 12

  func turn(_ generator: inout SeededGenerator) throws {
    let library = generator.pick(world.libraries)
    let index = Int.random(in: 0..<library.signatures.count, using: &generator)
    let seed = generator.next()
    let before = library.callCount
    if generator.oneIn(3) {
      if let wrong = try library.boxedFailure(of: index, seed: seed) { throw Failure("boxed: \(wrong)") }
      counter.make()
    } else {
      var outcome = try library.outcome(of: index, seed: seed, backend: generator.pick(CalleeLibrary.backends))
      if case .notOnBackend = outcome { outcome = try library.outcome(of: index, seed: seed, backend: .automatic) }
      if case .wrong(let failure) = outcome { throw Failure("\(failure)") }
      counter.make(2)
    }
    counter.receive(library.callCount - before)
  }
}

extension CalleeLibrary {
  /// Calls one callee with boxes of random values; says what went wrong, or returns nil.
  fileprivate func boxedFailure(of index: Int, seed: UInt64) throws -> String? {
    let signature = signatures[index]
    let types = signature.types
    var generator = SeededGenerator(seed: seed)
    let memory = SampleMemory(arguments: types.arguments, result: types.result, using: &generator)
    defer { memory.deallocate() }
    let invocation = Invocation(try MethodSignature(types, fixedArgumentCount: signature.fixedCount), retainsArguments: false)
    for (index, type) in types.arguments.enumerated() {
      guard let value = memory.values[index] else { continue }
      if type.isBoxed {
        try invocation.setArgument(boxed: BoxedValue(reading: value, as: type), at: index)
      } else {
        try invocation.setArgument(from: value, at: index)
      }
    }
    announce(memory)
    try invocation.invoke(using: Implementation(try library.symbol("f\(index)"), keeping: library))
    if let wrong = firstWrongArgument { return "argument \(wrong) of '\(signature)' by \(compiledBy) arrived wrong, seed \(seed)" }
    guard let size = types.result.size, size > 0 else { return nil }
    var result = [UInt8](repeating: 0, count: size)
    try result.withUnsafeMutableBytes { bytes in
      guard let address = bytes.baseAddress else { return }
      if types.result.isBoxed {
        try invocation.boxedReturnValue().write(to: address, as: types.result)
      } else {
        try invocation.getReturnValue(into: address)
      }
    }
    return memory.resultSample.firstDifference(from: result).map {
      "the result of '\(signature)' by \(compiledBy) is wrong at byte \($0), seed \(seed)"
    }
  }
}

extension TypeEncoding {
  /// Whether a random value of the type may be boxed: a text is read, the addresses here lead nowhere, and no reference is made of bytes.
  fileprivate var isBoxed: Bool {
    switch kind {
    case .cString, .atom, .array: false
    default: !holdsReferences
    }
  }
}

/// Functions whose types Swift knows: typed, boxed and by an invocation, on both backends.
final class TypedCalls: CountedWorkload, Workload {
  static let name: String = "typed calls"
  static let weight: Int = 5

  // The first argument counts the calls.
  private static let mixed: @convention(c) (UnsafeMutablePointer<Int>, Double, Geometry.Rect, UnsafePointer<CChar>) -> Double = {
    count, real, rect, text in
    count.pointee += 1
    var length = 0
    while text[length] != 0 { length += 1 }
    return real + rect.origin.x - rect.size.height + Double(length)
  }
  private static let same: @convention(c) (UnsafeMutablePointer<Int>, UnsafeRawPointer?) -> UnsafeRawPointer? = { count, object in
    count.pointee += 1
    return object
  }

  private let count: UnsafeMutablePointer<Int> = {
    let count = UnsafeMutablePointer<Int>.allocate(capacity: 1)
    count.initialize(to: 0)
    return count
  }()

  deinit { count.deallocate() }

  func turn(_ generator: inout SeededGenerator) throws {
    let backend = generator.pick(CalleeLibrary.backends)
    let before = count.pointee
    if generator.oneIn(4) { try callSame(backend, &generator) } else { try callMixed(backend, &generator) }
    counter.receive(count.pointee - before)
  }

  private func callMixed(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    // Made anew each time: the table of signatures is shared.
    let signature = try MethodSignature(types: "d^qd{Rect={Point=dd}{Size=dd}}*", backend: backend)
    let implementation = Implementation(function: Self.mixed)
    let real = Double(Int.random(in: -1_000...1_000, using: &generator))
    let rect = Geometry.Rect(x: 2 * real, y: 1, width: 2, height: 7)
    let length = Int.random(in: 0...200, using: &generator)
    let text = String(repeating: "x", count: length)
    counter.make()
    let got: Double
    switch Int.random(in: 0..<3, using: &generator) {
    case 0: got = try ForeignFunction(implementation, signature)(count, real, rect, text)
    case 1:
      let invocation = Invocation(signature)
      try invocation.setArgument(count, at: 0)
      try invocation.setArgument(real, at: 1)
      try invocation.setArgument(rect, at: 2)
      try invocation.setArgument(boxed: .string(text), at: 3)
      try invocation.invoke(using: implementation)
      got = try invocation.returnValue()
    default:
      let invocation = Invocation(signature)
      try invocation.setArguments(boxed: [.pointer(count), .double(real), .rect(rect), .string(text)])
      try invocation.invoke(using: implementation)
      guard case .double(let value) = try invocation.boxedReturnValue() else { throw Failure("no double") }
      got = value
    }
    guard got == 3 * real - 7 + Double(length) else { throw Failure("\(real), a text of \(length): \(got)") }
  }

  private func callSame(_ backend: CallBackend, _ generator: inout SeededGenerator) throws {
    let invocation = Invocation(try MethodSignature(types: "@^q@", backend: backend))
    let payload = Int.random(in: 0...1_000_000, using: &generator)
    try invocation.setArgument(count, at: 0)
    // The invocation alone keeps it.
    try invocation.setArgument(generator.oneIn(8) ? nil : world.tracker.object(payload), at: 1)
    let isNull = try invocation.objectArgument(at: 1) == nil
    for _ in 0..<2 {
      counter.make()
      try invocation.invoke(using: Implementation(function: Self.same))
      let object = try invocation.objectReturnValue() as? LifetimeTracked
      guard isNull ? object == nil : object?.payload == payload else { throw Failure("\(payload): \(String(describing: object))") }
    }
  }
}

/// Closures made, called by C and closed; some are shared with all threads, which replace them while others call.
final class ClosureCalls: CountedWorkload, Workload {
  static let name: String = "closures"
  static let weight: Int = 5

  private typealias Function = @convention(c) (Int, Int) -> Int

  /// Closures of this thread that stay open for a while.
  private var open: [(closure: Closure, number: Int)] = []

  private struct Refusal: Error {}

  func turn(_ generator: inout SeededGenerator) throws {
    guard CalleeLibrary.hasClosures else { return }
    switch Int.random(in: 0..<12, using: &generator) {
    case 0..<3: try callBack(&generator)
    case 3, 4: try passOn(&generator)
    case 5..<8: try makeAndCall(&generator)
    case 8: try world.closures.replace(counter, using: &generator)
    case 9, 10: try callShared(&generator)
    default: try fail(&generator)
    }
  }

  private func pick(_ generator: inout SeededGenerator) -> (library: CalleeLibrary, index: Int) {
    let number = Int.random(in: 0..<world.libraries.count, using: &generator)
    return (world.libraries[number], generator.pick(world.callable[number]))
  }

  /// Code of a compiler calls a closure of random types twice; it counts its calls itself.
  private func callBack(_ generator: inout SeededGenerator) throws {
    let (library, index) = pick(&generator)
    counter.make(2)
    if let failure = try library.callbackFailure(of: index, seed: generator.next()) { throw Failure("\(failure)") }
    counter.receive(2)
  }

  /// Code of a compiler calls a closure that passes the call on to a callee.
  private func passOn(_ generator: inout SeededGenerator) throws {
    let (library, index) = pick(&generator)
    let signature = library.signatures[index]
    let callee = Implementation(try library.library.symbol("f\(index)"), keeping: library.library)
    let isCopied = generator.oneIn(2)
    let closure = try Closure(MethodSignature(signature.types)) { call in
      guard isCopied else { return try call.forward(to: callee) }
      let invocation = call.makeInvocation(retainsArguments: false)
      try invocation.call(callee)
      try call.setReturnValue(of: invocation)
    }
    let before = library.callCount
    counter.make()
    if let wrong = try library.passingFailure(of: index, through: closure, seed: generator.next()) {
      throw Failure("'\(signature)' passed on: \(wrong)")
    }
    counter.receive(library.callCount - before)
  }

  private func makeAndCall(_ generator: inout SeededGenerator) throws {
    let number = Int.random(in: 0...1_000_000, using: &generator)
    let object = world.tracker.object(number)
    let closure = try Closure(types: "qqq") { [counter] (a: Int, b: Int) -> Int in
      counter.receive()
      return object.payload + a * b
    }
    open.append((closure, number))
    if open.count > 40 { open.removeFirst(Int.random(in: 1...40, using: &generator)) }
    for (closure, number) in open.suffix(3) {
      counter.make()
      let got = closure.withFunction(as: Function.self) { $0(6, 7) }
      guard got == number + 42 else { throw Failure("closure \(number) gave \(got)") }
    }
  }

  private func callShared(_ generator: inout SeededGenerator) throws {
    guard let closure = world.closures.pick(using: &generator) else { return }
    let value = Int.random(in: 0...1_000_000, using: &generator)
    counter.make()
    let got = closure.withFunction(as: Function.self) { $0(value, 5) }
    guard got == value + 5 else { throw Failure("a shared closure gave \(got) for \(value)") }
  }

  /// An error makes the result zero, and `onError` gets it.
  private func fail(_ generator: inout SeededGenerator) throws {
    let object = world.tracker.object()
    let signature = try MethodSignature(types: "@qq")
    let closure = try Closure(signature, onError: { [counter] error in if error is Refusal { counter.receive() } }) { call in
      try call.setReturnValue(object)
      throw Refusal()
    }
    let result: UnsafeRawPointer? = closure.withFunction(as: (@convention(c) (Int, Int) -> UnsafeRawPointer?).self) { function in
      counter.make()
      return function(1, 2)
    }
    guard result == nil else { throw Failure("a closure that threw returned an object") }
  }
}

/// Swift functions by their names, with texts, arrays, objects and closures: typed, boxed, as invocations, and throwing.
final class SwiftCalls: CountedWorkload, Workload {
  static let name: String = "Swift functions"
  static let weight: Int = 5

  private var callees: SwiftCallees { world.swift }

  private struct Refusal: Error {}

  func turn(_ generator: inout SeededGenerator) throws {
    let number = Int.random(in: 0...1_000_000, using: &generator)
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: try join(number)
    case 1: try passObjects(number)
    case 2: try throwErrors(number)
    default: try passClosures(number)
    }
  }

  private func count(_ calls: Int, _ isRight: Bool, _ name: String) throws {
    counter.make(calls)
    guard isRight else { throw Failure("\(name) of a Swift library returned another value") }
    counter.receive(calls)
  }

  private func join(_ number: Int) throws {
    let list = ["a text of more than fifteen bytes", "number \(number)"]
    let typed: String = try callees.join(list, ", ")
    let boxed = try callees.join.call([list, ", "]) as? String
    let invocation = try callees.join.makeInvocation(arguments: [list, "+"])
    try invocation.invoke()
    let copy = invocation.copy()
    try copy.setArgument(", ", at: 1)
    try copy.invoke()
    let (first, second): (String, String) = try (invocation.returnValue(), copy.returnValue())
    let expected = list.map { $0 + ", " }.joined()
    try count(4, typed == expected && boxed == typed && second == typed && first.hasSuffix("\(number)+"), "join")
  }

  private func passObjects(_ number: Int) throws {
    let (first, second) = (world.tracker.object(number), world.tracker.object())
    let list: [AnyObject] = try callees.append(first as AnyObject, [second as AnyObject])
    let boxed = try callees.append.call([second, list]) as? [AnyObject]
    try count(2, list.count == 2 && list[1] === first && boxed?.count == 3 && boxed?[2] === second, "append")
    let item = try callees.make.call([first, "a text of more than fifteen bytes"]) as AnyObject
    try callees.setText(item, "another text, of object \(number)")
    let text: String = try callees.text(item)
    let isSame = try callees.object(item, as: AnyObject.self) === first
    try count(4, text == "another text, of object \(number)" && isSame, "Item")
  }

  private func throwErrors(_ number: Int) throws {
    let object = world.tracker.object(number)
    let text = String(repeating: "x", count: 20 + number % 2)
    var (errors, items) = (0, 0)
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
