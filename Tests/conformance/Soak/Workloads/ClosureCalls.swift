import DynamicInvocation
import TestSupport

/// Closures made, called by C and closed; some are shared with all threads, which replace them while others call.
final class ClosureCalls: Workload {
  static let name: String = "closures"
  static let weight: Int = 5

  private typealias Function = @convention(c) (Int, Int) -> Int

  private let world: World
  private let counter: CallCounter
  /// Closures of this thread that stay open for a while.
  private var open: [(closure: Closure, number: Int)] = []

  private struct Refusal: Error {}

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
  }

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

  /// An error makes the result zero and comes to who asked for it.
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
