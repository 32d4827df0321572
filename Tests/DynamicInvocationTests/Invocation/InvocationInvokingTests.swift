import DynamicInvocation
import TestSupport
import Testing

@Suite(.measured) struct InvocationInvokingTests {
  @Test func members() throws {
    let signature = try MethodSignature(types: Receiver.types)
    let invocation = Invocation(signature)
    expect(invocation.methodSignature == signature && invocation.argumentsRetained)
    expect(invocation.target == nil && invocation.selector == nil && invocation.implementation == nil && !invocation.hasReturnValue)
    let receiver = Receiver()
    defer { receiver.kept = nil }  // it keeps itself
    invocation.target = receiver
    invocation.selector = "run(_:)"
    try invocation.setArgument(receiver, at: 2)
    expect(invocation.target === receiver && invocation.selector == "run(_:)")
    try expect(invocation.argument(at: 1, as: MethodSelector.self) == "run(_:)" && invocation.objectArgument(at: 0) === receiver)
    try invocation.invoke()
    try expect(receiver.calls == 1 && invocation.objectReturnValue() === receiver)
    invocation.selector = nil
    expectNil(invocation.selector)
    expectMessage("argument 1 (:): the selector was never set") { try invocation.invoke() }
    invocation.target = nil
    expectNil(invocation.target)
    expect(!Invocation(signature, retainsArguments: false).argumentsRetained)
  }

  /// No call, and a zero of the type.
  @Test func nilTarget() throws {
    let fail: @convention(c) () -> Void = { Issue.record("it is called") }
    for type in ["c", "q", "t", "f", "d", "D", "B", "@", "*", ":", "^v", "{Rect={Point=dd}{Size=dd}}", "{S=[40C]}", "jD", "v"] {
      let invocation = try InvocationFixtures.invocation(type + "@:i")
      let size = invocation.methodSignature.returnLength
      let old = [UInt8](repeating: 0xEE, count: max(1, size))
      for useImplementation in [false, true] {
        if type != "@", type != "v" { old.withUnsafeBytes { bytes in bytes.baseAddress.map { invocation.setReturnValue(from: $0) } } }
        // Neither the selector nor the argument is set.
        if useImplementation {
          try invocation.invoke(using: Implementation(function: fail))
        } else {
          try invocation.invoke()
        }
        expect(invocation.hasReturnValue)
        var result = [UInt8](repeating: 0xEE, count: size + 1)
        try invocation.getReturnValue(into: &result)
        expectEqual(result, [UInt8](repeating: 0, count: size) + [0xEE], "\(type)")
      }
      invocation.implementation = Implementation(function: fail)
      try invocation.invoke(with: nil)
      expect(invocation.hasReturnValue)
    }
  }

  @Test func invokeWithAnotherTarget() throws {
    let invocation = try InvocationFixtures.invocation(Receiver.types)
    invocation.selector = "run(_:)"
    try invocation.setArgument(nil, at: 2)
    let first = Receiver()
    let second = Receiver()
    invocation.target = first
    try invocation.invoke(with: second)
    expect(first.calls == 0 && second.calls == 1 && invocation.target === second)
    try invocation.invoke(with: first)
    expect(first.calls == 1 && second.calls == 1)
  }

  @Test func invokeUsingAnImplementation() throws {
    let add: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int32, Int32) -> Int32 = { _, _, left, right in left &+ right }
    let multiply: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int32, Int32) -> Int32 = { _, _, left, right in left &* right }
    let invocation = try InvocationFixtures.invocation("i@:ii")
    // The target is not asked, so it may be any object.
    invocation.target = Methodless()
    invocation.selector = "anything"
    try invocation.setArguments([Int32(6), Int32(7)])
    try invocation.invoke(using: Implementation(function: add))
    try expectEqual(invocation.returnValue(as: Int32.self), 13)
    try invocation.invoke(using: Implementation(function: multiply))
    try expectEqual(invocation.returnValue(as: Int32.self), 42)
    invocation.implementation = Implementation(function: add)
    try expectEqual(invocation.result(as: Int32.self), 13)
    try invocation.setArgument(Int32(1), at: 2)
    try expectEqual(invocation.result(as: Int32.self), 8)
  }

  @Test func nobodyToCall() throws {
    let invocation = try InvocationFixtures.invocation(Receiver.types)
    try invocation.setArgument(nil, at: 2)
    invocation.target = Methodless()
    invocation.selector = "run(_:)"
    expectError(.unrecognizedSelector) { try invocation.invoke() }
    expectMessage("Methodless does not respond to 'run(_:)'; give it methods with MethodTable.add or @Invocable") {
      try invocation.invoke()
    }
    invocation.target = Receiver()
    invocation.selector = "walk"
    expectError(.unrecognizedSelector) { try invocation.invoke() }
    expectMessage("Receiver does not respond to 'walk'; give it methods with MethodTable.add or @Invocable") { try invocation.invoke() }
    expect(!invocation.hasReturnValue)
    let plain = try InvocationFixtures.invocation("i")
    expectErrors(.noImplementation, { try plain.invoke() }, { try plain.invoke(with: Receiver()) })
  }

  @Test func aClassAsTarget() throws {
    let same: @convention(c) (UnsafeRawPointer, UnsafeRawPointer) -> UnsafeRawPointer = { type, _ in type }
    let invocation = try Invocation.message("##:", to: Receiver.self as AnyObject, "class")
    try invocation.invoke(using: Implementation(function: same))
    try expectEqual("\(invocation.boxedReturnValue())", "Receiver")
    expect(invocation.target as? AnyClass == Receiver.self)
    expect(invocation.description.hasPrefix("-[Receiver class]"))
    expectError(.noImplementation) { try invocation.invoke() }
  }

  @Test func plainFunctionsHaveNoTargetAndNoSelector() async {
    await #expect(processExitsWith: .failure) { _ = try Invocation(MethodSignature(types: "ii")).target }
    await #expect(processExitsWith: .failure) { try Invocation(MethodSignature(types: "ii")).selector = "a" }
    await #expect(processExitsWith: .failure) { try Invocation(MethodSignature(types: "v#:")).target = Receiver() }
  }

  @Test func errnoIsCaptured() throws {
    let open = try DynamicLibrary.process.function("open", types: "i*i")
    let invocation = open.makeInvocation()
    try invocation.setArguments(["/nonexistent/file", Int32(0)])
    try invocation.invoke()
    try expect(invocation.returnValue(as: Int32.self) == -1 && invocation.capturedErrno == 0)
    invocation.capturesErrno = true
    try invocation.invoke()
    try expect(invocation.returnValue(as: Int32.self) == -1 && invocation.capturedErrno == 2)
    // A success afterwards is not the failure before.
    let toNumber = try DynamicLibrary.process.function("strtol", types: "q*^*i").makeInvocation()
    toNumber.capturesErrno = true
    try toNumber.setArgument(nil, at: 1)
    try toNumber.setArgument(Int32(10), at: 2)
    try toNumber.setArgument("99999999999999999999", at: 0)
    try toNumber.invoke()
    try expect(toNumber.returnValue(as: Int.self) == .max && toNumber.capturedErrno == 34)
    try toNumber.setArgument("17", at: 0)
    try toNumber.invoke()
    try expect(toNumber.returnValue(as: Int.self) == 17 && toNumber.capturedErrno == 0)
  }

  /// Called as a plain function, code sees a null target.
  @Test func callingPassesANullTarget() throws {
    let sum: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, Int) -> Int = { $0 == nil ? $2 + 1 : 0 }
    let invocation = Invocation(try MethodSignature(types: "q@:q"))
    invocation.selector = "sum"
    expectThrows(InvocationError.self) { try invocation.call(Implementation(function: sum)) }
    try invocation.setArgument(41, at: 2)
    try invocation.call(Implementation(function: sum))
    try expectEqual(invocation.returnValue(as: Int.self), 42)
    try invocation.invoke(using: Implementation(function: sum))
    try expectEqual(invocation.returnValue(as: Int.self), 0)
  }
}
