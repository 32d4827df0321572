import Foundation
import TestSupport
import Testing

/// The page on security lists what takes the caller's word, which is what strict memory safety makes the caller say.
@Suite(.measured) struct PromisesTests {
  /// The public declarations marked `@unsafe` in the sources, each with its type: `Closure.withFunction(as:_:)`.
  private static func marked() throws -> Set<String> {
    var found: Set<String> = []
    // Where a type or an extension begins at the margin, or a type inside of one.
    let access = "(?:public |package |open |final |private |fileprivate )*"
    let atMargin = try Regex("^\(access)(?:struct|class|enum|extension|protocol) ([A-Za-z0-9_.]+)", as: (Substring, Substring).self)
    for (path, text) in try PackageFiles.swiftFiles(in: "Sources") where !path.contains("MacrosPlugin") && text.contains("@unsafe") {
      var (outer, inner) = ("", "")
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (number, line) in lines.enumerated() {
        if let first = line.first, first.isLowercase, let match = line.firstMatch(of: atMargin) {
          (outer, inner) = (String(match.1), "")
          if line.contains(": @unsafe "), let rest = line.firstMatch(of: /: @unsafe ([A-Za-z_]+)/) { found.insert("\(outer): \(rest.1)") }
        } else if line.hasPrefix("  "), !line.hasPrefix("   ") {
          if line == "  }" { inner = "" }
          if let match = line.firstMatch(of: /^  (?:public |package |final )*(?:struct|class|enum) ([A-Za-z]+)/) {
            inner = "." + String(match.1)
          }
        }
        guard line.contains("@unsafe"), let mark = line.firstMatch(of: /^ *@unsafe(?: |$)/) else { continue }
        // The declaration may follow its other attributes.
        let rest = ([line[mark.range.upperBound...]] + lines[(number + 1)...].prefix(6)).joined(separator: "\n")
        let type = outer + (line.hasPrefix("    ") ? inner : "")
        if let name = name(of: rest) { found.insert(line.hasPrefix(" ") ? "\(type).\(name)" : name) }
      }
    }
    return found
  }

  /// The name of a declaration as DocC writes it, or nil when it is not public.
  private static func name(of text: String) -> String? {
    let text = text.drop { $0.isWhitespace }
    if let match = text.firstMatch(of: /^case ([a-zA-Z]+)/) { return String(match.1) }
    let declaration =
      /^(?:@[a-zA-Z_]+(?:\([^)]*\))?\s+)*public (?:(?:static|mutating|convenience|nonisolated\(nonsending\)) )*(?:func ([a-zA-Z]+)|(init))/
    guard let match = text.firstMatch(of: declaration), !match.0.contains("@_spi(") else { return nil }
    var rest = text[match.range.upperBound...]
    if rest.first == "<" {
      var depth = 0
      let end = rest.firstIndex { character in
        if character == "<" { depth += 1 }
        if character == ">" { depth -= 1 }
        return depth == 0
      }
      guard let end else { return nil }
      rest = rest[rest.index(after: end)...]
    }
    return (match.1.map(String.init) ?? "init") + "(" + labels(in: rest.dropFirst()) + ")"
  }

  /// The labels of a parameter list, from behind its opening parenthesis.
  private static func labels(in text: Substring) -> String {
    var (labels, depth, word, isAtLabel) = ("", 0, "", true)
    for character in text.replacing("->", with: "") {
      switch character {
      case "(", "[", "{", "<": depth += 1
      case ")" where depth == 0: return labels
      case ")", "]", "}": depth -= 1
      case ">" where depth > 0: depth -= 1
      case "," where depth == 0: isAtLabel = true
      case _ where depth > 0: continue
      case _ where isAtLabel && (character.isLetter || character.isNumber || character == "_"): word.append(character)
      case " " where !word.isEmpty, ":" where !word.isEmpty:
        if isAtLabel { labels += word + ":" }
        (word, isAtLabel) = ("", false)
      default: continue
      }
    }
    return labels
  }

  @Test("The promises that the page lists are the public declarations that are marked unsafe")
  func list() throws {
    let text = try PackageFiles.text("Sources/DynamicInvocation/DynamicInvocation.docc/Security.md")
    let rest = try require(text.components(separatedBy: "## What is promised").dropFirst().first)
    let rows = rest.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| `") }
    // The first column of the table.
    let listed = Set(rows.flatMap { row in row.split(separator: "|")[0].matches(of: /`([^`]+)`/).map { String($0.1) } })
    let marked = try Self.marked()
    expectEqual(marked.subtracting(listed).sorted(), [], "marked @unsafe, and not on the page")
    expectEqual(listed.subtracting(marked).sorted(), [], "on the page, and not marked @unsafe")
    expect(marked.count > 15)
  }

  @Test("Names are read from declarations as they are written")
  func names() {
    expectEqual(Self.name(of: "public init(_ a: Int, b c: (Int, Int) -> Void = { _ in }, d: [Int: Int]) {"), "init(_:b:d:)")
    let declaration = "@inlinable @inline(__always)\n  public static func f<A: B<C>, each D>(\n    _ a: A,\n    x: D\n  ) {"
    expectEqual(Self.name(of: declaration), "f(_:x:)")
    expect(Self.name(of: "func f(_ a: Int) {") == nil && Self.name(of: "case unretained") == "unretained")
  }
}
