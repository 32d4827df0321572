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
    return try #require(table.implementation(for: "fail(_:)"))
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
    #expect(results == (false, 3, 42, "42"))
  }

  @Test("A nil target is not called, and the result is zero", arguments: Kind.allCases) func nilTarget(kind: Kind) throws {
    let called: @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int = { _, _ in 7 }
    let result = try kind.with("q@:") { frame in
      try frame.invoke(Implementation(function: called))
      return try frame.int()
    }
    #expect(result == 0)
  }

  @Test("The error of a method that throws is thrown", arguments: Kind.allCases) func thrownErrors(kind: Kind) throws {
    let method = try Self.failing.get()
    let target = Thrower()
    try kind.with("q@:q") { frame in
      try frame.setObject(target, 0)
      try frame.setSelector("fail(_:)", 1)
      try frame.setInt(5, 2)
      #expect(throws: Failure(number: 5)) { try frame.invoke(method) }
      try frame.setInt(-3, 2)
      try frame.invoke(method)
      #expect(try frame.int() == -3)
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
    #expect(try all(.frame) == expected)
    #expect(!expected.contains("none"))
  }

  @Test("Errors of a message name the class and the selector", arguments: Kind.allCases) func names(kind: Kind) throws {
    let message = try kind.with("v@:q") { frame in
      try frame.setObject(Probe(), 0)
      try frame.setSelector("show(_:)", 1)
      return "\(try #require(error { try frame.setText("no", 2) }))"
    }
    #expect(message.contains("-[Probe show(_:)]"))
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
    #expect(results == (3, 0))
  }

  @Test("Objects are retained until they are replaced or the frame ends", arguments: Kind.allCases) func retention(kind: Kind) throws {
    var ended: [String] = []
    try kind.with("v@") { frame in
      try frame.setObject(Probe { ended.append("first") }, 0)
      #expect(ended.isEmpty)
      try frame.setObject(Probe { ended.append("second") }, 0)
      #expect(ended == ["first"])
    }
    #expect(ended == ["first", "second"])
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
        #expect(count.pointee == 1)
        #expect(try frame.object() is Made)
      }
      #expect(count.pointee == 0)
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
    #expect(result == 3)
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
    #expect(characters == [122, 98, 99, 0])
  }

  // MARK: Geometry.Size

  @Test("Frames of any size, and of more than 63 arguments, hold what is set", arguments: Kind.allCases, [1, 9, 10, 40, 63, 64, 130])
  func sizes(kind: Kind, count: Int) throws {
    // The callee reads its first argument only: what it is called for is the count of those set.
    let first: @convention(c) (Int) -> Int = { $0 }
    try kind.with("q" + String(repeating: "q", count: count)) { frame in
      for index in 0..<count {
        #expect(error { try frame.invoke(Implementation(function: first)) }?.code == .argumentNotSet)
        try frame.setInt(index + 17, index)
      }
      try frame.invoke(Implementation(function: first))
      #expect(try frame.int() == 17)
    }
  }
}
