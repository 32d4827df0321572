import Foundation
import TestSupport
import Testing

/// The pages on behavior number their statements, and the names of tests end with the numbers that they show: `... (E1.2, E3.4)`.
@Suite(.measured) struct StatementCitationTests {
  private static let package: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let pages = [
    "Sources/EventRouting/EventRouting.docc/Behavior.md", "Sources/DynamicInvocation/DynamicInvocation.docc/DispatchBehavior.md",
  ]

  /// The number of a statement: the letter of the page, the section, and the place in it.
  private struct Number: Hashable, CustomStringConvertible {
    let page: Substring
    let section: Int
    let place: Int

    /// The number, if the text is one such as `E1.2`.
    init?(_ text: Substring) {
      guard let parts = text.wholeMatch(of: /([A-Z])([0-9]+)\.([0-9]+)/), let section = Int(parts.2), let place = Int(parts.3)
      else { return nil }
      (page, self.section, self.place) = (parts.1, section, place)
    }

    var description: String { "\(page)\(section).\(place)" }
  }

  /// The statements of a page, each with the number of the section that it is in.
  private static func statements(of page: String) throws -> [(number: Number, section: Int)] {
    var section = 0
    var statements: [(Number, Int)] = []
    for line in try String(contentsOf: package.appendingPathComponent(page), encoding: .utf8).split(separator: "\n") {
      if let heading = line.prefixMatch(of: /#{3} ([0-9]+)\s/) { section = Int(heading.1) ?? 0 }
      if let statement = line.prefixMatch(of: /- \*\*([^*]+)\*\*\s/) {
        statements.append((try #require(Number(statement.1), "\(line)"), section))
      }
    }
    return statements
  }

  /// The names of all tests that have one, of all packages below the folder of the tests, and the titles of scenarios.
  private static func names() throws -> [Substring] {
    var names: [Substring] = []
    let tests = package.appendingPathComponent("Tests")
    let files = FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    while let file = files?.nextObject() as? URL {
      guard file.pathExtension == "swift" else { continue }
      let text = try String(contentsOf: file, encoding: .utf8)
      for part in text.components(separatedBy: "@Test(").dropFirst() {
        if let name = part.prefixMatch(of: /\s*"((?:[^"\\]|\\.)*)"/) { names.append(name.1) }
      }
      guard file.lastPathComponent.hasSuffix("Scenarios.swift") else { continue }
      names += text.split(separator: "\n").compactMap { $0.wholeMatch(of: /\s*# (.*)/)?.1 }
    }
    return names
  }

  /// The numbers in the brackets that end a name.
  private static func citations(in name: Substring) -> [Number] {
    guard let end = name.firstMatch(of: /\(([A-Z][0-9]+\.[0-9, A-Z.]+)\)$/) else { return [] }
    return end.1.components(separatedBy: ", ").compactMap { Number($0[...]) }
  }

  @Test("Every statement is cited by a test, and every cited number is a statement")
  func citations() throws {
    let stated = Set(try Self.pages.flatMap { try Self.statements(of: $0) }.map(\.number))
    let cited = Set(try Self.names().flatMap { Self.citations(in: $0) })
    expectEqual(stated.subtracting(cited).map(\.description).sorted(), [], "stated, and cited by no test")
    expectEqual(cited.subtracting(stated).map(\.description).sorted(), [], "cited, and not stated")
    expect(stated.count > 100)
  }

  @Test("A name cites at its end only, and each number once")
  func form() throws {
    for name in try Self.names() {
      let numbers = Self.citations(in: name)
      expect(name.matches(of: /\b[A-Z][0-9]+(\.[0-9]+|:)/).count == numbers.count && Set(numbers).count == numbers.count, "\(name)")
    }
  }

  @Test("The statements of a page are in order, each in the section of its number", arguments: pages)
  func order(page: String) throws {
    let statements = try Self.statements(of: page)
    for (statement, next) in zip(statements, statements.dropFirst()) {
      expectEqual(statement.number.page, next.number.page, "\(next.number)")
      expect((statement.number.section, statement.number.place) < (next.number.section, next.number.place), "\(next.number)")
    }
    for statement in statements { expectEqual(statement.number.section, statement.section, "\(statement.number)") }
  }
}
