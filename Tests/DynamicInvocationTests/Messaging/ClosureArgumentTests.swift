#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import TestSupport
  import Testing

  /// What a closure of known types is lent, and what is gathered for it.
  @Suite(.measured) struct ClosureArgumentTests {
    private class View: EncodedObject {}
    private final class Button: View {}
    private final class Target {}

    /// A member in a general and one in a vector register.
    private struct Pair: EncodedValue, Equatable {
      var count: Int
      var weight: Double
      static let typeEncoding: TypeEncoding = "{Pair=qd}"
    }

    /// A result in memory.
    private struct Three: EncodedValue, Equatable {
      var a: Int
      var b: Double
      var c: Int
      static let typeEncoding: TypeEncoding = "{Three=qdq}"
    }

    /// A whole vector register.
    private struct Four: EncodedValue, BitwiseCopyable {
      var lanes: SIMD4<Float>
      static let typeEncoding: TypeEncoding = "![16,16f]"
    }

    /// A type of its own that has no value for odd numbers.
    private struct Even: EncodedValue, BitwiseCopyable {
      var number: Int
      static let typeEncoding: TypeEncoding = "{Even=q}"
      static var valueTraits: _ValueTraits { _ValueTraits(mayBeRefused: true) }

      static func load(from slot: FrameSlot, of frame: UnsafeRawPointer) -> Even? {
        let number = frame.load(fromByteOffset: Int(slot.offset), as: Int.self)
        return number % 2 == 0 ? Even(number: number) : nil
      }
    }

    private static let source = """
      typedef struct { long count; double weight; } pair;
      typedef struct { long a; double b; long c; } three;
      pair pairs(pair (*code)(pair, double, pair, long, long, long, pair, pair)) {
        return code((pair){1, 2.5}, 3.5, (pair){4, 5.5}, 6, 7, 8, (pair){9, 10.5}, (pair){11, 12.5});
      }
      three in_memory(three (*code)(pair, pair, three, pair, pair)) {
        return code((pair){1, 2.5}, (pair){3, 4.5}, (three){5, 6.5, 7}, (pair){8, 9.5}, (pair){10, 11.5});
      }
      typedef float four __attribute__((vector_size(16)));
      typedef struct { double x, y; } point;
      point wide(point (*code)(four, pair, four)) {
        return code((four){1, 2, 3, 4}, (pair){5, 6.5}, (four){7, 8, 9, 10});
      }
      """

    @Test(
      "Structs that lie in registers of both kinds, and on the stack, arrive and come back", arguments: CCompiler.all.filter(\.available))
    func structsApart(_ compiler: CCompiler) throws {
      let library = try DynamicLibrary(compiler.sharedLibrary(source: Self.source, flags: ["-O2"], name: "apart"))
      let pairs = try Closure(types: "{Pair=qd}{Pair=qd}d{Pair=qd}qqq{Pair=qd}{Pair=qd}") {
        (a: Pair, b: Double, c: Pair, d: Int, e: Int, f: Int, g: Pair, h: Pair) -> Pair in
        let counts = [a.count, c.count, d, e, f, g.count, h.count]
        let weights = [a.weight, b, c.weight, g.weight, h.weight]
        return Pair(count: counts.reduce(0) { $0 * 16 + $1 }, weight: weights.reduce(0) { $0 * 2 + $1 })
      }
      let pair: Pair = try library.function("pairs", types: "{Pair=qd}^?")(pairs.pointer)
      expectEqual(pair, Pair(count: 0x14_6789B, weight: 2.5 * 16 + 3.5 * 8 + 5.5 * 4 + 10.5 * 2 + 12.5))

      let inMemory = try Closure(types: "{Three=qdq}{Pair=qd}{Pair=qd}{Three=qdq}{Pair=qd}{Pair=qd}") {
        (a: Pair, b: Pair, c: Three, d: Pair, e: Pair) -> Three in
        let counts = [a.count, b.count, c.a, c.c, d.count, e.count]
        let weights = [a.weight, b.weight, c.b, d.weight, e.weight]
        return Three(a: counts.reduce(0) { $0 * 16 + $1 }, b: weights.reduce(0) { $0 * 2 + $1 }, c: counts.count)
      }
      let three: Three = try library.function("in_memory", types: "{Three=qdq}^?")(inMemory.pointer)
      expectEqual(three, Three(a: 0x13578A, b: 2.5 * 16 + 4.5 * 8 + 6.5 * 4 + 9.5 * 2 + 11.5, c: 6))
    }

    @Test(
      "A result in two vector registers comes back beside whole vectors and a struct in registers of both kinds",
      arguments: CCompiler.all.filter(\.available))
    func wideAndApart(_ compiler: CCompiler) throws {
      let library = try DynamicLibrary(compiler.sharedLibrary(source: Self.source, flags: ["-O2"], name: "apart"))
      let wide = try Closure(types: "{Point=dd}![16,16f]{Pair=qd}![16,16f]") { (a: Four, b: Pair, c: Four) -> Geometry.Point in
        Geometry.Point(x: Double((a.lanes * c.lanes).sum()) + Double(b.count), y: b.weight)
      }
      let point: Geometry.Point = try library.function("wide", types: "{Point=dd}^?")(wide.pointer)
      expectEqual(point, Geometry.Point(x: 7 + 16 + 27 + 40 + 5, y: 6.5))
    }

    /// The references to an object that the runtime counts.
    private static func count(_ object: AnyObject) throws -> Int {
      try DynamicLibrary.process.function("swift_retainCount", types: "q@")(Unmanaged.passUnretained(object))
    }

    @Test func objectsAreLentAndNotRetained() throws {
      // The same code counts outside and inside, so that what it retains itself does not matter.
      let count: @Sendable (View) -> Int = { (try? Self.count($0)) ?? -1 }
      let view = Button()
      let alone = count(view)
      expect(alone > 0)
      let closure = try Closure(types: "q@@q") { (view: View, other: View?, tag: Int) -> Int in count(view) + tag }
      let function = try ForeignFunction(closure.implementation, closure.methodSignature)
      try expectEqual(function(Unmanaged.passUnretained(view as View), Unmanaged.passUnretained(view as View), 1) as Int, alone + 1)

      let method = try Implementation { (_: Target, view: View, exactly: Button, none: View?) -> Int in none == nil ? count(view) : -1 }
      let invocation = Invocation(try require(method.methodSignature), retainsArguments: false)
      let target = Target()
      invocation.target = target
      invocation.selector = "count"
      try invocation.setArguments([Unmanaged.passUnretained(view as View), Unmanaged.passUnretained(view), View?.none])
      try invocation.invoke(using: method)
      try expectEqual(invocation.returnValue(as: Int.self), alone)
      withExtendedLifetime((view, target)) {}
    }

    @Test("An object of a subclass is looked at more closely, and the error of the call still comes out")
    func errorsAfterTheCloserLook() throws {
      let method = try Implementation { (_: Target, view: View, number: Double, button: Button?, pair: Pair) throws -> Int in
        guard pair.count > 0 else { throw Refusal(number: pair.count) }
        return view is Button && button == nil ? pair.count + Int(number) : -1
      }
      let target = Target()
      let invocation = try Invocation.message(require(method.methodSignature), to: target, "check")
      for view in [View(), Button()] {
        try invocation.setArguments([view, 2.0, View?.none, Pair(count: 40, weight: 1)])
        try invocation.invoke(using: method)
        try expectEqual(invocation.returnValue(as: Int.self), (view is Button ? 42 : -1))
        try invocation.setArgument(Pair(count: -1, weight: 1), at: 5)
        expectThrows(Refusal(number: -1)) { try invocation.invoke(using: method) }
        expect(!invocation.hasReturnValue)
        try invocation.setArgument(View(), at: 4)
        expectMessage("-[Target check]: argument 4 (@): an object of the class View is no Button") { try invocation.invoke(using: method) }
        try invocation.setArgument(View?.none, at: 2)
        expectMessage("-[Target check]: argument 2 (@): it is null; ask for an optional") { try invocation.invoke(using: method) }
      }
    }

    @Test func nestedCallsLookForThemselves() throws {
      // The error of an inner call, made after the closer look at the outer one's arguments, does not reach the outer one's place.
      let inner = try Implementation { (_: Target, view: View, depth: Int) throws -> Int in throw Refusal(number: depth) }
      let outer = try Implementation { (target: Target, view: View, depth: Int) throws -> Int in
        guard let signature = inner.methodSignature else { return -2 }
        let invocation = try Invocation.message(signature, to: target, "inner", view, depth + 1)
        do { try invocation.invoke(using: inner) } catch let refusal as Refusal { return refusal.number }
        return -1
      }
      let target = Target()
      let invocation = try Invocation.message(require(outer.methodSignature), to: target, "outer", Button(), 6)
      try invocation.invoke(using: outer)
      try expectEqual(invocation.returnValue(as: Int.self), 7)
    }

    @Test func aTypeMayRefuseArguments() throws {
      let method = try Implementation { (_: Target, even: Even, text: String, bytes: UnsafeRawPointer) -> Int in even.number + text.count }
      let target = Target()
      let arguments: [Any?] = [Even(number: 38), "four", UnsafeRawPointer(bitPattern: 8)]
      let invocation = try Invocation.message(require(method.methodSignature), to: target, "half")
      try invocation.setArguments(arguments)
      try invocation.invoke(using: method)
      try expectEqual(invocation.returnValue(as: Int.self), 42)
      try invocation.setArgument(Even(number: 39), at: 2)
      expectError(.typeMismatch) { try invocation.invoke(using: method) }
      try invocation.setArgument(Even(number: 38), at: 2)
      for (index, type) in [(4, "^v"), (3, "*")] {
        try invocation.setArgument(UnsafeRawPointer?.none, at: index)
        expectMessage("-[Target half]: argument \(index) (\(type)): it is null; ask for an optional") {
          try invocation.invoke(using: method)
        }
      }
    }
  }
#endif
