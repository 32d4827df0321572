import InvocationBatches
import AllocationCounter
import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// One plan for many rows.
@Suite(.measured) struct BatchCallTests {
  private let pow: ForeignFunction

  init() throws { pow = try DynamicLibrary(Platform.mathLibrary).function("pow", types: "ddd") }

  private struct Reading: EncodedValue {
    var sensor: Int32
    var value: Float
    static let typeEncoding: TypeEncoding = "{Reading=if}"
  }

  private static let scale: @convention(c) (UInt64, Double) -> Double = { reading, factor in
    Double(Float(bitPattern: UInt32(truncatingIfNeeded: reading >> 32))) * factor + Double(UInt32(truncatingIfNeeded: reading))
  }

  @Test func arraysAreMapped() throws {
    let bases = (0..<1_000).map { Double($0) / 7 }
    let exponents = (0..<1_000).map { Double($0 % 5) - 2 }
    let powers: [Double] = try pow.map(bases, exponents)
    #expect(powers == zip(bases, exponents).map { Foundation.pow($0, $1) })
    #expect(try pow.map([Double](), [Double](), as: Double.self).isEmpty)
  }

  @Test func columnsAreCalledRowByRow() throws {
    let function = try ForeignFunction(Implementation(function: Self.scale), MethodSignature(types: "d{Reading=if}d"))
    let readings = (0..<100).map { Reading(sensor: Int32($0), value: Float($0) / 2) }
    var factor = 10.0
    var results = [Double](repeating: 0, count: 100)
    try readings.withUnsafeBufferPointer { readings in
      try results.withUnsafeMutableBufferPointer { results in
        try function.callEach(rows: 100, [ArgumentColumn(readings), ArgumentColumn(repeating: &factor)], results: results)
      }
    }
    let expected = (0..<100).map { 6 * Double($0) }
    #expect(results == expected)
  }

  @Test func stridedColumnsReadAMember() throws {
    let labs = try DynamicLibrary(Platform.cLibrary).function("labs", types: "qq")
    let table: [(Int64, Double)] = [(-1, 0.5), (2, 0.5), (.min + 1, 0.5)]
    var results = [Int64](repeating: 0, count: 3)
    try table.withUnsafeBytes { bytes in
      let column = ArgumentColumn(bytes.baseAddress!, stride: MemoryLayout<(Int64, Double)>.stride, count: 3, as: "q")
      try results.withUnsafeMutableBufferPointer { try labs.callEach(rows: 3, [column], results: $0) }
      let backwards = ArgumentColumn(bytes.baseAddress! + 32, stride: -16, count: 3, as: "q")
      #expect(results == [1, 2, .max])
      try results.withUnsafeMutableBufferPointer { try labs.callEach(rows: 3, [backwards], results: $0) }
      #expect(results == [.max, 2, 1])
    }
  }

  @Test(arguments: [CallBackend.automatic, .libffi].filter(\.isAvailable)) func narrowNumbersAreExtended(backend: CallBackend) throws {
    let add: @convention(c) (Int8, UInt8, Int16, Bool) -> Int32 = { Int32($0) + Int32($1) + Int32($2) + ($3 ? 1 : 0) }
    let function = try ForeignFunction(Implementation(function: add), MethodSignature(types: "icCsB", backend: backend))
    let sums: [Int32] = try function.map([-1, 127] as [Int8], [255, 0] as [UInt8], [-300, 300] as [Int16], [true, false])
    #expect(sums == [-45, 427])
  }

  @Test func largeStructsAndResultsInMemory() throws {
    let shift: @convention(c) (Geometry.Rect, Geometry.Point) -> Geometry.Rect = {
      Geometry.Rect(x: $0.origin.x + $1.x, y: $0.origin.y + $1.y, width: 1, height: 2)
    }
    let function = try ForeignFunction(
      Implementation(function: shift), try MethodSignature(types: "{Rect={Point=dd}{Size=dd}}{Rect={Point=dd}{Size=dd}}{Point=dd}"))
    let moved: [Geometry.Rect] = try function.map(
      [Geometry.Rect(x: 1, y: 2, width: 0, height: 0), Geometry.Rect(x: 3, y: 4, width: 0, height: 0)],
      [Geometry.Point(x: 10, y: 20), Geometry.Point(x: 30, y: 40)])
    #expect(moved == [Geometry.Rect(x: 11, y: 22, width: 1, height: 2), Geometry.Rect(x: 33, y: 44, width: 1, height: 2)])
  }

  @Test func nothingIsAllocatedForARow() throws {
    let bases = [Double](repeating: 2, count: 1_000)
    let columns = [Double](repeating: 0, count: 1_000)
    var results = columns
    try bases.withUnsafeBufferPointer { bases in
      try results.withUnsafeMutableBufferPointer { results in
        let arguments = [ArgumentColumn(bases), ArgumentColumn(bases)]
        func allocations(rows: Int) throws -> UInt64 {
          let before = allocation_count()
          try pow.callEach(rows: rows, arguments, results: results)
          return allocation_count() - before
        }
        _ = try allocations(rows: 1_000)
        // An unoptimized build puts what a closure captures on the heap, once a batch.
        #expect(try allocations(rows: 1_000) == allocations(rows: 1))
        #if !DEBUG
          #expect(try allocations(rows: 1_000) == 0)
        #endif
      }
    }
    #expect(results.allSatisfy { $0 == 4 })
  }

  // MARK: Bad input

  private func error(_ body: () throws -> Void) -> InvocationError? {
    do { try body() } catch { return error as? InvocationError }
    return nil
  }

  @Test func countsAndTypesAreCheckedBeforeAnyCall() throws {
    let calls: @convention(c) (UnsafeMutablePointer<Int32>?, Int32) -> Void = { counter, _ in counter?.pointee += 1 }
    let function = try ForeignFunction(Implementation(function: calls), MethodSignature(types: "v^ii"))
    var counter: Int32 = 0
    try withUnsafeMutablePointer(to: &counter) { counter in
      let pointers = [UnsafeMutablePointer?.some(counter), counter]
      let numbers: [Int32] = [1, 2]
      try pointers.withUnsafeBufferPointer { pointers in
        try numbers.withUnsafeBufferPointer { numbers in
          let good = [ArgumentColumn(pointers), ArgumentColumn(numbers)]
          #expect(error { try function.callEach(rows: 2, [good[0]]) }?.code == .countMismatch)
          #expect(error { try function.callEach(rows: 3, good) }?.argument == .index(0))
          #expect(error { try function.callEach(rows: -1, good) }?.code == .countMismatch)
          #expect(error { try function.callEach(rows: 2, [good[1], good[0]]) }?.code == .typeMismatch)
          let none = UnsafeMutableBufferPointer<Int32>(start: nil, count: 0)
          #expect(error { try function.callEach(rows: 0, good, results: none) }?.argument == .result)
          #expect(counter.pointee == 0)
          try function.callEach(rows: 0, good)
          #expect(counter.pointee == 0)
          try function.callEach(rows: 2, good)
          #expect(counter.pointee == 2)
        }
      }
    }
    #expect(error { _ = try pow.map([1.0], [1.0, 2], as: Double.self) }?.argument == .index(1))
    #expect(error { _ = try pow.map([1.0, 2], [1.0], as: Double.self) }?.code == .countMismatch)
    // The number of arrays is compared before their lengths.
    let three = error { _ = try pow.map([1.0, 2], [1.0], [1.0], as: Double.self) }
    #expect(three?.code == .countMismatch && three?.argument == nil)
    for count in [1, 3] {
      var results = [Double](repeating: -1, count: count)
      let error = error { try pow.map([2.0, 3], [1.0, 2], into: &results) }
      #expect(error?.code == .countMismatch && error?.argument == .result)
      #expect(results.allSatisfy { $0 == -1 })
    }
  }

  @Test(arguments: [0, 1, 9]) func tooFewResultsAreRefusedBeforeAnyCall(rows: Int) throws {
    let count: @convention(c) (UnsafeMutablePointer<Int32>?) -> Int32 = { counter in
      counter?.pointee += 1
      return counter?.pointee ?? -1
    }
    let function = try ForeignFunction(Implementation(function: count), MethodSignature(types: "i^i"))
    var counter: Int32 = 0
    try withUnsafeMutablePointer(to: &counter) { counter in
      var address: UnsafeMutablePointer<Int32>? = counter
      var results = [Int32](repeating: -1, count: 10)
      try results.withUnsafeMutableBufferPointer { results in
        let column = ArgumentColumn(repeating: &address)
        let few = UnsafeMutableBufferPointer(rebasing: results[..<rows])
        let error = error { try function.callEach(rows: rows + 1, [column], results: few) }
        #expect(error?.code == .countMismatch && error?.argument == .result)
        #expect(counter.pointee == 0 && results.allSatisfy { $0 == -1 })
        try function.callEach(rows: rows, [column], results: few)
        #expect(results.elementsEqual((0..<10).map { $0 < rows ? Int32($0 + 1) : -1 }))
      }
    }
  }

  @Test func aNullResultNeedsAnOptional() throws {
    let same: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { $0 }
    let function = try ForeignFunction(Implementation(function: same), MethodSignature(types: "^v^v"))
    let pointers = [UnsafeRawPointer(bitPattern: 16), nil, UnsafeRawPointer(bitPattern: 32)]
    #expect(try function.map(pointers, as: UnsafeRawPointer?.self) == pointers)
    #expect(error { _ = try function.map(pointers, as: UnsafeRawPointer.self) }?.code == .nullNotAllowed)
  }

  @Test(arguments: [0, 1, 63, 64, 99]) func anErrorNamesItsRowAndEndsTheBatch(row: Int) throws {
    let same: @convention(c) (UnsafeRawPointer?) -> UnsafeRawPointer? = { $0 }
    let function = try ForeignFunction(Implementation(function: same), MethodSignature(types: "^v^v"))
    var pointers = (1...100).map { UnsafeRawPointer(bitPattern: $0) }
    pointers[row] = nil
    let none = UnsafeRawPointer(bitPattern: 0xF00)!
    var results = [UnsafeRawPointer](repeating: none, count: 100)
    let error = error { try function.map(pointers, into: &results) }
    #expect(error?.row == row && error?.code == .nullNotAllowed && error?.argument == .result)
    #expect(error.map { "\($0)" } == "row \(row): return value: it is null; ask for an optional")
    #expect(results == (1...100).map { $0 <= row ? UnsafeRawPointer(bitPattern: $0)! : none })
  }

  private enum Level: Int32, EncodedValue { case low = 1, high = 2 }

  @Test func anEnumResultWithoutACaseNamesItsRow() throws {
    let abs = try DynamicLibrary(Platform.cLibrary).function("abs", types: "ii")
    #expect(try abs.map([-1, 2, 1] as [Int32], as: Level.self) == [.low, .high, .low])
    let error = error { _ = try abs.map([1, 2, 3] as [Int32], as: Level.self) }
    #expect(error?.row == 2 && error?.callee == "abs")
  }

  private final class Counter {
    struct TooMuch: Error {}
    var sum = 0
  }

  @Test func theErrorOfAMethodNamesItsRow() throws {
    let add = try Implementation { (counter: Counter, number: Int) throws -> Int in
      if number == 13 { throw Counter.TooMuch() }
      counter.sum += number
      return counter.sum
    }
    let function = try ForeignFunction(add, #require(add.methodSignature))
    let counter = Counter()
    func sums(_ numbers: [Int]) throws -> [Int] {
      var results = [Int](repeating: 0, count: numbers.count)
      var target = Unmanaged.passUnretained(counter)
      var selector = UInt(0)
      try numbers.withUnsafeBufferPointer { numbers in
        let columns = [
          ArgumentColumn(repeating: &target), ArgumentColumn(&selector, stride: 0, count: 3, as: ":"), ArgumentColumn(numbers),
        ]
        try results.withUnsafeMutableBufferPointer { try function.callEach(rows: 3, columns, results: $0) }
      }
      return results
    }
    #expect(try sums([1, 2, 3]) == [1, 3, 6])
    let error = error { _ = try sums([1, 13, 3]) }
    #expect(error?.row == 1 && error?.code == .noReturnValue && error?.reason.contains("TooMuch") == true)
    #expect(counter.sum == 7)
  }
}
