import DynamicInvocation
import DynamicInvocationFoundation
import EventRouting
import Foundation
import ListPage

// Calls real functions of real system libraries by name and type encoding. Exits with 1 when a result is not what it must be.

#if canImport(Darwin)
  let (mathName, cName, zlibName) = ("libSystem.dylib", "libSystem.dylib", "libz.dylib")
#else
  let (mathName, cName, zlibName) = ("libm.so.6", "libc.so.6", "libz.so.1")
#endif

/// C's `div_t`; the encoding is compared with Swift's layout at each use.
struct Division: EncodedValue, CustomStringConvertible {
  var quotient: Int32
  var remainder: Int32
  static let typeEncoding: TypeEncoding = "{div_t=ii}"
  var description: String { "{\(quotient), \(remainder)}" }
}

/// An object that messages can be sent to: its implementation is a C function, as the compiler would call it.
final class Controller: Invocable {
  var taps = 0

  func implementation(for selector: MethodSelector) -> Implementation? {
    guard selector == "area(_:in:)" else { return nil }
    let area: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Geometry.Rect) -> Double = { target, _, tag, frame in
      let controller = Unmanaged<Controller>.fromOpaque(target).takeUnretainedValue()
      controller.taps += 1
      return Double(tag) + frame.size.width * frame.size.height
    }
    return Implementation(function: area, methodSignature: try? MethodSignature(types: "d@:q{Rect={Point=dd}{Size=dd}}"))
  }
}

var demo = Demo()
do {
  let libm = try DynamicLibrary(mathName)
  let libc = try DynamicLibrary(cName)

  demo.section("Functions of the C library, by name and type encoding")
  let pow = try libm.function("pow", types: "ddd")
  demo.show("pow(2, 10)", expecting: "1024.0") { try pow(2, 10, as: Double.self) }

  let frexp = try libm.function("frexp", types: "dd^i")
  demo.show("frexp(8.0, &exponent), exponent", expecting: "(0.5, 4)") {
    var exponent: Int32 = 0
    let mantissa: Double = try frexp(8.0, &exponent)
    return (mantissa, exponent)
  }

  let strlen = try libc.function("strlen", types: "Q*")
  demo.show("strlen(\"dynamic\")", expecting: "7") { try strlen("dynamic", as: UInt.self) }

  let div = try libc.function("div", types: "{div_t=ii}ii")
  demo.show("div(17, 5)", expecting: "{3, 2}") { try div(17, 5, as: Division.self) }

  let qsort = try libc.function("qsort", types: "v^vQQ^?")
  demo.show("qsort([\"pear\", \"fig\", \"apple\", \"lime\"], strcmp)", expecting: "[\"apple\", \"fig\", \"lime\", \"pear\"]") {
    // Four records of eight characters; the comparator is another function of the C library.
    let width = 8
    var records = ["pear", "fig", "apple", "lime"].flatMap { Array($0.utf8) + Array(repeating: 0, count: width - $0.utf8.count) }
    let strcmp = try libc.symbol("strcmp")
    try qsort(&records, records.count / width, width, strcmp)
    return stride(from: 0, to: records.count, by: width).map { start in
      String(decoding: records[start..<start + width].prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  // Variadic: the encoding carries no trace of it, so the number of fixed arguments is said.
  let snprintf = try libc.function("snprintf", types: "i*Q*id", fixedArgumentCount: 3)
  demo.show("snprintf(&buffer, 64, \"%d items, %.2f each\", 3, 4.5)", expecting: "(18, \"3 items, 4.50 each\")") {
    var buffer = [CChar](repeating: 0, count: 64)
    let length: Int32 = try snprintf(&buffer, buffer.count, "%d items, %.2f each", 3, 4.5)
    return (Int(length), String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
  }

  let strtol = try libc.function("strtol", types: "q*^*i")
  demo.show("strtol(\"12abc\", nil, 10)", expecting: "12") { try strtol("12abc", nil, 10, as: Int.self) }
  demo.show("strtol.capturingErrno(\"99999999999999999999\", nil, 10)", expecting: "(\(Int.max), \(ERANGE))") {
    let (value, code) = try strtol.capturingErrno("99999999999999999999", nil, 10, as: Int.self)
    return (value, Int(code))
  }

  demo.section("C calls Swift")
  do throws(InvocationError) {
    // Only to learn whether there are closures on this processor.
    _ = try Closure(types: "v") {}
    let qsort = try libc.function("qsort", types: "v^vQQ^?")
    demo.show("qsort(&numbers, 5, 8, a closure that changes a variable)", expecting: "([5, 4, 3, 1, 1], true)") {
      var numbers = [3, 1, 4, 1, 5]
      var comparisons = 0
      try withClosure(
        types: "i^v^v",
        { (a: UnsafeRawPointer, b: UnsafeRawPointer) -> Int32 in
          comparisons += 1
          let (left, right) = (a.load(as: Int.self), b.load(as: Int.self))
          return left > right ? -1 : left < right ? 1 : 0
        }
      ) { descending in
        try qsort(&numbers, numbers.count, MemoryLayout<Int>.stride, descending)
      }
      return (numbers, comparisons > 0)
    }
  } catch {
    guard error.code == .unsupportedType else { throw error }
    demo.skip("qsort", because: "there are no closures on this processor yet")
  }

  demo.section("A library that may or may not be there")
  do throws(InvocationError) {
    let crc32 = try DynamicLibrary(zlibName).function("crc32", types: "QQ*I")
    demo.show("crc32(0, \"123456789\", 9)", expecting: "cbf43926") {
      String(try crc32(0, "123456789", 9, as: UInt.self), radix: 16)
    }
  } catch {
    guard error.code == .libraryNotFound else { throw error }
    demo.skip("crc32", because: "zlib is not installed")
  }

  demo.section("A message as an object, its arguments boxed")
  let controller = Controller()
  let invocation = Invocation(try MethodSignature(types: "d@:q{Rect={Point=dd}{Size=dd}}"))
  invocation.target = controller
  invocation.selector = "area(_:in:)"
  demo.show("setArguments(boxed: [7, .rect(3 x 4)]); invoke(); returnValue", expecting: "19.0") {
    try invocation.setArguments(boxed: [7, .rect(Geometry.Rect(x: 0, y: 0, width: 3, height: 4))])
    try invocation.invoke()
    return try invocation.returnValue(as: Double.self)
  }
  demo.show("setArguments(any: [NSNumber(8), CGRect(...)]); invoke(); returnValue", expecting: "20.0") {
    try invocation.setArguments(any: [NSNumber(value: 8), CGRect(x: 0, y: 0, width: 3, height: 4)])
    try invocation.invoke()
    return try invocation.returnValue(as: Double.self)
  }
  demo.show("invocation", expecting: "-[Controller area(_:in:)](8, (0.0, 0.0, 3.0, 4.0)) -> 20.0") { invocation }
  demo.show("controller.taps", expecting: "2") { controller.taps }
  demo.show("a nil target is not called", expecting: "0.0") {
    try invocation.invoke(with: nil)
    return try invocation.returnValue(as: Double.self)
  }

  demo.show("Invocation.send(controller, \"area(_:in:)\", 9, .rect(3 x 4))", expecting: "21.0") {
    try Invocation.send(controller, "area(_:in:)", 9, .rect(Geometry.Rect(x: 0, y: 0, width: 3, height: 4)), as: Double.self)
  }

  demo.section("Events: from a cell up to the controller")
  let page = try ListPage()
  for key in ["A", "B", "a"] as [EventKey] {
    print("\(page.send(key))".split(separator: "\n").map { "       \($0)" }.joined(separator: "\n"))
  }
  demo.show(
    "the controller's calls",
    expecting: [
      "selected(from its cell, tag 2, width 80.0, other nil)", "opened(from its cell, tag 42, width 80.0, other nil)",
    ].description
  ) { page.calls }
  demo.show("wouldHandle(\"A\"), without a call", expecting: "controller") {
    page.wouldHandle("A").handledBy.map(\.name).joined(separator: ", ")
  }

  demo.section("What is wrong is said, never passed")
  let abs = try libc.function("abs", types: "ii").makeInvocation()
  demo.show("setArgument(boxed: 5_000_000_000, at: 0)", expecting: "abs: argument 0 (i, Int32): 5000000000 does not fit") {
    message { try abs.setArgument(boxed: 5_000_000_000, at: 0) }
  }
  demo.show("invoke() before every argument is set", expecting: "abs: argument 0 (i, Int32): it was never set") {
    message { try abs.invoke() }
  }
  demo.show(
    "MethodSignature(types: \"v{Rect=dd\")", expecting: "type encoding 'v{Rect=dd', byte 9: the struct opened at byte 1 is not closed"
  ) {
    message { _ = try MethodSignature(types: "v{Rect=dd") }
  }
} catch {
  print("error: \(error)")
  exit(1)
}
print(demo.failures == 0 ? "\nEvery result is right." : "\n\(demo.failures) results are wrong.")
exit(demo.failures == 0 ? 0 : 1)

/// The text of the error that a call throws.
func message(_ body: () throws -> Void) -> String {
  do {
    try body()
    return "no error"
  } catch {
    return "\(error)"
  }
}
