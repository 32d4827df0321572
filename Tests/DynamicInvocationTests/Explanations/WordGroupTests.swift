import CallExplanations
import DynamicInvocation
import TestSupport
import Testing

extension TextTable {
  /// How calls are explained.
  static let explanations: TextTable = TextTable("explanations.txt")
}

/// The words of an explanation, as data.
@Suite(.measured) struct WordGroupTests {
  private static func words(_ types: String, _ abi: CallExplanation.ABI, limit: Int = 256) throws -> [String] {
    CallExplanation(try MethodTypes(types), abi: abi).wordGroups(limit: limit).flatMap { group in
      group.words.map { word in
        let runs = word.runs.map { run in
          let padding = run.content == .padding ? "padding of " : ""
          return "\(run.bytes.lowerBound)-\(run.bytes.upperBound - 1) \(padding)\(run.label)"
        }
        return "\(group.kind) \(word.name): \(runs.joined(separator: ", "))"
      } + (group.count > group.words.count ? ["\(group.kind): \(group.count)"] : [])
    }
  }

  @Test(arguments: TextTable.explanations.rows("Words")) func describesEachByte(row: TextTable.Row) throws {
    let words = try Self.words(row[1], require(CallExplanation.ABI(rawValue: row[0])))
    expectEqual(words, row[2] == "none" ? [] : row.list(2, " | "), "\(row[1]) by \(row)")
  }

  @Test func descriptions() throws {
    let groups = CallExplanation(try MethodTypes("v{S=ci}{S=qqq}"), abi: .aapcs64).wordGroups()
    expectEqual(groups.map(\.description), ["general, 2 words", "copies, 3 words"])
    expectEqual(groups[0].words[0].description, "x0: a0[0] (bytes 0-0), padding of a0 (bytes 1-3), a0[1] (bytes 4-7)")
    expectEqual(groups[0].words[1].runs[0].description, "&a1 (bytes 0-7)")
    expectEqual(CallExplanation(try MethodTypes("vit"), abi: .aapcs64).wordGroups()[0].words[1].description, "x1: nothing")
  }

  @Test func limitHoldsForStackAndMemory() throws {
    try expectEqual(
      Self.words("{T=qqq}{S=qqqq}{S=qqqq}", .sysv, limit: 1),
      ["general rdi: 0-7 &ret", "stack +0: 0-7 a0[0]", "stack: 8", "resultMemory +0: 0-7 ret[0]", "resultMemory: 3"])
    try expectEqual(
      Self.words("v{S=qqqq}{S=qqqq}{H=dddd}", .aapcs64, limit: 1),
      [
        "general x0: 0-7 &a0", "general x1: 0-7 &a1", "vector v0: 0-7 a2[0]", "vector v1: 0-7 a2[1]", "vector v2: 0-7 a2[2]",
        "vector v3: 0-7 a2[3]", "copies a0+0: 0-7 a0[0]", "copies: 8",
      ])
  }

  @Test(
    "Every byte of a value is in one run, for the conformance shapes of both conventions", arguments: [CallExplanation.ABI.sysv, .aapcs64])
  func everyByteIsInOneRun(abi: CallExplanation.ABI) throws {
    let shapes = [
      "c", "i", "q", "d", "f", "D", "t", "{S=cid}", "{S=ffff}", "{S=dqc}", "(U=dc)", "{N={S=cs}[3{S=ic}]}", "jf", "jd", "{V=![16,16f]}",
    ]
    for result in shapes {
      for first in shapes {
        let types = "\(result)\(first)qd\(result)"
        let explanation = CallExplanation(try MethodTypes(types), abi: abi)
        try require(explanation.refusal == nil, "\(types)")
        var counts: [Int?: Int] = [:]
        for word in explanation.wordGroups().flatMap(\.words) {
          var end = 0
          for run in word.runs {
            expect(run.bytes.lowerBound >= end && run.bytes.upperBound <= 8 && !run.bytes.isEmpty, "\(types) \(word)")
            end = run.bytes.upperBound
            if run.content != .address { counts[run.argument, default: 0] += run.bytes.count }
          }
        }
        for value in [explanation.result] + explanation.arguments { expectEqual(counts[value.index], value.size, "\(types) \(value)") }
      }
    }
  }

  @Test("A type with far more members than its encoding has bytes is described in bounded time")
  func membersThatMultiply() throws {
    let union = "(U=" + String(repeating: "[99{P=cs}]", count: 2_000) + ")"
    let groups = CallExplanation(try MethodTypes("v{S=[20\(union)]}"), abi: .sysv).wordGroups()
    expect(groups.map(\.kind) == [.stack] && groups[0].words.count == 256)
    let name = String(repeating: "n", count: 10_000)
    let nested = "v" + String(repeating: "{S=\"\(name)\"", count: 50) + "q" + String(repeating: "}", count: 50)
    let run = try require(CallExplanation(try MethodTypes(nested), abi: .sysv).wordGroups().first?.words.first?.runs.first)
    expect(run.label.utf8.count < 200)
  }
}
