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
  private func send(_ handlers: CHandlers, _ name: String, _ type: String, _ box: BoxedValue) throws -> EventProxy.Answer {
    try proxy.register("e", handlers.handler(name, "v@" + type), options: HandlerOptions(duplicates: .replace))
    return proxy.send("e", source: row, arguments: [box])
  }

  @Test("An integer goes to every integer type that it fits (E9.2)", arguments: CCompiler.all)
  func integers(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    for (code, _) in CHandlers.integers {
      let unsigned = code.uppercased() == code
      let bits = [1, 2, 4, 8][["c", "s", "i", "q"].firstIndex(of: code.lowercased())!] * 8
      let most = unsigned ? (bits == 64 ? Int.max : (1 << bits) - 1) : (bits == 64 ? Int.max : (1 << (bits - 1)) - 1)
      let least = unsigned ? 0 : bits == 64 ? Int.min : -(1 << (bits - 1))
      for value in [0, 1, most, least, 100] {
        for box in [BoxedValue.int(value)] + (value >= 0 ? [.uint(UInt(value))] : []) {
          let answer = try send(handlers, "h_" + code, code, box)
          #expect(answer.calls == 1 && answer.errors.isEmpty, "\(code) \(box)")
          #expect(try handlers.integer == value, "\(code) \(box)")
        }
      }
      if bits < 64 {
        for value in [most + 1, least - 1] {
          let calls = try handlers.callCount
          let answer = try send(handlers, "h_" + code, code, .int(value))
          #expect(answer.calls == 0 && answer.failure?.reason.code == .outOfRange, "\(code) \(value)")
          #expect(try handlers.callCount == calls)
        }
      }
    }
    #expect(try send(handlers, "h_Q", "Q", .int(-1)).failure?.reason.code == .outOfRange)
    #expect(try send(handlers, "h_q", "q", .uint(UInt.max)).failure?.reason.code == .outOfRange)
    #expect(try send(handlers, "h_Q", "Q", .uint(UInt.max)).calls == 1)
    #expect(try handlers.integer == -1)
    #expect(try handlers.source == address(row))
  }

  @Test("A number goes to floating-point types and back when it stays the same (E9.3)", arguments: CCompiler.all)
  func floatingPoint(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    for (name, box, value) in [
      ("h_d", BoxedValue.double(2.5), 2.5), ("h_d", .int(-3), -3), ("h_d", .float(0.5), 0.5), ("h_f", .double(0.25), 0.25),
      ("h_f", .int(7), 7),
      ("h_d", .int(1 << 53), 9_007_199_254_740_992),
    ] {
      #expect(try send(handlers, name, name == "h_d" ? "d" : "f", box).calls == 1)
      #expect(try handlers.number == value)
    }
    #expect(try send(handlers, "h_q", "q", .double(5)).calls == 1)
    #expect(try handlers.integer == 5)
    for (type, box, code) in [
      ("d", BoxedValue.int((1 << 53) + 1), InvocationError.Code.inexact), ("f", .double(0.1), .inexact), ("q", .double(3.7), .inexact),
      ("q", .double(1e20), .outOfRange), ("c", .double(300), .outOfRange), ("q", .double(.nan), .inexact), ("B", .int(2), .typeMismatch),
    ] {
      #expect(try send(handlers, "h_" + type, type, box).failure?.reason.code == code, "\(type) \(box)")
    }
    #expect(try send(handlers, "h_B", "B", true).calls == 1)
    #expect(try handlers.integer == 1)
    #expect(try send(handlers, "h_B", "B", false).calls == 1)
    #expect(try handlers.integer == 0)
  }

  @Test("Geometry goes to structs of its layout (E9.4)", arguments: CCompiler.all)
  func geometry(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    let point = "{CGPoint=dd}"
    for (name, type, box, parts) in [
      ("h_point", point, BoxedValue.point(Geometry.Point(x: 1, y: 2)), [1.0, 2]),
      ("h_point", "{CGSize=dd}", .size(Geometry.Size(width: 3, height: 4)), [3, 4]),
      ("h_point", "{CGVector=dd}", .vector(Geometry.Vector(dx: 5, dy: 6)), [5, 6]),
      ("h_point", "{UIOffset=dd}", .offset(Geometry.Offset(horizontal: 7, vertical: 8)), [7, 8]),
      ("h_rect", "{CGRect=\(point)\(point)}", .rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4)), [1, 2, 3, 4]),
      ("h_rect", "{UIEdgeInsets=dddd}", .insets(Geometry.EdgeInsets(top: 4, left: 3, bottom: 2, right: 1)), [4, 3, 2, 1]),
      (
        "h_affine", "{CGAffineTransform=dddddd}", .affineTransform(Geometry.Transform2D(a: 1, b: 2, c: 3, d: 4, tx: 5, ty: 6)),
        [1, 2, 3, 4, 5, 6]
      ),
    ] {
      #expect(try send(handlers, name, type, box).calls == 1, "\(type)")
      for (index, part) in parts.enumerated() { #expect(try handlers.part(Int32(index)) == part, "\(type)") }
    }
    #expect(try send(handlers, "h_range", "{_NSRange=QQ}", .range(Geometry.IndexRange(location: 12, length: 7))).calls == 1)
    #expect(try handlers.integer == 12_007)
    var transform = Geometry.Transform3D()
    transform.m44 = 9
    #expect(try send(handlers, "h_transform", "{CATransform3D=dddddddddddddddd}", .transform3D(transform)).calls == 1)
    #expect(try handlers.part(15) == 9)
    #expect(try send(handlers, "h_range", "{_NSRange=QQ}", .point(Geometry.Point(x: 1, y: 2))).failure?.reason.code == .typeMismatch)
  }

  @Test("An object parameter takes objects as they are, and nothing else (E9.5, E9.7)", arguments: CCompiler.all)
  func objects(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    let number = NSNumber(value: 7)
    for object in [row, number, NSString("text"), Stranger()] as [AnyObject] {
      #expect(try send(handlers, "h_object", "@", .object(object)).calls == 1)
      #expect(try handlers.pointer == address(object))
    }
    #expect(try send(handlers, "h_object", "@", nil).calls == 1)
    #expect(try handlers.pointer == nil)
    for box in [BoxedValue.string("text"), .int(7), .rect(Geometry.Rect())] {
      #expect(try send(handlers, "h_object", "@", box).failure?.reason.code == .typeMismatch)
    }
    #expect(try send(handlers, "h_q", "q", .object(row)).failure?.reason.code == .typeMismatch)
    #expect(try send(handlers, "h_q", "q", .string("7")).failure?.reason.code == .typeMismatch)
  }

  @Test("Null for a number or a struct is an error, and the handler is not called (E9.7)", arguments: CCompiler.all)
  func nullIsNoScalar(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    let calls = try handlers.callCount
    for (name, type) in [("h_q", "q"), ("h_c", "c"), ("h_d", "d"), ("h_B", "B"), ("h_rect", "{R=dddd}"), ("h_range", "{_NSRange=QQ}")] {
      #expect(try send(handlers, name, type, nil).failure?.reason.code == .nullNotAllowed, "\(type)")
    }
    #expect(try handlers.callCount == calls)
  }

  @Test("A text is copied for the time of the call (E9.8)", arguments: CCompiler.all)
  func strings(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    #expect(try send(handlers, "h_text", "*", "größer").calls == 1)
    #expect(try handlers.text == "größer")
    #expect(try send(handlers, "h_text", "*", nil).calls == 1)
    #expect(try handlers.text == "(null)")
  }

  @Test("No handler is called when an argument fails, and the error names key, index, type and value (E9.9)", arguments: CCompiler.all)
  func failure(compiler: CCompiler) throws {
    let handlers = try CHandlers(compiler)
    try proxy.register(
      "row.tapped", handlers.handler("m_event", "v@:@@q{R=dddd}@"), target: row, selector: "tapped",
      options: HandlerOptions(holding: .strong))
    let rect = BoxedValue.rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))
    let good: [BoxedValue] = [.object(row), .int(7), rect, nil]
    #expect(proxy.send("row.tapped", source: row, arguments: good).calls == 1)
    #expect(try handlers.integer == 7 && handlers.number == 3 && handlers.part(0) == 0 && handlers.part(1) == 1)
    #expect(try handlers.text == "tapped" && handlers.pointer == address(row))
    let calls = try handlers.callCount
    for index in 0..<4 {
      var bad = good
      bad[index] = index == 1 ? .double(0.5) : .string("no")
      let failure = try #require(proxy.send("row.tapped", source: row, arguments: bad).failure)
      #expect(failure.key == "row.tapped")
      #expect(failure.reason.argument == .index(index + 1))
      #expect(failure.handler.kind == .function)
      #expect(failure.description.contains("row.tapped"))
    }
    let text = try #require(proxy.send("row.tapped", source: row, arguments: [.object(row), .double(0.5), rect, nil]).failure).description
    #expect(text.contains("argument 2 (q, Int") && text.contains("0.5"), "\(text)")
    #expect(try handlers.callCount == calls)
  }

  @Test("The number of arguments must be that of the handler (E9.1)", arguments: [0, 1, 3, 8])
  func counts(given: Int) throws {
    let handlers = try CHandlers(.gcc)
    try proxy.register("e", handlers.handler("h_object", "v@@"), options: HandlerOptions(duplicates: .replace))
    let calls = try handlers.callCount
    let answer = proxy.send("e", source: row, arguments: Array(repeating: .null, count: given))
    #expect(answer.calls == (given == 1 ? 1 : 0))
    #expect(answer.failure?.reason.code == (given == 1 ? nil : .countMismatch))
    #expect(try handlers.callCount == calls + (given == 1 ? 1 : 0))
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
    #expect(proxy.send("bounds", source: row, arguments: [.rect(Geometry.Rect())]).calls == 1)
    try proxy.register("same", handlers.handler("h_same", "@@@"))
    #expect(proxy.send("same", source: row, arguments: [.object(row)]).calls == 1)
    try LifetimeTracker.check { tracker in
      let closure = try Closure(MethodSignature(types: "@@")) { call in try call.setReturnValue(tracker.object()) }
      let proxy = EventProxy()
      try proxy.register("made", closure.implementation)
      for _ in 0..<3 { #expect(proxy.send("made", source: nil, arguments: []).calls == 1) }
      #expect(tracker.madeCount == 3)
    }
  }

  @Test("Boxes without an array arrive as those in one, and are released")
  func separateBoxes() throws {
    try LifetimeTracker.check { tracker in
      var sums: [Int] = []
      for count in 1...8 {
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
      proxy.send("5", source: row, boxed: box(1), box(2), box(3), box(4), box(5))
      proxy.send("6", source: row, boxed: box(1), box(2), box(3), box(4), box(5), box(6))
      proxy.send("7", source: row, boxed: box(1), box(2), box(3), box(4), box(5), box(6), box(7))
      proxy.send("8", source: row, boxed: box(1), box(2), box(3), box(4), box(5), box(6), box(7), box(8))
      #expect(sums == [1, 12, 123, 1234, 12345, 123_456, 1_234_567, 12_345_678])
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
    #expect(proxy.send("big", source: row, arguments: [.value(bytes), .int(5)]).calls == 1)
    #expect(seen == 5)
    #expect(proxy.send("big", source: row, arguments: [.value(bytes), .null]).failure?.reason.argument == .index(2))
  }
}
