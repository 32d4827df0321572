#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Closures whose handler looks at each call by index.
  @Suite(.measured) struct ClosureHandlerTests {
    @Test func boxedAndTypedArguments() throws {
      let signature = try MethodSignature(types: "{Rect={Point=dd}{Size=dd}}c{Rect={Point=dd}{Size=dd}}*qqqqqq")
      let closure = try Closure(signature) { call in
        let (own, first): (MethodSignature, Int8) = (call.methodSignature, try call.argument(at: 0))
        expectEqual(own, signature)
        expectEqual(first, -4)
        guard case .rect(var rect) = try call.boxedArgument(at: 1), case .string(let text) = try call.boxedArgument(at: 2),
          case .int(let last) = try call.boxedArgument(at: 8)
        else { return }
        rect.origin.x += Double(last)
        rect.size.width = Double(text.count)
        let wasSet = call.hasReturnValue
        try call.setReturnValue(boxed: .rect(rect))
        let isSet = call.hasReturnValue
        expect(!wasSet && isSet)
      }
      let function = try ForeignFunction(closure.implementation, signature)
      let got: Geometry.Rect = try function(Int8(-4), Geometry.Rect(x: 1, y: 2, width: 3, height: 4), "four", 1, 2, 3, 4, 5, 60)
      expectEqual(got, Geometry.Rect(x: 61, y: 2, width: 4, height: 4))
    }

    @Test(arguments: [17, 129, 4_097, 100_003]) func aLargeStructComesAndGoes(size: Int) throws {
      let signature = try MethodSignature(types: "{Big=[\(size)C]}d{Big=[\(size)C]}qqqqqqs")
      let closure = try Closure(signature) { call in
        var bytes = [UInt8](repeating: 0, count: size)
        try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try call.getArgument(into: address, at: 1) } }
        let last: Int16 = try call.argument(at: 8)
        bytes[size - 1] = UInt8(truncatingIfNeeded: last)
        try call.setReturnValue(boxed: .value(EncodedBytes(call.methodSignature.returnType, bytes: bytes)))
      }
      var generator = SeededGenerator(seed: UInt64(size))
      var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let invocation = Invocation(signature)
      try invocation.setArgument(1.5, at: 0)
      try invocation.setArgument(boxed: .value(EncodedBytes(signature.returnType, bytes: bytes)), at: 1)
      for index in 2...7 { try invocation.setArgument(index, at: index) }
      try invocation.setArgument(0x1234 as Int16, at: 8)
      try invocation.invoke(using: closure.implementation)
      bytes[size - 1] = 0x34
      guard case .value(let result) = try invocation.boxedReturnValue() else {
        Issue.record("no struct")
        return
      }
      expectEqual(result.bytes, bytes)
    }

    #if arch(x86_64)
      /// The caller passes the address of memory of exactly the size of the result, and receives it back.
      private func callForResultInMemory(_ closure: Closure, size: Int) -> [UInt8] {
        typealias Function = @convention(c) (UnsafeMutableRawPointer?, Double) -> UnsafeMutableRawPointer?
        let function = unsafeBitCast(closure.pointer, to: Function.self)
        var memory = [UInt8](repeating: 0xA5, count: size + 16)
        memory.withUnsafeMutableBytes { memory in
          let address = function(memory.baseAddress, 7)
          expectEqual(address, memory.baseAddress)
        }
        expect(memory[size...].allSatisfy { $0 == 0xA5 })
        return Array(memory[..<size])
      }

      @Test(arguments: [17, 20, 24, 28, 31, 32, 33, 100]) func nothingIsWrittenBehindAResultInMemory(size: Int) throws {
        let bytes = [UInt8](repeating: 7, count: size)
        let closure = try Closure(MethodSignature(types: "{Big=[\(size)C]}d")) { call in
          bytes.withUnsafeBytes { if let address = $0.baseAddress { call.setReturnValue(from: address) } }
        }
        expectEqual(callForResultInMemory(closure, size: size), bytes)
        let failing = try Closure(MethodSignature(types: "{Big=[\(size)C]}d"), onError: { _ in }) { _ in }
        expect(callForResultInMemory(failing, size: size).allSatisfy { $0 == 0 })
      }

      @Test func aTypedResultInMemoryIsReturnedByItsAddress() throws {
        let closure = try Closure(types: "{Rect={Point=dd}{Size=dd}}d") { (x: Double) in Geometry.Rect(x: x, y: 0, width: 0, height: 0) }
        let bytes = callForResultInMemory(closure, size: 32)
        expectEqual(bytes.withUnsafeBytes { $0.loadUnaligned(as: Double.self) }, 7)
      }
    #endif

    @Test func badIndicesAndTypesAreErrors() throws {
      let codes = Locked<[InvocationError.Code]>([])
      let closure = try Closure(MethodSignature(types: "i^vd")) { call in
        func note(_ body: (inout IncomingCall) throws(InvocationError) -> Void) {
          do { try body(&call) } catch { codes.withLock { $0.append(error.code) } }
        }
        note { (call) throws(InvocationError) in _ = try call.argument(at: 2) as Int }
        note { (call) throws(InvocationError) in _ = try call.argument(at: -1) as Int }
        note { (call) throws(InvocationError) in _ = try call.argument(at: 1) as Int }
        note { (call) throws(InvocationError) in _ = try call.argument(at: 0) as UnsafeRawPointer }
        note { (call) throws(InvocationError) in _ = try call.objectArgument(at: 0) }
        note { (call) throws(InvocationError) in _ = try call.boxedArgument(at: 9) }
        note { (call) throws(InvocationError) in try call.setReturnValue(1.0) }
        note { (call) throws(InvocationError) in try call.setReturnValue(boxed: .int(1 << 40)) }
        note { (call) throws(InvocationError) in try call.setReturnValue(nil as AnyObject?) }
        let isSet = call.hasReturnValue
        expect(!isSet)
        try call.setReturnValue(boxed: 17)
      }
      let result: Int32 = try ForeignFunction(closure.implementation, closure.methodSignature)(UnsafeRawPointer?.none, 1.0)
      expectEqual(result, 17)
      expectEqual(
        codes.withLock { $0 },
        [
          .indexOutOfRange, .indexOutOfRange, .typeMismatch, .nullNotAllowed, .typeMismatch, .indexOutOfRange, .typeMismatch, .outOfRange,
          .typeMismatch,
        ])
    }

    @Test(arguments: ["q", "d", "{Pair=id}", "{Five=iiiii}", "{Rect={Point=dd}{Size=dd}}", "D", "jD", "t"])
    func anErrorMakesTheResultZero(type: String) throws {
      struct Refused: Error {}
      let errors = Locked(0)
      let signature = try MethodSignature(types: type + "q")
      let closure = try Closure(signature, onError: { error in if error is Refused { errors.withLock { $0 += 1 } } }) { call in
        // A result set before the error does not stay.
        [UInt8](repeating: 0x3F, count: 32).withUnsafeBytes { if let bytes = $0.baseAddress { call.setReturnValue(from: bytes) } }
        throw Refused()
      }
      let invocation = Invocation(signature)
      try invocation.setArgument(1, at: 0)
      try invocation.invoke(using: closure.implementation)
      var bytes = [UInt8](repeating: 0xA5, count: 32)
      try bytes.withUnsafeMutableBytes { if let address = $0.baseAddress { try invocation.getReturnValue(into: address) } }
      expect(bytes.prefix(signature.returnLength).allSatisfy { $0 == 0 })
      expectEqual(errors.withLock { $0 }, 1)
    }

    @Test func aResultNeverSetIsAnError() throws {
      let codes = Locked<[InvocationError.Code?]>([])
      let onError: @Sendable (any Error) -> Void = { error in codes.withLock { $0.append((error as? InvocationError)?.code) } }
      let closure = try Closure(MethodSignature(types: "qq"), onError: onError) { _ in }
      let result: Int = try ForeignFunction(closure.implementation, closure.methodSignature)(1)
      expectEqual(result, 0)
      expectEqual(codes.withLock { $0 }, [.noReturnValue])
      let void = try Closure(MethodSignature(types: "vq"), onError: onError) { _ in }
      try ForeignFunction(void.implementation, void.methodSignature)(1) as Void
      expectEqual(codes.withLock { $0.count }, 1)
    }

    @Test("A result without bytes need not be set: it has one value only", arguments: ["{E=}", "{S={E=}[3{E=}]}", "{A=[0q]}"])
    func aResultWithoutBytes(type: String) throws {
      let calls = Locked(0)
      let onError: @Sendable (any Error) -> Void = { error in Issue.record("\(error)") }
      let closure = try Closure(MethodSignature(types: type + "q"), onError: onError) { _ in calls.withLock { $0 += 1 } }
      let invocation = Invocation(closure.methodSignature)
      try invocation.setArgument(1, at: 0)
      try invocation.invoke(using: closure.implementation)
      expectEqual(calls.withLock { $0 }, 1)
    }

    @Test func aStringResultIsRefused() throws {
      let codes = Locked<[InvocationError.Code]>([])
      let closure = try Closure(MethodSignature(types: "*q")) { call in
        func note(_ body: (inout IncomingCall) throws(InvocationError) -> Void) {
          do { try body(&call) } catch { codes.withLock { $0.append(error.code) } }
        }
        note { (call) throws(InvocationError) in try call.setReturnValue("text") }
        note { (call) throws(InvocationError) in try call.setReturnValue(String?.some("text")) }
        note { (call) throws(InvocationError) in try call.setReturnValue(String?.none) }
        note { (call) throws(InvocationError) in try call.setReturnValue(boxed: .string("text")) }
        let isSet = call.hasReturnValue
        expect(!isSet)
        // A text that something else keeps is the handler's to give.
        try call.setReturnValue(UnsafePointer<CChar>(bitPattern: call.argument(at: 0, as: Int.self)))
      }
      var text = Array("kept".utf8CString)
      try text.withUnsafeMutableBufferPointer { text in
        let address = Int(bitPattern: text.baseAddress)
        let result: UnsafePointer<CChar>? = try ForeignFunction(closure.implementation, closure.methodSignature)(address)
        expectEqual(Int(bitPattern: result), address)
      }
      expectEqual(codes.withLock { $0 }, [.typeMismatch, .typeMismatch, .typeMismatch, .typeMismatch])
    }

    @Test func anErrorThatNobodyTakesTraps() async {
      await #expect(processExitsWith: .failure) {
        let closure = try Closure(MethodSignature(types: "qq")) { call in try call.setReturnValue(1.5) }
        let _: Int = try ForeignFunction(closure.implementation, closure.methodSignature)(1)
      }
    }

    @Test func objectResultsAreNeitherLeakedNorReleasedTooEarly() throws {
      try LifetimeTracker.check { tracker in
        for returnsRetained in [true, false] {
          let kept = tracker.object(1)
          let closure = try Closure(MethodSignature(types: "@q"), returnsRetained: returnsRetained) { call in
            // The first one set is dropped; a fresh one lives on only if the caller gets it retained.
            try call.setReturnValue(tracker.object(2))
            try call.setReturnValue(boxed: .object(kept))
            try call.setReturnValue(kept)
            if returnsRetained { try call.setReturnValue(tracker.object(3)) }
          }
          let invocation = Invocation(closure.methodSignature)
          try invocation.setArgument(0, at: 0)
          for _ in 0..<3 {
            try invocation.invoke(using: closure.implementation)
            let object = try require(invocation.objectReturnValue() as? LifetimeTracked)
            expectEqual(object.payload, (returnsRetained ? 3 : 1))
          }
        }
      }
      try LifetimeTracker.check { tracker in
        let failing = try Closure(MethodSignature(types: "@q"), onError: { _ in }) { call in
          try call.setReturnValue(tracker.object())
          try call.setReturnValue(1)
        }
        let result: Unmanaged<LifetimeTracked>? = try ForeignFunction(failing.implementation, failing.methodSignature)(1)
        expectNil(result)
      }
    }

    @Test func typedObjectsComeAndGo() throws {
      try LifetimeTracker.check { tracker in
        let closure = try Closure(types: "@@q") { (object: Unmanaged<LifetimeTracked>, payload: Int) -> Unmanaged<LifetimeTracked> in
          let given = object.takeUnretainedValue()
          return Unmanaged.passRetained(given.payload == payload ? given : given.tracker.object(payload))
        }
        let invocation = Invocation(closure.methodSignature)
        let object = tracker.object(5)
        try invocation.setArgument(object, at: 0)
        for payload in [5, 6, 7] {
          try invocation.setArgument(payload, at: 1)
          try invocation.invoke(using: closure.implementation)
          let result = try require(invocation.objectReturnValue() as? LifetimeTracked)
          expectEqual(result.payload, payload)
          expectEqual((result === object), (payload == 5))
        }
      }
    }
  }
#endif
