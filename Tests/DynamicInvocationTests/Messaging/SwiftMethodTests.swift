#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// Swift closures as methods: types, objects, results, errors.
  @Suite(.measured) struct SwiftMethodTests {
    private class View: EncodedObject {
      let name: String
      init(_ name: String = "view") { self.name = name }
    }
    private final class Button: View {}
    private final class Echoing {}

    /// A message of the types of the target's method.
    private static func message(_ selector: MethodSelector, to target: AnyObject) throws -> Invocation {
      try .message(require(MethodTable.of(type(of: target)).methodSignature(for: selector)), to: target, selector)
    }

    /// A value comes back as it went in, for each type.
    private func echo<Value: EncodedValue & Equatable & SendableMetatype>(_ value: Value, _ types: String, _ other: Value? = nil) throws {
      let selector = MethodSelector("echo \(types)")
      let table = MethodTable.of(Echoing.self)
      try table.replace(selector, Implementation { (_: Echoing, value: Value) -> Value in value })
      expectEqual(table.methodSignature(for: selector)?.description, "\(types)@:\(types)")
      let target = Echoing()
      let invocation = try Self.message(selector, to: target)
      for value in [value, value, other ?? value] { try expectEqual(invocation.result(value), value, types) }
    }

    private struct Three: EncodedValue, Equatable {
      var a: Int32
      var b: Int8
      var c: Float
      static let typeEncoding: TypeEncoding = "{Three=icf}"
    }

    private struct Large: EncodedValue, Equatable {
      var a: Geometry.Rect
      var b: Int
      static let typeEncoding: TypeEncoding = "{Large={CGRect={CGPoint=dd}{CGSize=dd}}q}"
    }

    @Test func resultsOfEveryKind() throws {
      try echo(true, "B", false)
      try echo(Int8.min, "c")
      try echo(UInt8.max, "C")
      try echo(Int16.min, "s")
      try echo(UInt16.max, "S")
      try echo(Int32.min, "i")
      try echo(UInt32.max, "I")
      try echo(Int.min, "q")
      try echo(UInt64.max, "Q")
      try echo(Float.pi, "f")
      try echo(Double.pi, "d", -0.5)
      try echo("name" as MethodSelector, ":")
      try echo(UnsafeRawPointer(bitPattern: 4_096), "^v", UnsafeRawPointer?.none)
      try echo(Three(a: -1, b: 2, c: 3), "{Three=icf}")
      try echo(Large(a: Geometry.Rect(x: 1, y: 2, width: 3, height: 4), b: 5), "\(Large.typeEncoding)")
      try echo(Geometry.Point(x: 1, y: 2), "\(Geometry.Point.typeEncoding)")
    }

    @Test("Closures and methods by name have up to eight parameters and more, with a result and without") func manyParameters() throws {
      final class Target: EncodedObject {
        var seen = ""
        func note(_ text: String, _ a: Int, _ b: Int, _ c: Int, _ target: Target, _ d: Double) throws -> Bool {
          guard a > 0 else { throw Refusal(number: a) }
          seen = "\(text) \(a + b + c) \(target === self) \(d)"
          return true
        }
        func silently(_ a: Int8, _ b: Int8, _ c: Int8, _ d: Int8, _ e: Int8) { seen = "\([a, b, c, d, e])" }
      }
      let (table, target) = (MethodTable.of(Target.self), Target())
      try table.add("sum") { (_: Target, a: Int8, b: Float, c: Int, d: Double, e: UInt16, f: Geometry.Point, g: Bool, h: Int32) -> Double in
        Double(a) + Double(b) + Double(c) + d + Double(e) + f.x + f.y + (g ? 1 : 0) + Double(h)
      }
      try table.add("log") { (target: Target, a: String, b: Int, c: Int, d: Int, e: Int, f: Double) in
        target.seen = "\([b, c, d, e]) \(a) \(f)"
      }
      try table.add("note", Target.note)
      try table.add("silently", Target.silently)
      let sum: [Any?] = [-1 as Int8, 2 as Float, 3, 4.0, 5 as UInt16, Geometry.Point(x: 6, y: 7), true, 8 as Int32]
      let rows: [(selector: MethodSelector, arguments: [Any?], result: String, seen: String)] = [
        ("sum", sum, "35.0", ""), ("log", ["text", 1, 2, 3, 4, 0.5], "null", "[1, 2, 3, 4] text 0.5"),
        ("note", ["text", 1, 2, 3, target, 0.5], "true", "text 6 true 0.5"),
        ("silently", (1...5).map { $0 as Int8 }, "null", "[1, 2, 3, 4, 5]"),
      ]
      for row in rows {
        let message = try Self.message(row.selector, to: target)
        try message.setArguments(row.arguments)
        try message.invoke()
        try expectEqual("\(message.boxedReturnValue())", row.result, "\(row.selector)")
        expectEqual(target.seen, row.seen)
      }
      let note = try Self.message("note", to: target)
      expectThrows(Refusal(number: -1)) { try note.result("text", -1, 2, 3, target, 0.5, as: Bool.self) }
      try note.setArguments(["text", 1, 2, 3, nil, 0.5])
      expectError(.nullNotAllowed) { try note.invoke() }
    }

    private class Controller {
      var taps: [String] = []
      func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) { taps.append("\(source?.name ?? "nil") \(tag) \(frame.size.width)") }
      func area(of frame: Geometry.Rect) throws -> Double {
        guard frame.size.width > 0 else { throw Refusal(number: 1) }
        return frame.size.width * frame.size.height
      }
      func count() -> Int { taps.count }
    }
    private final class DoubleController: Controller {
      override func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) {
        for _ in 0..<2 { super.tapped(source, tag: tag, frame: frame) }
      }
    }

    @Test("The types make the signature, of closures and of methods by name") func methodsByName() throws {
      let table = MethodTable.of(Controller.self)
      try table.add("tapped(_:tag:frame:)", Controller.tapped)
      try table.add("area(of:)", Controller.area)
      try table.add("count()") { (controller: Controller) -> Int in controller.count() }
      let signature = try MethodSignature(types: "v@:@q{CGRect={CGPoint=dd}{CGSize=dd}}")
      expectEqual(table.methodSignature(for: "tapped(_:tag:frame:)")?.types.arguments.map(\.size), signature.types.arguments.map(\.size))
      expectEqual(table.selectors.map { table.methodSignature(for: $0)?.numberOfArguments }, [5, 3, 2])
      for (controller, factor) in [(Controller(), 1), (DoubleController(), 2)] {
        let invocation = try Self.message("tapped(_:tag:frame:)", to: controller)
        try invocation.setArguments([Button("ok"), 7, Geometry.Rect(x: 0, y: 0, width: 3, height: 4)])
        try invocation.invoke()
        try invocation.setArgument(nil, at: 2)
        try invocation.invoke()
        expectEqual(controller.taps, ["ok 7 3.0", "nil 7 3.0"].flatMap { Array(repeating: $0, count: factor) })
        try expectEqual(Self.message("count()", to: controller).result(), 2 * factor)
        let area = try Self.message("area(of:)", to: controller)
        try expectEqual(area.result(Geometry.Rect(x: 0, y: 0, width: 3, height: 4)), 12.0)
        expectThrows(Refusal(number: 1)) { try area.result(Geometry.Rect(x: 0, y: 0, width: 0, height: 4), as: Double.self) }
      }
    }

    @Test func objectsAreCountedRight() throws {
      final class Maker {}
      let table = MethodTable.of(Maker.self)
      try table.add("same") { (_: Maker, object: Tracked?) -> Tracked? in object }
      try table.add("another") { (_: Maker, object: Tracked) -> Tracked in Tracked(object.object.tracker.object(2)) }
      try LifetimeTracker.check { tracker in
        let maker = Maker()
        for selector in ["same", "another"] as [MethodSelector] {
          let invocation = try Self.message(selector, to: maker)
          for number in 0..<20 {
            let result = try invocation.result(Tracked(tracker.object(number)), as: Tracked.self)
            expectEqual(result.object.payload, selector == "same" ? number : 2)
            expect(tracker.liveCount <= 4)
          }
        }
        try expect(Self.message("same", to: maker).result(nil, as: Tracked?.self) == nil)
      }
    }

    @Test func whatDoesNotFitIsAnError() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("show") { (_: Target, view: View, button: Button?) -> Int in button == nil ? view.name.count : 100 }
      let target = Target()
      let invocation = try Self.message("show", to: target)
      for _ in 0..<2 {
        try expectEqual(invocation.result(View("abc"), nil), 3)
        try invocation.setArgument(nil, at: 2)
        expectMessage("-[Target show]: argument 2 (@): it is null; ask for an optional") { try invocation.invoke() }
        expect(!invocation.hasReturnValue)
        try invocation.setArguments([View("abc"), View("no button")])
        expectMessage("-[Target show]: argument 3 (@): an object of the class View is no Button") { try invocation.invoke() }
        expectError(.typeMismatch) { _ = try invocation.argument(at: 3, as: Button?.self) }
        try expectEqual(invocation.result(View("abc"), Button()), 100)
      }
      // Another class's method, and a text that nobody would free.
      let implementation = try Implementation { (_: Target, number: Int) -> Int in number }
      expectErrors(
        .typeMismatch, { try MethodTable.of(View.self).add("f", implementation) },
        { try table.add("text") { (_: Target) -> String in "" } })
      expect(!table.responds(to: "text"))
      // A superclass's is right; a text is an argument.
      try MethodTable.of(Button.self).add("name length") { (view: View) -> Int in view.name.count }
      try expectEqual(Self.message("name length", to: Button("four")).result(), 4)
      try table.add("count") { (_: Target, text: String) -> Int in text.count }
      try expectEqual(Self.message("count", to: target).result("Grüße"), 5)
    }

    @Test func errorsComeOut() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      @Sendable func check(_ number: Int) throws(Refusal) { if number % 2 == 1 { throw Refusal(number: number) } }
      try table.add("half") { (_: Target, number: Int) throws -> Int in
        try check(number)
        return number / 2
      }
      try table.add("object") { (_: Target, number: Int) throws -> View? in
        try check(number)
        return View()
      }
      try table.add("rect") { (_: Target, number: Int) throws(Refusal) -> Geometry.Rect in
        try check(number)
        return Geometry.Rect(x: 0, y: 0, width: 0, height: Double(number))
      }
      try table.add("nothing") { (_: Target, number: Int) throws in try check(number) }
      for selector in ["half", "object", "rect", "nothing"] as [MethodSelector] {
        let invocation = try Self.message(selector, to: Target())
        let implementation = try require(table.implementation(for: selector))
        for number in 0..<6 {
          try invocation.setArgument(number, at: 2)
          for call in [{ try invocation.invoke() }, { try invocation.invoke(using: implementation) }] {
            if number % 2 == 0 { try call() } else { expectThrows(Refusal(number: number)) { try call() } }
            expectEqual(invocation.hasReturnValue, number % 2 == 0)
            if number % 2 == 0, selector == "half" { try expectEqual(invocation.returnValue(), number / 2) }
          }
        }
      }
    }

    /// A method that sends messages, and each may fail by itself.
    @Test func errorsOfNestedMessages() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("down(_:)") { (target: Target, depth: Int) throws -> Int in
        guard depth > 0 else { throw Refusal(number: 0) }
        do {
          return try Self.message("down(_:)", to: target).result(depth - 1) + 1
        } catch let refusal as Refusal where depth % 2 == 0 {
          // Caught on every other floor, thrown anew on the next one.
          return refusal.number
        } catch let refusal as Refusal {
          throw Refusal(number: refusal.number + depth)
        }
      }
      let invocation = try Self.message("down(_:)", to: Target())
      for _ in 0..<2 {
        for depth in 0...1 { expectThrows(Refusal(number: depth)) { try invocation.result(depth, as: Int.self) } }
        for (depth, result) in [(2, 1), (3, 2), (10, 9)] { try expectEqual(invocation.result(depth), result) }
      }
    }

    @Test func errorsDoNotLeak() throws {
      final class Failing {}
      struct Holding: Error { let object: LifetimeTracked }
      let table = MethodTable.of(Failing.self)
      try LifetimeTracker.check { tracker in
        let captured = tracker.object()
        try table.replace(
          "fail",
          Implementation { (_: Failing, object: Tracked) throws -> Tracked in
            throw Holding(object: object.object.tracker.object(captured.payload))
          })
        let invocation = try Self.message("fail", to: Failing())
        for _ in 0..<1_000 { expectThrows(Holding.self) { try invocation.result(Tracked(tracker.object()), as: Tracked.self) } }
        table.remove("fail")
      }
    }

    /// C has no errors, so nobody would see it.
    @Test func anErrorThatNobodyTakesTraps() async {
      await #expect(processExitsWith: .failure) {
        final class Target {}
        let implementation = try Implementation { (_: Target) throws -> Int in throw Refusal(number: 1) }
        let target = Target()
        let function = try ForeignFunction(implementation, MethodSignature(types: "q@:"))
        let result: Int = try function(Unmanaged.passUnretained(target), "f" as MethodSelector)
        print(result)
      }
    }
  }
#endif
