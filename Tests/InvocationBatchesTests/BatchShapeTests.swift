import InvocationBatches
import DynamicInvocation
import TestSupport
import Testing

/// Rows of different values, for every number of registers that a loop loads.
@Suite(.measured) struct BatchShapeTests {
  private struct Reading: EncodedValue, Equatable {
    var sensor: Int32
    var value: Float
    var weight: Double
    static let typeEncoding: TypeEncoding = "{Reading=ifd}"
  }

  private struct Pair: EncodedValue, Equatable {
    var first: Int64
    var second: Double
    static let typeEncoding: TypeEncoding = "{Pair=qd}"
  }

  private struct Small: EncodedValue, Equatable {
    var bytes: (UInt8, UInt8, UInt8)
    static let typeEncoding: TypeEncoding = "{Small=CCC}"
    static func == (left: Small, right: Small) -> Bool { left.bytes == right.bytes }
  }

  private static let source = """
    #include <stdint.h>
    #include <stdbool.h>
    typedef struct { int32_t sensor; float value; double weight; } reading;
    typedef struct { int64_t first; double second; } pair;
    typedef struct { uint8_t bytes[3]; } small;
    typedef struct { double values[4]; } big;
    double digits(\((0..<9).map { "int64_t i\($0), double d\($0)" }.joined(separator: ", "))) {
      double sum = 0;
      \((0..<9).map { "sum = sum * 3 + (double)i\($0); sum = sum * 3 + d\($0);" }.joined(separator: " "))
      return sum;
    }
    pair swap(pair value) { pair other = {(int64_t)value.second, (double)value.first}; return other; }
    reading heavier(reading value, double factor) { value.weight *= factor; value.sensor = -value.sensor; return value; }
    small turn(small value) { small other = {{value.bytes[2], value.bytes[1], value.bytes[0]}}; return other; }
    big spread(double first, big rest) { for (int i = 0; i < 4; i += 1) rest.values[i] += first; return rest; }
    // A callee may change its stack arguments.
    int64_t last(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int64_t g, int8_t h) {
      int64_t sum = g * 10 + h; *(volatile int64_t *)&g = -1; return sum;
    }
    int8_t negate8(int8_t value) { return -value; }
    uint8_t next8(uint8_t value) { return value + 1; }
    int16_t negate16(int16_t value) { return -value; }
    uint16_t next16(uint16_t value) { return value + 1; }
    int32_t negate32(int32_t value) { return -value; }
    uint32_t next32(uint32_t value) { return value + 1; }
    int64_t negate64(int64_t value) { return -value; }
    uint64_t next64(uint64_t value) { return value + 1; }
    float half(float value) { return value / 2; }
    double halved(double value) { return value / 2; }
    bool not_(bool value) { return !value; }
    long double half_long(long double value) { return value / 2; }
    __int128 negate128(__int128 value) { return -value; }
    signed char truth(int64_t value) { return value % 3 == 0 ? 0 : value % 3 == 1 ? 1 : -5; }
    """

  private func library(_ compiler: CCompiler) throws -> DynamicLibrary {
    try DynamicLibrary(compiler.sharedLibrary(source: Self.source, flags: ["-O2"], name: "rows"))
  }

  @Test(arguments: [0, 1, 2, 127, 128, 129, 300], CCompiler.all) func eachNumberOfRowsIsExact(rows: Int, compiler: CCompiler) throws {
    guard compiler.available else { return }
    let library = try library(compiler)
    let pairs = (0..<rows).map { Pair(first: Int64($0) - 3, second: Double($0 * 2)) }
    let swapped = pairs.map { Pair(first: Int64($0.second), second: Double($0.first)) }
    #expect(try library.function("swap", types: "{Pair=qd}{Pair=qd}").map(pairs) == swapped)
    let readings = (0..<rows).map { Reading(sensor: Int32($0), value: Float($0), weight: Double($0)) }
    #expect(
      try library.function("heavier", types: "{Reading=ifd}{Reading=ifd}d").map(readings, Array(repeating: 2.0, count: rows))
        == readings.map { Reading(sensor: -$0.sensor, value: $0.value, weight: $0.weight * 2) })
    let small = (0..<rows).map { Small(bytes: (UInt8($0 & 0xFF), 7, UInt8($0 / 2 & 0xFF))) }
    #expect(
      try library.function("turn", types: "{Small=CCC}{Small=CCC}").map(small)
        == small.map { Small(bytes: ($0.bytes.2, $0.bytes.1, $0.bytes.0)) })
    let rects = (0..<rows).map { Geometry.Rect(x: Double($0), y: 1, width: 2, height: Double(-$0)) }
    #expect(
      try library.function("spread", types: "{Rect={Point=dd}{Size=dd}}d{Rect={Point=dd}{Size=dd}}")
        .map((0..<rows).map { Double($0) }, rects)
        == rects.enumerated().map { row, rect in
          let row = Double(row)
          return Geometry.Rect(x: rect.origin.x + row, y: 1 + row, width: 2 + row, height: rect.size.height + row)
        })
  }

  /// Arguments in all registers and on the stack, of which the first ones have a value for each row.
  @Test(arguments: 0...9, [1, 128, 259]) func eachNumberOfRegistersIsLoaded(count: Int, rows: Int) throws {
    let types = "d" + String(repeating: "qd", count: 9)
    let function = try library(.clang).function("digits", types: types)
    let integers = (0..<9).map { column in (0..<rows).map { row in Int64((row + column) % 3) } }
    let numbers = (0..<9).map { column in (0..<rows).map { row in Double((row * 2 + column) % 3) } }
    var results = [Double](repeating: -1, count: rows)
    try withPointers(integers) { integers in
      try withPointers(numbers) { numbers in
        let columns = (0..<9).flatMap { column in
          column < count
            ? [ArgumentColumn(integers[column]), ArgumentColumn(numbers[column])]
            : [ArgumentColumn(repeating: integers[column].baseAddress!), ArgumentColumn(repeating: numbers[column].baseAddress!)]
        }
        try results.withUnsafeMutableBufferPointer { try function.callEach(rows: rows, columns, results: $0) }
      }
    }
    let expected = (0..<rows).map { row in
      (0..<9).reduce(0.0) { sum, column in
        let row = column < count ? row : 0
        return (sum * 3 + Double(integers[column][row])) * 3 + numbers[column][row]
      }
    }
    #expect(results == expected)
  }

  private func withPointers<Value>(_ columns: [[Value]], _ body: ([UnsafeBufferPointer<Value>]) throws -> Void) rethrows {
    let copies = columns.map { column in
      let copy = UnsafeMutableBufferPointer<Value>.allocate(capacity: column.count)
      _ = copy.initialize(fromContentsOf: column)
      return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    try body(copies.map { UnsafeBufferPointer($0) })
  }

  @Test(arguments: CCompiler.all) func stackArgumentsAreWrittenForEachRow(compiler: CCompiler) throws {
    guard compiler.available else { return }
    let function = try library(compiler).function("last", types: "qqqqqqqqc")
    var zero: Int64 = 0
    let words = (0..<100).map { Int64($0) }
    let bytes = (0..<100).map { Int8(truncatingIfNeeded: -$0) }
    var results = [Int64](repeating: 0, count: 100)
    try withPointers([words]) { words in
      try withPointers([bytes]) { bytes in
        let columns = Array(repeating: ArgumentColumn(repeating: &zero), count: 6) + [ArgumentColumn(words[0]), ArgumentColumn(bytes[0])]
        try results.withUnsafeMutableBufferPointer { try function.callEach(rows: 100, columns, results: $0) }
      }
    }
    #expect(results == (0..<100).map { Int64($0) * 10 - Int64($0) })
  }

  @Test(arguments: CCompiler.all, [CallBackend.automatic, .libffi].filter(\.isAvailable))
  func scalarsOfEachKind(compiler: CCompiler, backend: CallBackend) throws {
    guard compiler.available else { return }
    let library = try library(compiler)
    func check<Value: EncodedValue & BitwiseCopyable & Equatable>(
      _ name: String, _ code: String, _ values: [Value], _ expected: [Value], sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
      let function = try library.function(name, MethodSignature(types: code + code, backend: backend))
      let values = (0..<80).flatMap { _ in values }
      #expect(try function.map(values) == (0..<80).flatMap { _ in expected }, "\(name)", sourceLocation: sourceLocation)
    }
    try check("negate8", "c", [-5, 127, -127] as [Int8], [5, -127, 127])
    try check("next8", "C", [5, 255] as [UInt8], [6, 0])
    try check("negate16", "s", [-5, 32767] as [Int16], [5, -32767])
    try check("next16", "S", [5, 65535] as [UInt16], [6, 0])
    try check("negate32", "i", [-5, .max] as [Int32], [5, -.max])
    try check("next32", "I", [5, .max] as [UInt32], [6, 0])
    try check("negate64", "q", [-5, .max] as [Int64], [5, -.max])
    try check("next64", "Q", [5, .max] as [UInt64], [6, 0])
    try check("half", "f", [5, -1] as [Float], [2.5, -0.5])
    try check("halved", "d", [5, -1] as [Double], [2.5, -0.5])
    try check("not_", "B", [true, false], [false, true])
    if backend == .automatic { try check("negate128", "t", [-5, .max] as [Int128], [5, -.max]) }
    // A signed char that is read as a Bool: any number but 0 is true.
    let truth = try library.function("truth", MethodSignature(types: "cq", backend: backend))
    #expect(try truth.map([0, 1, 2] as [Int64], as: Bool.self) == [false, true, true])
  }

  @Test func aMemberOfStructsIsAColumn() throws {
    let function = try library(.clang).function("halved", types: "dd")
    let readings = (0..<10).map { Reading(sensor: 0, value: 0, weight: Double($0)) }
    var results = [Double](repeating: 0, count: 10)
    try readings.withUnsafeBufferPointer { readings in
      let column = ArgumentColumn(readings, of: \.weight)
      try results.withUnsafeMutableBufferPointer { try function.callEach(rows: 10, [column], results: $0) }
    }
    #expect(results == (0..<10).map { Double($0) / 2 })
  }

  @Test func resultsAreStoredInAnArray() throws {
    let function = try library(.clang).function("halved", types: "dd")
    var results = [0.0, 0]
    try function.map([3.0, 4], into: &results)
    #expect(results == [1.5, 2])
    let error = #expect(throws: InvocationError.self) { try function.map([1.0, 2, 3], into: &results) }
    #expect(error?.code == .countMismatch && error?.argument == .result)
    var wrong: [Int32] = [0]
    #expect(throws: InvocationError.self) { try function.map([1.0], into: &wrong) }
  }
}
