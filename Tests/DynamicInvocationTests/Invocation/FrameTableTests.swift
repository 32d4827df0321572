import AllocationCounter
import DynamicInvocation
import TestSupport
import Testing

/// What an `Invocation` and a `CallFrame` promise alike, in one table: the same calls, results, errors and ownership.
@Suite(.measured) struct FrameTableTests {
  /// One of the two types.
  enum Kind: CaseIterable, CustomTestStringConvertible {
    case invocation, frame

    var testDescription: String { self == .invocation ? "Invocation" : "CallFrame" }

    /// Lends a frame of either type as closures, so that each test is written once.
    func with<Result>(_ types: String, retainsArguments: Bool = true, _ body: (Frame) throws -> Result) throws -> Result {
      let signature = try MethodSignature(types: types)
      switch self {
      case .invocation:
        let invocation = Invocation(signature, retainsArguments: retainsArguments)
        return try body(
          Frame(
            setInt: { try invocation.setArgument($0, at: $1) }, setText: { try invocation.setArgument($0, at: $1) },
            setCharacters: { try invocation.setArgument($0, at: $1) }, setObject: { try invocation.setArgument($0 as AnyObject?, at: $1) },
            setSelector: { try invocation.setArgument($0, at: $1) }, setBoxed: { try invocation.setArgument(boxed: $0, at: $1) },
            invoke: { try invocation.invoke(using: $0) }, int: { try invocation.returnValue(as: Int.self) },
            object: { try invocation.objectReturnValue() }, boxed: { try invocation.boxedReturnValue() },
            hasResult: { invocation.hasReturnValue }))
      case .frame:
        return try signature.withFrame(retainsArguments: retainsArguments) { frame in
          try withoutActuallyEscaping(frame: frame) { frame in
            try body(
              Frame(
                setInt: { try frame.pointee.setArgument($0, at: $1) }, setText: { try frame.pointee.setArgument($0, at: $1) },
                setCharacters: { try frame.pointee.setArgument($0, at: $1) },
                setObject: { try frame.pointee.setArgument($0 as AnyObject?, at: $1) },
                setSelector: { try frame.pointee.setArgument($0, at: $1) }, setBoxed: { try frame.pointee.setArgument(boxed: $0, at: $1) },
                invoke: { try frame.pointee.invoke(using: $0) }, int: { try frame.pointee.returnValue(as: Int.self) },
                object: { try frame.pointee.objectReturnValue() }, boxed: { try frame.pointee.boxedReturnValue() },
                hasResult: { frame.pointee.hasReturnValue }))
          }
        }
      }
    }

    private func withoutActuallyEscaping<Result>(
      frame: borrowing CallFrame, _ body: (UnsafePointer<CallFrame>) throws -> Result
    ) rethrows -> Result {
      try withUnsafePointer(to: frame, body)
    }
  }

  /// An object that tells when it ends.
  final class Probe {
    private let end: () -> Void
    init(_ end: @escaping () -> Void = {}) { self.end = end }
    deinit { end() }
  }

  private final class Thrower {}

  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// A method that throws for positive numbers.
  private static let failing = Result {
    let table = MethodTable.of(Thrower.self)
    try table.add("fail(_:)") { (_: Thrower, number: Int) throws -> Int in
      if number > 0 { throw Failure(number: number) }
      return number
    }
    return try require(table.implementation(for: "fail(_:)"))
  }

  struct Frame {
    let setInt: (Int, Int) throws -> Void
    let setText: (String, Int) throws -> Void
    let setCharacters: (UnsafePointer<CChar>, Int) throws -> Void
    let setObject: (AnyObject?, Int) throws -> Void
    let setSelector: (MethodSelector, Int) throws -> Void
    let setBoxed: (BoxedValue, Int) throws -> Void
    let invoke: (Implementation) throws -> Void
    let int: () throws -> Int
    let object: () throws -> AnyObject?
    let boxed: () throws -> BoxedValue
    let hasResult: () -> Bool
  }

  private func error(_ body: () throws -> Void) -> InvocationError? {
    do { try body() } catch { return error as? InvocationError }
    return nil
  }

  // MARK: Calls and results

  @Test("A call of a plain function gives its result, as often as it is made", arguments: Kind.allCases) func calls(kind: Kind) throws {
    let add: @convention(c) (Int, Int) -> Int = { $0 + $1 }
    let results = try kind.with("qqq") { frame in
      try frame.setInt(1, 0)
      try frame.setBoxed(2, 1)
      let before = frame.hasResult()
      try frame.invoke(Implementation(function: add))
      let first = try frame.int()
      try frame.setInt(40, 0)
      try frame.invoke(Implementation(function: add))
      return (before, first, try frame.int(), "\(try frame.boxed())")
    }
    expect(results == (false, 3, 42, "42"))
  }

  @Test("A nil target is not called, and the result is zero", arguments: Kind.allCases) func nilTarget(kind: Kind) throws {
    let called: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int = { _, _ in 7 }
    let result = try kind.with("q@:") { frame in
      try frame.invoke(Implementation(function: called))
      return try frame.int()
    }
    expectEqual(result, 0)
  }

  @Test("The error of a method that throws is thrown", arguments: Kind.allCases) func thrownErrors(kind: Kind) throws {
    let method = try Self.failing.get()
    let target = Thrower()
    try kind.with("q@:q") { frame in
      try frame.setObject(target, 0)
      try frame.setSelector("fail(_:)", 1)
      try frame.setInt(5, 2)
      expectThrows(Failure(number: 5)) { try frame.invoke(method) }
      try frame.setInt(-3, 2)
      try frame.invoke(method)
      try expectEqual(frame.int(), -3)
    }
  }

  // MARK: Errors

  @Test("A wrong index, a wrong type, an argument never set and a result before the call are the same errors")
  func errors() throws {
    let negate: @convention(c) (Int32) -> Int = { Int(-$0) }
    func all(_ kind: Kind) throws -> [String] {
      try kind.with("qi") { frame in
        [
          error { try frame.setInt(1, 1) }, error { try frame.setInt(1, -1) }, error { try frame.setInt(.max, 0) },
          error { try frame.setText("1", 0) }, error { try frame.setBoxed(1.5, 0) }, error { try frame.setObject(nil, 0) },
          error { try frame.setObject(Probe(), 0) }, error { _ = try frame.int() }, error { _ = try frame.boxed() },
          error { _ = try frame.object() }, error { try frame.invoke(Implementation(function: negate)) },
          error {
            try frame.setInt(1, 0)
            try frame.invoke(Implementation(function: negate, methodSignature: MethodSignature(types: "qq")))
          },
        ].map { $0.map { "\($0)" } ?? "none" }
      }
    }
    let expected = try all(.invocation)
    try expectEqual(all(.frame), expected)
    expect(!expected.contains("none"))
  }

  @Test("Errors of a message name the class and the selector", arguments: Kind.allCases) func names(kind: Kind) throws {
    let message = try kind.with("v@:q") { frame in
      try frame.setObject(Probe(), 0)
      try frame.setSelector("show(_:)", 1)
      return "\(try require(error { try frame.setText("no", 2) }))"
    }
    expect(message.contains("-[Probe show(_:)]"))
  }

  // MARK: Objects, classes and null

  @Test("An object argument takes an object, a class argument a class, and each pointer null", arguments: Kind.allCases)
  func objects(kind: Kind) throws {
    let describe: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?, UnsafeRawPointer?) -> Int = {
      ($0 == nil ? 0 : 1) + ($1 == nil ? 0 : 2) + ($2 == nil ? 0 : 4) + ($3 == nil ? 0 : 8)
    }
    let results = try kind.with("q@#^v*") { frame in
      try frame.setObject(Probe(), 0)
      try frame.setObject(Probe.self as AnyObject, 1)
      try frame.setObject(nil, 2)
      try frame.setObject(nil, 3)
      try frame.invoke(Implementation(function: describe))
      let first = try frame.int()
      try frame.setObject(nil, 0)
      try frame.setObject(nil, 1)
      try frame.invoke(Implementation(function: describe))
      return (first, try frame.int())
    }
    expect(results == (3, 0))
  }

  @Test("Objects are retained until they are replaced or the frame ends", arguments: Kind.allCases) func retention(kind: Kind) throws {
    var ended: [String] = []
    try kind.with("v@*") { frame in
      try frame.setObject(Probe { ended.append("first") }, 0)
      expect(ended.isEmpty)
      try frame.setObject(Probe { ended.append("second") }, 0)
      expectEqual(ended, ["first"])
      try frame.setText("a text of some length, on the heap", 1)
      try frame.setBoxed(.string("another text of some length, on the heap"), 1)
    }
    expectEqual(ended, ["first", "second"])
  }

  @Test("An object result that comes retained is released when it is replaced or the frame ends", arguments: Kind.allCases)
  func results(kind: Kind) throws {
    nonisolated(unsafe) var live = 0
    final class Made {
      let count: UnsafeMutablePointer<Int>
      init(_ count: UnsafeMutablePointer<Int>) { self.count = count; count.pointee += 1 }
      deinit { count.pointee -= 1 }
    }
    let make: @convention(c) (UnsafeMutablePointer<Int>) -> Unmanaged<AnyObject> = { Unmanaged.passRetained(Made($0)) }
    try withUnsafeMutablePointer(to: &live) { count in
      try kind.with("@^q") { frame in
        try frame.setBoxed(.pointer(UnsafeRawPointer(count)), 0)
        for _ in 0..<3 { try frame.invoke(Implementation(function: make, returnsRetained: true)) }
        expectEqual(count.pointee, 1)
        try expect(frame.object() is Made)
      }
      expectEqual(count.pointee, 0)
    }
  }

  // MARK: C strings

  @Test("A C string is copied when it is set", arguments: Kind.allCases) func copies(kind: Kind) throws {
    let length: @convention(c) (UnsafePointer<CChar>) -> Int = { text in
      var count = 0
      while text[count] != 0 { count += 1 }
      return count
    }
    var characters: [CChar] = [97, 98, 99, 0]
    let result = try characters.withUnsafeMutableBufferPointer { buffer in
      try kind.with("q*") { frame in
        try frame.setCharacters(UnsafePointer(buffer.baseAddress!), 0)
        buffer[1] = 0
        try frame.invoke(Implementation(function: length))
        return try frame.int()
      }
    }
    expectEqual(result, 3)
  }

  @Test("What the callee writes to an output string reaches the caller", arguments: Kind.allCases, ["o*", "N*"])
  func outputs(kind: Kind, type: String) throws {
    let write: @convention(c) (UnsafeMutablePointer<CChar>) -> Void = { $0[0] = 122 }
    var characters: [CChar] = [97, 98, 99, 0]
    try characters.withUnsafeMutableBufferPointer { buffer in
      try kind.with("v\(type)") { frame in
        try frame.setCharacters(UnsafePointer(buffer.baseAddress!), 0)
        try frame.invoke(Implementation(function: write))
      }
    }
    expectEqual(characters, [122, 98, 99, 0])
  }

  // MARK: Geometry.Size

  @Test("Frames of any size, and of more than 63 arguments, hold what is set", arguments: Kind.allCases, [1, 9, 10, 40, 63, 64, 130])
  func sizes(kind: Kind, count: Int) throws {
    // The callee reads its first argument only: what it is called for is the count of those set.
    let first: @convention(c) (Int) -> Int = { $0 }
    try kind.with("q" + String(repeating: "q", count: count)) { frame in
      for index in 0..<count {
        expectEqual(error { try frame.invoke(Implementation(function: first)) }?.code, .argumentNotSet)
        try frame.setInt(index + 17, index)
      }
      try frame.invoke(Implementation(function: first))
      try expectEqual(frame.int(), 17)
    }
  }

  // MARK: Frames on the stack

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
