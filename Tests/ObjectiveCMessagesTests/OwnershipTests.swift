import DynamicInvocation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct OwnershipTests {
  private struct Failure: Error {}

  private func number(_ oracle: String, _ object: ObjectiveCObject) throws -> Int32 {
    try Fixtures.function(oracle, "i^v")(Optional(object.objectPointer))
  }

  private func initialized(_ type: ObjectiveCObject) throws -> Int32 {
    try Fixtures.function("o_init", "i^vi")(Optional(type.objectPointer), Int32(5))
  }

  /// What hooks of an initializer do, and the number of the object that compiled code gets then.
  private static let hooks: [(name: String, result: Int32, body: ObjectiveCHook.Body)] = [
    ("passes on", 5, { call, original in try call.forward(to: original) }),
    (
      "passes on twice", 5,
      { call, original in
        try call.forward(to: original)
        try call.forward(to: original)
      }
    ),
    ("returns nil", -1, { call, _ in try call.setReturnValue(ObjectiveCObject?.none) }),
    ("sets nothing", -1, { _, _ in }),
    ("throws", -1, { _, _ in throw Failure() }),
    (
      "reads and returns nil", -1,
      { call, _ in
        _ = try call.argument(at: 0, as: ObjectiveCObject.self)
        try call.setReturnValue(ObjectiveCObject?.none)
      }
    ),
    ("returns another object", 0, { call, _ in try call.setReturnValue(Fixtures.make()) }),
    (
      "invokes the original", 6,
      { call, original in
        let invocation = call.makeInvocation()
        try invocation.setArgument(Int32(6), at: 2)
        try invocation.invoke(using: original)
        try call.setReturnValue(of: invocation)
      }
    ),
    (
      "invokes the original twice", 5,
      { call, original in
        let invocation = call.makeInvocation()
        try invocation.invoke(using: original)
        try invocation.invoke(using: original)
        try call.setReturnValue(of: invocation)
      }
    ),
    (
      "passes on and invokes", 5,
      { call, original in
        try call.forward(to: original)
        let invocation = call.makeInvocation()
        try invocation.invoke(using: original)
        try call.setReturnValue(of: invocation)
      }
    ),
    (
      "passes on and throws", -1,
      { call, original in
        try call.forward(to: original)
        throw Failure()
      }
    ),
  ]

  @Test("Whatever a hook of an initializer does, its receiver is released once", arguments: hooks.indices)
  func initializers(index: Int) throws {
    let (name, result, body) = Self.hooks[index]
    try Fixtures.run(name) {
      let type = try Fixtures.type()
      let hook = try type.hook(insteadOf: "initWithNumber:", onError: { _ in }, body)
      // A second hook, which the first one is the original of.
      let outer = try type.hook(insteadOf: "initWithNumber:") { call, original in try call.forward(to: original) }
      defer { for hook in [hook, outer] { hook.cancel() } }
      for _ in 0..<3 { expectEqual(try initialized(type), result, name) }
    }
  }

  @Test("A hook reads arguments after the method has released the last reference to them")
  func arguments() throws {
    try Fixtures.run {
      let (type, object) = (try Fixtures.type(), try Fixtures.make())
      let seen: Mutex<[String]> = Mutex([])
      let hooks = [
        try type.hook(after: "initFailing") { (receiver: ObjectiveCObject) in seen.withLock { $0.append("failed") } },
        try type.hook(after: "drop(_:)") { (_: ObjectiveCObject, last: ObjectiveCObject) in
          let number = try? Invocation.send(last, "number") as Int32
          seen.withLock { $0.append("dropped \(number ?? -1)") }
        },
        try type.hook(insteadOf: "drop:") { call, original in
          // Read before and after.
          let number: Int32 = try Invocation.send(call.argument(at: 2, as: ObjectiveCObject.self), "number")
          try call.forward(to: original)
          let again: Int32 = try Invocation.send(call.argument(at: 2, as: ObjectiveCObject.self), "number")
          seen.withLock { $0.append("\(number) \(again)") }
        },
      ]
      for _ in 0..<2 {
        expectEqual(try number("o_fail", type), 1)
        expectEqual(try number("o_drop", object), 7)
      }
      expectEqual(seen.withLock { $0 }, ["failed", "dropped 0", "0 0", "failed", "dropped 0", "0 0"])
      for hook in hooks { hook.cancel() }
    }
  }

  @Test("Methods that free the receiver or count references are hooked, but not after them")
  func memory() throws {
    let ended: Mutex<Int> = Mutex(0)
    try Fixtures.run {
      let type = try Fixtures.type()
      for selector: MethodSelector in ["dealloc", "release"] {
        expectError(.unsupportedType) { try type.hook(after: selector) { (_: ObjectiveCObject) in } }
      }
      let hooks = [
        try type.hook(insteadOf: "dealloc") { call, original in
          ended.withLock { $0 += 1 }
          try call.forward(to: original)
        },
        try type.hook(insteadOf: "release") { call, original in try call.forward(to: original) },
        try type.hook(insteadOf: "retain") { call, original in try call.forward(to: original) },
      ]
      for _ in 0..<3 { _ = try Fixtures.make() }
      expectEqual(try initialized(type), 5)
      for hook in hooks { hook.cancel() }
    }
    expectEqual(ended.withLock { $0 }, 4)
  }

  @Test("The hook of one object keeps it until it is cancelled")
  func cancelled() throws {
    try Fixtures.run {
      var object: ObjectiveCObject? = try Fixtures.make()
      let hook = try require(object).hook(insteadOf: "number") { call, _ in try call.setReturnValue(Int32(9)) }
      object = nil
      expectEqual(try Fixtures.live(), 1)
      hook.cancel()
      hook.cancel()
      expectEqual(try Fixtures.live(), 0)
      withExtendedLifetime(hook) {}
    }
  }

  @Test("The original of a hook answers calls of its own types only")
  func types() throws {
    try Fixtures.run {
      let (type, object) = (try Fixtures.type(), try Fixtures.make())
      let kept: Mutex<Implementation?> = Mutex(nil)
      let errors: Mutex<[String]> = Mutex([])
      let hooks = [
        try type.hook(insteadOf: "add:to:") { call, original in
          kept.withLock { $0 = original }
          try call.forward(to: original)
        },
        try type.hook(insteadOf: "scale:by:") { call, _ in
          guard let other = kept.withLock({ $0 }) else { return }
          do { try call.forward(to: other) } catch let error as InvocationError { errors.withLock { $0.append("\(error.code)") } }
        },
      ]
      expectEqual(try Invocation.send(object, "add:to:", Int32(1), Int32(2)) as Int32, 3)
      expectEqual(try Invocation.send(object, "scale:by:", 2.0, Float(3)) as Double, 0)
      expectEqual(errors.withLock { $0 }, ["typeMismatch"])
      for hook in hooks { hook.cancel() }
      kept.withLock { $0 = nil }
    }
  }

  @Test("What is stated of a method, by either name, holds for its class, its hooks and its proxies")
  func stated() throws {
    try Fixtures.run {
      let type = try Fixtures.type("StatedFixture")
      unsafe ObjectiveCRuntime.state("obtain()", of: type, returnsRetained: true)
      nonisolated(unsafe) let object = try Fixtures.make("StatedFixture")
      for _ in 0..<3 { expectEqual(try Invocation.send(Invocation.send(object, "obtain()") as ObjectiveCObject, "number") as Int32, 0) }
      let proxy = try ObjectiveCProxy(of: type) { invocation in try invocation.invoke(with: object) }
      let hook = try type.hook(insteadOf: "obtain") { call, original in try call.forward(to: original) }
      for _ in 0..<3 { expectEqual(try number("o_obtain", proxy.object), 0) }
      hook.cancel()
    }
  }

  @Test("A message by a Swift name is forwarded by Objective-C's name")
  func forwarded() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let forwarder: ObjectiveCObject = try Invocation.send(Fixtures.type("Forwarder"), "to:", object)
      for name: MethodSelector in ["add(_:to:)", "add:to:"] {
        expectEqual(try Invocation.send(forwarder, name, Int32(1), Int32(2)) as Int32, 3)
      }
    }
  }

  #if !canImport(ObjectiveC)
    @Test("A result that is no Objective-C object is an error, and released; the caller gets nil")
    func otherResults() throws {
      let codes: Mutex<[InvocationError.Code?]> = Mutex([])
      let note: @Sendable (any Error) -> Void = { error in codes.withLock { $0.append((error as? InvocationError)?.code) } }
      let tracker = LifetimeTracker()
      try Fixtures.run {
        let object = try Fixtures.make()
        let hook = try object.hook(insteadOf: "echo:", onError: note) { call, _ in try call.setReturnValue(tracker.object()) }
        let proxy = try ObjectiveCProxy(of: Fixtures.type(), onError: note) { invocation in
          let result: AnyObject = tracker.object()
          try invocation.setReturnValue(result)
        }
        for target in [object, proxy.object] {
          expectNil(try Invocation.send(target, "echo:", Fixtures.make()) as ObjectiveCObject?)
        }
        hook.cancel()
        let receiver = try ObjectiveCReceiver(["TableDelegate"], onError: note)
        try receiver.handle("table:titleOf:") { call in try call.setReturnValue(tracker.object()) }
        expectEqual(
          try Fixtures.function("o_title", "i^vq")(Optional(receiver.object.objectPointer), 1) as Int32, Int32(-1))
        if Blocks.library != nil {
          let block = try ObjectiveCBlock("@@?", onError: note) { call in try call.setReturnValue(tracker.object()) }
          expectNil(try block() as ObjectiveCObject?)
        }
      }
      expectEqual(codes.withLock { $0 }, Array(repeating: .typeMismatch, count: Blocks.library == nil ? 3 : 4))
      expectEqual(tracker.liveCount, 0)
    }
  #endif

  /// Sends a message to the object of a receiver when it is released.
  private final class Sender: Sendable {
    let receiver: @Sendable () -> Void
    init(_ receiver: @escaping @Sendable () -> Void) { self.receiver = receiver }
    deinit { receiver() }
  }

  @Test("What a handler or a recorder keeps may use the receiver while it is released")
  func reentrance() throws {
    let count: Mutex<Int> = Mutex(0)
    try Fixtures.run {
      func fill(_ receiver: ObjectiveCReceiver) throws {
        nonisolated(unsafe) let object = receiver.object
        let send = { @Sendable in
          _ = try? Invocation.send(object, "respondsToSelector:", MethodSelector("numberOfRows")) as Bool
          _ = try? Invocation.send(object, "didScroll:", 1.0)
          count.withLock { $0 += 1 }
        }
        let (first, second) = (Sender(send), Sender(send))
        try receiver.handle("didScroll:") { _ in withExtendedLifetime(first) {} }
        receiver.record { _ in withExtendedLifetime(second) {} }
      }
      let receiver = try ObjectiveCReceiver(["TableDelegate"])
      try fill(receiver)
      try receiver.handle("didScroll:", nil)
      receiver.record(nil)
      expectEqual(count.withLock { $0 }, 2)
      try fill(try ObjectiveCReceiver(["TableDelegate"]))
    }
    expectEqual(count.withLock { $0 }, 4)
  }
}
