import CDeclarations
import Foundation
import LayoutModel
import TestSupport
import Testing

@testable import DynamicInvocation

/// Random C declarations, laid out by the engine and by compilers, which decide.
@Suite(.measured) struct LayoutOracleTests {
  private static let probe = """
    #include <string.h>
    static long *probe(const void *value, unsigned long size, long *out) {
      const unsigned char *bytes = value;
      long first = -1, end = -1;
      for (long bit = 0; bit < 8 * (long)size; bit++)
        if (bytes[bit / 8] >> (bit % 8) & 1) { if (first < 0) first = bit; end = bit + 1; }
      *out++ = first;
      *out++ = end;
      return out;
    }

    """

  private static func records(seed: UInt64) -> [RandomRecord] {
    var generator = SeededGenerator(seed: seed)
    var records: [RandomRecord] = []
    for index in 0..<320 { records.append(RandomRecord(name: "r\(index)", earlier: records, using: &generator)) }
    return records
  }

  /// 640 declarations; more when the environment asks for them in LAYOUTS.
  static let seeds: [UInt64] = {
    let wanted = ProcessInfo.processInfo.environment["LAYOUTS"].flatMap { Int($0) } ?? 0
    return Array(1...UInt64(max(2, (wanted + 319) / 320)))
  }()

  @Test(arguments: CCompiler.all.filter(\.available), seeds) func layouts(compiler: CCompiler, seed: UInt64) throws {
    let records = Self.records(seed: seed)
    let source =
      Self.probe + records.map(\.declaration).joined() + "void measure(long *out) {\n" + records.map(\.measurement).joined() + "}\n"
    let library = try CompiledNumbers(path: compiler.sharedLibrary(source: source, flags: ["-O0"], name: "layouts"))
    let measured = try library.measured(by: "measure", count: records.reduce(0) { $0 + $1.measurementCount })

    let declarations = try CDeclarations(records.map(\.declaration).joined())
    var differences: [String] = []
    var positions: [String: [Int]] = [:]
    var start = 0
    var texts = (gnu: 0, next: 0)
    for record in records {
      let expected = Array(measured[start..<start + record.measurementCount])
      start += record.measurementCount
      positions[record.name] = Array(expected.dropFirst(2))
      func check(_ type: TypeEncoding, _ how: String) {
        if type.places != expected { differences.append("\(how) \(type): \(type.places), not \(expected)\n\(record.declaration)") }
      }
      let type = try record.type()
      check(type, "built")
      check(try require(declarations.types[record.cName]).encoding, "read from its declaration")
      if record.places != expected { differences.append("the slow model: \(record.places), not \(expected)\n\(record.declaration)") }
      guard record.isExpressible else { continue }
      // Read from a text that the engine had no part in.
      let gnu = record.gnuText(positions: positions)
      let parsed = try parsedType(gnu, dialect: .gnu, blankIsFloat16: true)
      check(try record.withAttribute(parsed), "GNU text")
      if case .none = record.attribute {
        check(parsed, "GNU text")
        if type.canonicalText != gnu || type != parsed { differences.append("\(type.canonicalText) is written, not \(gnu)") }
        if !type.hasSameLayout(as: parsed) { differences.append("\(gnu) has another kind when it is read") }
        texts.gnu += 1
      }
      guard record.isExpressibleInNeXT else { continue }
      check(try record.withAttribute(parsedType(record.nextText, blankIsFloat16: true)), "NeXT text")
      texts.next += 1
    }
    expectEqual(
      differences.count, 0, "\(differences.count) of \(records.count), seed \(seed): \(differences.prefix(3).joined(separator: "\n"))")
    // The generator keeps making what this is about.
    expect(texts.gnu > 60)
    expect(texts.next > 30)
    expect(records.contains { $0.depth >= 4 })
  }
}
