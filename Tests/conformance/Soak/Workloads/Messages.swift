import DynamicInvocation
import TestSupport

/// Messages to objects whose classes' methods other threads add, replace and remove meanwhile.
final class Messages: Workload {
  static let name: String = "messages"
  static let weight: Int = 5

  private let world: World
  private let counter: CallCounter
  private var targets: [Account] = []
  /// One that is used again and again, and remembers what it found.
  private let kept: Invocation

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws {
    self.world = world
    self.counter = counter
    kept = Invocation(try MethodSignature(types: "q@:qq"))
    targets = [Account(world.tracker, counter), SavingsAccount(world.tracker, counter)]
  }

  func turn(_ generator: inout SeededGenerator) throws {
    let index = Int.random(in: 0..<targets.count, using: &generator)
    if generator.oneIn(20) { targets[index] = type(of: targets[index]).init(world.tracker, counter) }
    let target = targets[index]
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try add(target, &generator)
    case 1: try area(target, &generator)
    case 2: try echo(target, &generator)
    case 3: try length(target, &generator)
    case 4: try refuse(target, &generator)
    case 5: try change(&generator)
    default: try callExtra(target, &generator)
    }
  }

  private func add(_ target: Account, _ generator: inout SeededGenerator) throws {
    let (a, b) = (Int.random(in: -1_000...1_000, using: &generator), Int.random(in: -1_000...1_000, using: &generator))
    kept.target = target
    kept.selector = MethodSelector("add(_:_:)")
    try kept.setArgument(a, at: 2)
    try kept.setArgument(b, at: 3)
    counter.make()
    try kept.invoke()
    guard try kept.returnValue(as: Int.self) == a + b else { throw Failure("add \(a) \(b)") }
  }

  private func area(_ target: Account, _ generator: inout SeededGenerator) throws {
    let message = try Invocation(target: target, selector: "area(of:)")
    let rect = Geometry.Rect(x: 0, y: 0, width: Double(Int.random(in: 0...99, using: &generator)), height: 7)
    if generator.oneIn(2) { try message.setArgument(rect, at: 2) } else { try message.setArgument(boxed: .rect(rect), at: 2) }
    counter.make()
    try message.invoke()
    guard try message.returnValue(as: Double.self) == rect.size.width * 7 else { throw Failure("area of \(rect)") }
  }

  private func echo(_ target: Account, _ generator: inout SeededGenerator) throws {
    let message = try Invocation(target: target, selector: "echo(_:)")
    let other = generator.oneIn(5) ? nil : Account(world.tracker, counter)
    let address = other.map { ObjectIdentifier($0) }
    try message.setArgument(other, at: 2)
    let copy = generator.oneIn(3) ? message.copy() : message
    counter.make()
    try copy.invoke()
    guard try copy.objectReturnValue().map({ ObjectIdentifier($0) }) == address else { throw Failure("another object came back") }
  }

  private func length(_ target: Account, _ generator: inout SeededGenerator) throws {
    let message = try Invocation(target: target, selector: "length(_:)")
    let count = Int.random(in: 0...300, using: &generator)
    try message.setArgument(boxed: .string(String(repeating: "y", count: count)), at: 2)
    counter.make()
    try message.invoke()
    guard case .int(count) = try message.boxedReturnValue() else { throw Failure("length of \(count)") }
  }

  private func refuse(_ target: Account, _ generator: inout SeededGenerator) throws {
    let message = try Invocation(target: target, selector: "refuse(_:)")
    let number = Int.random(in: 0...1_000, using: &generator)
    try message.setArgument(number, at: 2)
    counter.make()
    do {
      try message.invoke()
      guard number % 2 == 0, try message.returnValue(as: Int.self) == number else { throw Failure("\(number) was not refused") }
    } catch let error as Account.Refusal {
      guard error.number == number, number % 2 == 1, !message.hasReturnValue else { throw Failure("\(number) was refused: \(error)") }
    }
  }

  /// Gives a class a method, another one for one that it has, or takes one away.
  private func change(_ generator: inout SeededGenerator) throws {
    let table = MethodTable.of(generator.oneIn(2) ? Account.self : SavingsAccount.self)
    let selector = Account.extra(using: &generator)
    if generator.oneIn(3) {
      table.remove(selector)
      return
    }
    let object = world.tracker.object()
    try table.replace(
      selector,
      Implementation { (account: Account, value: Int) -> Int in
        account.counter.receive()
        return withExtendedLifetime(object) { 2 * value }
      })
  }

  private func callExtra(_ target: Account, _ generator: inout SeededGenerator) throws {
    let message = Invocation(try MethodSignature(types: "q@:q"))
    message.target = target
    message.selector = Account.extra(using: &generator)
    let value = Int.random(in: 0...1_000, using: &generator)
    try message.setArgument(value, at: 2)
    do {
      try message.invoke()
      counter.make()
    } catch let error as InvocationError where error.code == .unrecognizedSelector {
      return
    }
    guard try message.returnValue(as: Int.self) == 2 * value else { throw Failure("an extra method gave something else for \(value)") }
  }
}
