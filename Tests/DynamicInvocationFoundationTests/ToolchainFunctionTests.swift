@_spi(Tools) import SwiftFunctions
import DynamicInvocation
import Foundation
import TestSupport
import Testing

/// Functions of the toolchain's libraries by their names, compared with the compiled calls.
@Suite(.measured) struct ToolchainFunctionTests {
  /// A function, its arguments, and the result of the compiled call.
  private typealias Row = (name: String, arguments: [Any], expected: Any)

  private static let text = "A text that is on the heap, with Ünïcode 🎈"
  private static let words = ["apple", "Banana", "cherry pie", "a longer string, of more than fifteen bytes"]

  private static var strings: [Row] {
    var rows: [Row] = []
    for word in words + [text, ""] {
      let more: [Row] = [
        ("Swift.String.count", [word], word.count), ("Swift.String.isEmpty", [word], word.isEmpty),
        ("Swift.String.uppercased()", [word], word.uppercased()), ("Swift.String.lowercased()", [word], word.lowercased()),
        ("Swift.String.hasPrefix(_:)", [word, "a"], word.hasPrefix("a")),
        ("Swift.String.hasSuffix(_:)", [word, "e"], word.hasSuffix("e")),
        ("Swift.String.startIndex", [word], word.startIndex), ("Swift.String.endIndex", [word], word.endIndex),
        ("Swift.String.hashValue", [word], word.hashValue), ("Swift.String.debugDescription", [word], word.debugDescription),
        ("Swift.String.index(_:offsetBy:)", [word, word.startIndex, word.count], word.index(word.startIndex, offsetBy: word.count)),
        ("Swift.String.unicodeScalars", [word], word.unicodeScalars), ("Swift.String.utf8", [word], word.utf8),
      ]
      rows += more
    }
    return rows
  }

  private static var numbers: [Row] {
    var rows: [Row] = []
    for value in [0, 1, -7, 4_711, .max, .min] {
      rows += [
        ("Swift.Int.nonzeroBitCount", [value], value.nonzeroBitCount),
        ("Swift.Int.leadingZeroBitCount", [value], value.leadingZeroBitCount),
        ("Swift.Int.trailingZeroBitCount", [value], value.trailingZeroBitCount),
        ("Swift.Int.byteSwapped", [value], value.byteSwapped), ("Swift.Int.magnitude", [value], value.magnitude),
        ("Swift.Int.signum()", [value], value.signum()),
        ("Swift.Int.addingReportingOverflow(_:)", [value, 3], value.addingReportingOverflow(3)),
        ("Swift.Int.multipliedReportingOverflow(by:)", [value, 3], value.multipliedReportingOverflow(by: 3)),
      ]
    }
    for value in [0.0, -1.5, 1e300, .infinity, .pi] {
      rows += [
        ("Swift.Double.description", [value], value.description), ("Swift.Double.bitPattern", [value], value.bitPattern),
        ("Swift.Double.exponentBitPattern", [value], value.exponentBitPattern), ("Swift.Double.isFinite", [value], value.isFinite),
        ("Swift.Double.isNormal", [value], value.isNormal), ("Swift.Double.ulp", [value], value.ulp),
        ("Swift.Double.significand", [value], value.significand), ("Swift.Double.nextUp", [value], value.nextUp),
        ("Swift.Double.sign", [value], value.sign),
        ("Swift.Float.description", [Float(value)], Float(value).description), ("Swift.Float.ulp", [Float(value)], Float(value).ulp),
      ]
    }
    for value in ["a", "Z", "5", "é", "🎈"] as [Character] {
      rows += [
        ("Swift.Character.isLetter", [value], value.isLetter), ("Swift.Character.isNumber", [value], value.isNumber),
        ("Swift.Character.isUppercase", [value], value.isUppercase), ("Swift.Character.asciiValue", [value], value.asciiValue as Any),
        ("Swift.Character.description", [value], value.description), ("Swift.Character.uppercased()", [value], value.uppercased()),
        ("Swift.Character.wholeNumberValue", [value], value.wholeNumberValue as Any),
      ]
    }
    return rows
  }

  private static var values: [Row] {
    let date = Date(timeIntervalSince1970: 1_234_567_890.5)
    let later = date.addingTimeInterval(3_600)
    let uuid = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F") ?? UUID()
    let data = Data([1, 2, 250, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17])
    let decimal = Decimal(string: "123.456") ?? 0
    var components = DateComponents()
    (components.year, components.month, components.day) = (2_024, 2, 29)
    let zone = TimeZone(secondsFromGMT: 7_200) ?? .current
    let set = IndexSet([1, 2, 3, 9])
    return [
      ("FoundationEssentials.Date.timeIntervalSince1970", [date], date.timeIntervalSince1970),
      ("FoundationEssentials.Date.timeIntervalSinceReferenceDate", [date], date.timeIntervalSinceReferenceDate),
      ("FoundationEssentials.Date.timeIntervalSince(_:)", [later, date], later.timeIntervalSince(date)),
      ("FoundationEssentials.Date.addingTimeInterval(_:)", [date, 5.5], date.addingTimeInterval(5.5)),
      ("FoundationEssentials.Date.compare(_:)", [date, later], date.compare(later)),
      ("FoundationEssentials.Date.description", [date], date.description),
      ("FoundationEssentials.Date.init(timeIntervalSince1970:)", [5.0], Date(timeIntervalSince1970: 5)),
      ("FoundationEssentials.Date.init(timeInterval:since:)", [5.0, date], Date(timeInterval: 5, since: date)),
      ("FoundationEssentials.Date.hashValue", [date], date.hashValue),
      ("FoundationEssentials.UUID.uuidString", [uuid], uuid.uuidString),
      ("FoundationEssentials.UUID.description", [uuid], uuid.description),
      ("FoundationEssentials.UUID.init(uuidString:)", [uuid.uuidString], UUID(uuidString: uuid.uuidString) as Any),
      ("FoundationEssentials.UUID.hashValue", [uuid], uuid.hashValue),
      ("FoundationEssentials.Data.count", [data], data.count), ("FoundationEssentials.Data.startIndex", [data], data.startIndex),
      ("FoundationEssentials.Data.endIndex", [data], data.endIndex),
      ("FoundationEssentials.Data.description", [data], data.description),
      ("FoundationEssentials.Data.hashValue", [data], data.hashValue),
      ("FoundationEssentials.Data.base64EncodedString(options:)", [data, Data.Base64EncodingOptions()], data.base64EncodedString()),
      ("FoundationEssentials.Data.base64EncodedData(options:)", [data, Data.Base64EncodingOptions()], data.base64EncodedData()),
      ("FoundationEssentials.Data.subdata(in:)", [data, 2..<5], data.subdata(in: 2..<5)),
      ("FoundationEssentials.Data.advanced(by:)", [data, 3], data.advanced(by: 3)),
      ("FoundationEssentials.DateComponents.year", [components], components.year as Any),
      ("FoundationEssentials.DateComponents.month", [components], components.month as Any),
      ("FoundationEssentials.DateComponents.isValidDate", [components], components.isValidDate),
      ("FoundationEssentials.DateComponents.hashValue", [components], components.hashValue),
      ("FoundationEssentials.TimeZone.secondsFromGMT(for:)", [zone, date], zone.secondsFromGMT(for: date)),
      ("FoundationEssentials.TimeZone.identifier", [zone], zone.identifier),
      ("FoundationEssentials.TimeZone.isDaylightSavingTime(for:)", [zone, date], zone.isDaylightSavingTime(for: date)),
      ("FoundationEssentials.Decimal.description", [decimal], decimal.description),
      ("FoundationEssentials.Decimal.isZero", [decimal], decimal.isZero), ("FoundationEssentials.Decimal.ulp", [decimal], decimal.ulp),
      ("FoundationEssentials.Decimal.exponent", [decimal], decimal.exponent),
      ("FoundationEssentials.Decimal.isNaN", [decimal], decimal.isNaN), ("FoundationEssentials.Decimal.nextUp", [decimal], decimal.nextUp),
      ("FoundationEssentials.Decimal.significand", [decimal], decimal.significand),
      ("Foundation.IndexSet.count", [set], set.count), ("Foundation.IndexSet.first", [set], set.first as Any),
      ("Foundation.IndexSet.last", [set], set.last as Any), ("Foundation.IndexSet.contains(_:)", [set, 9], set.contains(9)),
      ("Foundation.IndexSet.union(_:)", [set, IndexSet([4])], set.union(IndexSet([4]))),
      ("Foundation.IndexSet.integerGreaterThan(_:)", [set, 3], set.integerGreaterThan(3) as Any),
    ]
  }

  private static var urls: [Row] {
    var rows: [Row] = []
    for text in ["https://user@example.org:8080/a/b.txt?q=1#top", "file:///tmp/a%20b", "relative/path"] {
      guard let url = URL(string: text) else { continue }
      rows += [
        ("FoundationEssentials.URL.absoluteString", [url], url.absoluteString),
        ("FoundationEssentials.URL.lastPathComponent", [url], url.lastPathComponent),
        ("FoundationEssentials.URL.pathExtension", [url], url.pathExtension),
        ("FoundationEssentials.URL.pathComponents", [url], url.pathComponents),
        ("FoundationEssentials.URL.isFileURL", [url], url.isFileURL), ("FoundationEssentials.URL.host", [url], url.host as Any),
        ("FoundationEssentials.URL.port", [url], url.port as Any), ("FoundationEssentials.URL.query", [url], url.query as Any),
        ("FoundationEssentials.URL.scheme", [url], url.scheme as Any), ("FoundationEssentials.URL.path", [url], url.path),
        ("FoundationEssentials.URL.appendingPathComponent(_:)", [url, "c"], url.appendingPathComponent("c")),
        ("FoundationEssentials.URL.deletingLastPathComponent()", [url], url.deletingLastPathComponent()),
        ("FoundationEssentials.URL.appendingPathExtension(_:)", [url, "md"], url.appendingPathExtension("md")),
        ("FoundationEssentials.URL.standardized", [url], url.standardized), ("FoundationEssentials.URL.hashValue", [url], url.hashValue),
      ]
    }
    return rows
  }

  #if arch(x86_64) || arch(arm64)
    private static var closures: [Row] {
      let list: NSArray = [3, 1, 2]
      let byNumber = { (a: Any, b: Any) -> ComparisonResult in
        guard let a = a as? Int, let b = b as? Int else { return .orderedSame }
        return a < b ? .orderedDescending : a > b ? .orderedAscending : .orderedSame
      }
      let isEven = { (number: Int) throws -> Bool in number % 2 == 0 }
      let dictionary: NSDictionary = ["a": 2, "b": 3, "c": 1]
      return [
        ("Foundation.NSArray.sortedArray(comparator:)", [list, byNumber], list.sortedArray(comparator: byNumber)),
        (
          "Foundation.NSArray.sortedArray(options:usingComparator:)", [list, NSSortOptions.stable, byNumber],
          list.sortedArray(options: .stable, usingComparator: byNumber)
        ),
        (
          "Foundation.NSDictionary.keysSortedByValue(comparator:)", [dictionary, byNumber],
          dictionary.keysSortedByValue(comparator: byNumber)
        ),
        (
          "Foundation.IndexSet.filteredIndexSet(includeInteger:)", [IndexSet(1...6), isEven],
          (try? IndexSet(1...6).filteredIndexSet(includeInteger: isEven)) as Any? ?? "nothing"
        ),
      ]
    }
  #else
    private static var closures: [Row] { [] }
  #endif

  private static let libraries = [
    "Swift": "libswiftCore.so", "FoundationEssentials": "libFoundationEssentials.so", "Foundation": "libFoundation.so",
  ]

  @Test("Functions of the standard library and of Foundation return what the compiled calls return")
  func compiledCalls() throws {
    let opened = try Self.libraries.mapValues { try SwiftLibrary($0) }
    let rows = Self.strings + Self.numbers + Self.values + Self.urls + Self.closures
    for row in rows {
      let library = try #require(opened[String(row.name.prefix { $0 != "." })])
      do {
        let value = try library.function(row.name).call(row.arguments)
        expectEqual("\(value)", "\(row.expected)", "\(row.name)")
      } catch {
        Issue.record("\(row.name): \(error)")
      }
    }
    expect(rows.count >= 200)
  }

  /// Reasons for which a symbol is no function with fixed types, or is called in another way.
  private static let others = [
    "it is generic", "member of the generic type", "member of the protocol", "depends on generic parameters", "parameter pack",
    "is an opaque type", "asynchronous", "cannot be copied", "actor", "only a descriptor", "Swift.Float80 cannot be passed",
  ]

  @Test(
    "Nearly all functions of the toolchain's libraries whose types are fixed can be called",
    arguments: [("libswiftCore.so", 0.95), ("libFoundationEssentials.so", 0.98), ("libFoundation.so", 0.98)])
  func coverage(name: String, share: Double) throws {
    let library = try unsafe SwiftLibrary(name).trusting([.declarations, .isolation, .pointers])
    var planned = 0
    var reasons: [String: Int] = [:]
    for declaration in try library.listedFunctions() {
      do {
        _ = try library.function(declaration)
        planned += 1
      } catch {
        if !Self.others.contains(where: { error.reason.contains($0) }) { reasons["\(error)", default: 0] += 1 }
      }
    }
    let refused = reasons.values.reduce(0, +)
    let list = reasons.keys.sorted().prefix(40).joined(separator: "\n")
    expect(Double(planned) / Double(planned + refused) >= share, "\(planned) of \(planned + refused)\n\(list)")
  }
}
