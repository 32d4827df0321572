#if canImport(Glibc)
  import AllocationCounter
  import DynamicInvocation
  import Glibc
  import TestSupport
  import Testing

  /// `ForeignFunction.pointer(as:)`: the Swift function type is compared with the signature, then the call is C's own.
  @Suite(.measured) struct FunctionPointerTests {
    private typealias Unary = @convention(c) (Double) -> Double
    private typealias Binary = @convention(c) (Double, Double) -> Double

    private let libm: DynamicLibrary
    private let libc: DynamicLibrary

    init() throws {
      libm = try DynamicLibrary(Platform.mathLibrary)
      libc = try DynamicLibrary(Platform.cLibrary)
    }

    private func failure<Function>(_ function: ForeignFunction, _ type: Function.Type) -> InvocationError? {
      do throws(InvocationError) {
        _ = try function.pointer(as: type)
        return nil
      } catch {
        return error
      }
    }

    @Test("Functions of the system's libraries are called through their pointers")
    func calls() throws {
      let pow = try libm.function("pow", types: "ddd").pointer(as: Binary.self)
      expectEqual(pow(2, 10), 1_024)
      let strlen = try libc.function("strlen", types: "Q*").pointer(as: (@convention(c) (UnsafePointer<CChar>) -> UInt).self)
      expectEqual(strlen("four"), 4)
      let abs = try libc.function("abs", types: "ii").pointer(as: (@convention(c) (Int32) -> Int32).self)
      expectEqual(abs(-5), 5)
      let getenv = try libc.function("getenv", types: "**")
        .pointer(as: (@convention(c) (UnsafePointer<CChar>?) -> UnsafeMutablePointer<CChar>?).self)
      expectNil(getenv("a variable that nobody has set"))
      let bzero = try libc.function("bzero", types: "v^vQ").pointer(as: (@convention(c) (UnsafeMutableRawPointer, UInt) -> Void).self)
      var number: UInt64 = 7
      bzero(&number, 8)
      expectEqual(number, 0)
    }

    @Test("A parameter that is a function pointer takes a C function")
    func callback() throws {
      typealias Compare = @convention(c) (UnsafeRawPointer?, UnsafeRawPointer?) -> Int32
      typealias Sort = @convention(c) (UnsafeMutableRawPointer?, UInt, UInt, Compare?) -> Void
      let sort = try libc.function("qsort", types: "v^vQQ^?").pointer(as: Sort.self)
      var numbers: [Int32] = [3, 1, 2]
      sort(&numbers, 3, 4) { left, right in
        guard let left = left?.load(as: Int32.self), let right = right?.load(as: Int32.self) else { return 0 }
        return left < right ? -1 : left > right ? 1 : 0
      }
      expectEqual(numbers, [1, 2, 3])
    }

    @Test("Structs are passed as both compilers pass them", arguments: CCompiler.all.filter(\.available))
    func structs(compiler: CCompiler) throws {
      let source = """
        struct point { double x, y; };
        struct rect { struct point origin; double width, height; };
        struct rect moved(struct rect r, struct point by, long times) {
          r.origin.x += by.x * times; r.origin.y += by.y * times; return r;
        }
        """
      let library = try DynamicLibrary(compiler.sharedLibrary(source: source, name: "moved"))
      let types = "{Rect={Point=dd}{Size=dd}}{Rect={Point=dd}{Size=dd}}{Point=dd}q"
      let function = try library.function("moved", types: types)
      let moved = try function.pointer(as: (@convention(c) (Geometry.Rect, Geometry.Point, Int) -> Geometry.Rect).self)
      expectEqual(
        moved(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), Geometry.Point(x: 10, y: 20), 2),
        Geometry.Rect(x: 21, y: 42, width: 3, height: 4))
      expectNil(
        failure(function, (@convention(c) (Geometry.Rect, Geometry.Size, Int) -> Geometry.Rect).self), "a size has the layout of a point")
      expectEqual(failure(function, (@convention(c) (Geometry.Rect, Geometry.IndexRange, Int) -> Geometry.Rect).self)?.argument, .index(1))
    }

    @Test("A type that is not the argument's is refused, with the index of the argument")
    func wrongTypes() throws {
      let pow = try libm.function("pow", types: "ddd")
      for (error, argument) in [
        (failure(pow, (@convention(c) (Float, Double) -> Double).self), InvocationError.Argument.index(0)),
        (failure(pow, (@convention(c) (Double, Int) -> Double).self), .index(1)),
        (failure(pow, (@convention(c) (Double, Unary) -> Double).self), .index(1)),
        (failure(pow, (@convention(c) (Double, Double) -> Float).self), .result),
        (failure(pow, (@convention(c) (Double, Double) -> Void).self), .result),
        (failure(pow, (@convention(c) (Double, Double) -> Unary).self), .result),
      ] {
        expectEqual(error?.code, .typeMismatch)
        expectEqual(error?.argument, argument)
        expectEqual(error?.callee, "pow")
      }
      let exit = try libc.function("exit", types: "vi")
      expectEqual(failure(exit, (@convention(c) (Int32) -> Int32).self)?.argument, .result)
      let frexp = try libm.function("frexp", types: "dd^i")
      expectNil(failure(frexp, (@convention(c) (Double, UnsafeMutablePointer<Int32>?) -> Double).self))
      expectEqual(failure(frexp, (@convention(c) (Double, UnsafeMutablePointer<Double>?) -> Double).self)?.argument, .index(1))
    }

    @Test("Another number of parameters is refused, and a variadic function")
    func wrongCount() throws {
      let pow = try libm.function("pow", types: "ddd")
      expectEqual(failure(pow, (@convention(c) () -> Double).self)?.code, .countMismatch)
      expectEqual(failure(pow, Unary.self)?.code, .countMismatch)
      expectEqual(failure(pow, (@convention(c) (Double, Double, Double) -> Double).self)?.code, .countMismatch)
      let printf = try libc.function("printf", types: "i*i", fixedArgumentCount: 1)
      expectEqual(failure(printf, (@convention(c) (UnsafePointer<CChar>, Int32) -> Int32).self)?.code, .unsupportedType)
    }

    @Test("A type that is not a C function type is refused")
    func notAFunctionPointer() throws {
      let pow = try libm.function("pow", types: "ddd")
      expectEqual(failure(pow, ((Double, Double) -> Double).self)?.code, .typeMismatch)
      expectEqual(failure(pow, (@Sendable (Double, Double) -> Double).self)?.code, .typeMismatch)
      expectEqual(failure(pow, Binary?.self)?.code, .typeMismatch)
      expectEqual(failure(pow, Int.self)?.code, .typeMismatch)
      expectEqual(failure(pow, UnsafeRawPointer.self)?.code, .typeMismatch)
      expectEqual(failure(pow, AnyObject.self)?.code, .typeMismatch)
      expectEqual(failure(pow, Binary.Type.self)?.code, .typeMismatch)
    }

    @Test("The pointer of a closure's function calls the closure")
    func closure() throws {
      let closure = try Closure(types: "qqq") { (a: Int, b: Int) in a * b }
      let function = try ForeignFunction(closure.implementation, closure.methodSignature)
      let multiply = try function.pointer(as: (@convention(c) (Int, Int) -> Int).self)
      expectEqual(withExtendedLifetime(function) { multiply(6, 7) }, 42)
    }

    @Test("A call through the pointer allocates nothing")
    func allocations() throws {
      let pow = try libm.function("pow", types: "ddd").pointer(as: Binary.self)
      var sum = 0.0
      let before = allocation_count()
      for index in 0..<100 { sum += pow(Double(index), 2) }
      let count = allocation_count() - before
      expectEqual(count, 0)
      expectEqual(sum, 328_350)
    }
  }
#endif
