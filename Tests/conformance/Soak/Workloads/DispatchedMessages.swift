import DynamicInvocation
import TestSupport

/// Messages to several objects: by a dispatcher of the thread's own, and by one that all threads change.
final class DispatchedMessages: Workload {
  static let name: String = "dispatching"
  static let weight: Int = 3

  private let world: World
  private let counter: CallCounter
  private let own: ProtocolDispatcher
  private var listeners: [Listener]
  private let invocation: Invocation
  /// Guests in the shared dispatcher, who leave or end after a while.
  private var guests: [Listener] = []

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) throws {
    self.world = world
    self.counter = counter
    listeners = (0..<4).map { _ in Listener(world.tracker, counter) }
    own = try ProtocolDispatcher(Listener.description(), implementers: listeners)
    invocation = Invocation(try MethodSignature(types: "q@:q"))
    invocation.selector = "count(_:)"
  }

  func turn(_ generator: inout SeededGenerator) throws {
    switch Int.random(in: 0..<8, using: &generator) {
    case 0: try visit(&generator)
    case 1..<4: try callShared(&generator)
    case 4: try changeOwn(&generator)
    case 5: try callTable(&generator)
    default: try callOwn(&generator)
    }
  }

  /// Sends a guest to the shared dispatcher, or lets some go: half of them are removed, half just end.
  private func visit(_ generator: inout SeededGenerator) throws {
    let guest = Listener(world.tracker, world.audience.counter)
    try world.audience.dispatcher.append(guest)
    guests.append(guest)
    guard guests.count > 3 else { return }
    if generator.oneIn(2) { for guest in guests { world.audience.dispatcher.remove(guest) } }
    guests = []
  }

  private func callShared(_ generator: inout SeededGenerator) throws {
    let value = Int.random(in: 0...1_000, using: &generator)
    invocation.target = world.audience.dispatcher
    try invocation.setArgument(value, at: 2)
    let outcome = try world.audience.dispatcher.dispatch(invocation)
    // One of the members refuses. Who was called is known afterwards, and counted by another counter.
    let calls = outcome.responderCount + outcome.failures.count
    guard outcome.failures.count == 1, outcome.responderCount >= 2 else {
      throw Failure("\(outcome.responderCount) responded, \(outcome.failures.count) failed")
    }
    guard try invocation.returnValue(as: Int.self) == value + 1 else { throw Failure("the shared dispatcher gave something else") }
    world.audience.counter.make(calls)
  }

  private func changeOwn(_ generator: inout SeededGenerator) throws {
    let index = Int.random(in: 0..<listeners.count, using: &generator)
    let replacement = Listener(world.tracker, counter)
    if generator.oneIn(2) { own.remove(listeners[index]) }
    listeners[index] = replacement
    try own.append(replacement)
  }

  private func callOwn(_ generator: inout SeededGenerator) throws {
    let policy = generator.pick([ReturnPolicy<BoxedValue>.last, .first, .firstNonNil, .all])
    own.setReturnPolicy(policy)
    let (a, b) = (Int.random(in: 0...1_000, using: &generator), Int.random(in: 0...1_000, using: &generator))
    let message = try Invocation(target: own, selector: "sum(_:_:)")
    try message.setArguments(boxed: [.int(a), .int(b)])
    let outcome = try own.dispatch(message)
    counter.make(outcome.responderCount)
    guard [1, listeners.count].contains(outcome.responderCount), outcome.failures.isEmpty else {
      throw Failure("\(outcome.responderCount) of \(listeners.count) responded under \(policy)")
    }
    guard try message.returnValue(as: Int.self) == a + b else { throw Failure("the own dispatcher gave something else") }
  }

  /// C calls the functions of a table.
  private func callTable(_ generator: inout SeededGenerator) throws {
    guard CalleeLibrary.hasClosures else { return }
    own.setReturnPolicy(.last)
    let table = try own.functionTable(.userDataFirst)
    guard let code = table.function(for: "sum(_:_:)") else { throw Failure("no function in the table") }
    let function = unsafeBitCast(code, to: (@convention(c) (UnsafeRawPointer?, Int, Int) -> Int).self)
    counter.make(listeners.count)
    let got = withExtendedLifetime(table) { function(nil, 3, 4) }
    guard got == 7 else { throw Failure("a function of the table gave \(got)") }
  }
}
