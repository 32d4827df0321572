import CallExplanations
import DynamicInvocation
import TestSupport
import Testing

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

  @Test(arguments: [
    // A register that an alignment skips, and a stack word.
    ("vit", CallExplanation.ABI.aapcs64, ["general x0: 0-3 a0", "general x1: ", "general x2: 0-7 a1", "general x3: 0-7 a1+8"]),
    (
      "v{S=qqq}D", .sysv,
      [
        "stack +0: 0-7 a0[0]", "stack +8: 0-7 a0[1]", "stack +16: 0-7 a0[2]", "stack +24: ", "stack +32: 0-7 a1",
        "stack +40: 0-1 a1+8, 2-7 padding of a1",
      ]
    ),
    // Small arguments that share a stack word on Apple's platforms.
    ("vqqqqqqqqcsi", .apple, (0...7).map { "general x\($0): 0-7 a\($0)" } + ["stack +0: 0-0 a8, 2-3 a9, 4-7 a10"]),
    // All 16 bytes of a vector register.
    ("vDd", .aapcs64, ["vector v0: 0-7 a0", "vector v0+8: 0-7 a0+8", "vector v1: 0-7 a1"]),
    (
      "jD", .sysv,
      [
        "result st(0): 0-7 ret.re", "result st(0)+8: 0-1 ret.re+8, 2-7 padding of ret", "result st(1): 0-7 ret.im",
        "result st(1)+8: 0-1 ret.im+8, 2-7 padding of ret",
      ]
    ),
    // Members of a homogeneous aggregate have a register each.
    ("{P=\"x\"f\"y\"f}", .aapcs64, ["result v0: 0-3 ret.x", "result v1: 0-3 ret.y"]),
    ("{P=\"x\"f\"y\"f}", .sysv, ["result xmm0: 0-3 ret.x, 4-7 ret.y"]),
    ("{S=dq}", .sysv, ["result xmm0: 0-7 ret[0]", "result rax: 0-7 ret[1]"]),
    (
      "{S=qqc}", .sysv,
      [
        "general rdi: 0-7 &ret", "resultMemory +0: 0-7 ret[0]", "resultMemory +8: 0-7 ret[1]",
        "resultMemory +16: 0-0 ret[2], 1-7 padding of ret",
      ]
    ),
    // An address of a copy that is on the stack itself.
    (
      "vqqqqqqqq{S=qqi}", .aapcs64,
      (0..<8).map { "general x\($0): 0-7 a\($0)" } + [
        "stack +0: 0-7 &a8", "copies a8+0: 0-7 a8[0]", "copies a8+8: 0-7 a8[1]", "copies a8+16: 0-3 a8[2], 4-7 padding of a8",
      ]
    ),
    ("v[4i]{E=}", .sysv, ["general rdi: 0-7 &a0"]),
    // Members of unions overlap, and bit-fields share bytes.
    ("v(U=\"a\"c\"b\"{S=cs})(V=i[3c])", .sysv, ["general rdi: 0-0 a0, 1-1 padding of a0, 2-3 a0", "general rsi: 0-3 a1"]),
    (
      "v{B=\"a\"b0I3\"b\"b3I7\"c\"b32I4\"d\"c}", .sysv,
      ["general rdi: 0-1 a0.a,b, 2-3 padding of a0, 4-4 a0.c, 5-5 a0.d, 6-7 padding of a0"]
    ),
    (
      "v{A=\"v\"[2{P=cs}]}", .sysv,
      ["general rdi: 0-0 a0.v[0][0], 1-1 padding of a0, 2-3 a0.v[0][1], 4-4 a0.v[1][0], 5-5 padding of a0, 6-7 a0.v[1][1]"]
    ),
    ("ddd", .libffi, []), ("dqv", .sysv, []), ("v", .aapcs64, []),
  ]) func describesEachByte(types: String, abi: CallExplanation.ABI, expected: [String]) throws {
    try expectEqual(Self.words(types, abi), expected)
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
