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
    private final class Failing {}
    private final class Echoing {}

    private struct Refusal: Error, Equatable {
      var number: Int
    }

    private static func invocation(_ selector: MethodSelector, to target: AnyObject) throws -> Invocation {
      let signature = try #require(MethodTable.of(type(of: target)).methodSignature(for: selector))
      let invocation = Invocation(signature)
      invocation.target = target
      invocation.selector = selector
      return invocation
    }

    @Test func theTypesMakeTheSignature() throws {
      final class Controller {
        var taps: [String] = []
        func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) { taps.append("\(source?.name ?? "nil") \(tag) \(frame.size.width)") }
      }
      let table = MethodTable.of(Controller.self)
      try table.add("tapped(_:tag:frame:)") { (controller: Controller, source: View?, tag: Int, frame: Geometry.Rect) in
        controller.tapped(source, tag: tag, frame: frame)
      }
      let signature = try MethodSignature(types: "v@:@q{CGRect={CGPoint=dd}{CGSize=dd}}")
      #expect(table.methodSignature(for: "tapped(_:tag:frame:)")?.types.arguments.map(\.size) == signature.types.arguments.map(\.size))
      let controller = Controller()
      let invocation = try Self.invocation("tapped(_:tag:frame:)", to: controller)
      try invocation.setArgument(Button("ok"), at: 2)
      try invocation.setArgument(7, at: 3)
      try invocation.setArgument(Geometry.Rect(x: 0, y: 0, width: 3, height: 4), at: 4)
      try invocation.invoke()
      try invocation.setArgument(nil, at: 2)
      try invocation.invoke()
      #expect(controller.taps == ["ok 7 3.0", "nil 7 3.0"])
    }

    /// A value comes back as it went in, for each type.
    private func echo<Value: EncodedValue & Equatable & SendableMetatype>(_ value: Value, _ types: String, _ other: Value? = nil) throws {
      let selector = MethodSelector("echo \(types)")
      let table = MethodTable.of(Echoing.self)
      try table.replace(selector, Implementation { (_: Echoing, value: Value) -> Value in value })
      #expect(table.methodSignature(for: selector)?.description == types)
      let target = Echoing()
      let invocation = try Self.invocation(selector, to: target)
      for value in [value, other ?? value] {
        try invocation.setArgument(value, at: 2)
        for _ in 0..<2 {
          try invocation.invoke()
          #expect(try invocation.returnValue(as: Value.self) == value, "\(types)")
        }
      }
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
      try echo(true, "B@:B", false)
      try echo(Int8.min, "c@:c")
      try echo(UInt8.max, "C@:C")
      try echo(Int16.min, "s@:s")
      try echo(UInt16.max, "S@:S")
      try echo(Int32.min, "i@:i")
      try echo(UInt32.max, "I@:I")
      try echo(Int.min, "q@:q")
      try echo(UInt64.max, "Q@:Q")
      try echo(Float.pi, "f@:f")
      try echo(Double.pi, "d@:d", -0.5)
      try echo("name" as MethodSelector, ":@::")
      try echo(UnsafeRawPointer(bitPattern: 4_096), "^v@:^v", UnsafeRawPointer?.none)
      try echo(Three(a: -1, b: 2, c: 3), "{Three=icf}@:{Three=icf}")
      try echo(Large(a: Geometry.Rect(x: 1, y: 2, width: 3, height: 4), b: 5), "\(Large.typeEncoding)@:\(Large.typeEncoding)")
      try echo(Geometry.Point(x: 1, y: 2), "\(Geometry.Point.typeEncoding)@:\(Geometry.Point.typeEncoding)")
    }

    @Test func eightParameters() throws {
      final class Target: Sendable { let base = 1.0 }
      try MethodTable.of(Target.self).add("sum") {
        (target: Target, a: Int8, b: Float, c: Int, d: Double, e: UInt16, f: Geometry.Point, g: Bool, h: Int32) -> Double in
        let integers = Double(a) + Double(c) + Double(e) + Double(h)
        return target.base + integers + Double(b) + d + f.x + f.y + (g ? 1 : 0)
      }
      let target = Target()
      let invocation = try Self.invocation("sum", to: target)
      try invocation.setArguments(boxed: [
        .int(-1), .double(2), .int(3), .double(4), .int(5), .point(Geometry.Point(x: 6, y: 7)), .bool(true), .int(8),
      ])
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Double.self) == 36)
    }

    @Test func moreThanFourParametersByName() throws {
      final class Target: EncodedObject {
        var seen = ""
        func note(_ text: String, _ a: Int, _ b: Int, _ c: Int, _ target: Target, _ d: Double) throws -> Bool {
          guard a > 0 else { throw Refusal(number: a) }
          seen = "\(text) \(a + b + c) \(target === self) \(d)"
          return true
        }
        func silently(_ a: Int8, _ b: Int8, _ c: Int8, _ d: Int8, _ e: Int8) { seen = "\([a, b, c, d, e])" }
      }
      try MethodTable.of(Target.self).add("note", Target.note)
      try MethodTable.of(Target.self).add("silently", Target.silently)
      let target = Target()
      let note = try Self.invocation("note", to: target)
      try note.setArguments(boxed: ["text", .int(1), .int(2), .int(3), .object(target), .double(0.5)])
      try note.invoke()
      #expect(try note.returnValue(as: Bool.self) && target.seen == "text 6 true 0.5")
      try note.setArguments(boxed: ["text", .int(-1), .int(2), .int(3), .object(target), .double(0.5)])
      #expect(throws: Refusal.self) { try note.invoke() }
      // Null is none of the objects of the parameter.
      try note.setArguments(boxed: ["text", .int(1), .int(2), .int(3), .null, .double(0.5)])
      #expect(InvocationFixtures.code { try note.invoke() } == .nullNotAllowed)
      let silently = try Self.invocation("silently", to: target)
      try silently.setArguments(boxed: [.int(1), .int(2), .int(3), .int(4), .int(5)])
      try silently.invoke()
      #expect(target.seen == "[1, 2, 3, 4, 5]")
    }

    private class Controller {
      var taps = 0
      func tapped(_ source: View?, tag: Int) { taps += tag }
      func area(of frame: Geometry.Rect) throws -> Double {
        guard frame.size.width > 0 else { throw Refusal(number: 1) }
        return frame.size.width * frame.size.height
      }
      func count() -> Int { taps }
    }
    private final class DoubleController: Controller {
      override func tapped(_ source: View?, tag: Int) { taps += 2 * tag }
    }

    @Test func methodsByName() throws {
      let table = MethodTable.of(Controller.self)
      try table.add("tapped(_:tag:)", Controller.tapped)
      try table.add("area(of:)", Controller.area)
      try table.add("count()", Controller.count)
      #expect(table.selectors.map { table.methodSignature(for: $0)?.numberOfArguments } == [4, 3, 2])
      for (controller, factor) in [(Controller(), 1), (DoubleController(), 2)] {
        let invocation = try Self.invocation("tapped(_:tag:)", to: controller)
        try invocation.setArgument(Button(), at: 2)
        try invocation.setArgument(7, at: 3)
        try invocation.invoke()
        try invocation.invoke()
        #expect(controller.taps == 14 * factor)
        let count = try Self.invocation("count()", to: controller)
        try count.invoke()
        #expect(try count.returnValue(as: Int.self) == 14 * factor)
        let area = try Self.invocation("area(of:)", to: controller)
        try area.setArgument(Geometry.Rect(x: 0, y: 0, width: 3, height: 4), at: 2)
        try area.invoke()
        #expect(try area.returnValue(as: Double.self) == 12)
        try area.setArgument(Geometry.Rect(x: 0, y: 0, width: 0, height: 4), at: 2)
        #expect(throws: Refusal(number: 1)) { try area.invoke() }
      }
    }

    @Test func objectsAreCountedRight() throws {
      final class Maker {}
      final class Tracked: EncodedObject {
        let object: LifetimeTracked
        init(_ object: LifetimeTracked) { self.object = object }
      }
      let table = MethodTable.of(Maker.self)
      try table.add("same") { (_: Maker, object: Tracked?) -> Tracked? in object }
      try table.add("another") { (_: Maker, object: Tracked) -> Tracked in Tracked(object.object.tracker.object(2)) }
      try LifetimeTracker.check { tracker in
        let maker = Maker()
        for selector in ["same", "another"] as [MethodSelector] {
          let invocation = try Self.invocation(selector, to: maker)
          for number in 0..<20 {
            try invocation.setArgument(Tracked(tracker.object(number)), at: 2)
            try invocation.invoke()
            let result = try invocation.returnValue(as: Tracked.self)
            #expect(result.object.payload == (selector == "same" ? number : 2))
            #expect(tracker.liveCount <= 4)
          }
        }
        let invocation = try Self.invocation("same", to: maker)
        try invocation.setArgument(nil, at: 2)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Tracked?.self) == nil)
      }
    }

    @Test func whatDoesNotFitIsAnError() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("show") { (_: Target, view: View, button: Button?) -> Int in button == nil ? view.name.count : 100 }
      let target = Target()
      let invocation = try Self.invocation("show", to: target)
      try invocation.setArgument(View("abc"), at: 2)
      try invocation.setArgument(nil, at: 3)
      for _ in 0..<2 {
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 3)
        try invocation.setArgument(nil, at: 2)
        #expect(InvocationFixtures.message { try invocation.invoke() } == "-[Target show]: argument 2 (@): it is null; ask for an optional")
        #expect(!invocation.hasReturnValue)
        try invocation.setArgument(View("abc"), at: 2)
        try invocation.setArgument(View("no button"), at: 3)
        #expect(
          InvocationFixtures.message { try invocation.invoke() }
            == "-[Target show]: argument 3 (@): an object of the class View is no Button")
        #expect(InvocationFixtures.code { _ = try invocation.argument(at: 3, as: Button?.self) } == .typeMismatch)
        try invocation.setArgument(Button(), at: 3)
        try invocation.invoke()
        #expect(try invocation.returnValue(as: Int.self) == 100)
        try invocation.setArgument(nil, at: 3)
      }
      // Another class's method.
      let implementation = try Implementation { (_: Target, number: Int) -> Int in number }
      #expect(InvocationFixtures.code { try MethodTable.of(View.self).add("f", implementation) } == .typeMismatch)
      #expect(InvocationFixtures.code { try table.add("text") { (_: Target) -> String in "" } } == .typeMismatch)
      #expect(!table.responds(to: "text"))
      // That of a superclass is right.
      try MethodTable.of(Button.self).add("name length") { (view: View) -> Int in view.name.count }
      let button = Button("four")
      let named = try Self.invocation("name length", to: button)
      try named.invoke()
      #expect(try named.returnValue(as: Int.self) == 4)
    }

    @Test func aStringComesAsAnArgument() throws {
      final class Target {}
      try MethodTable.of(Target.self).add("count") { (_: Target, text: String) -> Int in text.count }
      let target = Target()
      let invocation = try Self.invocation("count", to: target)
      try invocation.setArgument("Grüße", at: 2)
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Int.self) == 5)
    }

    @Test func errorsComeOut() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("half") { (_: Target, number: Int) throws -> Int in
        guard number % 2 == 0 else { throw Refusal(number: number) }
        return number / 2
      }
      try table.add("object") { (_: Target, number: Int) throws -> View? in
        guard number % 2 == 0 else { throw Refusal(number: number) }
        return View()
      }
      try table.add("rect") { (_: Target, number: Int) throws(Refusal) -> Geometry.Rect in
        guard number % 2 == 0 else { throw Refusal(number: number) }
        return Geometry.Rect(x: 0, y: 0, width: 0, height: Double(number))
      }
      try table.add("nothing") { (_: Target, number: Int) throws in
        guard number % 2 == 0 else { throw Refusal(number: number) }
      }
      let target = Target()
      for selector in ["half", "object", "rect", "nothing"] as [MethodSelector] {
        let invocation = try Self.invocation(selector, to: target)
        let implementation = try #require(table.implementation(for: selector))
        for number in 0..<6 {
          try invocation.setArgument(number, at: 2)
          for call in [
            { try invocation.invoke() }, { try invocation.invoke(using: implementation) },
          ] {
            if number % 2 == 0 {
              try call()
              #expect(invocation.hasReturnValue)
              if selector == "half" { #expect(try invocation.returnValue(as: Int.self) == number / 2) }
            } else {
              #expect(throws: Refusal(number: number)) { try call() }
              #expect(!invocation.hasReturnValue)
            }
          }
        }
      }
    }

    /// A method that sends messages, each of which may fail by itself.
    @Test func errorsOfNestedMessages() throws {
      final class Target {}
      let table = MethodTable.of(Target.self)
      try table.add("down(_:)") { (target: Target, depth: Int) throws -> Int in
        guard depth > 0 else { throw Refusal(number: 0) }
        let invocation = try Self.invocation("down(_:)", to: target)
        try invocation.setArgument(depth - 1, at: 2)
        do {
          try invocation.invoke()
          return try invocation.returnValue(as: Int.self) + 1
        } catch let refusal as Refusal where depth % 2 == 0 {
          // Caught on every other floor, thrown anew on the next one.
          return refusal.number
        } catch let refusal as Refusal {
          throw Refusal(number: refusal.number + depth)
        }
      }
      let target = Target()
      let invocation = try Self.invocation("down(_:)", to: target)
      func result(_ depth: Int) throws -> Int {
        try invocation.setArgument(depth, at: 2)
        try invocation.invoke()
        return try invocation.returnValue()
      }
      for _ in 0..<2 {
        #expect(throws: Refusal(number: 0)) { try result(0) }
        #expect(throws: Refusal(number: 1)) { try result(1) }
        #expect(try result(2) == 1)
        #expect(try result(3) == 2)
        #expect(try result(10) == 9)
      }
    }

    @Test func errorsDoNotLeak() throws {
      final class Tracked: EncodedObject {
        let object: LifetimeTracked
        init(_ object: LifetimeTracked) { self.object = object }
      }
      struct Holding: Error { let object: LifetimeTracked }
      let table = MethodTable.of(Failing.self)
      try LifetimeTracker.check { tracker in
        let captured = tracker.object()
        try table.replace(
          "fail",
          Implementation { (_: Failing, object: Tracked) throws -> Tracked in
            throw Holding(object: object.object.tracker.object(captured.payload))
          })
        let target = Failing()
        let invocation = try Self.invocation("fail", to: target)
        for _ in 0..<10 {
          try invocation.setArgument(Tracked(tracker.object()), at: 2)
          #expect(throws: Holding.self) { try invocation.invoke() }
        }
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
