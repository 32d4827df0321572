import DeclarationReading
import LayoutModel
import TestSupport
import Testing

@testable import DynamicInvocation
@testable import TypeEncodings

/// Random C declarations, laid out for each platform by the reader of declarations, by the engine, and by clang, which decides
/// and needs nothing of the platform.
extension LayoutOracleTests {
  private static func records(padded seed: UInt64) -> [RandomRecord] {
    var generator = SeededGenerator(seed: seed)
    var records: [RandomRecord] = []
    for index in 0..<320 { records.append(RandomRecord(name: "r\(index)", earlier: records, hasPadding: true, using: &generator)) }
    return records
  }

  private struct Differences {
    var texts: [String] = []

    mutating func check(_ found: [Int], _ expected: [Int], _ how: String, _ record: RandomRecord) {
      if found != expected { texts.append("\(how): \(found), not \(expected)\n\(record.declaration)") }
    }
  }

  @Test(.enabled(if: CCompiler.clang.available), arguments: TargetABI.allCases, seeds)
  func layoutsOfTargets(target: TargetABI, seed: UInt64) throws {
    let records = Self.records(padded: seed)
    let source = records.map(\.declaration).joined()
    // A type is laid out when its size is asked for.
    let sizes = "unsigned long sizes[] = {\(records.map { "sizeof(\($0.cName))" }.joined(separator: ", "))};\n"
    let layouts = try CCompiler.clang.recordLayouts(of: source + sizes, target: target.triple)
    let constants = records.map { "S\($0.name) = sizeof(\($0.cName)), A\($0.name) = _Alignof(\($0.cName))" }.joined(separator: ", ")
    let declarations = try CDeclarations(source: Array("\(source)enum { \(constants) };".utf8), target: target)
    var differences = Differences()
    var computed = 0
    for record in records {
      let layout = try require(layouts[record.cName], "\(record.declaration)")
      let whole = [layout.size, layout.alignment]
      let type = try require(declarations.types[record.cName]).encoding
      let fields = RecordLayoutTests.fields(type)
      differences.check(
        [type.size ?? -1, type.alignment ?? -1] + fields.map { $0.bits?.lowerBound ?? 8 * $0.offset }, whole + layout.positions,
        "read from its declaration", record)
      differences.check(
        ["S", "A"].map { declarations.constants[$0 + record.name]?.int ?? -1 }, whole, "sizeof and _Alignof", record)
      let named = zip(record.members, layout.positions).filter(\.0.isNamed).map(\.1)
      let places = record.places(on: try require(LayoutTarget(rawValue: "\(target)")))
      differences.check(
        Array(places.prefix(2)) + stride(from: 2, to: places.count, by: 2).map { places[$0] }, whole + named, "the slow model", record)
      if let found = try record.computed(on: target) {
        differences.check(found, whole + layout.positions, "built", record)
        computed += 1
      }
    }
    let texts = differences.texts
    expectEqual(texts.count, 0, "\(texts.count) in \(records.count) records, seed \(seed): \(texts.prefix(3).joined(separator: "\n"))")
    expect(computed > 60)
    guard let gcc = target.gcc.map(CCompiler.init(command:)), gcc.available else { return }
    let assertions = records.map { record in
      let layout = layouts[record.cName]
      let (size, alignment) = (layout?.size ?? 0, layout?.alignment ?? 0)
      return "_Static_assert(sizeof(\(record.cName)) == \(size) && _Alignof(\(record.cName)) == \(alignment), \"\(record.name)\");\n"
    }
    try expectNil(gcc.errors(in: source + assertions.joined()))
  }
}

extension RandomRecord {
  /// The size, the alignment and the first bit of each member as the engine computes them from an encoding.
  ///
  /// Nil for a record that has another one or a `long double` in it, which the engine lays out for this machine only, or an
  /// unnamed bit-field.
  fileprivate func computed(on target: TargetABI) throws -> [Int]? {
    guard isExpressible, members.allSatisfy(\.isTheSameOnEachTarget) else { return nil }
    let type = try type()
    var layout = RecordLayout(isUnion: isUnion, packing: type.layoutOverride?.packing, target: target)
    var positions: [Int] = []
    for field in RecordLayoutTests.fields(type) {
      guard let position = layout.place(field.type) else { return nil }
      positions.append(position)
    }
    let whole = layout.finish(minimumAlignment: type.layoutOverride?.minimumAlignment ?? 1)
    return [whole.size, whole.alignment] + positions
  }
}

extension RandomRecord.Member {
  fileprivate var isTheSameOnEachTarget: Bool {
    switch self {
    case .plain(let type): type.isTheSameOnEachTarget
    case .bitField, .unitEnd, .padding: true
    }
  }
}

extension RandomRecord.CType {
  fileprivate var isTheSameOnEachTarget: Bool {
    switch self {
    case .scalar(let scalar), .complex(let scalar): scalar != .longDouble
    case .pointer: true
    case .array(_, let element): element.isTheSameOnEachTarget
    case .record: false
    }
  }
}
