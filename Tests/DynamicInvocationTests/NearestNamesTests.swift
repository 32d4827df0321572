import TestSupport
import Testing

@testable import DynamicInvocation

@Suite(.measured) struct NearestNamesTests {
  @Test(arguments: [
    ("strlne", ["strlen", "strlcpy", "stpcpy"], ["strlen"]),  // swap
    ("powf", ["pow", "powl", "sin", "exp"], ["pow", "powl"]),  // deletion and replacement, same distance: alphabetical
    ("setValueforKey", ["setvalue_for_key", "setValueForKeys", "value"], ["setvalue_for_key", "setValueForKeys"]),
    ("exit", ["edit", "_exit", "_Exit", "quit"], ["_Exit", "_exit", "edit"]),
    ("abc", ["xyz", "abcdefgh", ""], []),
    ("frobnicate", ["fork", "cosine", "fabricate"], ["fabricate"]),
    ("a", ["b", "ab", "_"], ["ab"]),
    ("straße", ["strasse", "strase"], ["strase", "strasse"]),
  ]) func ranking(name: String, names: [String], expected: [String]) {
    expectEqual(NearestNames.nearest(to: name, among: names, limit: 3), expected)
  }

  @Test func limitAndDuplicates() {
    let names = ["cast", "cost", "cart", "cost", "coat", "cost"]
    expectEqual(NearestNames.nearest(to: "cast", among: names.reversed(), limit: 2), ["cast", "cart"])
    expectEqual(NearestNames.nearest(to: "cust", among: names, limit: 9), ["cast", "cost"])
    expectEqual(NearestNames.nearest(to: "cust", among: names, limit: 0), [])
    expectEqual(NearestNames.nearest(to: "", among: names, limit: 3), [])
    expectEqual(NearestNames.nearest(to: "_", among: ["__", "a", "___"], limit: 3), ["__"])
  }

  @Test func lengthsAdmitEveryNearName() {
    expect(NearestNames.lengths(near: "a_b_c_d_e_f").contains("abcdef".utf8.count))
    expectEqual(NearestNames.nearest(to: "a_b_c_d_e_f", among: ["abcdef"], limit: 1), ["abcdef"])
    expectEqual(NearestNames.lengths(near: "x").lowerBound, 1)
  }

  /// A text of any size may be looked up: one that is too long for a name has no near ones, however near they are.
  @Test func longNamesHaveNone() {
    let longest = String(repeating: "_", count: NearestNames.longest - 1) + "a"
    expectEqual(NearestNames.nearest(to: longest, among: ["a"], limit: 1), ["a"])
    expectEqual(NearestNames.nearest(to: "_" + longest, among: ["a", "_" + longest], limit: 1), [])
  }

  /// The banded distance against the plain definition, over words of two letters, where every case occurs.
  @Test(arguments: 0...4) func bandAgreesWithTheWholeTable(limit: Int) {
    var words: [[UInt8]] = [[]]
    for length in 1...5 {
      for pattern in 0..<(1 << length) { words.append((0..<length).map { UInt8(97 + (pattern >> $0) & 1) }) }
    }
    var disagreements = 0
    for target in words {
      var band = EditDistance(to: target)
      for other in words {
        let whole = wholeTableDistance(target, other)
        if band.distance(to: other, atMost: limit) != (whole <= limit ? whole : nil) { disagreements += 1 }
      }
    }
    expectEqual(disagreements, 0)
  }

  private func wholeTableDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var table = Array(repeating: Array(repeating: 0, count: right.count + 1), count: left.count + 1)
    for row in 0...left.count {
      for column in 0...right.count {
        if row == 0 || column == 0 {
          table[row][column] = row + column
          continue
        }
        let replaced = table[row - 1][column - 1] + (left[row - 1] == right[column - 1] ? 0 : 1)
        var edits = min(replaced, table[row - 1][column] + 1, table[row][column - 1] + 1)
        if row > 1, column > 1, left[row - 1] == right[column - 2], left[row - 2] == right[column - 1] {
          edits = min(edits, table[row - 2][column - 2] + 1)
        }
        table[row][column] = edits
      }
    }
    return table[left.count][right.count]
  }
}
