import AllocationCounter
import DynamicInvocation
import TestSupport
import Testing

/// What a `CallFrame` promises as an `Invocation` does: calls, results, errors and ownership.
@Suite(.measured) struct CallFrameTests {
  /// An object that tells when it ends.
  private final class Probe {
    private let end: () -> Void
    init(_ end: @escaping () -> Void = {}) { self.end = end }
    deinit { end() }
  }

  private final class Thrower {}

  private func withFrame<Result>(_ types: String, _ body: (borrowing CallFrame) throws -> Result) throws -> Result {
    try MethodSignature(types: types).withFrame { frame in try body(frame) }
  }

  // MARK: Calls and results

  @Test("A call of a plain function gives its result, as often as it is made") func calls() throws {
    let add: @convention(c) (Int, Int) -> Int = { $0 + $1 }
    try withFrame("qqq") { frame in
      try frame.setArgument(1, at: 0)
      try frame.setArgument(boxed: 2, at: 1)
      let hadResult = frame.hasReturnValue
      expect(!hadResult)
      for (number, sum) in [(1, 3), (40, 42)] {
        try frame.setArgument(number, at: 0)
        try frame.invoke(using: Implementation(function: add))
        let (result, boxed) = (try frame.returnValue(as: Int.self), try frame.boxedReturnValue())
        expect(result == sum && "\(boxed)" == "\(sum)")
      }
    }
  }

  @Test("A nil target is not called, and the result is zero") func nilTarget() throws {
    let called: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int = { _, _ in 7 }
    let result = try withFrame("q@:") { frame in
      try frame.invoke(using: Implementation(function: called))
      return try frame.returnValue(as: Int.self)
    }
    expectEqual(result, 0)
  }

  @Test("The error of a method that throws is thrown") func thrownErrors() throws {
    let method = try Implementation { (_: Thrower, number: Int) throws -> Int in
      if number > 0 { throw Refusal(number: number) }
      return number
    }
    try withFrame("q@:q") { frame in
      try frame.setArgument(Thrower() as AnyObject?, at: 0)
      try frame.setArgument("fail(_:)" as MethodSelector, at: 1)
      try frame.setArgument(5, at: 2)
      expectThrows(Refusal(number: 5)) { try frame.invoke(using: method) }
      try frame.setArgument(-3, at: 2)
      try frame.invoke(using: method)
      let result = try frame.returnValue(as: Int.self)
      expectEqual(result, -3)
    }
  }

  // MARK: Errors

  @Test("A wrong index, a wrong type, an argument never set and a result before the call are errors") func errors() throws {
    let negate: @convention(c) (Int32) -> Int = { Int(-$0) }
    try withFrame("qi") { frame in
      for index in [1, -1] { expectError(.indexOutOfRange) { try frame.setArgument(1, at: index) } }
      expectError(.outOfRange) { try frame.setArgument(Int.max, at: 0) }
      expectError(.typeMismatch) { try frame.setArgument("1", at: 0) }
      expectError(.inexact) { try frame.setArgument(boxed: 1.5, at: 0) }
      for object in [nil, Probe()] { expectError(.typeMismatch) { try frame.setArgument(object as AnyObject?, at: 0) } }
      expectError(.noReturnValue) { _ = try frame.returnValue(as: Int.self) }
      expectError(.noReturnValue) { _ = try frame.boxedReturnValue() }
      expectError(.typeMismatch) { _ = try frame.objectReturnValue() }
      expectError(.argumentNotSet) { try frame.invoke(using: Implementation(function: negate)) }
      try frame.setArgument(1, at: 0)
      let other = Implementation(function: negate, methodSignature: try MethodSignature(types: "qq"))
      expectError(.typeMismatch) { try frame.invoke(using: other) }
    }
  }

  @Test("Errors of a message name the class and the selector") func names() throws {
    try withFrame("v@:q") { frame in
      try frame.setArgument(Probe() as AnyObject?, at: 0)
      try frame.setArgument("show(_:)" as MethodSelector, at: 1)
      let message = InvocationFixtures.message { try frame.setArgument("no", at: 2) }
      expect(message.contains("-[Probe show(_:)]"))
    }
  }

  // MARK: Objects, classes and null

  @Test("An object argument takes an object, a class argument a class, and each pointer null") func objects() throws {
    let describe: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Int = {
      ($0 == nil ? 0 : 1) + ($1 == nil ? 0 : 2) + ($2 == nil ? 0 : 4) + ($3 == nil ? 0 : 8)
    }
    try withFrame("q@#^v*") { frame in
      for (first, second, expected) in [(Probe() as AnyObject?, Probe.self as AnyObject?, 3), (nil, nil, 0)] {
        for (index, object) in [first, second, nil, nil].enumerated() { try frame.setArgument(object, at: index) }
        try frame.invoke(using: Implementation(function: describe))
        let result = try frame.returnValue(as: Int.self)
        expectEqual(result, expected)
      }
    }
  }

  @Test("Objects are retained until they are replaced or the frame ends") func retention() throws {
    var ended: [String] = []
    try withFrame("v@*") { frame in
      try frame.setArgument(Probe { ended.append("first") } as AnyObject?, at: 0)
      expect(ended.isEmpty)
      try frame.setArgument(Probe { ended.append("second") } as AnyObject?, at: 0)
      expectEqual(ended, ["first"])
      try frame.setArgument("a text of some length, on the heap", at: 1)
      try frame.setArgument(boxed: .string("another text of some length, on the heap"), at: 1)
    }
    expectEqual(ended, ["first", "second"])
  }

  @Test("An object result that comes retained is released when it is replaced or the frame ends") func results() throws {
    let make: @convention(c) (UnsafeRawPointer) -> Unmanaged<AnyObject> = { tracker in
      Unmanaged.passRetained(Unmanaged<LifetimeTracker>.fromOpaque(tracker).takeUnretainedValue().object(3))
    }
    try LifetimeTracker.check { tracker in
      try withFrame("@^v") { frame in
        try frame.setArgument(UnsafeRawPointer(Unmanaged.passUnretained(tracker).toOpaque()), at: 0)
        for _ in 0..<3 { try frame.invoke(using: Implementation(function: make, returnsRetained: true)) }
        let result = try frame.objectReturnValue()
        expect(tracker.liveCount == 1 && result is LifetimeTracked)
      }
    }
  }

  // MARK: C strings

  @Test(
    "A C string is copied when it is set, and what the callee writes to an output string reaches the caller", arguments: ["*", "o*", "N*"])
  func strings(type: String) throws {
    let change: @convention(c) (UnsafeMutablePointer<CChar>) -> Int = { text in
      text[0] = 122
      return text[1] == 0 ? 1 : 2
    }
    var characters: [CChar] = [97, 98, 0]
    try characters.withUnsafeMutableBufferPointer { buffer in
      try withFrame("q\(type)") { frame in
        try frame.setArgument(UnsafePointer(buffer.baseAddress!), at: 0)
        buffer[1] = 0
        try frame.invoke(using: Implementation(function: change))
        let length = try frame.returnValue(as: Int.self)
        expectEqual(length, type == "*" ? 2 : 1)
      }
    }
    expectEqual(characters[0], type == "*" ? 97 : 122)
  }

  // MARK: Sizes

  @Test("Frames of any size, and of more than 63 arguments, hold what is set", arguments: [1, 9, 10, 40, 63, 64, 130])
  func sizes(count: Int) throws {
    // The callee reads its first argument only: what it is called for is the count of those set.
    let first: @convention(c) (Int) -> Int = { $0 }
    try withFrame("q" + String(repeating: "q", count: count)) { frame in
      for index in 0..<count {
        expectError(.argumentNotSet) { try frame.invoke(using: Implementation(function: first)) }
        try frame.setArgument(index + 17, at: index)
      }
      try frame.invoke(using: Implementation(function: first))
      let result = try frame.returnValue(as: Int.self)
      expectEqual(result, 17)
    }
  }

  private static let mixed: @convention(c) (Int32, Double, Float, Int8, UnsafeRawPointer?, Int16, Geometry.Rect, Double) -> Double = {
    Double($0) + $1 + Double($2) + Double($3) + ($4 == nil ? 0 : 1) + Double($5) + $6.size.width + $7
  }

  @Test(
    "Typed and boxed arguments arrive in a frame, and numbers that do not fit are refused",
    arguments: [CallBackend.automatic, .libffi].filter(\.isAvailable))
  func typedAndBoxedArguments(backend: CallBackend) throws {
    let implementation = Implementation(function: Self.mixed)
    try MethodSignature(types: "didfc^vs{Rect={Point=dd}{Size=dd}}d", backend: backend).withFrame { frame in
      try frame.setArgument(1 as Int32, at: 0)
      try frame.setArgument(2.0, at: 1)
      try frame.setArgument(3 as Float, at: 2)
      for (index, box) in [(3, 4), (4, .null), (5, 5.0), (6, .rect(Geometry.Rect(x: 0, y: 0, width: 6, height: 0))), (7, 7)]
        as [(Int, BoxedValue)]
      {
        try frame.setArgument(boxed: box, at: index)
      }
      try frame.invoke(using: implementation)
      try expectEqual(frame.returnValue(as: Double.self), 28)
      try frame.setArgument(100 as Int32, at: 0)
      try frame.invoke(using: implementation)
      try expectEqual("\(frame.boxedReturnValue())", "127.0")
      expectError(.outOfRange) { try frame.setArgument(70_000, at: 5) }
      expectError(.outOfRange) { try frame.setArgument(boxed: 70_000, at: 5) }
      expectError(.typeMismatch) { _ = try frame.returnValue(as: Int.self) }
    }
    struct Stop: Error {}
    expectThrows(Stop.self) { try MethodSignature(types: "v").withFrame { _ throws(Stop) in throw Stop() } }
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
    var total = try (0..<3).reduce(0) { try $0 + sum($1) }
    let before = allocation_count()
    for index in 0..<1_000 { total += try sum(index) }
    let count = allocation_count() - before
    expectEqual(total, 499_500 + 2_000 + 9)
    #if !DEBUG
      expectEqual(count, 0)
    #else
      _ = count
    #endif
  }
}
