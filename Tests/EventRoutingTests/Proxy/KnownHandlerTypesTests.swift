#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import EventRouting
  import TestSupport
  import Testing

  /// What is known of a handler is compared when it is registered and when it is looked up again.
  @Suite(.measured) struct KnownHandlerTypesTests {
    private final class Owner: Invocable {
      var answer: Implementation?
      var count = 0
      func implementation(for selector: MethodSelector) -> Implementation? { answer }
    }
    private final class Stranger: Invocable {
      var answer: Implementation?
      func implementation(for selector: MethodSelector) -> Implementation? { answer }
    }

    private static func method() throws -> Implementation {
      try Implementation { (owner: Owner, _: Unmanaged<AnyObject>?, step: Int) in owner.count += step }
    }

    @Test("A target that answers with a method of another class is refused")
    func answers() throws {
      let proxy = EventProxy()
      let (owner, stranger) = (Owner(), Stranger())
      owner.answer = try Self.method()
      stranger.answer = owner.answer
      try proxy.register("step", target: owner, selector: "step(_:by:)")
      let error = try #require(refusal { try proxy.register("other", target: stranger, selector: "step(_:by:)") })
      expect(error.code == .typeMismatch && error.reason.contains("Owner") && error.reason.contains("Stranger"), "\(error)")
      expectEqual(refusal { try proxy.register("other", try Self.method(), target: stranger) }?.code, .typeMismatch)
      proxy.send("step", source: nil, arguments: [.int(2)])
      expectEqual(owner.count, 2)
      // Another table has changed, so the method is looked up again, and the answer is another by now.
      final class Other {}
      owner.answer = try Implementation { (_: Stranger, _: Unmanaged<AnyObject>?, _: Int) in Issue.record("called with an Owner") }
      try MethodTable.of(Other.self).add("changed()") { (_: Other) in }
      proxy.send("step", source: nil, arguments: [.int(2)])
      expectEqual(owner.count, 2)
    }

    @Test("An invocation's implementation of other types, or for another number of arguments, is no handler")
    func types() throws {
      let proxy = EventProxy()
      let owner = Owner()
      let invocation = Invocation(try MethodSignature(types: "v@:@*"))
      invocation.target = owner
      invocation.selector = "step(_:by:)"
      invocation.implementation = try Self.method()
      let error = try #require(refusal { try proxy.register("step", invocation) })
      expect(error.code == .typeMismatch && error.reason.contains("'v@:@q'") && error.reason.contains("'v@:@*'"), "\(error)")
      let count = refusal { try proxy.register("step", try Self.method(), target: owner, selector: "step(_:)") }
      expectEqual(count?.code, .countMismatch)
      owner.answer = try Self.method()
      expectEqual(refusal { try proxy.register("step", target: owner, selector: "step(_:)") }?.code, .countMismatch)
      let method = try Closure(MethodSignature(types: "v#:@")) { _ in }
      let ofClass = refusal { try proxy.register("step", method.implementation, target: owner) }
      expect(ofClass?.code == .typeMismatch && ofClass?.reason.contains("target is an object") == true)
      // The name of a key says nothing of a method.
      try proxy.register("step(_:)", try Self.method(), target: owner)
    }

    private enum Step: Int, EncodedValue {
      case one = 1
      case ten = 10
    }

    @Test("A handler gets the cases of an enum only")
    func cases() throws {
      let proxy = EventProxy()
      var steps: [Step] = []
      try proxy.register("step") { (_: AnyObject?, step: Step) in steps.append(step) }
      for number in [1, 5, 10] { proxy.send("step", source: nil, arguments: [.int(number)]) }
      expectEqual(steps, [.one, .ten])
    }

    @Test("A typed pointer to something else than the handler's parameter points to is an error")
    func pointees() throws {
      let proxy = EventProxy()
      let owner = Owner()
      let write: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?, UnsafeMutablePointer<Int32>) -> Void = {
        $3.pointee = 7
      }
      let function = Implementation(unsafeBitCast(write, to: UnsafeRawPointer.self), methodSignature: try MethodSignature(types: "v@:@^i"))
      try proxy.register("function", function, target: owner, selector: "write:to:")
      try proxy.register("closure") { (_: AnyObject?, place: UnsafeMutablePointer<Int32>) in place.pointee = 8 }
      var (number, real) = (Int32(0), 0.0)
      func send(_ key: EventKey, toReal isReal: Bool) -> [any Error] {
        withUnsafeMutablePointer(to: &number) { number in
          withUnsafeMutablePointer(to: &real) { wrong in
            isReal
              ? proxy.send(TypedEventKey<UnsafeMutablePointer<Double>>(key), source: nil, wrong).errors
              : proxy.send(TypedEventKey<UnsafeMutablePointer<Int32>>(key), source: nil, number).errors
          }
        }
      }
      expect(send("function", toReal: false).isEmpty && number == 7)
      expect(send("closure", toReal: false).isEmpty && number == 8)
      for key in ["function", "closure"] as [EventKey] {
        let error = try #require(send(key, toReal: true).first as? EventError)
        expect(error.reason.code == .typeMismatch && "\(error)".contains("UnsafeMutablePointer<Double>"), "\(error)")
      }
      expectEqual(real, 0)
      // A raw pointer points to anything.
      let answer = withUnsafeMutableBytes(of: &number) { bytes in
        proxy.send(TypedEventKey<UnsafeMutableRawPointer>("function"), source: nil, bytes.baseAddress!)
      }
      expect(answer.errors.isEmpty && number == 7)
    }
  }
#endif
