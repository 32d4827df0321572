import Dispatch
import DynamicInvocation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct HookTests {
  private func add(_ object: ObjectiveCObject, _ a: Int32 = 1, _ b: Int32 = 2) throws -> Int32 {
    let compiled: Int32 = try Fixtures.function("o_add", "i^vii")(Optional(object.objectPointer), a, b)
    expectEqual(try Invocation.send(object, "add:to:", a, b) as Int32, compiled)
    return compiled
  }

  @Test("Hooks are nested, and are cancelled in any order", arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
  func order(order: [Int]) throws {
    try Fixtures.run("\(order)") {
      let object = try Fixtures.make()
      let type = try Fixtures.type()
      expectEqual(try add(object), 3)
      // Each multiplies by ten and adds its number.
      let hooks = try (1...3).map { number in
        try type.hook(insteadOf: "add:to:") { call, original in
          try call.forward(to: original)
          try call.setReturnValue(try call.returnValue(as: Int32.self) * 10 + Int32(number))
        }
      }
      var numbers = [1, 2, 3]
      expectEqual(try add(object), 3123)
      for index in order {
        hooks[index].cancel()
        hooks[index].cancel()
        numbers.removeAll { $0 == index + 1 }
        expectEqual(try add(object), Int32(numbers.reduce(3) { $0 * 10 + $1 }))
      }
    }
  }

  @Test("Before and after have the arguments, and instead may change them")
  func forms() throws {
    try Fixtures.run {
      let (object, type) = (try Fixtures.make(), try Fixtures.type())
      let log: Mutex<[String]> = Mutex([])
      let before = try type.hook(before: "add:to:") { (_: ObjectiveCObject, a: Int32, b: Int32) in log.withLock { $0.append("\(a) \(b)") } }
      let after = try type.hook(after: "add:to:") { (_: ObjectiveCObject, a: Int32) in log.withLock { $0.append("after \(a)") } }
      let instead = try type.hook(insteadOf: "add(_:to:)") { call, original in
        let invocation = call.makeInvocation()
        try invocation.setArgument(Int32(40), at: 2)
        try invocation.invoke(using: original)
        try call.setReturnValue(of: invocation)
      }
      expectEqual(try add(object), 42)
      expectEqual(log.withLock { $0 }, ["40 2", "after 40", "40 2", "after 40"])
      for hook in [before, instead, after] { hook.cancel() }
      expectEqual(try add(object), 3)
      expectError(.unrecognizedSelector) { try type.hook(insteadOf: "ad:to:") { _, _ in } }
      expectError(.typeMismatch) { try type.hook(before: "add:to:") { (_: ObjectiveCObject, _: Double) in } }
      expectError(.countMismatch) { try type.hook(before: "number") { (_: ObjectiveCObject, _: Double) in } }
    }
  }

  @Test("A subclass alone, one object alone, and a method that calls super")
  func places() throws {
    try Fixtures.run {
      let (object, other, sub) = (try Fixtures.make(), try Fixtures.make(), try Fixtures.make("SubFixture"))
      func number(_ object: ObjectiveCObject) throws -> Int32 { try Fixtures.function("o_number", "i^v")(Optional(object.objectPointer)) }
      let inherited = try Fixtures.type("SubFixture").hook(insteadOf: "number") { call, original in
        try call.forward(to: original)
        try call.setReturnValue(try call.returnValue(as: Int32.self) + 100)
      }
      expectEqual([try number(object), try number(sub)], [0, 100])
      inherited.cancel()
      expectEqual([try number(object), try number(sub)], [0, 0])
      let one = try object.hook(insteadOf: "add:to:") { call, _ in try call.setReturnValue(Int32(-1)) }
      expectEqual([try add(object), try add(other), try add(sub)], [-1, 3, 1003])
      let all = try Fixtures.type().hook(insteadOf: "add:to:") { call, original in
        try call.forward(to: original)
        try call.setReturnValue(try call.returnValue(as: Int32.self) * 2)
      }
      expectEqual([try add(object), try add(other), try add(sub)], [-2, 6, 1006])
      one.cancel()
      expectEqual([try add(object), try add(other), try add(sub)], [6, 6, 1006])
      all.cancel()
      expectEqual([try add(object), try add(other), try add(sub)], [3, 3, 1003])
      let ofClass = try ObjectiveCRuntime.metaclass(named: "Fixture").hook(insteadOf: "twice:") { call, _ in
        try call.setReturnValue(Int32(-2))
      }
      expectEqual(try Invocation.send(Fixtures.type(), "twice:", 21) as Int32, -2)
      ofClass.cancel()
      expectEqual(try Invocation.send(Fixtures.type(), "twice:", 21) as Int32, 42)
    }
  }

  @Test("Objects that pass through a hook are neither leaked nor released too often")
  func objects() throws {
    try Fixtures.run {
      let (object, type) = (try Fixtures.make(), try Fixtures.type())
      let id = Optional(object.objectPointer)
      var hooks: [ObjectiveCHook] = []
      let kept: Mutex<[Int]> = Mutex([])
      for selector in ["child", "newChild", "echo:"] {
        hooks.append(
          try type.hook(insteadOf: MethodSelector(selector)) { call, original in
            try call.forward(to: original)
            let result = try call.returnValue(as: ObjectiveCObject?.self)
            kept.withLock { $0.append(result == nil ? 0 : 1) }
            try call.setReturnValue(result)
            try call.setReturnValue(call.argument(at: 0, as: ObjectiveCObject.self))
            try call.forward(to: original)
          })
      }
      for _ in 0..<3 {
        expectEqual(try Fixtures.function("o_child", "i^v")(id), Int32(0))
        expectEqual(try Fixtures.function("o_new", "i^v")(id), Int32(0))
        expectEqual(try Invocation.send(object, "echo:", object) as ObjectiveCObject, object)
      }
      expectEqual(kept.withLock { $0 }, Array(repeating: 1, count: 9))
      hooks.append(
        try type.hook(insteadOf: "inset:by:") { call, original in
          try call.forward(to: original)
          var rect: Rect = try call.returnValue()
          rect.width = 99
          try call.setReturnValue(rect)
        })
      expectEqual(
        try Invocation.send(object, "inset:by:", Rect(x: 0, y: 0, width: 10, height: 20), 1.0) as Rect,
        Rect(x: 1, y: 1, width: 99, height: 18))
      for hook in hooks { hook.cancel() }
    }
  }

  @Test("A hook runs while it is there, whatever hooks other threads add and cancel")
  func threads() throws {
    try Fixtures.run {
      nonisolated(unsafe) let (type, object) = (try Fixtures.type(), try Fixtures.make())
      let add = try Fixtures.function("o_add", "i^vii")
      let wrong: Atomic<Int> = Atomic(0)
      DispatchQueue.concurrentPerform(iterations: 4) { _ in
        for _ in 0..<100 {
          let runs: Mutex<Int> = Mutex(0)
          let hook = try? type.hook(insteadOf: "add:to:") { call, original in
            runs.withLock { $0 += 1 }
            try call.forward(to: original)
          }
          let sum: Int32? = try? add(Optional(object.objectPointer), Int32(1), Int32(2))
          if sum != 3 || runs.withLock({ $0 }) == 0 { wrong.add(1, ordering: .relaxed) }
          hook?.cancel()
        }
      }
      expectEqual(wrong.load(ordering: .relaxed), 0)
      expectEqual(try self.add(object), 3)
    }
  }

  @Test("A 128-bit integer is called, received and hooked")
  func wideIntegers() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let halves = try Fixtures.function("o_wide", "q^vqi")
      expectEqual(try Invocation.send(object, "wide:", Int128(7) << 64) as Int128, Int128(7) << 64 + 1)
      let receiver = try ObjectiveCReceiver([], implementers: [object], methods: [.optional("wide:", types: "t@:t")])
      let hook = try object.hook(insteadOf: "wide:") { call, original in try call.forward(to: original) }
      for target in [object, receiver.object] {
        expectEqual(try halves(Optional(target.objectPointer), 7, Int32(1)) as Int, 7)
        expectEqual(try halves(Optional(target.objectPointer), 7, Int32(0)) as Int, 1)
      }
      hook.cancel()
      // Refused or not, the process goes on.
      _ = try? Invocation(target: object, selector: "strange:")
    }
  }

  @Test("What a hook throws is reported, and the result is zero")
  func errors() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      let failures: Mutex<Int> = Mutex(0)
      let hook = try object.hook(insteadOf: "add:to:", onError: { _ in failures.withLock { $0 += 1 } }) { call, original in
        try call.forward(to: original)
        try call.setReturnValue("text")
      }
      expectEqual(try Fixtures.function("o_add", "i^vii")(Optional(object.objectPointer), Int32(1), Int32(2)), Int32(0))
      expectEqual(failures.withLock { $0 }, 1)
      hook.cancel()
      expectEqual(try add(object), 3)
    }
  }
}
