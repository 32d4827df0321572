import Foundation
import TestSupport
import Testing

/// The drawing of the rooms and the ways of the data in ARCHITECTURE.md are those of the code.
@Suite(.measured) struct ArchitectureTests {
  private static let package: URL = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// What the targets of the engine may import of this package.
  static let layers: [(target: String, imports: Set<String>)] = [
    ("TypeEncodings", []),
    ("CallFrames", ["TypeEncodings", "CFFIShim", "CFFIInline", "CFFIGeometry"]),
    ("DynamicInvocation", ["TypeEncodings", "CallFrames", "CFFIShim", "CFFIInline", "CFFIGeometry"]),
    ("DeclarationReading", ["TypeEncodings"]),
    ("SwiftSymbols", []),
    ("CallExplanations", ["TypeEncodings", "CallFrames"]),
    ("InvocationRecords", ["DynamicInvocation"]),
  ]

  /// What the targets may import besides.
  private static let systems: Set<String> = ["Darwin", "Glibc", "Musl", "Android", "Swift", "Synchronization", "Dispatch"]

  /// The texts of the Swift files of a target.
  private static func sources(of target: String) throws -> [String] {
    var texts: [String] = []
    let files = FileManager.default.enumerator(at: package.appendingPathComponent("Sources/\(target)"), includingPropertiesForKeys: nil)
    while let file = files?.nextObject() as? URL {
      if file.pathExtension == "swift" { texts.append(try String(contentsOf: file, encoding: .utf8)) }
    }
    return texts
  }

  /// The modules that the files of a target import.
  private static func imports(of target: String) throws -> Set<String> {
    var found: Set<String> = []
    for text in try sources(of: target) {
      for line in text.split(separator: "\n") {
        if let match = line.firstMatch(
          of: /^ *(?:@\w+(?:\(\w+\))? )*(?:public |package |internal |private )?import (?:struct |class |func )?(\w+)/)
        {
          found.insert(String(match.1))
        }
      }
    }
    return found
  }

  @Test("A layer imports only those below it", arguments: layers) func layer(target: String, allowed: Set<String>) throws {
    let imports = try Self.imports(of: target)
    #expect(!imports.isEmpty || target == "SwiftSymbols" || target == "TypeEncodings")
    #expect(imports.subtracting(allowed).subtracting(Self.systems).sorted() == [])
  }

  /// The public types of a target that the documentation shows, except for nested ones.
  private static func types(of target: String) throws -> [String] {
    let declaration = /(?:^|\n)((?:@[^\n]*\n)*)(?:@\w+ )*(?:public|open) (?:final )?(?:class|struct|enum|protocol|actor) ([A-Z]\w*)/
    return try sources(of: target).flatMap { text in
      text.matches(of: declaration).filter { !$0.1.contains("visibility: internal") }.map { String($0.2) }
    }
  }

  @Test("The import of the engine shows at most 37 types") func types() throws {
    let types = try ["TypeEncodings", "CallFrames", "DynamicInvocation"].flatMap(Self.types) + ["Geometry"]  // imported from C
    #expect(Set(types).count == types.count)
    #expect(types.contains("Invocation") && types.contains("LongDouble") && types.contains("InvocationProxy"))
    #expect(types.count <= 37, "\(types.sorted())")
  }

  /// A row of a way: a file, and the name that it declares.
  private struct Step {
    var file: String
    var name: String
    var text: String

    func mentions(_ name: String) -> Bool { text.contains(word(name)) }

    /// Whether the file declares the name: a type, a member, an extension of the type, or a label of an initializer.
    var declaresName: Bool {
      guard file.hasSuffix(".swift") else { return mentions(name) }
      return text.contains(pattern(#"\b(?:func|struct|class|enum|protocol|var|let|case|typealias|extension) \#(name)\b"#))
        || text.contains(pattern(#"\binit\([^)]*\b\#(name)\b"#))
    }

    private func word(_ name: String) -> Regex<AnyRegexOutput> { pattern(#"\b\#(name)\b"#) }

    private func pattern(_ text: String) -> Regex<AnyRegexOutput> {
      guard let regex = try? Regex(text) else { preconditionFailure("'\(text)' is a pattern") }
      return regex.wordBoundaryKind(.simple)  // a point between two names ends the first
    }
  }

  /// The ways, by their titles.
  private static func ways() throws -> [(title: String, count: Int, steps: [Step])] {
    let text = try String(contentsOf: package.appendingPathComponent("ARCHITECTURE.md"), encoding: .utf8)
    return try text.components(separatedBy: "\n### ").dropFirst().compactMap { section in
      let rows = section.matches(of: /(?m)^\| `([^`]+)` \| `([^`]+)` \|/)
      guard let count = section.firstMatch(of: /(\d+) files\./), let number = Int(count.1) else { return nil }
      let steps = try rows.map { row in
        let file = String(row.1)
        return Step(file: file, name: String(row.2), text: try String(contentsOf: package.appendingPathComponent(file), encoding: .utf8))
      }
      return (String(section.prefix { $0 != "\n" }), number, steps)
    }
  }

  @Test("Each file of a way declares its name, and another one refers to it") func ways() throws {
    let ways = try Self.ways()
    #expect(ways.count == 7)
    for way in ways {
      #expect(way.steps.count == way.count, "\(way.title)")
      for (index, step) in way.steps.enumerated() {
        #expect(step.declaresName, "\(way.title): \(step.file) does not declare \(step.name)")
        let others = way.steps.enumerated().filter { $0.offset != index }
        #expect(others.contains { $0.element.mentions(step.name) }, "\(way.title): no other file refers to \(step.name)")
      }
    }
  }
}
