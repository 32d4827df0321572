import CDeclarations

#if canImport(Glibc)
  import DynamicInvocation
  import Glibc
  import TestSupport
  import Testing

  /// Swift closures with the types of C declarations.
  @Suite(.measured, .enabled(if: InvocationFixtures.hasCompiler)) struct DeclaredClosureTests {
    private let libc: DynamicLibrary

    init() throws {
      libc = try DynamicLibrary(Platform.cLibrary, declarations: CDeclarations(header: "stdlib.h", options: ["-D_GNU_SOURCE"]))
    }

    @Test(
      "A type without a name, a typedef and the name of a function declare a closure",
      arguments: [
        "int (*)(const void *, const void *)", "int (const void *, const void *)", "int compare(const void *, const void *);",
        "__compar_fn_t", "comparison_fn_t", "int (*const)(const void *, const void *)",
      ])
    func comparisons(declaration: String) throws {
      let qsort = try libc.function("qsort")
      let ascending = try Closure(declaration: declaration, in: libc.declarations) { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
        a.load(as: Int32.self) - b.load(as: Int32.self)
      }
      var numbers: [Int32] = [3, -1, 4, 1, 5]
      try qsort(&numbers, numbers.count, 4, ascending.pointer)
      #expect(numbers == [-1, 1, 3, 4, 5])
      var calls = 0
      try withClosure(
        declaration: declaration, in: libc.declarations,
        { (a: UnsafePointer<Int32>, b: UnsafePointer<Int32>) -> Int32 in
          calls += 1
          return b.pointee - a.pointee
        }
      ) { descending in
        try qsort(&numbers, numbers.count, 4, descending)
      }
      #expect(numbers == [5, 4, 3, 1, -1] && calls >= 4)
      // Elements of other sizes, and structs.
      var doubles = [2.5, -1, 7, 0]
      try withClosure(
        declaration: declaration, in: libc.declarations,
        { (a: UnsafePointer<Double>, b: UnsafePointer<Double>) -> Int32 in a.pointee < b.pointee ? -1 : 1 }
      ) { try qsort(&doubles, 4, 8, $0) }
      #expect(doubles == [-1, 0, 2.5, 7])
      var points = [Geometry.Point(x: 2, y: 1), Geometry.Point(x: 1, y: 2)]
      try withClosure(
        declaration: declaration, in: libc.declarations,
        { (a: UnsafePointer<Geometry.Point>, b: UnsafePointer<Geometry.Point>) -> Int32 in a.pointee.x < b.pointee.x ? -1 : 1 }
      ) { try qsort(&points, 2, MemoryLayout<Geometry.Point>.stride, $0) }
      #expect(points == [Geometry.Point(x: 1, y: 2), Geometry.Point(x: 2, y: 1)])
    }

    @Test("nftw takes a typedef that an option of the header declares")
    func walks() throws {
      let ftw = try CDeclarations(header: "ftw.h", options: ["-D_GNU_SOURCE"])
      let nftw = try DynamicLibrary(Platform.cLibrary, declarations: ftw).function("nftw")
      var template = Array("/tmp/walked-XXXXXX".utf8CString)
      let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
      defer { rmdir(folder) }
      var (paths, depths) = ([String](), Set<Int32>())
      let status: Int = try withClosure(
        declaration: "__nftw_func_t", in: ftw,
        { (path: String, _: UnsafeRawPointer?, _: Int32, place: UnsafeRawPointer) -> Int32 in
          paths.append(path)
          depths.insert(place.load(fromByteOffset: 4, as: Int32.self))
          return 0
        }
      ) { try nftw(folder, $0, 4, 1) }
      #expect(status == 0 && paths == [folder] && depths == [0])

      let hidden = try #require(throws: InvocationError.self) {
        try Closure(declaration: "__nftw_func_t", in: CDeclarations("typedef int (*__ftw_func_t)(const char *);")) { (_: Int) in }
      }
      #expect(hidden.code == .malformedDeclaration && hidden.reason.contains("-D_GNU_SOURCE") && hidden.candidates == ["__ftw_func_t"])
    }

    @Test("The closure has the types of the declaration")
    func mismatches() throws {
      let compare = "int (*)(const void *, const void *)"
      func code(_ make: () throws -> Void) -> InvocationError.Code? { InvocationFixtures.code(make) }
      #expect(code { _ = try Closure(declaration: compare) { (_: UnsafeRawPointer) -> Int32 in 0 } } == .countMismatch)
      #expect(code { _ = try Closure(declaration: compare) { (_: UnsafeRawPointer, _: Int) -> Int32 in 0 } } == .typeMismatch)
      #expect(code { _ = try Closure(declaration: compare) { (_: UnsafeRawPointer, _: UnsafeRawPointer) -> Int in 0 } } == .typeMismatch)
      #expect(code { _ = try Closure(declaration: compare) { (_: UnsafeRawPointer, _: UnsafeRawPointer) in } } == .typeMismatch)
      #expect(code { try withClosure(declaration: compare, { (_: UnsafeRawPointer, _: Int) -> Int32 in 0 }) { _ in } } == .typeMismatch)
      #expect(code { try withClosure(declaration: "void (*)(int)", { (_: Int32) -> Int32 in 0 }) { _ in } } == .typeMismatch)
      let type = try #require(throws: InvocationError.self) { try Closure(declaration: "div_t", in: libc.declarations) { (_: Int32) in } }
      #expect(type.reason.contains("neither a function's nor a pointer to one"), "\(type)")
      #expect(throws: InvocationError.self) { try Closure(declaration: "int (*)(imt)") { (_: Int32) -> Int32 in 0 } }
      #expect(throws: InvocationError.self) { try Closure(declaration: "int *") { (_: Int32) -> Int32 in 0 } }
    }

    @Test("Any number of parameters, of each kind of type")
    func parameters() throws {
      let source = """
        struct pair { short a; double b; };
        typedef double (*many)(signed char, short, int, long, float, double, struct pair, const char *, void *, unsigned char, _Bool, long double);
        double call_many(many f) { struct pair p = {7, 8.5}; return f(-1, -2, 3, 4, 5, 6, p, "nine", 0, 200, 1, 12); }
        typedef void (*none)(void); void call_none(none f) { f(); }
        """
      struct Pair: EncodedValue {
        var a: Int16
        var b: Double
        static let typeEncoding: TypeEncoding = "{pair=sd}"
      }
      for compilation in Compilation.optimized where compilation.compiler.available {
        let declarations = try CDeclarations(source)
        let library = try DynamicLibrary(
          compilation.compiler.sharedLibrary(source: source, flags: compilation.flags, name: "many"), declarations: declarations)
        var seen = ""
        let sum: Double = try withClosure(
          declaration: "many", in: declarations,
          {
            (
              a: Int8, b: Int16, c: Int32, d: Int, e: Float, f: Double, g: Pair, h: String, i: UnsafeRawPointer?, j: UInt8, k: Bool,
              l: LongDouble
            )
              -> Double in
            seen = "\(a) \(b) \(c) \(d) \(e) \(f) \(g.a) \(g.b) \(h) \(i == nil) \(j) \(k) \(l.doubleValue)"
            return 0.5
          }
        ) { try library.function("call_many")($0) }
        #expect(sum == 0.5 && seen == "-1 -2 3 4 5.0 6.0 7 8.5 nine true 200 true 12.0")
        var calls = 0
        try withClosure(declaration: "none", in: declarations, { calls += 1 }) { try library.function("call_none")($0) }
        #expect(calls == 1)
        let closure = try Closure(declaration: "none", in: declarations) { Self.count.withLock { $0 += 1 } }
        try library.function("call_none")(closure.pointer)
        #expect(closure.methodSignature.numberOfArguments == 0)
      }
      #expect(Self.count.withLock { $0 } > 0)
    }

    private static let count = Locked(0)

    @Test("A closure releases what it captured")
    func lifetime() throws {
      try LifetimeTracker.check { tracker in
        let object = tracker.object(7)
        let closure = try Closure(declaration: "long (*)(long)") { (number: Int) -> Int in number + object.payload }
        #expect(try ForeignFunction(closure.implementation, closure.methodSignature)(1, as: Int.self) == 8)
      }
    }

    @Test("find opens a library with declarations")
    func finding() throws {
      let header = try CDeclarations("double pow(double, double);")
      let power: Double = try DynamicLibrary.find("m", declarations: header).function("pow")(2, 10)
      #expect(power == 1024)
      #expect(try DynamicLibrary.find("libm.so.6", declarations: header).declarations?.functions.names == ["pow"])
      #expect(try DynamicLibrary.find("m").declarations == nil)
    }

    @Test("An array by value is copied with the size of its elements")
    func arrays() throws {
      let header = try CDeclarations("int memcmp(const void *, const void *, size_t);")
      let memcmp = try DynamicLibrary(Platform.cLibrary, declarations: header).function("memcmp")
      #expect(try memcmp([1, 2, 3] as [Int32], [1, 2, 4] as [Int32], 8, as: Int.self) == 0)
      #expect(try memcmp([1, 2, 3] as [Int32], [1, 2, 4] as [Int32], 12, as: Int.self) < 0)
      #expect(try memcmp([1.5, 2] as [Double], [1.5, 3] as [Double], 16, as: Int.self) != 0)
      let sum = try DynamicLibrary(Platform.cLibrary).function("int abs(const int *)")
      #expect(InvocationFixtures.message { try sum([1, 2, 3]) }.contains("pass [Int32]"))
    }
  }
#endif
