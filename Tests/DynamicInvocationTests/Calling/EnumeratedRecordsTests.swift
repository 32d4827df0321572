import DynamicInvocation
import TestSupport
import Testing

/// The structs that `make proof` compares with clang.
@Suite("Enumeration of structs", .measured)
struct EnumeratedRecordsTests {
  private let records = EnumeratedRecords()

  @Test("All structs of one to four fields over nine scalars come first, each once")
  func flat() throws {
    expect(records.flatCount == 9 + 81 + 729 + 6561 && records.briefCount == 9 + 81)
    let texts = try Set((0..<records.flatCount).map { "\(try records.type($0))" })
    expectEqual(texts.count, records.flatCount)
    try expectEqual(records.type(0), TypeEncoding("{?=c}"))
    try expectEqual(records.type(9), TypeEncoding("{?=cc}"))
    try expectEqual(records.type(records.flatCount - 1), TypeEncoding("{?=DDDD}"))
  }

  @Test("Every struct is complete, and those after the flat ones have a shape of their own")
  func grid() throws {
    var features = Set<String>()
    func collect(_ type: TypeEncoding, isPart: Bool) {
      if isPart, type.layoutOverride?.packing != nil { features.insert("packed part") }
      if isPart, type.layoutOverride?.minimumAlignment != nil { features.insert("aligned part") }
      if type.qualifiers.contains(.atomic) { features.insert("atomic") }
      switch type.kind {
      case .array(_, let element): collect(element, isPart: true)
      case .structure(let record), .union(let record):
        for field in record.fields ?? [] {
          if field.offset % (field.type.alignment ?? 1) != 0 { features.insert("unaligned part") }
          collect(field.type, isPart: true)
        }
      default: break
      }
    }
    for number in stride(from: records.flatCount, to: records.count, by: 5) {
      let type = try records.type(number)
      expect(type.size != nil)
      collect(type, isPart: false)
      guard case .structure(let record) = type.kind else { Issue.record("\(type) is no struct"); continue }
      for field in record.fields ?? [] {
        switch field.type.kind {
        case .array: features.insert("array")
        case .union: features.insert("union")
        case .structure: features.insert("nested")
        case .bitField: features.insert("bit-field")
        default: break
        }
      }
      if type.layoutOverride?.packing != nil { features.insert("packed") }
      if type.layoutOverride?.minimumAlignment != nil { features.insert("aligned") }
    }
    expectEqual(
      features, ["array", "union", "nested", "bit-field", "packed", "aligned", "packed part", "aligned part", "unaligned part", "atomic"])
  }

  @Test("The scalars for Apple's platforms have no long double")
  func apple() throws {
    let apple = EnumeratedRecords(EnumeratedRecords.scalarsOfApple)
    expectEqual(apple.flatCount, 8 + 64 + 512 + 4096)
    try expect(stride(from: 0, to: apple.count, by: 5).allSatisfy { !"\(try apple.type($0))".contains("D") })
  }
}
