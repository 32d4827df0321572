import Foundation
import TestSupport
import Testing

/// The drawing of the rooms and the ways of the data in ARCHITECTURE.md agree with the code.
@Suite(.measured) struct ArchitectureTests {
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

  /// The modules that the files of a target import.
  private static func imports(of target: String) throws -> Set<String> {
    let pattern = /^ *(?:@\w+ )*(?:public |package |internal |private )?import (?:struct |class |func )?(\w+)/
    return Set(
      try PackageFiles.lines(of: target).filter { $0.contains("import ") }.compactMap { $0.firstMatch(of: pattern).map { String($0.1) } })
  }

  @Test("A layer imports only those below it", arguments: layers) func layer(target: String, allowed: Set<String>) throws {
    let imports = try Self.imports(of: target)
    expect(!imports.isEmpty || target == "SwiftSymbols" || target == "TypeEncodings")
    expectEqual(imports.subtracting(allowed).subtracting(Self.systems).sorted(), [])
  }

  /// The public types of a target that the documentation shows, except for nested ones.
  private static func types(of target: String) throws -> [String] {
    let declaration = /^(?:@\w+ )*(?:public|open) (?:final )?(?:class|struct|enum|protocol|actor) ([A-Z]\w*)/
    var (types, isHidden) = ([String](), false)
    for line in try PackageFiles.lines(of: target) where "@po".contains(line.first ?? " ") {
      if line.contains("visibility: internal") { isHidden = true }
      guard line.contains("public ") || line.contains("open ") else { continue }
      if !isHidden, let match = line.firstMatch(of: declaration) { types.append(String(match.1)) }
      isHidden = false
    }
    return types
  }

  @Test("The import of the engine shows at most 37 types") func types() throws {
    let types = try ["TypeEncodings", "CallFrames", "DynamicInvocation"].flatMap(Self.types) + ["Geometry"]  // imported from C
    expectEqual(Set(types).count, types.count)
    expect(types.contains("Invocation") && types.contains("LongDouble") && types.contains("InvocationProxy"))
    expect(types.count <= 37, "\(types.sorted())")
  }

  /// A row of a way: a file, and the name that it declares.
  private struct Step {
    var file: String
    var name: String
    var text: String

    func mentions(_ name: String) -> Bool { lines(with: name).contains { $0.contains(word(name)) } }

    private func lines(with name: String) -> [Substring] { text.split(separator: "\n").filter { $0.contains(name) } }

    /// Whether the file declares the name: a type, a member, an extension of the type, or a label of an initializer.
    var declaresName: Bool {
      guard file.hasSuffix(".swift") else { return mentions(name) }
      return lines(with: name).joined(separator: "\n").contains(
        pattern(#"\b(?:func|struct|class|enum|protocol|var|let|case|typealias|extension) \#(name)\b"#))
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
    let text = try PackageFiles.text("ARCHITECTURE.md")
    return try text.components(separatedBy: "\n### ").dropFirst().compactMap { section in
      let rows = section.matches(of: /(?m)^\| `([^`]+)` \| `([^`]+)` \|/)
      guard let count = section.firstMatch(of: /(\d+) files\./), let number = Int(count.1) else { return nil }
      let steps = try rows.map { row in
        let file = String(row.1)
        return Step(file: file, name: String(row.2), text: try PackageFiles.text(file))
      }
      return (String(section.prefix { $0 != "\n" }), number, steps)
    }
  }

  @Test("Each file of a way declares its name, and another one refers to it") func ways() throws {
    let ways = try Self.ways()
    expectEqual(ways.count, 7)
    for way in ways {
      expectEqual(way.steps.count, way.count, "\(way.title)")
      for (index, step) in way.steps.enumerated() {
        expect(step.declaresName, "\(way.title): \(step.file) does not declare \(step.name)")
        let others = way.steps.enumerated().filter { $0.offset != index }
        expect(others.contains { $0.element.mentions(step.name) }, "\(way.title): no other file refers to \(step.name)")
      }
    }
  }
}
