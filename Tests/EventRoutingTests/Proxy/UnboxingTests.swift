import DynamicInvocation
import EventRouting
import Foundation
import TestSupport
import Testing

/// How boxed arguments meet the parameters of handlers compiled by others.
@Suite(.measured, .serialized) struct UnboxingTests {
  private let proxy = EventProxy()
  private let row = Row()

  private func address(_ object: AnyObject) -> UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(object).toOpaque()) }

  /// Sends one argument to one handler.
  private func send(_ handlers: CHandlers, _ name: String, _ type: String, _ box: BoxedValue) throws -> EventProxy.Outcome {
    try proxy.register("e", handlers.handler(name, "v@" + type), options: HandlerOptions(duplicates: .replace))
    return proxy.send("e", source: row, arguments: [box])
  }

  /// Sends boxes to handlers, each a row of the name and the type of the handler, the box, and what the handler has received or the
  /// code of the error, and checks that a handler is called only without an error.
  private func check(_ handlers: CHandlers, _ rows: [(name: String, type: String, box: BoxedValue, expected: Received)]) throws {
    for row in rows {
      let before = try handlers.callCount
      let answer = try send(handlers, "h_" + row.name, row.type, row.box)
      let found: Received? =
        switch row.expected {
        case .failure: answer.code.map { .failure($0) }
        case .integer: .integer(try handlers.integer)
        case .number: .number(try handlers.number)
        case .text: .text(try handlers.text)
        case .object: .object(try handlers.pointer)
        case .parts(let parts): .parts(try parts.indices.map { try handlers.part(Int32($0)) })
        }
      expectEqual(found, row.expected, "\(row.name) \(row.type) \(row.box)")
      let calls = if case .failure = row.expected { 0 } else { 1 }
      expectEqual([answer.calls, try handlers.callCount - before], [calls, calls], "\(row.name) \(row.type) \(row.box)")
    }
  }

  private enum Received: Equatable {
    case integer(Int)
    case number(Double)
    case text(String)
    case object(UnsafeRawPointer?)
    case parts([Double])
    case failure(InvocationError.Code)
  }

  @Test("An integer goes to every integer type that it fits (E9.2)", arguments: CCompiler.all)
  func integers(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    for (code, _) in CHandlers.integers {
      let isUnsigned = code.uppercased() == code
      let bits = ["c": 8, "s": 16, "i": 32, "q": 64][code.lowercased()]!
      let most = bits == 64 ? Int.max : (1 << (isUnsigned ? bits : bits - 1)) - 1
      let least = isUnsigned ? 0 : bits == 64 ? Int.min : -(1 << (bits - 1))
      let fitting = [0, 1, most, least, 100]
      try check(handlers, fitting.map { (code, code, .int($0), .integer($0)) })
      try check(handlers, fitting.filter { $0 >= 0 }.map { (code, code, .uint(UInt($0)), .integer($0)) })
      if bits < 64 { try check(handlers, [most + 1, least - 1].map { (code, code, .int($0), .failure(.outOfRange)) }) }
    }
    try check(
      handlers,
      [
        ("Q", "Q", .int(-1), .failure(.outOfRange)), ("q", "q", .uint(UInt.max), .failure(.outOfRange)),
        ("Q", "Q", .uint(UInt.max), .integer(-1)),
      ])
    expectEqual(try handlers.source, address(row))
  }

  @Test("A number goes to floating-point types and back when it stays the same (E9.3)", arguments: CCompiler.all)
  func floatingPoint(compiler: CCompiler) throws {
    try check(
      CHandlers(compiler),
      [
        ("d", "d", .double(2.5), .number(2.5)), ("d", "d", .int(-3), .number(-3)), ("d", "d", .float(0.5), .number(0.5)),
        ("f", "f", .double(0.25), .number(0.25)), ("f", "f", .int(7), .number(7)),
        ("d", "d", .int(1 << 53), .number(9_007_199_254_740_992)), ("q", "q", .double(5), .integer(5)), ("B", "B", true, .integer(1)),
        ("B", "B", false, .integer(0)), ("d", "d", .int((1 << 53) + 1), .failure(.inexact)), ("f", "f", .double(0.1), .failure(.inexact)),
        ("q", "q", .double(3.7), .failure(.inexact)), ("q", "q", .double(1e20), .failure(.outOfRange)),
        ("c", "c", .double(300), .failure(.outOfRange)), ("q", "q", .double(.nan), .failure(.inexact)),
        ("B", "B", .int(2), .failure(.typeMismatch)),
      ])
  }

  @Test("Geometry goes to structs of its layout (E9.4)", arguments: CCompiler.all)
  func geometry(compiler: CCompiler) throws {
    let (point, range) = ("{CGPoint=dd}", "{_NSRange=QQ}")
    var transform = Geometry.Transform3D()
    transform.m44 = 9
    try check(
      CHandlers(compiler),
      [
        ("point", point, .point(Geometry.Point(x: 1, y: 2)), .parts([1, 2])),
        ("point", "{CGSize=dd}", .size(Geometry.Size(width: 3, height: 4)), .parts([3, 4])),
        ("point", "{CGVector=dd}", .vector(Geometry.Vector(dx: 5, dy: 6)), .parts([5, 6])),
        ("point", "{UIOffset=dd}", .offset(Geometry.Offset(horizontal: 7, vertical: 8)), .parts([7, 8])),
        ("rect", "{CGRect=\(point)\(point)}", .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), .parts([1, 2, 3, 4])),
        ("rect", "{UIEdgeInsets=dddd}", .insets(Geometry.EdgeInsets(top: 4, left: 3, bottom: 2, right: 1)), .parts([4, 3, 2, 1])),
        (
          "affine", "{CGAffineTransform=dddddd}", .affineTransform(Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)),
          .parts([1, 2, 3, 4, 5, 6])
        ),
        (
          "transform", "{CATransform3D=dddddddddddddddd}", .transform3D(transform),
          .parts(Array(repeating: 0, count: 15) + [9])
        ),
        ("range", range, .range(Geometry.IndexRange(location: 12, length: 7)), .integer(12_007)),
        ("range", range, .point(Geometry.Point(x: 1, y: 2)), .failure(.typeMismatch)),
      ])
  }

  @Test(
    "An object or a text goes to a parameter for it as it is, and nothing else; null is no scalar (E9.5, E9.7, E9.8)",
    arguments: CCompiler.all)
  func objects(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    let objects: [AnyObject] = [row, NSNumber(value: 7), NSString("text"), Stranger()]
    try check(handlers, objects.map { ("object", "@", .object($0), .object(address($0))) })
    try check(
      handlers,
      [
        ("object", "@", nil, .object(nil)), ("object", "@", .string("text"), .failure(.typeMismatch)),
        ("object", "@", .int(7), .failure(.typeMismatch)), ("object", "@", .rect(Geometry.Rect()), .failure(.typeMismatch)),
        ("q", "q", .object(row), .failure(.typeMismatch)), ("q", "q", .string("7"), .failure(.typeMismatch)),
        ("text", "*", "größer", .text("größer")), ("text", "*", nil, .text("(null)")),
      ])
    let scalars = [("q", "q"), ("c", "c"), ("d", "d"), ("B", "B"), ("rect", "{R=dddd}"), ("range", "{_NSRange=QQ}")]
    try check(handlers, scalars.map { ($0, $1, nil, .failure(.nullNotAllowed)) })
  }

  @Test("No handler is called when an argument fails, and the error names key, index, type and value (E9.9)", arguments: CCompiler.all)
  func failure(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    try proxy.register(
      "row.tapped", handlers.handler("m_event", "v@:@@q{R=dddd}@"), target: row, selector: "tapped",
      options: HandlerOptions(holding: .strong))
    let rect = BoxedValue.rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    let good: [BoxedValue] = [.object(row), .int(7), rect, nil]
    expectEqual(proxy.send("row.tapped", source: row, arguments: good).calls, 1)
    try expect(handlers.integer == 7 && handlers.number == 3 && handlers.part(0) == 0 && handlers.part(1) == 1)
    try expect(handlers.text == "tapped" && handlers.pointer == address(row))
    let calls = try handlers.callCount
    for index in 0..<4 {
      var bad = good
      bad[index] = index == 1 ? .double(0.5) : .string("no")
      let failure = try #require(proxy.send("row.tapped", source: row, arguments: bad).failure)
      expectEqual(failure.key, "row.tapped")
      expectEqual(failure.reason.argument, .index(index + 1))
      expectEqual(failure.handler.kind, .function)
      expect(failure.description.contains("row.tapped"))
    }
    let text = try #require(proxy.send("row.tapped", source: row, arguments: [.object(row), .double(0.5), rect, nil]).failure).description
    expect(text.contains("argument 2 (q, Int") && text.contains("0.5"), "\(text)")
    try expectEqual(handlers.callCount, calls)
  }

  @Test("The number of arguments must be the handler's (E9.1)", arguments: [0, 1, 3, 8])
  func counts(given: Int) throws {
    let handlers = try CHandlers(.gcc)
    try proxy.register("e", handlers.handler("h_object", "v@@"), options: HandlerOptions(duplicates: .replace))
    let calls = try handlers.callCount
    let answer = proxy.send("e", source: row, arguments: Array(repeating: .null, count: given))
    expectEqual(answer.calls, (given == 1 ? 1 : 0))
    expectEqual(answer.failure?.reason.code, (given == 1 ? nil : .countMismatch))
    try expectEqual(handlers.callCount, calls + (given == 1 ? 1 : 0))
  }

  /// Leaves bytes on the stack that are no address.
  @inline(never) private static func fillStack(_ depth: Int = 16) {
    // More than a kilobyte would be allocated on the heap.
    withUnsafeTemporaryAllocation(byteCount: 1_024, alignment: 16) { memory in
      for index in memory.indices { memory[index] = 0x11 }
      if depth > 0 { fillStack(depth - 1) }
    }
  }

  @Test("A result in memory or registers is dropped, and a retained object is released (E10.2)") func results() throws {
    let handlers = try CHandlers(.gcc)
    try proxy.register("bounds", handlers.handler("h_bounds", "{R=dddd}@{R=dddd}"))
    Self.fillStack()
    expectEqual(proxy.send("bounds", source: row, arguments: [.rect(Geometry.Rect())]).calls, 1)
    try proxy.register("same", handlers.handler("h_same", "@@@"))
    expectEqual(proxy.send("same", source: row, arguments: [.object(row)]).calls, 1)
    try LifetimeTracker.check { tracker in
      let closure = try Closure(MethodSignature(types: "@@")) { call in try call.setReturnValue(tracker.object()) }
      let proxy = EventProxy()
      try proxy.register("made", closure.implementation)
      for _ in 0..<3 { expectEqual(proxy.send("made", source: nil, arguments: []).calls, 1) }
      expectEqual(tracker.madeCount, 3)
    }
  }

  @Test("Boxes without an array arrive as those in one, and are released")
  func separateBoxes() throws {
    try LifetimeTracker.check { tracker in
      var sums: [Int] = []
      for count in 1...4 {
        try proxy.intercept(EventKey("\(count)")) { _, _, arguments in
          var sum = 0
          for case .object(let object as LifetimeTracked) in arguments { sum = sum * 10 + object.payload }
          sums.append(sum)
          return .handled
        }
      }
      func box(_ number: Int) -> BoxedValue { .object(tracker.object(number)) }
      proxy.send("1", source: row, boxed: box(1))
      proxy.send("2", source: row, boxed: box(1), box(2))
      proxy.send("3", source: row, boxed: box(1), box(2), box(3))
      proxy.send("4", source: row, boxed: box(1), box(2), box(3), box(4))
      expectEqual(sums, [1, 12, 123, 1234])
    }
  }

  @Test("A frame of more than the usual size works the same")
  func largeFrame() throws {
    let type = "{Big=[100d]}"
    let bytes = try EncodedBytes(TypeEncoding(type), bytes: Array(repeating: 0, count: 800))
    var seen = 0
    nonisolated(unsafe) let count: (Int) -> Void = { seen += $0 }
    let closure = try Closure(MethodSignature(types: "v@\(type)q")) { call in
      count(try call.argument(at: 2, as: Int.self))
    }
    try proxy.register("big", closure.implementation)
    expectEqual(proxy.send("big", source: row, arguments: [.value(bytes), .int(5)]).calls, 1)
    expectEqual(seen, 5)
    expectEqual(proxy.send("big", source: row, arguments: [.value(bytes), .null]).failure?.reason.argument, .index(2))
  }
}
