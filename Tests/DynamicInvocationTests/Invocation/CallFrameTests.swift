import AllocationCounter
import DynamicInvocation
import TestSupport
import Testing

/// A frame on the stack, with the checks of an invocation.
@Suite(.measured) struct CallFrameTests {
  private static let mixed: @convention(c) (Int32, Double, Float, Int8, UnsafeRawPointer?, Int16, Geometry.Rect, Double) -> Double = {
    Double($0) + $1 + Double($2) + Double($3) + ($4 == nil ? 0 : 1) + Double($5) + $6.size.width + $7
  }
  private static let mixedTypes = "didfc^vs{Rect={Point=dd}{Size=dd}}d"

  private func error(_ body: () throws -> Void) -> InvocationError? {
    do { try body() } catch { return error as? InvocationError }
    return nil
  }

  @Test(arguments: [CallBackend.automatic, .libffi].filter(\.isAvailable))
  func typedAndBoxedArgumentsArrive(backend: CallBackend) throws {
    let signature = try MethodSignature(types: Self.mixedTypes, backend: backend)
    let implementation = Implementation(function: Self.mixed)
    let results = try signature.withFrame { frame in
      try frame.setArgument(1 as Int32, at: 0)
      try frame.setArgument(2.0, at: 1)
      try frame.setArgument(3 as Float, at: 2)
      try frame.setArgument(boxed: 4, at: 3)
      try frame.setArgument(boxed: .null, at: 4)
      try frame.setArgument(boxed: 5.0, at: 5)
      try frame.setArgument(boxed: .rect(Geometry.Rect(x: 0, y: 0, width: 6, height: 0)), at: 6)
      try frame.setArgument(boxed: 7, at: 7)
      let hadResult = frame.hasReturnValue
      #expect(!hadResult)
      try frame.invoke(using: implementation)
      let first = try frame.returnValue(as: Double.self)
      try frame.setArgument(100 as Int32, at: 0)
      try frame.invoke(using: implementation)
      return [.double(first), try frame.boxedReturnValue()]
    }
    #expect(results.map { "\($0)" } == ["28.0", "127.0"])
  }

  @Test func aPreparedCallAllocatesNothing() throws {
    let signature = try MethodSignature(types: "qqq")
    let add: @convention(c) (Int, Int) -> Int = { $0 + $1 }
    let implementation = Implementation(function: add)
    func sum(_ index: Int) throws -> Int {
      try signature.withFrame { frame in
        try frame.setArgument(index, at: 0)
        try frame.setArgument(2, at: 1)
        try frame.invoke(using: implementation)
        return try frame.returnValue(as: Int.self)
      }
    }
    var total = 0
    for index in 0..<3 { total += try sum(index) }
    let before = allocation_count()
    for index in 0..<1_000 { total += try sum(index) }
    let count = allocation_count() - before
    #expect(total == 499_500 + 2_000 + 9)
    #if !DEBUG
      #expect(count == 0)
    #else
      _ = count
    #endif
  }

  @Test func objectsAndStringsAreKeptAndReleased() throws {
    let tracker = LifetimeTracker()
    let length: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>) -> Int = { object, text in
      object == nil ? -1 : Int(text[0])
    }
    let signature = try MethodSignature(types: "q@*")
    let implementation = Implementation(function: length)
    for _ in 0..<100 {
      let value = try signature.withFrame { frame in
        try frame.setArgument(LifetimeTracked(tracker: tracker), at: 0)
        try frame.setArgument(LifetimeTracked(tracker: tracker), at: 0)
        try frame.setArgument("first, a text of some length", at: 1)
        try frame.setArgument(boxed: .string("second, another text of some length"), at: 1)
        #expect(tracker.liveCount == 1)
        try frame.invoke(using: implementation)
        return try frame.returnValue(as: Int.self)
      }
      #expect(value == 115)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test func aRetainedResultIsReleasedOnce() throws {
    let tracker = LifetimeTracker()
    let make: @convention(c) (UnsafeRawPointer) -> UnsafeMutableRawPointer = { tracker in
      let tracker = Unmanaged<LifetimeTracker>.fromOpaque(tracker).takeUnretainedValue()
      return Unmanaged.passRetained(LifetimeTracked(tracker: tracker)).toOpaque()
    }
    let implementation = Implementation(function: make, returnsRetained: true)
    try MethodSignature(types: "@^v").withFrame { frame in
      try frame.setArgument(UnsafeRawPointer(Unmanaged.passUnretained(tracker).toOpaque()), at: 0)
      try frame.invoke(using: implementation)
      try frame.invoke(using: implementation)
      #expect(tracker.liveCount == 1)
      #expect(try frame.objectReturnValue() is LifetimeTracked)
    }
    #expect(tracker.liveCount == 0)
  }

  @Test func aNilTargetIsNotCalled() throws {
    let never: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int = { _, _ in fatalError("called") }
    try MethodSignature(types: "q@:").withFrame { frame in
      try frame.invoke(using: Implementation(function: never))
      #expect(try frame.returnValue(as: Int.self) == 0)
    }
  }

  @Test func manyArgumentsAreTrackedOneByOne() throws {
    let signature = try MethodSignature(types: "v" + String(repeating: "i", count: 130))
    let nothing: @convention(c) () -> Void = {}
    let implementation = Implementation(function: nothing)
    try signature.withFrame { frame in
      for index in 0..<130 where index != 100 { try frame.setArgument(Int32(index), at: index) }
      #expect(error { try frame.invoke(using: implementation) }?.argument == .index(100))
      try frame.setArgument(100 as Int32, at: 100)
      try frame.invoke(using: implementation)
    }
  }

  @Test func badDataThrows() throws {
    let add: @convention(c) (Int16, Int) -> Int = { Int($0) + $1 }
    let implementation = Implementation(function: add)
    try MethodSignature(types: "qsq").withFrame { frame in
      #expect(error { try frame.setArgument(1, at: 2) }?.code == .indexOutOfRange)
      #expect(error { try frame.setArgument(1, at: -1) }?.code == .indexOutOfRange)
      #expect(error { try frame.setArgument("1", at: 0) }?.code == .typeMismatch)
      #expect(error { try frame.setArgument(70_000, at: 0) }?.code == .outOfRange)
      #expect(error { try frame.setArgument(boxed: 70_000, at: 0) }?.code == .outOfRange)
      #expect(error { try frame.setArgument(frameObject, at: 0) }?.code == .typeMismatch)
      #expect(error { _ = try frame.returnValue(as: Int.self) }?.code == .noReturnValue)
      #expect(error { _ = try frame.boxedReturnValue() }?.code == .noReturnValue)
      try frame.setArgument(1 as Int16, at: 0)
      #expect(error { try frame.invoke(using: implementation) }?.argument == .index(1))
      try frame.setArgument(2, at: 1)
      try frame.invoke(using: implementation)
      #expect(error { _ = try frame.returnValue(as: Double.self) }?.argument == .result)
      #expect(try frame.returnValue(as: Int.self) == 3)
    }
    struct Stop: Error {}
    #expect(throws: Stop.self) { try MethodSignature(types: "v").withFrame { _ throws(Stop) in throw Stop() } }
  }

  private let frameObject = LifetimeTracker()
}
