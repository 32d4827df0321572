import AllocationCounter
@testable import DynamicInvocation
import TestSupport
import Testing

/// What is done again and again allocates nothing.
@Suite(.measured) struct AllocationTests {
  fileprivate struct Pair: EncodedValue {
    var a: Int32
    var b: Int32
    static let typeEncoding: TypeEncoding = "{II=ii}"
  }

  private static let mixed: @convention(c) (Int32, Double, Float, Int8, UnsafeRawPointer?, Int16, Geometry.Rect, Double) -> Double = {
    Double($0) + $1 + Double($2) + Double($3) + ($4 == nil ? 0 : 1) + Double($5) + $6.size.width + $7
  }

  /// The allocations of 1,000 calls of `body`, after a few that fill caches: ten times the fewest of 100 calls.
  ///
  /// Another test may change a method table meanwhile, after which caches are filled again.
  private func allocations(_ body: () throws -> Void) rethrows -> UInt64 {
    for _ in 0..<3 { try body() }
    var fewest = UInt64.max
    for _ in 0..<10 {
      let before = allocation_count()
      for _ in 0..<100 { try body() }
      fewest = min(fewest, allocation_count() - before)
    }
    return 10 * fewest
  }

  @Test func theCounterCounts() {
    guard allocation_count() > 0 else { return }
    var kept: [UnsafeMutableRawPointer] = []
    kept.reserveCapacity(2_000)
    let count = allocations { kept.append(UnsafeMutableRawPointer.allocate(byteCount: 40, alignment: 8)) }
    for memory in kept { memory.deallocate() }
    expectEqual(count, 1_000)
  }

  @Test(arguments: [CallBackend.automatic, .libffi].filter(\.isAvailable))
  func settingInvokingAndReadingAllocateNothing(backend: CallBackend) throws {
    let invocation = Invocation(try MethodSignature(types: "didfc^vs{Rect={Point=dd}{Size=dd}}d", backend: backend))
    let implementation = Implementation(function: Self.mixed)
    var sum = 0.0
    let count = try allocations {
      try invocation.setArgument(1 as Int32, at: 0)
      try invocation.setArgument(2.0, at: 1)
      try invocation.setArgument(3 as Float, at: 2)
      try invocation.setArgument(4 as Int8, at: 3)
      try invocation.setArgument(UnsafeRawPointer?.none, at: 4)
      try invocation.setArgument(5 as Int16, at: 5)
      try invocation.setArgument(Geometry.Rect(x: 0, y: 0, width: 6, height: 0), at: 6)
      try invocation.setArgument(7.0, at: 7)
      try invocation.invoke(using: implementation)
      sum += try invocation.returnValue(as: Double.self)
    }
    expectEqual(count, 0)
    expectEqual(sum, 28 * 1_003)
  }

  @Test func aTypedCallAllocatesNothing() throws {
    let function = try ForeignFunction(
      Implementation(function: Self.mixed), try MethodSignature(types: "didfc^vs{Rect={Point=dd}{Size=dd}}d"))
    let add: @convention(c) (Pair.Storage) -> Int32 = { Int32(truncatingIfNeeded: $0) &+ Int32(truncatingIfNeeded: $0 >> 32) }
    let pair = try ForeignFunction(Implementation(function: add), MethodSignature(types: "i{II=ii}"))
    var sum = 0.0
    let count = try allocations {
      sum += try function(
        1 as Int32, 2.0, 3 as Float, 4 as Int8, UnsafeRawPointer?.none, 5 as Int16, Geometry.Rect(x: 0, y: 0, width: 6, height: 0), 7.0)
      let total: Int32 = try pair(Pair(a: 1, b: 2))
      sum += Double(total)
    }
    expectEqual(count, 0)
    expectEqual(sum, 31 * 1_003)
  }

  /// The frame is a part of the object, unless it is large.
  @Test(arguments: ["v@:", "q@:qq", "d@:idfc^vs{II=ii}d", "{Rect={Point=dd}{Size=dd}}@:{Rect={Point=dd}{Size=dd}}{Point=dd}{Range=QQ}"])
  func makingAnInvocationAllocatesOnce(types: String) throws {
    guard allocation_count() > 0 else { return }
    let signature = try MethodSignature(types: types)
    var kept: [Invocation] = []
    kept.reserveCapacity(3_000)
    let count = allocations { kept.append(Invocation(signature)) }
    expectEqual(count, 1_000)
    let large = try MethodSignature(types: "v" + String(repeating: "d", count: 40))
    expectEqual(allocations { kept.append(Invocation(large)) }, 2_000)
  }

  #if arch(x86_64) || arch(arm64)
    private class Controller {}
    private final class SpecialController: Controller {}

    /// By the way of the class's methods, whether the last one is called again or another is looked up.
    @Test func aMessageAllocatesNothing() throws {
      let table = MethodTable.of(Controller.self)
      for selector in ["first", "second"] as [MethodSelector] {
        try table.add(
          selector, Closure(types: "q@:q") { (_: Unmanaged<Controller>, _: MethodSelector, value: Int) -> Int in value }.implementation)
      }
      let invocation = Invocation(try MethodSignature(types: "q@:q"))
      invocation.selector = "first"
      let (target, other) = (Controller(), SpecialController())
      var sum = 0
      let count = try allocations {
        invocation.target = target
        try invocation.setArgument(1, at: 2)
        try invocation.invoke()
        sum += try invocation.returnValue(as: Int.self)
        invocation.target = other
        try invocation.invoke()
        sum += try invocation.returnValue(as: Int.self)
      }
      expectEqual(count, 0)
      expectEqual(sum, 2 * 1_003)
    }
  #endif

  #if (arch(x86_64) || arch(arm64)) && os(Linux) && !DEBUG
    /// Also when the target is another than the last time, and when C calls.
    @Test func forwardingToATargetAllocatesNothing() throws {
      try MethodTable.of(Controller.self).add(
        "forwarded", Closure(types: "q@:q") { (_: Unmanaged<Controller>, _: MethodSelector, value: Int) -> Int in value }.implementation)
      let signature = try MethodSignature(types: "q@:q")
      let selector: MethodSelector = "forwarded"
      let invocation = Invocation(signature)
      let relay = Relay()
      let outer = Relay(relay)
      invocation.target = outer
      invocation.selector = selector
      let (targets, receivers) = ([Controller(), SpecialController()], [relay, outer])
      let code = try Implementation.forwarding(signature)
      typealias Message = @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int) -> Int
      let send = unsafeBitCast(code.pointer, to: Message.self)
      var sum = 0
      let count = try allocations {
        for target in targets {
          relay.next = target
          try invocation.setArgument(1, at: 2)
          for receiver in receivers {
            invocation.target = receiver
            try invocation.invoke()
            try invocation.invoke()
            sum += try invocation.returnValue(as: Int.self)
            sum += send(Unmanaged.passUnretained(receiver).toOpaque(), selector.pointer, 1)
          }
        }
      }
      expectEqual(count, 0)
      expectEqual(sum, 8 * 1_003)
    }

    private final class View: EncodedObject {}
    private final class Screen: @unchecked Sendable {
      var sum = 0
      func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) throws -> Double {
        sum += tag
        return frame.size.width
      }
    }

    /// Swift closures as methods, with objects, structs and the possibility of an error.
    ///
    /// Unoptimised, generic code may allocate for what it does not know the size of.
    @Test func aSwiftMethodAllocatesNothing() throws {
      let table = MethodTable.of(Screen.self)
      try table.add("closure") { (screen: Screen, source: View?, tag: Int, frame: Geometry.Rect) throws -> Double in
        try screen.tapped(source, tag: tag, frame: frame)
      }
      try table.add("reference", Screen.tapped)
      let (screen, view) = (Screen(), View())
      for selector in table.selectors {
        let invocation = Invocation(try require(table.methodSignature(for: selector)))
        invocation.target = screen
        invocation.selector = selector
        let count = try allocations {
          try invocation.setArgument(view, at: 2)
          try invocation.setArgument(1, at: 3)
          try invocation.setArgument(Geometry.Rect(x: 0, y: 0, width: 6, height: 0), at: 4)
          try invocation.invoke()
          _ = try invocation.returnValue(as: Double.self)
        }
        expectEqual(count, 0, "\(selector)")
      }
      expectEqual(screen.sum, 2 * 1_003)
    }
  #endif

  /// Twice the encoding takes twice the work to plan: the allocations, which are exact, stand for it.
  @Test(arguments: ["i", "d", "{P={Q=dd}[3c]}", "D"]) func planningIsLinear(type: String) throws {
    func allocations(count: Int) throws -> Double {
      let before = allocation_count()
      _ = try MethodSignature(types: "v" + String(repeating: type, count: count))
      return Double(allocation_count() - before)
    }
    _ = try allocations(count: 10)
    let (small, large) = (try allocations(count: 500), try allocations(count: 2_000))
    expect(large <= 4.2 * small)
  }

  /// What kind of type it is lies in its node; it used to take memory of its own.
  @Test func aTypeIsOneAllocation() {
    guard allocation_count() > 0 else { return }
    let element = TypeEncoding(.scalar(.double))
    expectEqual(allocations { withExtendedLifetime(TypeEncoding(.scalar(.int32))) {} }, 1_000)
    expectEqual(allocations { withExtendedLifetime(TypeEncoding(.pointer(element))) {} }, 1_000)
  }

  @Test func aSignatureFoundAgainAllocatesNothing() throws {
    let kept = try MethodSignature(types: "q@:qq")
    let count = try allocations { _ = try MethodSignature(types: "q@:qq") }
    expectEqual(count, 0)
    expect(kept.isMethod)
  }
}

extension AllocationTests.Pair {
  /// A struct of two 32-bit integers is passed as one word.
  fileprivate typealias Storage = UInt64
}
