import DynamicInvocation
import LayoutModel
import TestSupport
import Testing
import TypeEncodings

@testable import CDeclarations
@testable import DeclarationReading

/// What C leaves to the platform, as assertions that the reader and the compilers of each platform evaluate.
@Suite(.measured) struct TargetABITests {
  /// A constant expression and its value on x86-64 Linux, AArch64 Linux, Intel Macs and Apple silicon.
  private struct Fact {
    var expression: String
    var values: [Int]

    init(_ expression: String, _ values: [Int]) { (self.expression, self.values) = (expression, values) }

    func assertion(_ target: TargetABI) -> String {
      let index = TargetABI.allCases.firstIndex(of: target) ?? 0
      return "_Static_assert((\(expression)) == \(values[index]), \"\(expression.filter { !"\"\\".contains($0) })\");\n"
    }
  }

  /// What the compilers have in headers; the reader knows these types without one.
  private static let prelude = """
    typedef __WCHAR_TYPE__ wchar_t; typedef __WINT_TYPE__ wint_t; typedef __builtin_va_list va_list;
    typedef __INT64_TYPE__ int64_t; typedef __UINT64_TYPE__ uint64_t; typedef __INTMAX_TYPE__ intmax_t;

    """

  private static let scalars = TextTable.declarations.rows("Facts of platforms").map { row in
    Fact(row[0], row[1].split(separator: " ").compactMap { Int($0) })
  }

  private static let vectors = [8, 16, 32, 64].flatMap { size in
    [
      Fact("sizeof(v\(size))", [size, size, size, size]),
      // In a struct, as gcc's _Alignof of the type itself is less on x86-64.
      Fact("sizeof(struct { char c; v\(size) v; })", [2 * size, size + min(size, 16), size + min(size, 16), size + min(size, 16)]),
    ]
  }

  private static let vectorTypes = [8, 16, 32, 64].map { "typedef float v\($0) __attribute__((vector_size(\($0))));\n" }.joined()

  private typealias Record = (text: String, others: [Int], aarch64: [Int])

  private static func records(_ section: String) -> [Record] {
    TextTable.declarations.rows(section).map { row in
      let numbers = [row[1], row[2]].map { $0.split(separator: " ").compactMap { Int($0) } }
      return (row[0], numbers[0], numbers[1])
    }
  }

  /// A struct, with its size and alignment where unnamed bit-fields do not align it, and on AArch64 Linux.
  private static let bitFields = records("Bit-fields of platforms")

  /// The same under `#pragma pack(2)`.
  private static let packedInTwos = records("Bit-fields of platforms under #pragma pack(2)")

  /// The assertions of a platform, without the prelude.
  private static func assertions(_ target: TargetABI) -> String {
    func records(_ rows: [Record], _ name: String) -> String {
      rows.enumerated().map { index, row in
        let layout = target == .aarch64 ? row.aarch64 : row.others
        let type = "\(name)\(index)"
        let isTrue = "sizeof(\(type)) == \(layout[0]) && _Alignof(\(type)) == \(layout[1])"
        return "typedef \(row.text) \(type); _Static_assert(\(isTrue), \"\(type)\");\n"
      }.joined()
    }
    return vectorTypes + (scalars + vectors).map { $0.assertion(target) }.joined() + records(bitFields, "bits") + "#pragma pack(push, 2)\n"
      + records(packedInTwos, "twos") + "#pragma pack(pop)\n"
  }

  @Test("The reader knows what is true on each platform, and that it is not on another", arguments: TargetABI.allCases)
  func reads(target: TargetABI) throws {
    for other in TargetABI.allCases {
      let source = Array(Self.assertions(other).utf8)
      if other == target {
        #expect(throws: Never.self) { try CDeclarations(source: source, target: target) }
      } else {
        #expect(throws: InvocationError.self) { try CDeclarations(source: source, target: target) }
      }
    }
  }

  @Test("The compilers of each platform say the same", arguments: TargetABI.allCases)
  func compilers(target: TargetABI) throws {
    let source = Self.prelude + Self.assertions(target)
    if CCompiler.clang.available {
      let errors = try CCompiler.clang.errors(in: source, target: target.triple)
      #expect(errors == nil)
    }
    if let gcc = target.gcc.map(CCompiler.init(command:)), gcc.available {
      let errors = try gcc.errors(in: source)
      #expect(errors == nil)
    }
  }

  @Test("The platform's headers have the same names as our <stdint.h> and <wchar.h>")
  func standardTypes() throws {
    let names = ["int_fast8_t", "int_fast16_t", "uint_fast16_t", "int_fast32_t", "uint_fast32_t", "int_fast64_t", "wint_t", "off_t"]
    func types(_ target: TargetABI) throws -> String? {
      let declarations = try CDeclarations(source: Array("void f(\(names.joined(separator: ", ")));".utf8), target: target)
      return try declarations.functions["f"]?.types.text()
    }
    #expect(try types(.x86_64) == "vcqQqQqIq" && types(.aarch64) == "vcqQqQqIq")
    #expect(try types(.appleX86_64) == "vcsSiIqiq" && types(.appleAArch64) == "vcsSiIqiq")
  }

  @Test(
    "Encodings of what the platform decides",
    arguments: [
      (TargetABI.x86_64, "cDi^{__va_list_tag=II^v^v}^[1{__va_list_tag=II^v^v}]"),
      (.aarch64, "CDI{__va_list=^v^v^vii}^{__va_list=^v^v^vii}"),
      (.appleX86_64, "cDi^{__va_list_tag=II^v^v}^[1{__va_list_tag=II^v^v}]"), (.appleAArch64, "cDi^v^^v"),
    ])
  func encodings(target: TargetABI, types: String) throws {
    let declarations = try CDeclarations(source: Array("char f(long double, wchar_t, va_list, va_list *);".utf8), target: target)
    #expect(try declarations.functions["f"]?.types.text(dialect: .gnu, options: .structNames) == types)
  }

  @Test("A list of arguments is no text where it is a pointer, and keeps its name")
  func argumentLists() throws {
    let text = "typedef va_list list; int f(const char *, list); int g(const char *, __builtin_va_list, va_list *);"
    let declarations = try CDeclarations(source: Array(text.utf8), target: .appleAArch64)
    #expect(try declarations.functions["f"]?.types.text() == "ir*^v")
    #expect(declarations.texts(ofFunction: "g")?.function == "int (const char *, __builtin_va_list, __builtin_va_list *)")
    // C has no type of its own for it.
    let compatible = "int f(va_list); int f(char *); int g(const char *);"
    #expect(try CDeclarations(source: Array(compatible.utf8), target: .appleAArch64).functions["g"]?.types.text() == "ir*")
  }

  @Test(
    "Types that a platform lacks",
    arguments: [
      (TargetABI.x86_64, "__float128"), (.aarch64, "__float80"), (.appleX86_64, "__float128"), (.appleAArch64, "__float128"),
      (.appleAArch64, "__float80"), (.appleAArch64, "_Float64x"), (.appleAArch64, "_Complex _Float64x"),
    ])
  func missingTypes(target: TargetABI, type: String) throws {
    let declarations = try CDeclarations(source: Array("void f(\(type));".utf8), target: target)
    let error = try #require(throws: InvocationError.self) { try declarations.functions["f"]?.types }
    #expect(error.code == .unsupportedType)
  }

  @Test("Plain char and long double in structs have the platform's places")
  func members() throws {
    let text = "struct s { char c : 4; wchar_t w; long double d; va_list l; char last; };"
    func places(_ target: TargetABI) throws -> [Int] {
      let type = try #require(CDeclarations(source: Array(text.utf8), target: target).types["struct s"]).encoding
      guard case .structure(let record) = type.kind, let fields = record.fields else { return [] }
      return [type.size ?? -1, type.alignment ?? -1] + fields.map(\.offset)
    }
    #expect(try places(.x86_64) == [64, 16, 0, 4, 16, 32, 56] && places(.appleX86_64) == places(.x86_64))
    #expect(try places(.aarch64) == [80, 16, 0, 4, 16, 32, 64])
    #expect(try places(.appleAArch64) == [32, 8, 0, 4, 8, 16, 24])
  }
}
