import TestSupport
import Testing

@testable import DynamicInvocation

/// What clang's `@encode` writes is read, and the sizes and alignments are those of the same types in the same program.
@Suite(.measured, .enabled(if: CCompiler.clang.available)) struct CompilerEncodingTests {
  /// A runtime whose dialect clang writes.
  enum Runtime: String, CaseIterable, Sendable {
    case gnustep = "gnustep-2.0"
    case gcc
    case apple = "macosx-13.0"

    var dialect: TypeEncoding.Dialect { self == .apple ? .next : .gnu }
  }

  private static func check(_ rows: [Row], declarations: String, runtime: Runtime, flags: [String]) throws {
    var source = declarations + "#ifdef __cplusplus\nextern \"C\" {\n#endif\n"
    for (index, row) in rows.enumerated() {
      source += "extern const char encoding\(index)[]; const char encoding\(index)[] = @encode(\(row.type));\n"
      source += "extern const long layout\(index)[]; const long layout\(index)[] = {sizeof(\(row.type)), _Alignof(\(row.type))};\n"
    }
    source += "#ifdef __cplusplus\n}\n#endif\n"
    let library = try CompiledNumbers(
      path: CCompiler.clang.sharedLibrary(
        source: source, flags: ["-fobjc-runtime=\(runtime.rawValue)", "-fblocks"] + flags, name: "encode"))
    for (index, row) in rows.enumerated() {
      let encoding = try library.text("encoding\(index)")
      let layout = try library.numbers("layout\(index)", count: 2)
      if let expected = row.encoding { expectEqual(encoding, expected, "\(row.type)") }
      let type = try parsedType(encoding, dialect: runtime.dialect, blankIsFloat16: true)
      if !row.losesSize {
        expectEqual([type.size, type.alignment], layout, "\(row.type), \(encoding), \(runtime)")
      }
      // Written again it is what clang wrote.
      expectEqual(type.text(dialect: runtime.dialect), encoding, "\(row.type)")
      try expectEqual(parsedType(type.canonicalText, blankIsFloat16: true), type, "\(row.type)")
    }
  }

  @Test(arguments: Runtime.allCases) func c(runtime: Runtime) throws {
    try Self.check(
      Self.cTypes + Self.cOnlyTypes + Self.objectiveCTypes, declarations: Self.declarations, runtime: runtime, flags: ["-x", "objective-c"])
  }

  @Test(arguments: [Runtime.gnustep, .apple]) func cxx(runtime: Runtime) throws {
    try Self.check(
      Self.cTypes + Self.cxxTypes, declarations: Self.declarations + Self.cxxDeclarations, runtime: runtime,
      flags: ["-x", "objective-c++", "-std=gnu++17"])
  }
}
