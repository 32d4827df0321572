@testable import DeclarationReading
import Foundation
import TestSupport
import Testing

@testable import CDeclarations
@testable import DynamicInvocation

/// Headers that were read are stored as images, of which parts are read.
@Suite struct HeaderCacheTests {
  /// A header in a folder of its own, and the cache for it.
  private final class Fixture {
    let folder: URL
    let header: URL
    let request: HeaderRequest
    let cache: HeaderCache

    init(_ text: String) throws {
      folder = FileManager.default.temporaryDirectory.appendingPathComponent("header-tests-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      header = folder.appendingPathComponent("own.h")
      try text.write(to: header, atomically: true, encoding: .utf8)
      // A file that was just written may change without a change of its time.
      usleep(50_000)
      var request = HeaderRequest(headers: [header.path], include: [], options: [])
      request.compilers = [["gcc"]]
      self.request = request
      cache = try #require(HeaderCache(request, folder: folder.appendingPathComponent("cache").path))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }
  }

  /// Declarations of each kind, in more than a page.
  private static let text =
    "#define LIMIT (BASE + 2)\n#define BASE 40\n#define TWICE(x) (2 * (x))\n"
    + "typedef struct a a; typedef struct b { a *next; } b; struct a { b first; int x[3]; }; enum { ONE = 1, TWO };\n"
    + (0..<100).map { "int function\($0)(struct a value, b *other, unsigned long long count\($0));\n" }.joined()
    + "int own(int);\nextern double variable;\nfoo skipped(void);\n"

  /// What declarations say.
  private static func summary(_ declarations: CDeclarations) -> [String] {
    var lines = declarations.functions.names.map { "\($0): \(String(describing: try? declarations.functions[$0]?.types.text()))" }
    lines += declarations.functions.names.map { declarations.functions[$0]?.declaration ?? "none" }
    lines += declarations.types.names.map { "\($0): \(String(describing: try? declarations.types[$0]?.encoding.text(dialect: .gnu)))" }
    lines += declarations.constants.enumerators + declarations.variables.names
    lines += declarations.constants.macros.filter { !$0.hasPrefix("_") }
    lines += ["LIMIT", "TWO", "ABSENT"].map { "\($0): \(String(describing: declarations.constants[$0]))" }
    lines += declarations.skipped.map { "\($0) \($0.declaration)" }
    return lines
  }

  @Test("An image that is shortened or random is not opened, whatever its length")
  func otherBytes() throws {
    let image = try CDeclarations(source: Array(Self.text.utf8), skipsFailures: true).image(attachment: [1, 2, 3])
    #expect(CDeclarations(image: image)?.attachment == [1, 2, 3])
    for length in stride(from: 0, to: image.count, by: 97) {
      #expect(CDeclarations(image: Array(image.prefix(length))) == nil)
      #expect(CDeclarations(image: Array(image.suffix(length))) == nil)
    }
    #expect(CDeclarations(image: image + [0]) == nil)
    var generator = SystemRandomNumberGenerator()
    for length in 0..<300 {
      let random = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
      #expect(CDeclarations(image: random) == nil)
      // The magic number and the length, and nothing else.
      var footer = image.suffix(72)
      for index in footer.indices.dropFirst(16) { footer[index] = UInt8.random(in: 0...255, using: &generator) }
      #expect(CDeclarations(image: random + footer) == nil)
    }
  }

  @Test("A damaged byte anywhere is found when it is read, and the headers are read again")
  func damage() throws {
    let declarations = try CDeclarations(source: Array(Self.text.utf8), skipsFailures: true)
    let expected = Self.summary(declarations)
    let image = declarations.image(attachment: [1, 2, 3])
    #expect(Self.summary(try #require(CDeclarations(image: image))) == expected)
    for index in stride(from: 0, to: image.count, by: 613) {
      var damaged = image
      damaged[index] ^= UInt8(1 << (index % 8))
      // Damage of the footer and of the checksums is found when the image is opened.
      guard let opened = CDeclarations(image: damaged, reload: { declarations }) else { continue }
      #expect(Self.summary(opened) == expected, "byte \(index)")
      // Without the headers, what is damaged is missing.
      if index % 2 == 0 { _ = Self.summary(try #require(CDeclarations(image: damaged))) }
    }
  }

  @Test("An image whose numbers are wrong, with right checksums, is no crash")
  func wrongNumbers() throws {
    let image = try CDeclarations(source: Array(Self.text.utf8), skipsFailures: true).image(attachment: [])
    let words = (0..<9).map { Int(truncatingIfNeeded: ImageFormat.word(image, image.count - 72 + 8 * $0)) }
    let body = Array(image.prefix(words[7]))
    var generator = SeededGenerator(seed: 7)
    for round in 0..<400 {
      var changed = body
      var parts = [words[2], words[3], words[4], words[5], words[6]]
      if round % 4 == 0 {
        parts[Int.random(in: 0..<5, using: &generator)] =
          [0, 1, -1, .max, .min, body.count, body.count + 1, 1 << 40].randomElement(using: &generator) ?? 0
      } else {
        // In the entries, the names and the slots.
        let index = Int.random(in: words[2]..<words[6], using: &generator)
        changed[index] = UInt8.random(in: 0...255, using: &generator)
      }
      DeclarationImageWriter.seal(&changed, parts, ImageChecksum.of)
      guard let opened = CDeclarations(image: changed) else { continue }
      _ = opened.functions["own"]
      _ = opened.constants["LIMIT"]
      _ = opened.types["b"]
      _ = opened.skipped
      if round % 10 == 1 { _ = Self.summary(opened) }
    }
  }

  @Test("A contradiction to a stored declaration is an error, as to one that was just read")
  func contradictions() throws {
    let read = try CDeclarations(source: Array(Self.text.utf8), skipsFailures: true)
    let stored = try #require(CDeclarations(image: read.image(attachment: [])))
    for declarations in [read, stored] {
      #expect(try declarations.function(declaration: "int own(int value)").types.text() == "ii")
      #expect(try declarations.function(declaration: "int other(enum { NEW } x)").types.text() == "ii")
      for text in [
        "double own(int)", "int f(struct a { int y; } x)", "int f(enum { ONE } x)", "int f(union a x)", "int variable(void)",
      ] {
        let error = try #require(throws: InvocationError.self) { try declarations.function(declaration: text) }
        #expect(error.reason.contains("already") || error.reason.contains("contradicts"), "\(error)")
      }
    }
  }

  @Test("Damage that is found later starts the compiler, and the file is written again")
  func repair() throws {
    guard CCompiler.gcc.available else { return }
    let fixture = try Fixture(Self.text)
    let (cache, request) = (fixture.cache, fixture.request)
    let expected = Self.summary(try CDeclarations(request, cache))
    let whole = try Data(contentsOf: URL(fileURLWithPath: cache.path))
    var bytes = whole
    let text = try #require(bytes.range(of: Data("int own(int);".utf8)))
    bytes[text.lowerBound] ^= 1
    try bytes.write(to: URL(fileURLWithPath: cache.path))
    let stored = try #require(cache.stored())
    #expect(try stored.functions["own"]?.types.text() == "ii")
    #expect(Self.summary(stored) == expected)
    #expect(try Data(contentsOf: URL(fileURLWithPath: cache.path)) == whole)
  }

  @Test("A stored declaration has the text and the types of the header, whatever is read first")
  func storedText() throws {
    guard CCompiler.gcc.available else { return }
    let text = """
      typedef int number;
      typedef struct pair { number a, b; } pair;
      enum color { RED, GREEN };
      number own(number);
      pair make(number, enum color);
      struct late { pair first; enum color color; };
      struct late later(const struct late *);
      """
    let fixture = try Fixture(text)
    let (cache, request) = (fixture.cache, fixture.request)
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
    let fixture = try Fixture("int own(int);\n#define OWN 1\n")
    let (cache, request, header) = (fixture.cache, fixture.request, fixture.header)
    #expect(cache.stored() == nil)
    #expect(try CDeclarations(request, cache).functions["own"]?.types.text() == "ii")
    let stored = try #require(cache.stored())
    #expect(try stored.functions["own"]?.types.text() == "ii" && stored.constants["OWN"]?.int == 1)

    // A file that ends early is noticed, and repaired.
    let bytes = try Data(contentsOf: URL(fileURLWithPath: cache.path))
    for length in [0, 7, 100, bytes.count / 2, bytes.count - 1] {
      try bytes.prefix(length).write(to: URL(fileURLWithPath: cache.path))
      #expect(cache.stored() == nil)
    }
    _ = try CDeclarations(request, cache)
    #expect(cache.stored() != nil)

    try "double own(int);\n".write(to: header, atomically: true, encoding: .utf8)
    #expect(cache.stored() == nil)
    #expect(try CDeclarations(request, cache).functions["own"]?.types.text() == "di")
  }

  @Test("A file of the cache that is shortened or overwritten in place while its declarations are in use changes nothing")
  func shortened() throws {
    guard CCompiler.gcc.available else { return }
    let fixture = try Fixture(Self.text)
    let (cache, request) = (fixture.cache, fixture.request)
    let expected = Self.summary(try CDeclarations(request, cache))
    for length in [0, 100, 5_000] {
      _ = try CDeclarations(request, cache)
      let stored = try #require(cache.stored())
      #expect(stored.functions["own"] != nil)
      let file = try FileHandle(forWritingTo: URL(fileURLWithPath: cache.path))
      try file.truncate(atOffset: UInt64(length))
      #expect(Self.summary(stored) == expected)
      try file.seekToEnd()
      try file.write(contentsOf: Data(repeating: 7, count: 20_000))
      try file.close()
      #expect(Self.summary(stored) == expected)
      #expect(cache.stored() == nil)
    }
  }

  @Test("A file with another time and the same contents does not start the compiler")
  func contents() throws {
    guard CCompiler.gcc.available else { return }
    let text = "int same(int);\n"
    let fixture = try Fixture(text)
    let (cache, request, header) = (fixture.cache, fixture.request, fixture.header)
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

  @Test("A change in any folder is noticed, also in one whose path is long, and the removal of a folder")
  func folders() throws {
    guard CCompiler.gcc.available else { return }
    let fixture = try Fixture("")
    let long = (0..<6).map { String(repeating: "\($0)", count: 200) }.joined(separator: "/")
    let paths = ["a/one.h", "a/two.h", "a/deeper/three.h", "b/four.h", "\(long)/five.h", "\(long)/six.h", "own.h"]
    let files = paths.map { fixture.folder.appendingPathComponent($0) }
    for (index, file) in files.enumerated() {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      let text = index == 6 ? paths.dropLast().map { "#include \"\($0)\"\n" }.joined() : "int function\(index)(int);\n"
      try text.write(to: file, atomically: true, encoding: .utf8)
    }
    usleep(50_000)
    let (cache, request) = (fixture.cache, fixture.request)
    for (index, file) in files.dropLast().enumerated() {
      let declarations = try CDeclarations(request, cache)
      #expect(declarations.functions.names.count == 6)
      #expect(cache.stored() != nil)
      try "double function\(index)(int);\n".write(to: file, atomically: true, encoding: .utf8)
      usleep(50_000)
      #expect(cache.stored() == nil, "\(paths[index].suffix(12))")
      #expect(try CDeclarations(request, cache).functions["function\(index)"]?.types.text() == "di")
    }
    #expect(cache.stored() != nil)
    try FileManager.default.removeItem(at: files[3].deletingLastPathComponent())
    #expect(cache.stored() == nil)
  }

  @Test("The checksum finds a change of any byte, a change of the length and a change of the order")
  func checksums() {
    let bytes = (0..<100).map { UInt8($0) }
    var known: Set<UInt64> = [ImageChecksum.of(bytes)]
    for index in bytes.indices {
      var changed = bytes
      changed[index] ^= 0x80
      #expect(known.insert(ImageChecksum.of(changed)).inserted)
      #expect(known.insert(ImageChecksum.of(Array(bytes.prefix(index)))).inserted)
    }
    #expect(known.insert(ImageChecksum.of(Array(bytes.suffix(50) + bytes.prefix(50)))).inserted)
    #expect(known.insert(ImageChecksum.of(Array(bytes[8..<16] + bytes[0..<8] + bytes[16...]))).inserted)
  }
}
