import Foundation
import TestSupport
import Testing

@testable import DynamicInvocation
@testable import CDeclarations

/// Headers are read by the compiler's preprocessor.
@Suite(.measured) struct HeaderTests {
  private static func isThere(_ header: String) -> Bool {
    FileManager.default.fileExists(atPath: "/usr/include/\(header)") && (CCompiler.gcc.available || CCompiler.clang.available)
  }

  private static func folder() -> URL {
    FileManager.default.temporaryDirectory.appendingPathComponent("header-tests-\(UUID().uuidString)")
  }

  @Test(
    "Every function that a library exports and its header declares has types",
    arguments: [("sqlite3.h", "libsqlite3.so.0", 270), ("zlib.h", "libz.so.1", 80), ("math.h", "libm.so.6", 200)])
  func libraries(header: String, name: String, least: Int) throws {
    guard Self.isThere(header), let library = try? DynamicLibrary(name) else { return }
    let declarations = try CDeclarations(header: header)
    let exported = Set(library.exportedNames)
    var count = 0
    for name in declarations.functions.names {
      let function = try #require(declarations.functions[name])
      guard exported.contains(function.symbol), !function.declaration.contains("_Float128") else { continue }
      count += 1
      #expect(throws: Never.self) { try MethodSignature(declaration: name, in: declarations) }
    }
    #expect(count >= least)
  }

  @Test("Constants have the values of the header")
  func constants() throws {
    guard Self.isThere("errno.h") else { return }
    let declarations = try CDeclarations(headers: ["errno.h", "limits.h", "math.h", "stdio.h"], options: ["-D_GNU_SOURCE"])
    #expect(declarations.constants["ENOENT"]?.int == 2 && declarations.constants["INT_MAX"]?.int == Int(Int32.max))
    #expect(declarations.constants["M_PI"]?.double == Double.pi && declarations.constants["EOF"]?.int == -1)
    #expect(declarations.constants["ULONG_MAX"] == .unsigned(.max))
  }

  @Test("A missing compiler is an error that says so", .enabled(if: !Emulator.isActive, Emulator.startsPrograms))
  func missingCompiler() throws {
    var request = HeaderRequest(headers: ["stdio.h"], include: [], options: [])
    request.compilers = [["no-such-compiler"]]
    let missing = try #require(throws: InvocationError.self) { try CDeclarations(request) }
    #expect(missing.code == .headerNotRead && missing.reason.contains("no C compiler was found (no-such-compiler)"))
  }

  @Test("A missing header and a wrong one are errors that say so")
  func errors() throws {
    #expect(throws: InvocationError.self) { try CDeclarations(header: "") }
    #expect(throws: InvocationError.self) { try CDeclarations(headers: []) }
    guard CCompiler.gcc.available else { return }
    let absent = try #require(throws: InvocationError.self) { try CDeclarations(header: "no/such/header.h") }
    #expect(absent.code == .headerNotRead && absent.reason.contains("no/such/header.h") && absent.reason.contains("-dev"))
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "int f(void);\nclass A {};\n".write(to: folder.appendingPathComponent("plus.h"), atomically: true, encoding: .utf8)
    // The name of a header is a file's, whatever it is.
    let made = folder.appendingPathComponent("made")
    for name in ["@arguments", "-arguments.h", "=sysroot.h", "$SYSROOT.h", "~home.h", "a b.h", "ü.h", "%s;.h"] {
      try "stdio.h -o \(made.path)\n".write(to: folder.appendingPathComponent("arguments"), atomically: true, encoding: .utf8)
      try "int f(void);\n".write(to: folder.appendingPathComponent(name), atomically: true, encoding: .utf8)
      for compiler in [["gcc"], ["clang"]] {
        var request = HeaderRequest(headers: [name], include: [folder.path], options: [])
        request.compilers = [compiler]
        guard compiler == ["gcc"] || CCompiler.clang.available else { continue }
        #expect(try CDeclarations(request).functions.names == ["f"], "\(name)")
      }
    }
    let arguments = "@" + folder.appendingPathComponent("arguments").path
    #expect(throws: InvocationError.self) { try CDeclarations(header: arguments) }
    #expect(try CDeclarations(headers: ["stdio.h"], include: [arguments, "-", "-o\(made.path)", "=x"]).functions["puts"] != nil)
    #expect(!FileManager.default.fileExists(atPath: made.path))
    for name in ["a\"b.h", "a\nb.h", "a\\b.h", "x\"\n#include \"/etc/passwd", "\u{7F}"] {
      let error = try #require(throws: InvocationError.self) { try CDeclarations(header: name) }
      #expect(error.code == .headerNotRead && error.reason.contains("the name of a header contains"))
    }
    let wrong = try #require(throws: InvocationError.self) { try CDeclarations(header: "plus.h", include: [folder.path]) }
    #expect(wrong.code == .malformedDeclaration && wrong.reason.contains("plus.h:2:1: 'class' is C++"))
    // Only a file that is missing is in a package that may be missing.
    try "#error needs WIDTH\n".write(to: folder.appendingPathComponent("needs.h"), atomically: true, encoding: .utf8)
    let needs = try #require(throws: InvocationError.self) { try CDeclarations(header: "needs.h", include: [folder.path]) }
    #expect(needs.code == .headerNotRead && needs.reason.contains("needs WIDTH") && !needs.reason.contains("-dev"))
  }
}
