import InvocationBatches
import DynamicInvocation
import TestSupport
import Testing

/// Rows of calls without stack arguments, for every number of general and vector registers and each kind of result.
@Suite(.measured) struct BatchRegisterTests {
  private static let general = 0...6
  private static let vector = 0...8

  private static let source: String = {
    var source = "#include <stdint.h>\nint32_t widened(int16_t value) { return value; }\n"
    for integers in general {
      for numbers in vector where integers + numbers > 0 {
        let parameters = (0..<integers).map { "int64_t i\($0)" } + (0..<numbers).map { "double d\($0)" }
        // Every second number comes first: the order of the parameters is not that of the registers.
        let mixed =
          stride(from: 0, to: parameters.count, by: 2).map { parameters[$0] }
          + stride(from: 1, to: parameters.count, by: 2).map { parameters[$0] }
        let sum = ((0..<integers).map { "i\($0)" } + (0..<numbers).map { "(int64_t)d\($0)" }).reduce("0") { "(\($0)) * 3 + \($1)" }
        let list = mixed.joined(separator: ", ")
        for (suffix, type) in [("q", "int64_t"), ("d", "double"), ("i", "int32_t")] {
          source += "\(type) sum_\(integers)_\(numbers)_\(suffix)(\(list)) { return (\(type))(\(sum)); }\n"
        }
      }
    }
    return source
  }()

  private static let library = Result {
    try DynamicLibrary(CCompiler.clang.sharedLibrary(source: source, flags: ["-O1"], name: "registers"))
  }

  /// - Parameters:
  ///   - rows: The number of rows.
  ///   - isConstant: Whether a column has the same value in all rows, by its number.
  private func check<Value: EncodedValue & BitwiseCopyable & Equatable & Numeric>(
    _: Value.Type, _ suffix: String, rows: Int, isConstant: (Int) -> Bool
  ) throws {
    let library = try Self.library.get()
    for integers in Self.general {
      for numbers in Self.vector where integers + numbers > 0 {
        let count = integers + numbers
        let values = (0..<count).map { column in (0..<rows).map { row in isConstant(column) ? column % 3 : (row * 2 + column) % 3 } }
        let words = values.map { $0.map(Int64.init) }
        let doubles = values.map { $0.map(Double.init) }
        let order = Array(stride(from: 0, to: count, by: 2)) + Array(stride(from: 1, to: count, by: 2))
        let types = suffix + order.map { $0 < integers ? "q" : "d" }.joined()
        let name = "sum_\(integers)_\(numbers)_\(suffix)"
        let function = try library.function(name, types: types)
        var results = [Value](repeating: 77, count: rows)
        try results.withUnsafeMutableBufferPointer { results in
          let columns = order.map { column in
            column < integers ? Self.column(words[column], isConstant(column)) : Self.column(doubles[column], isConstant(column))
          }
          defer { for column in columns { column.free() } }
          try function.callEach(rows: rows, columns.map(\.column), results: results)
        }
        let expected = (0..<rows).map { row in values.reduce(0 as Value) { $0 * 3 + (Value(exactly: $1[row]) ?? 0) } }
        #expect(results == expected, "\(name)")
      }
    }
  }

  private static func column<Value: EncodedValue & BitwiseCopyable>(
    _ values: [Value], _ isConstant: Bool
  ) -> (column: ArgumentColumn, free: () -> Void) {
    let start = UnsafeMutablePointer<Value>.allocate(capacity: values.count)
    start.initialize(from: values, count: values.count)
    let column =
      isConstant ? ArgumentColumn(repeating: start) : ArgumentColumn(UnsafeBufferPointer(start: start, count: values.count))
    return (column, { start.deallocate() })
  }

  @Test(arguments: [1, 127, 300], [1, 2, 3, 100]) func sumsAreExact(rows: Int, constants: Int) throws {
    let isConstant: (Int) -> Bool = { $0 % constants == constants - 1 }
    try check(Int64.self, "q", rows: rows, isConstant: isConstant)
    try check(Double.self, "d", rows: rows, isConstant: isConstant)
    try check(Int32.self, "i", rows: rows, isConstant: isConstant)
  }

  /// The column is read where it is, and the results are converted: they must not fill more than a block.
  @Test func manyNarrowResults() throws {
    let values = (0..<10_000).map { Int64($0) }
    let results: [Int32] = try Self.library.get().function("sum_1_0_i", types: "iq").map(values)
    #expect(results == values.map { Int32($0) })
  }

  /// The only argument, beside others in its word; clang takes the value for extended by the caller.
  @Test func narrowMembersAreExtended() throws {
    struct Item {
      var first: Int16
      var second: Int16
      var third: Int32
    }
    let items = (0..<300).map { Item(first: Int16(-$0), second: Int16($0 % 7 - 3), third: -1) }
    let widened = try Self.library.get().function("widened", types: "is")
    var results = [Int32](repeating: 0, count: items.count)
    try items.withUnsafeBufferPointer { items in
      for (column, expected) in [
        (ArgumentColumn(items, of: \.first), items.map { Int32($0.first) }),
        (ArgumentColumn(items, of: \.second), items.map { Int32($0.second) }),
      ] {
        try results.withUnsafeMutableBufferPointer { try widened.callEach(rows: items.count, [column], results: $0) }
        #expect(results == expected)
      }
    }
  }
}
