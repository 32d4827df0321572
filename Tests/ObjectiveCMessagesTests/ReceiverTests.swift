import CallFrames
import DynamicInvocation
import ObjectiveCMessages
import Synchronization
import TestSupport
import Testing

@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct ReceiverTests {
  /// gcc's runtime does not know the optional methods of a protocol.
  private let optional: [DispatchProtocol.Method]

  init() throws { optional = [try .optional("numberOfRows", types: "q@:")] }

  private func ask<Result: EncodedValue>(
    _ oracle: String, _ types: String, _ receiver: ObjectiveCReceiver, _ argument: some EncodedValue, as type: Result.Type = Result.self
  ) throws -> Result {
    try Fixtures.function(oracle, types)(Optional(receiver.object.objectPointer), argument)
  }

  private func responds(_ receiver: ObjectiveCReceiver, _ name: String) throws -> Bool {
    try ask("o_responds", "i^v*", receiver, name) != Int32(0)
  }

  @Test("Each message goes to the implementers that respond, and the last result counts")
  func implementers() throws {
    try Fixtures.run {
      let (controller, selecting) = (try Fixtures.make("Controller"), try Fixtures.make("Selecting"))
      let receiver = try ObjectiveCReceiver(["TableDelegate"], implementers: [controller, selecting], methods: optional)
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 53.0)
      expectEqual(try ask("o_frame", "d^vq", receiver, 3), 23.0)
      expectEqual(try ask("o_selects", "i^vq", receiver, 3), Int32(1))
      expectEqual(try Fixtures.function("o_rows", "q^v")(Optional(receiver.object.objectPointer)), 12)
      expectEqual(try ask("o_title", "i^vq", receiver, 1), Int32(0))
      for name in ["table:heightOf:", "table:frameOf:in:", "table:shouldSelect:", "numberOfRows", "description"] {
        expect(try responds(receiver, name), name)
      }
      for name in ["didScroll:", "noSuch:"] { expect(try !responds(receiver, name), name) }
      try receiver.setReturnPolicy(.first, for: "table:heightOf:")
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 43.0)
      try receiver.setReturnPolicy(
        .reduce { sum, next in
          guard case .double(let value) = next else { return .end(next) }
          if case .double(let former)? = sum { return .next(.double(former + value)) }
          return .next(next)
        }, for: "table(_:heightOf:)")
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 96.0)
      receiver.remove(selecting)
      try receiver.setReturnPolicy(nil, for: "table:heightOf:")
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 43.0)
      expect(try !responds(receiver, "table:shouldSelect:"))
      expectEqual(receiver.implementers.count, 1)
    }
  }

  @Test("When the last implementer is gone, nobody responds, and a message returns zero")
  func gone() throws {
    try Fixtures.run {
      let receiver = try ObjectiveCReceiver(["TableDelegate"])
      do {
        let controller = try Fixtures.make("Controller")
        try receiver.append(controller)
        expect(try responds(receiver, "table:heightOf:"))
      }
      expect(try !responds(receiver, "table:heightOf:"))
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 0.0)
      expectEqual(try ask("o_frame", "d^vq", receiver, 3), 0.0)
      expectEqual(try ask("o_title", "i^vq", receiver, 1), Int32(-1))
    }
  }

  @Test("An object outlives its receiver, and then answers zero")
  func outlives() throws {
    try Fixtures.run {
      let controller = try Fixtures.make("Controller")
      var receiver: ObjectiveCReceiver? = try ObjectiveCReceiver(["TableDelegate"], implementers: [controller])
      let object = try require(receiver).object
      expectEqual(try Fixtures.function("o_height", "d^vq")(Optional(object.objectPointer), 3), 43.0)
      receiver = nil
      expectEqual(try Fixtures.function("o_height", "d^vq")(Optional(object.objectPointer), 3), 0.0)
      expectEqual(try Fixtures.function("o_responds", "i^v*")(Optional(object.objectPointer), "table:heightOf:"), Int32(0))
    }
  }

  @Test("The object conforms to the protocols, and to those that they inherit")
  func conformance() throws {
    try Fixtures.run {
      let receiver = try ObjectiveCReceiver(["TableDelegate"])
      for (name, conforms) in [("TableDelegate", Int32(1)), ("ScrollDelegate", 1), ("NSCoding", 0)] {
        expectEqual(try ask("o_conforms", "i^v*", receiver, name), conforms, name)
      }
      expectError(.symbolNotFound) { try ObjectiveCReceiver(["NoSuchProtocol"]) }
    }
  }

  @Test("A closure answers single methods, a recorder gets all of them")
  func closures() throws {
    try Fixtures.run {
      let controller = try Fixtures.make("Controller")
      let receiver = try ObjectiveCReceiver(["TableDelegate"], implementers: [controller], methods: optional)
      let scrolled: Mutex<[Double]> = Mutex([])
      try receiver.handle("didScroll(_:)") { call in
        let by: Double = try call.argument(at: 2)
        scrolled.withLock { $0.append(by) }
      }
      try receiver.handle("table:heightOf:") { call in try call.setReturnValue(Double(try call.argument(at: 3, as: Int.self)) / 2) }
      try receiver.handle("table:titleOf:") { call in try call.setReturnValue(call.argument(at: 2, as: ObjectiveCObject.self)) }
      _ = try Fixtures.function("o_scroll", "v^vd")(Optional(receiver.object.objectPointer), 1.5) as Void
      expectEqual(scrolled.withLock { $0 }, [1.5])
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 1.5)
      expectError(.unrecognizedSelector) { try receiver.handle("table:hightOf:") { _ in } }
      try receiver.handle("table:heightOf:", nil)
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 43.0)
      nonisolated(unsafe) var recorded: [Invocation] = []
      receiver.record { recorded.append($0) }
      expect(try responds(receiver, "numberOfRows"))
      expectEqual(try ask("o_frame", "d^vq", receiver, 3), 23.0)
      expectEqual(try Fixtures.function("o_rows", "q^v")(Optional(receiver.object.objectPointer)), 0)
      expectEqual(recorded.map { $0.selector?.name }, ["table:frameOf:in:", "numberOfRows"])
      receiver.record(nil)
      // A recorded message is sent again.
      try recorded[0].invoke(with: controller)
      expectEqual(try recorded[0].returnValue(as: Rect.self), Rect(x: 0, y: 0, width: 10, height: 23))
    }
  }

  @Test("What an implementer throws, the receiver reports, and the result is zero")
  func errors() throws {
    try Fixtures.run {
      let failures: Mutex<[String]> = Mutex([])
      let receiver = try ObjectiveCReceiver(["TableDelegate"], onError: { error in failures.withLock { $0.append("\(error)") } })
      try receiver.handle("table:heightOf:") { call in try call.setReturnValue("text") }
      expectEqual(try ask("o_height", "d^vq", receiver, 3), 0.0)
      expectEqual(failures.withLock { $0.count }, 1)
    }
  }

  @Test("A proxy takes any message of a class as an invocation")
  func proxy() throws {
    try Fixtures.run {
      nonisolated(unsafe) let object = try Fixtures.make()
      let seen: Locked<[String]> = Locked([])
      let proxy = try ObjectiveCProxy(of: Fixtures.type()) { invocation in
        let count = seen.withLock { seen in
          seen.append(invocation.selector?.name ?? "")
          return seen.count
        }
        if count < 6 { try invocation.invoke(with: object) }
      }
      let id = Optional(proxy.object.objectPointer)
      expectEqual(try Fixtures.function("o_add", "i^vii")(id, Int32(2), Int32(3)), Int32(5))
      expectEqual(try Fixtures.function("o_scale", "d^vdf")(id, 2.0, Float(3)), 6.0)
      expectEqual(try Fixtures.function("o_child", "i^v")(id), Int32(0))
      expectEqual(try Fixtures.function("o_new", "i^v")(id), Int32(0))
      expectEqual(try Invocation.send(proxy.object, "add:to:", 4, 5) as Int32, 9)
      expectEqual(try Invocation.send(proxy.object, "number") as Int32, 0)
      expectEqual(seen.withLock { $0 }, ["add:to:", "scale:by:", "child", "newChild", "add:to:", "number"])
    }
  }

  @Test("Methods of one type share their code")
  func stubs() throws {
    try Fixtures.run {
      let first = try ObjectiveCReceiver(["TableDelegate"], methods: optional)
      let second = try ObjectiveCReceiver(["ScrollDelegate"], methods: [try .optional("other:", types: "v@:d")])
      expect(first.object != second.object)
      expectEqual("\(second)", "receiver of ScrollDelegate to 0 implementers")
    }
  }
}
