#if canImport(Glibc)
  import DynamicInvocation
  import Glibc
  import TestSupport
  import Testing

  /// Closures lent to one call.
  @Suite(.measured) struct LentClosureTests {
    private let qsort: ForeignFunction

    init() throws { qsort = try DynamicLibrary(Platform.cLibrary).function("qsort", types: "v^vQQ^?") }

    @Test("A callback that ends before the call does changes local variables") func sorting() throws {
      var numbers: [Int32] = [3, -1, 4, 1, 5]
      var comparisons = 0
      try withClosure(
        types: "i^v^v",
        { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
          comparisons += 1
          return a.load(as: Int32.self) - b.load(as: Int32.self)
        }
      ) { ascending in
        try qsort(&numbers, numbers.count, 4, ascending)
      }
      expect(numbers == [-1, 1, 3, 4, 5] && comparisons >= 4)
    }

    /// The handler's captures are released, the value of the body comes out.
    @Test func everythingIsReleased() throws {
      try LifetimeTracker.check { tracker in
        for _ in 0..<100 {
          let object = tracker.object(7)
          let sum = try withClosure(types: "qq", { (number: Int) -> Int in number + object.payload }) { pointer in
            try ForeignFunction(Implementation(pointer), MethodSignature(types: "qq"))(1, as: Int.self)
          }
          expectEqual(sum, 8)
        }
      }
    }

    @Test func numbersOfParameters() throws {
      var seen: [Int] = []
      func function(_ pointer: UnsafeRawPointer, _ types: String) throws -> ForeignFunction {
        try ForeignFunction(Implementation(pointer), MethodSignature(types: types))
      }
      try withClosure(types: "v", { seen.append(0) }) { try function($0, "v")() }
      try withClosure(types: "vq", { (a: Int) in seen.append(a) }) { try function($0, "vq")(1) }
      try withClosure(types: "vqd", { (a: Int, b: Double) in seen.append(a + Int(b)) }) { try function($0, "vqd")(1, 2.0) }
      let sum = try withClosure(
        types: "qqqqqqqqqqq",
        { (a: Int, b: Int, c: Int, d: Int, e: Int, f: Int, g: Int, h: Int, i: Int, j: Int) -> Int in
          seen.append(10)
          return [a, b, c, d, e, f, g, h, i, j].enumerated().reduce(0) { $0 + ($1.offset + 1) * $1.element }
        }
      ) { try function($0, "qqqqqqqqqqq")(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, as: Int.self) }
      expect(sum == 385 && seen == [0, 1, 3, 10])
    }

    /// A lent closure may lend another, and run itself.
    @Test func nested() throws {
      var depth = 0
      var pointer: UnsafeRawPointer?
      func call(_ number: Int) throws -> Int {
        try ForeignFunction(Implementation(require(pointer)), MethodSignature(types: "qq"))(number)
      }
      let result = try withClosure(
        types: "qq",
        { (number: Int) -> Int in
          depth = max(depth, number)
          guard number < 5 else { return number }
          let inner = try? withClosure(types: "q", { number }) { pointer in
            try ForeignFunction(Implementation(pointer), MethodSignature(types: "q"))(as: Int.self)
          }
          return ((try? call(number + 1)) ?? -100) + (inner ?? -100)
        }
      ) { function in
        pointer = function
        return try call(1)
      }
      expect(result == 15 && depth == 5)
    }

    @Test func moreThanFourParameters() throws {
      var seen: [Double] = []
      try withClosure(
        types: "viiiiid", { (a: Int32, b: Int32, c: Int32, d: Int32, e: Int32, f: Double) in seen += [Double(a + b + c + d + e), f] }
      ) { try ForeignFunction(Implementation($0), MethodSignature(types: "viiiiid"))(1, 2, 3, 4, 5, 0.5) }
      expectEqual(seen, [15, 0.5])
      let last: Int = try withClosure(
        types: "q*qqqq", { (text: String, a: Int, b: Int, c: Int, d: Int) -> Int in text.utf8.count + a + b + c + d }
      ) { try ForeignFunction(Implementation($0), MethodSignature(types: "q*qqqq"))("three", 1, 2, 3, 4) }
      expectEqual(last, 15)
      let code = InvocationFixtures.code {
        try withClosure(types: "qqqqqi", { (a: Int, b: Int, c: Int, d: Int, e: Int) -> Int in a + b + c + d + e }) { _ in }
      }
      expectEqual(code, .typeMismatch)
    }

    @Test func typesAreComparedAndErrorsComeOut() throws {
      struct Failure: Error {}
      expectThrows(Failure.self) { try withClosure(types: "v", {}) { _ in throw Failure() } }
      for body in [
        { try withClosure(types: "vi", {}) { _ in } }, { try withClosure(types: "vi", { (_: Int) in }) { _ in } },
        { try withClosure(types: "i", {}) { _ in } }, { try withClosure(types: "v^i", { (_: UnsafePointer<Double>) in }) { _ in } },
      ] as [() throws -> Void] {
        let code = InvocationFixtures.code(body)
        expect(code == .countMismatch || code == .typeMismatch)
      }
      expectError(.malformedEncoding) { try withClosure(types: "v{", {}) { _ in } }
    }

    #if !os(Windows)
      @Test("A call after the end traps with a message") func afterTheEnd() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let pointer = try withClosure(types: "qq", { (value: Int) -> Int in value }) { $0 }
          _ = unsafeBitCast(pointer, to: (@convention(c) (Int) -> Int).self)(1)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(message.contains("which was released before"))
      }

      @Test("A call on another thread traps with a message") func onAnotherThread() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
          let start = try DynamicLibrary.process.function("pthread_create", types: "i^Q^v^?^v")
          let join = try DynamicLibrary.process.function("pthread_join", types: "iQ^v")
          var thread: UInt = 0
          try withClosure(types: "^v^v", { (value: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? in value }) { routine in
            try start(&thread, nil, routine, nil)
            try join(thread, nil)
          }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        expect(message.contains("on another thread than the one that lent it"))
      }
    #endif
  }
#endif
