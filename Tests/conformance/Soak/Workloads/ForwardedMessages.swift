import DynamicInvocation
import InvocationRecords
import Foundation
import TestSupport

/// Messages that go to another target, are taken as invocations, recorded, replayed, undone, stored as data, and sent from C.
final class ForwardedMessages: Workload {
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

  private let world: World
  private let counter: CallCounter
  private let account: Account

  init(_ world: World, _ counter: CallCounter, _ generator: inout SeededGenerator) {
    self.world = world
    self.counter = counter
    account = Account(world.tracker, counter)
  }

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
    // An object goes there and back.
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
