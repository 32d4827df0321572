import AllocationCounter
import DynamicInvocation
import TestSupport
import Testing

/// Methods with thunks, written as the macro `@Invocable` writes them.
@Suite(.measured) struct ThunkTests {
  fileprivate static func invocation(_ selector: MethodSelector, to target: AnyObject) throws -> Invocation {
    try .message(require(MethodTable.of(type(of: target)).methodSignature(for: selector)), to: target, selector)
  }

  @Test func aClassNamesItsMethods() throws {
    expectEqual(MethodTable.of(Machine.self).selectors, ["add(_:_:)", "half(_:)", "send(_:to:)", "widest(_:_:)", "same(_:)"])
    expectEqual(
      MethodTable.of(Machine.self).methodSignature(for: "widest(_:_:)")?.description,
      "\(Geometry.Rect.typeEncoding)@:\(Geometry.Rect.typeEncoding)f")
    let invocation = try Self.invocation("add(_:_:)", to: Machine())
    for number in 0..<3 { try expectEqual(invocation.result(number, 40, as: Int.self), 40 + number) }
    let widest = try Self.invocation("widest(_:_:)", to: Machine())
    try expectEqual(
      widest.result(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), 0.5 as Float, as: Geometry.Rect.self),
      Geometry.Rect(x: 1, y: 2, width: 3.5, height: 4))
  }

  /// The list is asked for once for each class, and what is inherited is not listed again.
  @Test func aSubclassInheritsTheTable() throws {
    expect(MethodTable.of(FastMachine.self).selectors.isEmpty)
    expect(MethodTable.of(FastMachine.self).superclassTable === MethodTable.of(Machine.self))
    let invocation = try Self.invocation("add(_:_:)", to: FastMachine())
    try invocation.setArguments(boxed: [.int(1), .int(2)])
    try expectEqual(invocation.result(as: Int.self), 300)
  }

  @Test func errorsComeOut() throws {
    let invocation = try Self.invocation("half(_:)", to: Machine())
    let implementation = try require(MethodTable.of(Machine.self).implementation(for: "half(_:)"))
    for number in 0..<6 {
      try invocation.setArgument(number, at: 2)
      for call in [{ try invocation.invoke() }, { try invocation.invoke(using: implementation) }] {
        if number % 2 == 0 { try call() } else { expectThrows(Refusal(number: number)) { try call() } }
        expectEqual(invocation.hasReturnValue, number % 2 == 0)
        if number % 2 == 0 { try expectEqual(invocation.returnValue(), number / 2) }
      }
    }
  }

  /// A method that may not throw leaves its own caller's place alone.
  @Test func theErrorOfANestedMessageIsItsOwn() throws {
    let target = Machine()
    let outer = try Self.invocation("send(_:to:)", to: target)
    for (number, result) in [(8, 4), (7, -7), (6, 3)] { try expectEqual(outer.result(number, target, as: Int.self), result) }
    try outer.setArgument(nil, at: 3)
    expectMessage("argument 3: it is null; ask for an optional") { try outer.invoke() }
    try outer.setArgument(Other(), at: 3)
    expectMessage("argument 3: an object of the class Other is no Machine") { try outer.invoke() }
  }

  @Test func objectsAreCountedRight() throws {
    try LifetimeTracker.check { tracker in
      let invocation = try Self.invocation("same(_:)", to: Machine())
      for number in 0..<10 {
        try invocation.setArgument(Tracked(tracker.object(number)), at: 2)
        try invocation.invoke()
        try expectEqual(invocation.returnValue(as: Tracked.self).object.payload, number)
        expect(tracker.liveCount <= 3)
      }
      try invocation.setArgument(nil, at: 2)
      try invocation.invoke()
      try expectNil(invocation.returnValue(as: Tracked?.self))
    }
  }

  @Test func aMessageAllocatesNothing() throws {
    let invocation = try Self.invocation("half(_:)", to: Machine())
    var sum = 0
    func send() throws -> UInt64 {
      let before = allocation_count()
      for number in 0..<1_000 {
        try invocation.setArgument(2 * number, at: 2)
        try invocation.invoke()
        sum += try invocation.returnValue(as: Int.self)
      }
      return allocation_count() - before
    }
    // The fewest of three runs: the first fills caches, and another test may change a method table during one of them.
    try expectEqual(min(send(), send(), send()), 0)
    expectEqual(sum, 3 * 1_000 * 999 / 2)
  }

  @Test func whatCannotBeCalledSaysWhy() throws {
    let table = MethodTable.of(Mistaken.self)
    expectEqual(table.selectors, ["number()"])
    let messages: [(selector: MethodSelector, types: String, code: InvocationError.Code, message: String)] = [
      (
        "text()", "*@:", .typeMismatch,
        "return value (*): a String is no result, since nobody would free the text after the caller has read it; return a SwiftValue<String>, or an NSString"
      ),
      ("form(_:)", "v@:q", .typeMismatch, "argument 2 (q, Int64): Form has the form Double in C, which is not passed as its type is"),
      ("layout()", "{Layout=qq}@:", .typeMismatch, "return value ({Layout=qq}): Layout declares {Layout=qq}, 16 bytes"),
    ]
    for message in messages {
      expect(!table.responds(to: message.selector))
      let invocation = try Invocation.message(message.types, to: Mistaken(), message.selector)
      if invocation.methodSignature.numberOfArguments > 2 { try invocation.setArgument(1, at: 2) }
      let error = expectThrows(InvocationError.self) { try invocation.invoke() }
      expectEqual(error?.code, message.code)
      expectEqual(error.map { "\($0)".hasPrefix(message.message) }, true, "\(String(describing: error))")
    }
    // A subclass has the same to say, and another selector is unknown.
    let invocation = try Invocation.message("*@:", to: MoreMistaken(), "text()")
    expectError(.typeMismatch) { try invocation.invoke() }
    invocation.selector = "texts()"
    expectError(.unrecognizedSelector) { try invocation.invoke() }
  }

  @Test func ofTwoMethodsWithOneSelectorTheFirstIsThere() throws {
    let table = MethodTable.of(Mistaken.self)
    let invocation = try Self.invocation("number()", to: Mistaken())
    try expectEqual(invocation.result(as: Int.self), 1)
    expectEqual(table.selectors.count, 1)
  }

  /// The class of the target is trusted, so another class cannot have the method.
  @Test func anImplementationIsOfItsClass() throws {
    let implementation = try require(MethodTable.of(Machine.self).implementation(for: "add(_:_:)"))
    expectError(.typeMismatch) { try MethodTable.of(Other.self).add("add(_:_:)", implementation) }
    try MethodTable.of(FastMachine.self).add("plus(_:_:)", implementation)
    expect(MethodTable.of(FastMachine.self).remove("plus(_:_:)") != nil)
  }

  @Test func aThunkIsAPlainFunctionToo() throws {
    let implementation = try require(MethodTable.of(Machine.self).implementation(for: "add(_:_:)"))
    let function = try ForeignFunction(implementation, MethodSignature(types: "q@:qq"))
    let machine = Machine()
    try withExtendedLifetime(machine) {
      let sum: Int = try function(Unmanaged.passUnretained(machine), "f" as MethodSelector, 2, 3)
      expectEqual(sum, 5)
    }
  }

  private static func standardError(of result: ExitTest.Result?) throws -> String {
    String(decoding: try require(result).standardErrorContent, as: UTF8.self)
  }

  private static func function(_ selector: MethodSelector, _ types: String) throws -> ForeignFunction {
    try ForeignFunction(require(MethodTable.of(Machine.self).implementation(for: selector)), MethodSignature(types: types))
  }

  @Test func anErrorThatNobodyTakesTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let (half, machine) = (try ThunkTests.function("half(_:)", "q@:q"), Machine())
      try withExtendedLifetime(machine) { print(try half(Unmanaged.passUnretained(machine), "f" as MethodSelector, 3) as Int) }
    }
    try expect(Self.standardError(of: result).contains("a method of Machine was called as a C function and threw an error"))
  }

  @Test func aNullTargetTraps() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      print(try ThunkTests.function("add(_:_:)", "q@:qq")(Unmanaged<Machine>?.none, "f" as MethodSelector, 2, 3) as Int)
    }
    try expect(Self.standardError(of: result).contains("a method of Machine was called with null as its target"))
  }

  @Test func aClosureIsNoThunk() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      var methods = _InvocableMethods(of: Machine.self)
      methods.add("f()", { () -> Void in } as () -> Void, parameters: [], returning: nil, isThrowing: false)
      print(methods)
    }
    // Optimized, a precondition says nothing.
    #if DEBUG
      try expect(Self.standardError(of: result).contains("a thunk is a function of type @convention(c), not a closure"))
    #else
      expect(result != nil)
    #endif
  }
}

private final class Other: EncodedObject {}

private class Machine: EncodedObject {
  func add(_ a: Int, _ b: Int) -> Int { a + b }
  func half(_ number: Int) throws -> Int {
    guard number % 2 == 0 else { throw Refusal(number: number) }
    return number / 2
  }
  func send(_ number: Int, to machine: Machine) -> Int {
    do {
      let invocation = try ThunkTests.invocation("half(_:)", to: machine)
      return try invocation.result(number)
    } catch {
      return (error as? Refusal).map { -$0.number } ?? 0
    }
  }
  func widest(_ rect: Geometry.Rect, _ more: Float) -> Geometry.Rect {
    Geometry.Rect(x: rect.origin.x, y: rect.origin.y, width: rect.size.width + Double(more), height: rect.size.height)
  }
  func same(_ tracked: Tracked?) -> Tracked? { tracked }
}

private final class FastMachine: Machine {
  override func add(_ a: Int, _ b: Int) -> Int { 100 * super.add(a, b) }
}

extension Machine: _InvocableClass {
  static var invocableMethods: _InvocableMethods {
    var methods = _InvocableMethods(of: Machine.self)
    methods.add(
      "add(_:_:)",
      { target, _, a, b in
        _MethodThunk.call(Machine.self, target, mayFail: _MethodThunk.mayFail(Int.self)) { target in
          try _MethodThunk.lend(Int.self, 2, a) { a in
            try _MethodThunk.lend(Int.self, 3, b) { b in
              _MethodThunk.result(target.add(a, b))
            }
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Int>, _MethodThunk.Form<Int>) -> _MethodThunk.Form<Int>,
      parameters: [Int.self, Int.self], returning: Int.self, isThrowing: false)
    methods.add(
      "half(_:)",
      { target, _, number in
        _MethodThunk.call(Machine.self, target, mayFail: true) { target in
          try _MethodThunk.lend(Int.self, 2, number) { number in
            try _MethodThunk.result(target.half(number))
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Int>) -> _MethodThunk.Form<Int>,
      parameters: [Int.self], returning: Int.self, isThrowing: true)
    methods.add(
      "send(_:to:)",
      { target, _, number, machine in
        _MethodThunk.call(Machine.self, target, mayFail: _MethodThunk.mayFail(Int.self) || _MethodThunk.mayFail(Machine.self)) { target in
          try _MethodThunk.lend(Int.self, 2, number) { number in
            try _MethodThunk.lend(Machine.self, 3, machine) { machine in
              _MethodThunk.result(target.send(number, to: machine))
            }
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Int>, _MethodThunk.Form<Machine>) -> _MethodThunk.Form<Int>,
      parameters: [Int.self, Machine.self], returning: Int.self, isThrowing: false)
    methods.add(
      "widest(_:_:)",
      { target, _, rect, more in
        _MethodThunk.call(Machine.self, target, mayFail: _MethodThunk.mayFail(Geometry.Rect.self)) { target in
          try _MethodThunk.lend(Geometry.Rect.self, 2, rect) { rect in
            try _MethodThunk.lend(Float.self, 3, more) { more in
              _MethodThunk.result(target.widest(rect, more))
            }
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Geometry.Rect>, _MethodThunk.Form<Float>) -> _MethodThunk.Form<Geometry.Rect>,
      parameters: [Geometry.Rect.self, Float.self], returning: Geometry.Rect.self, isThrowing: false)
    methods.add(
      "same(_:)",
      { target, _, tracked in
        _MethodThunk.call(Machine.self, target, mayFail: _MethodThunk.mayFail(Tracked?.self)) { target in
          try _MethodThunk.lend(Tracked?.self, 2, tracked) { tracked in
            _MethodThunk.result(target.same(tracked))
          }
        }
      } as @convention(c) (UInt, UInt, _MethodThunk.Form<Tracked?>) -> _MethodThunk.Form<Tracked?>,
      parameters: [Tracked?.self], returning: Tracked?.self, isThrowing: false)
    return methods
  }
}

/// Its form in C is passed as a floating-point number, its encoding says an integer.
private struct Form: _CRepresentable {
  let number: Int64 = 0
  typealias CRepresentation = Double
  static let typeEncoding: TypeEncoding = "q"
  init(cRepresentation: Double) {}
  var cRepresentation: Double { 0 }
}

/// It declares more than it has.
private struct Layout: _CRepresentable, BitwiseCopyable {
  typealias CRepresentation = Int
  static let typeEncoding: TypeEncoding = "{Layout=qq}"
  init(cRepresentation: Int) {}
  var cRepresentation: Int { 0 }
}

private class Mistaken {}
private final class MoreMistaken: Mistaken {}

extension Mistaken: _InvocableClass {
  static var invocableMethods: _InvocableMethods {
    var methods = _InvocableMethods(of: Mistaken.self)
    let number: @convention(c) (UInt, UInt) -> Int = { _, _ in 1 }
    let another: @convention(c) (UInt, UInt) -> Int = { _, _ in 2 }
    methods.add("number()", number, parameters: [], returning: Int.self, isThrowing: false)
    methods.add("number()", another, parameters: [], returning: Int.self, isThrowing: false)
    methods.add("text()", number, parameters: [], returning: String.self, isThrowing: false)
    methods.add("form(_:)", number, parameters: [Form.self], returning: nil, isThrowing: false)
    methods.add("layout()", number, parameters: [], returning: Layout.self, isThrowing: false)
    return methods
  }
}
