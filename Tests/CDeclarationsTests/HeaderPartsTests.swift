@_spi(Tools) @testable import DeclarationReading
import DynamicInvocation
import TestSupport
import Testing

@testable import CDeclarations

/// Which declarations of a preprocessed source are a header's own.
@Suite(.measured) struct HeaderPartsTests {
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

  @Test("The names that a header declares and defines, and the same for each header that is named")
  func names() throws {
    let whole = try CDeclarations(source: Array(Self.source.utf8), skipsFailures: true)
    let own: Set = [
      "VERSION", "LIMIT", "LEAST", "MOST", "RATIO", "NOWHERE", "PART", "CALL", "WORD", "handle", "f", "local", "g", "table", "more",
    ]
    #expect(whole.ownNames(headerCount: 1) == own)
    #expect(whole.ownNames(headerCount: 2) == own.union(["FIRST"]))
    #expect(whole.ownNames(headerCount: 0).isEmpty)
  }

  @Test(
    "Files of the folder of a header belong to it, but files of the system's folders do not",
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
