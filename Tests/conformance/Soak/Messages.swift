import DynamicInvocation
import EventRoutingModel
import Foundation
import InvocationRecords
import TestSupport

/// Messages to objects whose classes' methods other threads add, replace and remove meanwhile.
final class Messages: Workload {
  static let name: String = "messages"
  static let weight: Int = 5

  private let world: World
  private let counter: CallCounter
  private var targets: [Account] = []
  /// An invocation that is used again and again, and remembers what it found.
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
    switch Int.random(in: 0..<7, using: &generator) {
    case 0, 1: try callKnown(target, &generator)
    case 2: try echo(target, &generator)
    case 3: try refuse(target, &generator)
    case 4: try change(&generator)
    default: try callExtra(target, &generator)
    }
  }

  /// A kept invocation of a C function, or a new one of a closure with a struct and with a text.
  private func callKnown(_ target: Account, _ generator: inout SeededGenerator) throws {
    let (a, b) = (Int.random(in: 0...300, using: &generator), Int.random(in: -1_000...1_000, using: &generator))
    kept.target = target
    kept.selector = MethodSelector("add(_:_:)")
    try kept.setArgument(a, at: 2)
    try kept.setArgument(b, at: 3)
    let area = try Invocation(target: target, selector: "area(of:)")
    try area.setArgument(Geometry.Rect(x: 0, y: 0, width: Double(a), height: 7), at: 2)
    let length = try Invocation(target: target, selector: "length(_:)")
    try length.setArgument(boxed: .string(String(repeating: "y", count: a)), at: 2)
    counter.make(3)
    for message in [kept, area, length] { try message.invoke() }
    guard try kept.returnValue(as: Int.self) == a + b, try area.returnValue(as: Double.self) == Double(7 * a),
      case .int(a) = try length.boxedReturnValue()
    else { throw Failure("a method gave something else for \(a), \(b)") }
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

  /// Gives a class a method, replaces a method that it has, or takes one away.
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

/// Messages that go to another target, are taken as invocations, recorded, replayed, undone, stored as data, and sent from C.
final class ForwardedMessages: CountedWorkload, Workload {
  static let name: String = "forwarding"
  static let weight: Int = 4

  private final class Relay: Forwarding {
    let account: Account
    init(_ account: Account) { self.account = account }
    func forwardingTarget(for selector: MethodSelector) -> AnyObject? { account }
  }

  private final class Doubling: InvocationProxy {
    override func forwardInvocation(_ invocation: Invocation) throws {
      if invocation.selector == "add(_:_:)" { try invocation.setArgument(2 * invocation.argument(at: 2, as: Int.self), at: 2) }
      try super.forwardInvocation(invocation)
    }
  }

  private typealias Message = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Int) -> Int

  private lazy var account: Account = Account(world.tracker, counter)

  func turn(_ generator: inout SeededGenerator) throws {
    let (a, b) = (Int.random(in: -1_000...1_000, using: &generator), Int.random(in: -1_000...1_000, using: &generator))
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: try send(Relay(account), a, b, a + b)
    case 1: try send(Doubling(target: account), a, b, 2 * a + b)
    case 2: try sendFromC(generator.oneIn(2) ? Relay(account) : InvocationProxy(target: account), a, b)
    case 3: try record(a, b)
    case 4: try store(a, b)
    default: try undo(&generator)
    }
  }

  private func message(_ target: AnyObject, _ a: Int, _ b: Int) throws -> Invocation {
    let message = try Invocation(target: target, selector: "add(_:_:)")
    try message.setArgument(a, at: 2)
    try message.setArgument(b, at: 3)
    return message
  }

  private func send(_ target: AnyObject, _ a: Int, _ b: Int, _ expected: Int) throws {
    let message = try message(target, a, b)
    for _ in 0..<2 {
      counter.make()
      try message.invoke()
      guard try message.returnValue(as: Int.self) == expected else { throw Failure("\(target) gave something else for \(a), \(b)") }
    }
    // An object is passed and returned.
    let echo = try Invocation(target: target, selector: "echo(_:)")
    try echo.setArgument(Account(world.tracker, counter), at: 2)
    counter.make()
    try echo.invoke()
    guard try echo.objectReturnValue() === echo.objectArgument(at: 2) else { throw Failure("another object came back") }
  }

  private func sendFromC(_ target: AnyObject, _ a: Int, _ b: Int) throws {
    guard CalleeLibrary.hasClosures else { return }
    let code = try Implementation.forwarding(MethodSignature(types: "q@:qq"))
    let function = unsafeBitCast(code.pointer, to: Message.self)
    counter.make()
    let got = withExtendedLifetime(target) {
      function(Unmanaged.passUnretained(target).toOpaque(), ("add(_:_:)" as MethodSelector).pointer, a, b)
    }
    guard got == a + b else { throw Failure("\(a) and \(b) from C: \(got)") }
  }

  private func record(_ a: Int, _ b: Int) throws {
    let recorder = InvocationRecorder(target: account)
    for number in 0..<3 { try message(recorder, a, b + number).invoke() }
    counter.make(6)
    try recorder.replay()
    try recorder.replay(on: account)
    let results = try recorder.invocations.map { try $0.returnValue(as: Int.self) }
    guard results == [a + b, a + b + 1, a + b + 2] else { throw Failure("replaying \(a), \(b): \(results)") }
  }

  private func store(_ a: Int, _ b: Int) throws {
    let data = try JSONEncoder().encode(InvocationRecord(message(account, a, b)))
    let again = try JSONDecoder().decode(InvocationRecord.self, from: data).makeInvocation(target: account)
    counter.make()
    try again.invoke()
    guard try again.returnValue(as: Int.self) == a + b else { throw Failure("stored: \(a), \(b)") }
  }

  private func undo(_ generator: inout SeededGenerator) throws {
    let account = Account(world.tracker, counter)
    let stack = InvocationUndoStack()
    account.undoStack = stack
    let values = (0..<4).map { _ in Int.random(in: 1...1_000, using: &generator) }
    for value in values {
      let message = try Invocation(target: account, selector: "setBalance(_:)")
      try message.setArgument(value, at: 2)
      counter.make()
      try message.invoke()
    }
    for expected in [values[2], values[1], values[0], 0] {
      counter.make()
      guard try stack.undo(), account.balance == expected else { throw Failure("undoing: \(account.balance), not \(expected)") }
    }
    for expected in values {
      counter.make()
      guard try stack.redo(), account.balance == expected else { throw Failure("redoing: \(account.balance), not \(expected)") }
    }
  }
}

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
    switch Int.random(in: 0..<7, using: &generator) {
    case 0: try visit(&generator)
    case 1..<4: try callShared(&generator)
    case 4: try changeOwn(&generator)
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
    let policy = generator.pick([ReturnPolicy<BoxedValue>.last, .first, .firstNonNil])
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
}

/// Scripts of events, registrations and changes of a tree of the thread's own, each compared with a model.
///
/// All threads use the same keys.
final class EventScripts: CountedWorkload, Workload {
  static let name: String = "event scripts"
  static let weight: Int = 1

  func turn(_ generator: inout SeededGenerator) throws {
    let script = EventScript(using: &generator)
    counter.make()
    if let difference = script.differenceOnThisThread() { throw Failure("\(script)\n\(difference)") }
    counter.receive()
  }
}
