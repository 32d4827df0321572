import TestSupport
import Testing

@testable import DynamicInvocation

/// What clang's `@encode` writes is read, and the same types in the same program have the same sizes and alignments.
@Suite(.measured, .enabled(if: CCompiler.clang.available)) struct CompilerEncodingTests {
  /// A runtime whose dialect clang writes.
  enum Runtime: String, CaseIterable, Sendable {
    case gnustep = "gnustep-2.0"
    case gcc
    case apple = "macosx-13.0"

    var dialect: TypeEncoding.Dialect { self == .apple ? .next : .gnu }
  }

  /// The rows of sections: a type, what clang writes when it is the same for every runtime, and `smaller` if the encoding leaves something out
  /// that takes room, so that sizes cannot agree.
  private static func check(_ sections: [String], declarations: String, runtime: Runtime, flags: [String]) throws {
    var source = declarations + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    let rows = sections.flatMap { TextTable.encodings.rows($0) }
    for (index, row) in rows.enumerated() {
      source += "extern const char encoding\(index)[]; const char encoding\(index)[] = @encode(\(row));\n"
      source += "extern const long layout\(index)[]; const long layout\(index)[] = {sizeof(\(row)), _Alignof(\(row))};\n"
    }
    source += "#ifdef __cplusplus\n}\n#endif\n"
    let library = try CompiledNumbers(
      path: CCompiler.clang.sharedLibrary(
        source: source, flags: ["-fobjc-runtime=\(runtime.rawValue)", "-fblocks"] + flags, name: "encode"))
    for (index, row) in rows.enumerated() {
      let encoding = try library.text("encoding\(index)")
      let layout = try library.numbers("layout\(index)", count: 2)
      if !["", "-"].contains(row[1]) { expectEqual(encoding, row[1], row[0]) }
      let type = try parsedType(encoding, dialect: runtime.dialect, blankIsFloat16: true)
      if row[2] != "smaller" {
        expectEqual([type.size, type.alignment], layout, "\(row), \(encoding), \(runtime)")
      }
      // Written again it is what clang wrote.
      expectEqual(type.text(dialect: runtime.dialect), encoding, row[0])
      try expectEqual(parsedType(type.canonicalText, blankIsFloat16: true), type, row[0])
    }
  }

  @Test(arguments: Runtime.allCases) func c(runtime: Runtime) throws {
    try Self.check(
      ["Types of C", "Types of C alone", "Types of Objective-C"], declarations: Self.declarations, runtime: runtime,
      flags: ["-x", "objective-c"])
  }

  @Test(arguments: [Runtime.gnustep, .apple]) func cxx(runtime: Runtime) throws {
    try Self.check(
      ["Types of C", "Types of C++"], declarations: Self.declarations + Self.cxxDeclarations, runtime: runtime,
      flags: ["-x", "objective-c++", "-std=gnu++17"])
  }
}
