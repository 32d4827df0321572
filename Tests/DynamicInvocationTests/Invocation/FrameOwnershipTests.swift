@testable import CallFrames
@testable import DynamicInvocation
import TestSupport
import Testing

/// What a frame notes of its arguments, also beyond the first 64, and what it releases.
@Suite(.measured) struct FrameOwnershipTests {
  @Test("A mark of one argument can be set and reset, and concerns no other") func marks() throws {
    let plan = try MethodSignature(types: "v" + String(repeating: "@", count: 130)).storage.plan
    let memory = UnsafeMutableRawPointer.allocate(byteCount: plan.blockSize, alignment: 64)
    defer { memory.deallocate() }
    plan.clearBits(in: memory)
    let marked = [0, 1, 63, 64, 65, 127, 128, 129]
    for index in marked { plan.markOwned(index, in: memory) }
    expectEqual((0..<130).filter { plan.isOwned($0, in: memory) }, marked)
    for index in [1, 64, 129] { plan.markOwned(index, false, in: memory) }
    expectEqual((0..<130).filter { plan.isOwned($0, in: memory) }, [0, 63, 65, 127, 128])
  }

  @Test("Objects beyond the first 64 arguments are released with the frame") func manyObjects() throws {
    try LifetimeTracker.check { tracker in
      let invocation = Invocation(try MethodSignature(types: "v" + String(repeating: "@", count: 130)), retainsArguments: true)
      for index in [2, 64, 70, 129] { try invocation.setArgument(tracker.object(index) as AnyObject?, at: index) }
      expectEqual(tracker.liveCount, 4)
      try invocation.setArgument(tracker.object() as AnyObject?, at: 70)
      expectEqual(tracker.liveCount, 4)
    }
  }

  @Test("Arguments that are not set are not retained, whatever is in their memory") func unsetArguments() throws {
    let signature = try MethodSignature(types: "v@:@*@").storage
    let size = FrameCore.State.size + signature.plan.blockSize
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
    defer { memory.deallocate() }
    // An address that cannot be read.
    memory.initializeMemory(as: UInt8.self, repeating: 0x58, count: size)
    let core = FrameCore(signature, in: memory)
    (core.state.retainsObjects, core.state.copiesStrings) = (false, false)
    core.retainArguments()
    expect((1..<5).allSatisfy { !core.isOwned($0) })
    core.end()
  }

  @Test(
    "The memory of a frame that was allocated for it is freed with it",
    .enabled(if: Sanitizer.current != .address, "it keeps what is freed, and detects itself what is not"))
  func allocatedFrames() throws {
    let signature = try MethodSignature(types: "v" + String(repeating: "{L=[4096c]}", count: 4)).storage
    // Memory that is not freed has another address each time.
    var addresses: Set<UnsafeMutableRawPointer> = []
    for _ in 0..<1_000 {
      let core = FrameCore(signature)
      addresses.insert(core.frame)
      core.end()
    }
    expect(addresses.count < 1_000)
  }

  @Test("A pointer is read as a pointer to what the signature says only") func pointees() throws {
    let invocation = Invocation(try MethodSignature(types: "v^d^v"))
    let value = UnsafeMutablePointer<Double>.allocate(capacity: 1)
    value.initialize(to: 1.5)
    defer { value.deallocate() }
    try invocation.setArgument(value, at: 0)
    try expectEqual(invocation.argument(at: 0, as: UnsafeMutablePointer<Double>.self), value)
    let error = expectThrows(InvocationError.self) { try invocation.argument(at: 0, as: UnsafeMutablePointer<Int32>.self) }
    expect(error?.code == .typeMismatch && error?.argument == .index(0))
  }
}
