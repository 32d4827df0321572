@testable import DeclarationReading
import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations

/// The declarations of a header as a text that needs no preprocessor.
@Suite(.measured) struct HeaderExcerptTests {
  private static let source = """
    # 0 "<built-in>"
    #define __linux__ 1
    # 0 "<command-line>"
    # 1 "/usr/include/stdc-predef.h" 1 3 4
    #define PREDEFINED 1
    # 0 "<command-line>" 2
    # 1 "/opt/first.h" 1
    #define FIRST 1
    # 0 "<command-line>" 2
    # 1 "/opt/own/own.h" 1
    # 1 "/usr/include/sys.h" 1 3 4
    typedef unsigned long word;
    typedef long unused;
    struct hidden { word a; };
    enum base { SIZE = 4 };
    int other(void);
    #define OTHER 9
    #pragma pack(push, 2)
    struct packed { char c; int i; };
    #pragma pack(pop)
    # 3 "/opt/own/own.h" 2
    #define VERSION "1.0 \\"a\\" ?\\n"
    #define LIMIT (SIZE * 2)
    #define LEAST (-9223372036854775807LL - 1)
    #define MOST 0xFFFFFFFFFFFFFFFF
    #define RATIO -0.5
    #define NOWHERE ((void *)-1)
    #define PART 0.1f
    #define CALL(x) f(x)
    #define WORD word
    typedef struct hidden *handle;
    word f(handle h, char buffer[SIZE]) __attribute__((nonnull(1)));
    static inline word local(handle h) { return h->a; }
    extern word g(struct packed) __asm__("real_g"), *table;
    foo bad(int);
    # 1 "/opt/own/detail/more.h" 1
    int more(__typeof__(table));
    # 9 "/opt/own/own.h" 2
    # 1 "/opt/other.h" 1
    int unrelated(void);
    # 10 "/opt/own/own.h" 2
    # 0 "<command-line>" 2
    # 1 "/dev/null"

    """

  private func read() throws -> CDeclarations { try CDeclarations(source: Array(Self.source.utf8), skipsFailures: true) }

  @Test("It contains what the header declares and the types that it uses, and nothing else")
  func contents() throws {
    let whole = try read()
    let excerpt = whole.excerpt(headerCount: 1)
    #expect(excerpt.functions == ["f", "g", "more"])
    #expect(excerpt.constants == ["VERSION", "LIMIT", "LEAST", "MOST", "RATIO", "NOWHERE", "PART"])
    let written = try CDeclarations(excerpt.text)
    for name in excerpt.functions {
      let (function, expected) = (try #require(written.functions[name]), try #require(whole.functions[name]))
      #expect(try function.types == expected.types && function.symbol == expected.symbol)
    }
    for name in excerpt.constants + ["SIZE"] {
      #expect(written.constants[name] == whole.constants[name] && written.constants[name] != nil, "\(name)")
    }
    #expect(try written.types["struct packed"]?.encoding.size == 6)
    #expect(written.functions.names == ["f", "g", "more"] && written.variables.names == ["table"])
    #expect(Set(written.types.names) == ["word", "handle", "struct hidden", "struct packed", "enum base"])
    #expect(written.constants["OTHER"] == nil)
    // A float stays one: it is not the sum of two doubles.
    #expect(try CDeclarations(excerpt.text + "\n#define SUM (PART + 0.2f)\n").constants["SUM"] == .floatingPoint(Double(Float(0.1) + 0.2)))
  }

  @Test("Each header that is named is in it")
  func headers() throws {
    let whole = try read()
    #expect(whole.excerpt(headerCount: 2).constants.first == "FIRST")
    let none = whole.excerpt(headerCount: 0)
    #expect(none.functions.isEmpty && none.constants.isEmpty && none.text.isEmpty)
  }

  @Test(
    "Files of the folder of a header belong to it, but not those of the folders of the system",
    arguments: [
      ("/opt/own/own.h", "/opt/own/own.h", true), ("/opt/own/a/b.h", "/opt/own/own.h", true), ("/opt/owner.h", "/opt/own/own.h", false),
      ("/usr/include/zconf.h", "/usr/include/zlib.h", false), ("/usr/include/openssl/bio.h", "/usr/include/openssl/ssl.h", true),
      ("/usr/include/x86_64-linux-gnu/bits/mathcalls.h", "/usr/include/math.h", true),
      ("/usr/include/x86_64-linux-gnu/sys/time.h", "/usr/include/x86_64-linux-gnu/a.h", false), ("b.h", "a.h", false),
      ("include/b.h", "include/a.h", true),
    ])
  func folders(file: String, header: String, isIncluded: Bool) {
    #expect(HeaderParts.belongs(file, to: header) == isIncluded)
  }
}
