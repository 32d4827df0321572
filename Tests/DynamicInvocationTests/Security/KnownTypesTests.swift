#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What is known of an implementation is compared with every call: its types, and the class whose method it is.
  @Suite(.measured) struct KnownTypesTests {
    private final class Owner: Invocable {
      /// What the object answers as an `Invocable`.
      var answer: Implementation?
      var number = 7
      func implementation(for selector: MethodSelector) -> Implementation? { answer }
    }
    /// A class without a method of its own, and with other fields than ``Owner``.
    private final class Stranger: Invocable {
      var answer: Implementation?
      func implementation(for selector: MethodSelector) -> Implementation? { answer }
    }

    private static func method() throws -> Implementation {
      try Implementation { (owner: Owner, value: Int) -> Int in owner.number + value }
    }

    private static func message(_ types: String, to target: AnyObject?) throws -> Invocation {
      let invocation = try InvocationFixtures.invocation(types)
      if invocation.methodSignature.isMethod {
        invocation.target = target
        invocation.selector = "sum(_:)"
      }
      if invocation.methodSignature.numberOfArguments > 2 { try invocation.setArgument(1, at: 2) }
      return invocation
    }

    /// The error of one way to call; its text must name all of the parts.
    private func expectMismatch(_ parts: String..., from way: String, line: Int = #line, _ body: () throws -> Void) {
      let message = InvocationFixtures.message(body)
      expectError(.typeMismatch, way, line: line, body)
      for part in parts { expect(message.contains(part), "\(way): \(message)", line: line) }
    }

    @Test("A method that was added for a subclass, too, remains a method of its own class") func ownClass() throws {
      class Base {}
      final class Derived: Base {}
      let own = try Implementation { (_: Base, value: Int) -> Int in value + 1 }
      for type in [Base.self, Derived.self] { try MethodTable.of(type).add("sum(_:)", own) }
      let found = try require(MethodTable.of(Derived.self).implementation(for: "sum(_:)"))
      for target in [Base(), Derived()] {
        let invocation = try Self.message("q@:q", to: target)
        try invocation.invoke(using: found)
        try expectEqual(invocation.returnValue(as: Int.self), 2)
      }
    }

    @Test("An implementation is run under its own types only, by every way to call")
    func types() throws {
      // Read as a text, its result would be an address out of thin air.
      let closure = try Closure(types: "qq") { (value: Int) -> Int in value }.implementation
      let invocation = try InvocationFixtures.invocation("*q")
      try invocation.setArgument(1, at: 0)
      expectMismatch("'qq'", "'*q'", from: "invoke(using:)") { try invocation.invoke(using: closure) }
      expectMismatch("'qq'", "'*q'", from: "call(_:)") { try invocation.call(closure) }
      invocation.implementation = closure
      expectMismatch("'qq'", "'*q'", from: "implementation") { try invocation.invoke() }
      expect(!invocation.hasReturnValue)
      let signature = try MethodSignature(types: "*q")
      expectMismatch("'qq'", "'*q'", from: "ForeignFunction") { _ = try ForeignFunction(closure, signature) }
      expectMismatch("'qq'", "'*q'", from: "CallFrame") {
        try signature.withFrame { frame in
          try frame.setArgument(1, at: 0)
          try frame.invoke(using: closure)
        }
      }
      // Types that differ only in names are the same.
      let rect = try Closure(types: "d{Rect={Point=dd}{Size=dd}}") { (rect: Geometry.Rect) -> Double in rect.size.width }.implementation
      let renamed = try InvocationFixtures.invocation("d{Other={P=dd}{S=dd}}")
      try renamed.setArgument(Geometry.Rect(x: 0, y: 0, width: 3, height: 4), at: 0)
      try renamed.invoke(using: rect)
      try expectEqual(renamed.returnValue(as: Double.self), 3)
    }

    @Test("A method is run under its own types only, and the error names the selector")
    func methodTypes() throws {
      let owner = Owner()
      let method = try Self.method()
      let invocation = try Self.message("*@:q", to: owner)
      expectMismatch("'sum(_:)'", "'q@:q'", "'*@:q'", from: "invoke(using:)") { try invocation.invoke(using: method) }
      invocation.implementation = method
      expectMismatch("'sum(_:)'", "'q@:q'", "'*@:q'", from: "implementation") { try invocation.invoke() }
      invocation.implementation = nil
      owner.answer = method
      expectMismatch("'sum(_:)'", "'q@:q'", "'*@:q'", from: "Invocable") { try invocation.invoke() }
    }

    @Test("A method is run on instances of its class only, by every way to call")
    func classes() throws {
      let stranger = Stranger()
      let method = try Self.method()
      let parts = ("Owner", "Stranger")
      let invocation = try Self.message("q@:q", to: stranger)
      expectMismatch(parts.0, parts.1, "'sum(_:)'", from: "invoke(using:)") { try invocation.invoke(using: method) }
      expectMismatch(parts.0, parts.1, from: "call(_:)") { try invocation.call(method) }
      invocation.implementation = method
      expectMismatch(parts.0, parts.1, from: "implementation") { try invocation.invoke() }
      expectMismatch(parts.0, parts.1, from: "implementation, with a target") { try invocation.invoke(with: stranger) }
      invocation.implementation = nil
      stranger.answer = method
      expectMismatch(parts.0, parts.1, from: "Invocable") { try invocation.invoke() }
      let forwarded = try Self.message("q@:q", to: Relay(stranger))
      expectMismatch(parts.0, parts.1, from: "forwarding") { try forwarded.invoke() }
      expectMismatch(parts.0, parts.1, from: "CallFrame") {
        try MethodSignature(types: "q@:q").withFrame { frame in
          try frame.setArgument(stranger, at: 0)
          try frame.setArgument("sum(_:)" as MethodSelector, at: 1)
          try frame.setArgument(1, at: 2)
          try frame.invoke(using: method)
        }
      }
      // Its own class is taken by each of them, and null is not called, as ever.
      let owner = Owner()
      for target in [owner, nil] {
        let own = try Self.message("q@:q", to: target)
        try own.invoke(using: method)
        try expectEqual(own.returnValue(as: Int.self), (target == nil ? 0 : 8))
        own.implementation = method
        try expectEqual(own.result(as: Int.self), (target == nil ? 0 : 8))
      }
    }

    @Test("A method called as a function takes targets of its class only")
    func functions() throws {
      let function = try ForeignFunction(Self.method(), MethodSignature(types: "q@:q"))
      let (owner, stranger) = (Owner(), Stranger())
      try withExtendedLifetime((owner, stranger)) { () throws in
        let target = Unmanaged<AnyObject>.passUnretained(owner), other = Unmanaged<AnyObject>.passUnretained(stranger)
        try expectEqual(function(target, "sum(_:)" as MethodSelector, 1), 8)
        expectMismatch("Owner", "Stranger", from: "a function") { let _: Int = try function(other, "sum(_:)" as MethodSelector, 1) }
        expectMismatch("Owner", "Stranger", from: "errno") {
          let _: (Int, CInt) = try function.capturingErrno(other, "sum(_:)" as MethodSelector, 1)
        }
      }
    }

    @Test("What a class's table gives out is a method of that class, even if it is a C function")
    func methodsOfTables() throws {
      final class First { var number = 1 }
      final class Second { var text = "two" }
      let code: @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> Int = { target, _ in
        Unmanaged<First>.fromOpaque(target).takeUnretainedValue().number
      }
      let given = try Implementation(function: code, methodSignature: MethodSignature(types: "q@:"))
      try MethodTable.of(First.self).add("number()", given)
      let taken = try require(MethodTable.of(First.self).implementation(for: "number()"))
      expectMismatch("First", "Second", "'number()'", from: "another table") { try MethodTable.of(Second.self).add("number()", taken) }
      let invocation = try Invocation.message("q@:", to: Second(), "number()")
      expectMismatch("First", "Second", from: "invoke(using:)") { try invocation.invoke(using: taken) }
      invocation.target = First()
      try invocation.invoke(using: taken)
      try expectEqual(invocation.returnValue(as: Int.self), 1)
      // What was made of an address is whoever's the maker says.
      try expectNil(MethodTable.of(Second.self).replace("number()", given))
    }

    @Test("A dispatcher's implementer is not given a method of another class that it answers")
    func dispatchers() throws {
      let description = try DispatchProtocol("Summing", methods: [.required("sum(_:)", types: "q@:q")])
      let (owner, stranger) = (Owner(), Stranger())
      owner.answer = try Self.method()
      stranger.answer = owner.answer
      let dispatcher = try ProtocolDispatcher(description, implementers: [owner, stranger])
      let invocation = try Self.message("q@:q", to: dispatcher)
      let outcome = try dispatcher.dispatch(invocation)
      try expectEqual(invocation.returnValue(as: Int.self), 8)
      expectEqual(outcome.failures.map(\.number), [1])
      expectMismatch("Owner", "Stranger", from: "a dispatcher") { if let failure = outcome.failures.first { throw failure.error } }
    }

    @Test("A call that came in is passed on to code of its types and to targets of the code's class only")
    func incomingCalls() throws {
      final class Errors: @unchecked Sendable { var last: (any Error)? }
      let errors = Errors()
      let other = try Closure(types: "q@:d") { (_: Unmanaged<AnyObject>?, _: MethodSelector?, value: Double) -> Int in Int(value) }
        .implementation
      let method = try Self.method()
      let signature = try MethodSignature(types: "q@:q")
      for (implementation, part) in [(other, "'q@:d'"), (method, "Stranger")] {
        errors.last = nil
        let closure = try Closure(signature, onError: { errors.last = $0 }) { call in try call.forward(to: implementation) }
        try Self.message("q@:q", to: Stranger()).invoke(using: closure.implementation)
        expectMismatch(part, from: "IncomingCall") { if let error = errors.last { throw error } }
      }
    }

    @Test("A function of a library has the types that it was looked up with")
    func functionsOfLibraries() throws {
      let labs = try DynamicLibrary.process.function("labs", types: "qq")
      expectMismatch("'qq'", "'dq'", from: "ForeignFunction") { _ = try ForeignFunction(labs.implementation, MethodSignature(types: "dq")) }
      expectEqual(labs.implementation.methodSignature, labs.methodSignature)
    }

    @Test("A method is run on instances of subclasses, too")
    func subclasses() throws {
      class Base { var number = 2 }
      final class Derived: Base {}
      let method = try Implementation { (base: Base) -> Int in base.number }
      let invocation = try InvocationFixtures.invocation("q@:")
      invocation.selector = "number()"
      for target in [Base(), Derived()] {
        invocation.target = target
        for _ in 0..<3 { try invocation.invoke(using: method) }
        try expectEqual(invocation.returnValue(as: Int.self), 2)
      }
    }

    @Test("A closure's pointer results have the pointee of the signature, as its parameters do")
    func pointeesOfClosures() throws {
      nonisolated(unsafe) let number = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
      defer { number.deallocate() }
      expectMismatch("Pointer<Double>", "Int32", from: "the result") {
        _ = try Closure(types: "^i") { () -> UnsafeMutablePointer<Double>? in nil }
      }
      expectMismatch("Pointer<Double>", "Int32", from: "a parameter") {
        _ = try Closure(types: "v^i") { (_: UnsafeMutablePointer<Double>?) in }
      }
      let closure = try Closure(types: "^i") { () -> UnsafeMutablePointer<Int32> in unsafe number }
      let function = try ForeignFunction(closure.implementation, closure.methodSignature)
      let pointer: UnsafeMutablePointer<Int32> = try unsafe function()
      expectEqual(unsafe pointer, number)
      _ = try Closure(types: "^i") { () -> UnsafeMutableRawPointer? in nil }
    }
  }
#endif
