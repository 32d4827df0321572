import Foundation
import TestSupport
import Testing

@testable import CDeclarations
@testable import DynamicInvocation

/// Headers are read by the compiler's preprocessor, and stored.
@Suite struct HeaderTests {
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

  @Test("Constants are those of the header")
  func constants() throws {
    guard Self.isThere("errno.h") else { return }
    let declarations = try CDeclarations(headers: ["errno.h", "limits.h", "math.h", "stdio.h"], options: ["-D_GNU_SOURCE"])
    #expect(declarations.constants["ENOENT"]?.int == 2 && declarations.constants["INT_MAX"]?.int == Int(Int32.max))
    #expect(declarations.constants["M_PI"]?.double == Double.pi && declarations.constants["EOF"]?.int == -1)
    #expect(declarations.constants["ULONG_MAX"] == .unsigned(.max))
  }

  @Test("A stored declaration has the text and the types of the header, whatever is read first")
  func storedText() throws {
    guard CCompiler.gcc.available else { return }
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = folder.appendingPathComponent("pairs.h")
    let text = """
      typedef int number;
      typedef struct pair { number a, b; } pair;
      enum color { RED, GREEN };
      number own(number);
      pair make(number, enum color);
      struct late { pair first; enum color color; };
      struct late later(const struct late *);
      """
    try text.write(to: header, atomically: true, encoding: .utf8)
    usleep(50_000)
    var request = HeaderRequest(headers: [header.path], include: [], options: [])
    request.compilers = [["gcc"]]
    let cache = try #require(HeaderCache(request, folder: folder.appendingPathComponent("cache").path))
    let read = try CDeclarations(request, cache)
    let names = ["later", "make", "own"]
    for order in [names, names.reversed()] {
      let stored = try #require(cache.stored())
      for name in order {
        let (function, expected) = (try #require(stored.functions[name]), try #require(read.functions[name]))
        #expect(function.declaration == expected.declaration && function.declaration.contains(name))
        #expect(try function.types.text() == expected.types.text())
      }
      for name in ["number", "pair", "struct late", "enum color"] {
        #expect(stored.types[name]?.declaration == read.types[name]?.declaration && read.types[name]?.declaration != nil, "\(name)")
      }
    }
  }

  @Test("What was stored is read again until a file changes")
  func cache() throws {
    guard CCompiler.gcc.available else { return }
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = folder.appendingPathComponent("own.h")
    try "int own(int);\n#define OWN 1\n".write(to: header, atomically: true, encoding: .utf8)
    // A file that was just written may change without a change of its time.
    usleep(50_000)
    var request = HeaderRequest(headers: [header.path], include: [], options: [])
    request.compilers = [["gcc"]]
    let cache = try #require(HeaderCache(request, folder: folder.appendingPathComponent("cache").path))
    #expect(cache.stored() == nil)
    #expect(try CDeclarations(request, cache).functions["own"]?.types.text() == "ii")
    let stored = try #require(cache.stored())
    #expect(try stored.functions["own"]?.types.text() == "ii" && stored.constants["OWN"]?.int == 1)

    // Damage is noticed, and repaired.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: cache.path))
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: URL(fileURLWithPath: cache.path))
    #expect(cache.stored() == nil)
    _ = try CDeclarations(request, cache)
    #expect(cache.stored() != nil)
    for length in [0, 7, 100] {
      try bytes.prefix(length).write(to: URL(fileURLWithPath: cache.path))
      #expect(cache.stored() == nil)
    }

    try "double own(int);\n".write(to: header, atomically: true, encoding: .utf8)
    #expect(cache.stored() == nil)
    #expect(try CDeclarations(request, cache).functions["own"]?.types.text() == "di")
  }

  @Test("A file with another time and the same contents does not start the compiler")
  func contents() throws {
    guard CCompiler.gcc.available else { return }
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let header = folder.appendingPathComponent("same.h")
    let text = "int same(int);\n"
    try text.write(to: header, atomically: true, encoding: .utf8)
    usleep(50_000)
    var request = HeaderRequest(headers: [header.path], include: [], options: [])
    request.compilers = [["gcc"]]
    let cache = try #require(HeaderCache(request, folder: folder.appendingPathComponent("cache").path))
    _ = try CDeclarations(request, cache)
    let before = try Data(contentsOf: URL(fileURLWithPath: cache.path))

    // Another inode and other times.
    try text.write(to: header, atomically: true, encoding: .utf8)
    usleep(50_000)
    #expect(try cache.stored()?.functions["same"]?.types.text() == "ii")
    // The stored stamps are the new ones.
    let after = try Data(contentsOf: URL(fileURLWithPath: cache.path))
    #expect(after != before && after.count == before.count)
    #expect(try cache.stored()?.functions["same"]?.types.text() == "ii")
    #expect(try Data(contentsOf: URL(fileURLWithPath: cache.path)) == after)

    // As many bytes, and others.
    try "int sane(int);\n".write(to: header, atomically: true, encoding: .utf8)
    #expect(cache.stored() == nil)
    try FileManager.default.removeItem(at: header)
    #expect(cache.stored() == nil)
  }

  @Test("The checksum finds a change of any byte, a change of the length and a change of the order")
  func checksums() {
    let bytes = (0..<100).map { UInt8($0) }
    var known: Set<UInt64> = [HeaderCache.checksum(bytes)]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x80
      #expect(known.insert(HeaderCache.checksum(changed)).inserted)
      #expect(known.insert(HeaderCache.checksum(Array(bytes.prefix(index)))).inserted)
    }
    #expect(known.insert(HeaderCache.checksum(Array(bytes.suffix(50) + bytes.prefix(50)))).inserted)
    #expect(known.insert(HeaderCache.checksum(Array(bytes[8..<16] + bytes[0..<8] + bytes[16...]))).inserted)
  }

  @Test("A missing compiler, a missing header and a wrong one are errors that say so")
  func errors() throws {
    var request = HeaderRequest(headers: ["stdio.h"], include: [], options: [])
    request.compilers = [["no-such-compiler"]]
    let missing = try #require(throws: InvocationError.self) { try CDeclarations(request, nil) }
    #expect(missing.code == .headerNotRead && missing.reason.contains("no C compiler was found (no-such-compiler)"))
    #expect(throws: InvocationError.self) { try CDeclarations(header: "") }
    #expect(throws: InvocationError.self) { try CDeclarations(headers: []) }
    guard CCompiler.gcc.available else { return }
    let absent = try #require(throws: InvocationError.self) { try CDeclarations(header: "no/such/header.h") }
    #expect(absent.code == .headerNotRead && absent.reason.contains("no/such/header.h") && absent.reason.contains("-dev"))
    let folder = Self.folder()
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try "int f(void);\nclass A {};\n".write(to: folder.appendingPathComponent("plus.h"), atomically: true, encoding: .utf8)
    let wrong = try #require(throws: InvocationError.self) { try CDeclarations(header: "plus.h", include: [folder.path]) }
    #expect(wrong.code == .malformedDeclaration && wrong.reason.contains("plus.h:2:1: 'class' is C++"))
  }
}
