import Testing
import TestSupport

@testable import DynamicInvocation

/// Random texts over the alphabet of the grammar: none crashes the parser, and whatever is accepted can be written and read again.
@Suite(.measured) struct EncodingRobustnessTests {
  /// The alphabet, with a blank, a byte that is no part of it, and one of two bytes.
  static let alphabet = Array("cCsSiIlLqQtTfdDBv*#:?%@@@^[[]]{{}}(())b!<>jrnNoORVA|=,\"\"0123456789+- x'é")

  /// Pieces that fit together more often than characters do.
  static let pieces = [
    "i", "d", "c", "q", "D", "t", "f", "B", "*", "@", "#", ":", "?", "^", "^v", "^?", "[4", "[0", "]", "]", "{S=", "{?=", "{T<a, (b)>=",
    "}", "}",
    "}", "(U=", ")", ")", "b3", "b0I3", "b0", "b33", "b9q7", "jd", "![16,16f]", "<3f>", "<4", ">", "@?", "@?<", "@?<v@?", ">", "\"n\"",
    "\"m\"",
    "@\"C\"", "r", "V", "A", "8", "+4", "v", "l", "{X}", "(Y)", " ",
  ]

  /// Gives the texts that were accepted, and fails for each that does not come back equal.
  private func roundTrips(_ text: String, dialect: TypeEncoding.Dialect) -> Bool {
    let type: TypeEncoding
    do {
      type = try TypeEncoding(text, dialect: dialect, blankIsFloat16: true)
    } catch {
      // The error always has its place within the text.
      if !(0...text.utf8.count).contains(error.byteOffset ?? -1) { Issue.record("\(error) has no place in '\(text)'") }
      return false
    }
    for written in [type.canonicalText, type.description] {
      do {
        let again = try TypeEncoding(written, blankIsFloat16: true)
        if again != type || again.size != type.size || again.alignment != type.alignment || again.valueKind != type.valueKind {
          Issue.record("'\(text)' was written as '\(written)', which is another type")
        }
      } catch {
        Issue.record("'\(text)' was written as '\(written)': \(error)")
      }
    }
    return true
  }

  private func methodRoundTrips(_ text: String) -> Bool {
    guard let types = try? MethodTypes(text, blankIsFloat16: true) else { return false }
    let written = types.text()
    do {
      let again = try MethodTypes(written, blankIsFloat16: true)
      if again.text() != written || again.arguments.count != types.arguments.count {
        Issue.record("'\(text)' was written as '\(written)', which has other types")
      }
    } catch {
      Issue.record("'\(text)' was written as '\(written)': \(error)")
    }
    return true
  }

  @Test func randomCharacters() {
    var generator = SeededGenerator(seed: 2)
    var accepted = 0
    for index in 0..<100_000 {
      let length = Int.random(in: 1...12, using: &generator)
      let text = String((0..<length).map { _ in generator.pick(Self.alphabet) })
      if roundTrips(text, dialect: index.isMultiple(of: 2) ? .next : .gnu) { accepted += 1 }
    }
    expect(accepted > 2_000)
  }

  @Test func randomPieces() {
    var generator = SeededGenerator(seed: 3)
    var accepted = 0
    for index in 0..<60_000 {
      let length = Int.random(in: 1...10, using: &generator)
      var text = ["{S=", "(U=", "[2", "^", ""][index % 5]
      for _ in 0..<length { text += generator.pick(Self.pieces) }
      text += ["}", ")", "]", "", ""][index % 5]
      if roundTrips(text, dialect: generator.oneIn(2) ? .next : .gnu) { accepted += 1 }
    }
    expect(accepted > 2_000)
  }

  @Test func randomMethods() {
    var generator = SeededGenerator(seed: 4)
    var accepted = 0
    for _ in 0..<40_000 {
      let length = Int.random(in: 1...8, using: &generator)
      if methodRoundTrips((0..<length).map { _ in generator.pick(Self.pieces) }.joined()) { accepted += 1 }
    }
    expect(accepted > 2_000)
  }
}
