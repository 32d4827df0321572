import InvocationBatches
import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Geometry.Vector variants, of the C library and of code that gcc compiled.
@Suite(.measured) struct VectorizedFunctionTests {
  private static let names = ["exp", "log", "sin", "cos"]

  /// The distance in units in the last place.
  private func distance(_ value: Double, _ expected: Double) -> Double {
    value == expected ? 0 : abs(value - expected) / expected.ulp
  }

  private func distance(_ value: Float, _ expected: Float) -> Float { value == expected ? 0 : abs(value - expected) / expected.ulp }

  @Test(arguments: names, [0, 1, 3, 4, 8, 15, 64, 65, 1_000]) func resultsAreThoseOfTheFunction(name: String, rows: Int) throws {
    let function = try DynamicLibrary(Platform.mathLibrary).function(name, types: "dd")
    let numbers = (0..<rows).map { 0.25 + Double($0) / 7 }
    let results: [Double] = try function.vectorized.map(numbers)
    let expected: [Double] = try function.map(numbers)
    #expect(results.count == rows)
    #expect(zip(results, expected).allSatisfy { distance($0, $1) <= 4 })
    let floats = try DynamicLibrary(Platform.mathLibrary).function(name + "f", types: "ff")
    let small = numbers.map { Float($0) }
    let near: [Float] = try floats.vectorized.map(small)
    let exact: [Float] = try floats.map(small)
    #expect(zip(near, exact).allSatisfy { distance($0, $1) <= 4 })
  }

  @Test func twoArguments() throws {
    let pow = try DynamicLibrary(Platform.mathLibrary).function("pow", types: "ddd")
    let bases = (0..<77).map { 1 + Double($0) / 3 }
    let exponents = (0..<77).map { Double($0 % 9) - 2.5 }
    let results: [Double] = try pow.vectorized.map(bases, exponents)
    let expected: [Double] = try pow.map(bases, exponents)
    #expect(zip(results, expected).allSatisfy { distance($0, $1) <= 4 })
  }

  #if os(Linux) && arch(x86_64)
    @Test func theVariantOfTheCLibraryIsFound() throws {
      guard (try? DynamicLibrary("libmvec.so.1")) != nil else { return }
      let cos = try DynamicLibrary(Platform.mathLibrary).function("cos", types: "dd").vectorized
      let symbol = try #require(cos.symbol)
      #expect(["_ZGVeN8v_cos", "_ZGVdN4v_cos", "_ZGVbN2v_cos"].contains(symbol))
      #expect(cos.rowsPerCall == (symbol.contains("e") ? 8 : symbol.contains("d") ? 4 : 2))
      #expect("\(cos)" == "function cos 'dd' by \(symbol)")
      #expect(try DynamicLibrary(Platform.mathLibrary).function("powf", types: "fff").vectorized.symbol?.contains("vv_powf") == true)
    }

    /// A variant of one's own, of each width that the processor has.
    @Test func aVariantOfTheFunctionsLibraryIsUsed() throws {
      guard CCompiler.gcc.available else { return }
      let path = try CCompiler.gcc.sharedLibrary(
        source: """
          #pragma omp declare simd notinbranch
          double shift(double a, double b) { return a * 10 + b; }
          #pragma omp declare simd notinbranch
          float third(float a) { return a / 3; }
          double plain(double a) { return a + 1; }
          """, flags: ["-O2", "-fopenmp-simd"], name: "simd")
      let library = try DynamicLibrary(path)
      let shift = try library.function("shift", types: "ddd").vectorized
      #expect(shift.symbol?.hasSuffix("vv_shift") == true && shift.rowsPerCall >= 2)
      let numbers = (0..<203).map { Double($0) }
      let halves = numbers.map { $0 / 2 }
      let shifted: [Double] = try shift.map(numbers, halves)
      #expect(shifted == numbers.map { $0 * 10.5 })
      let third = try library.function("third", types: "ff").vectorized
      #expect(third.rowsPerCall >= 4)
      let floats = numbers.map { Float($0) }
      let thirds: [Float] = try third.map(floats)
      #expect(thirds == floats.map { $0 / 3 })
      #expect(try library.function("plain", types: "dd").vectorized.symbol == nil)
      // Columns with gaps and of one value, and no byte after the results.
      var factor = 3.0
      let table = (0..<203).map { (Double($0), Int64(-1)) }
      var results = [Double](repeating: -7, count: 204)
      try table.withUnsafeBytes { table in
        let column = ArgumentColumn(table.baseAddress!, stride: 16, count: 203, as: "d")
        try results.withUnsafeMutableBufferPointer {
          try shift.callEach(rows: 203, [column, ArgumentColumn(repeating: &factor)], results: $0)
        }
      }
      let expected: [Double] = numbers.map { $0 * 10 + 3 } + [-7]
      #expect(results == expected)
    }

    @Test(arguments: ["libm-fast", "libm"]) func aLibraryOfASimilarNameHasNoVariantsOfTheCLibrary(name: String) throws {
      guard CCompiler.gcc.available else { return }
      let source = "double exp(double x) { return x + 1000; }"
      let path = try CCompiler.gcc.sharedLibrary(source: source, flags: ["-O2", "-fno-builtin"], name: name)
      let exp = try DynamicLibrary(path).function("exp", types: "dd").vectorized
      #expect(exp.symbol == nil)
      let results: [Double] = try exp.map([1.0, 2])
      #expect(results == [1_001, 1_002])
    }
  #endif

  @Test func functionsWithoutAVariantAreCalledRowByRow() throws {
    let labs = try DynamicLibrary(Platform.cLibrary).function("labs", types: "qq").vectorized
    #expect(labs.symbol == nil && labs.rowsPerCall == 1)
    #expect("\(labs)" == "function labs 'qq' without a vector variant")
    let lengths: [Int64] = try labs.map([-1, 2] as [Int64])
    #expect(lengths == [1, 2])
    let half: @convention(c) (Double) -> Double = { $0 / 2 }
    let own = try ForeignFunction(Implementation(function: half), MethodSignature(types: "dd")).vectorized
    let halves: [Double] = try own.map([1.0, 2])
    #expect(own.symbol == nil && halves == [0.5, 1])
  }

  @Test func countsAndTypesAreChecked() throws {
    let pow = try DynamicLibrary(Platform.mathLibrary).function("pow", types: "ddd").vectorized
    #expect(throws: InvocationError.self) { try pow.map([1.0], [1.0, 2], as: Double.self) }
    #expect(throws: InvocationError.self) { try pow.map([1.0], as: Double.self) }
    #expect(throws: InvocationError.self) { try pow.map([1.0], [2.0], as: Float.self) }
    var results = [0.0]
    let bases = [1.0, 2]
    bases.withUnsafeBufferPointer { bases in
      results.withUnsafeMutableBufferPointer { results in
        let columns = [ArgumentColumn(bases), ArgumentColumn(bases)]
        let error = #expect(throws: InvocationError.self) { try pow.callEach(rows: 2, columns, results: results) }
        #expect(error?.code == .countMismatch && error?.argument == .result)
        #expect(throws: InvocationError.self) { try pow.callEach(rows: -1, columns, results: results) }
      }
    }
    #expect(results == [0])
  }
}
