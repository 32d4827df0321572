/// The types whose encodings are asked of the compiler.
extension CompilerEncodingTests {
  /// A C or C++ type.
  struct Row: Sendable {
    let type: String
    /// What clang writes, when it is the same for every runtime and worth pinning down.
    var encoding: String?
    /// Whether the encoding leaves something out that takes room, so that sizes cannot agree.
    var losesSize = false

    init(_ type: String, _ encoding: String? = nil, losesSize: Bool = false) {
      self.type = type
      self.encoding = encoding
      self.losesSize = losesSize
    }
  }

  static let declarations = """
    #include <stddef.h>
    #include <stdarg.h>
    #include <stdint.h>
    #include <stdlib.h>
    #include <time.h>
    #ifdef __cplusplus
    #define _Bool bool
    extern "C"
    #endif
    void __objc_load(void *unused) {}
    struct Point { double x, y; };
    struct Rect { struct Point origin; struct Point size; };
    struct List { struct List *next; struct List **last; int value; };
    struct Bits { int a:3; int :0; signed char b:2; _Bool c:1; unsigned long long d:40; };
    struct Flags { unsigned int a:3; unsigned int b:5; unsigned int :0; unsigned int c:1; unsigned long long d:40; };
    struct Tail { short kind; signed char text[]; };
    struct Anonymous { struct { short s; signed char c; }; union { int i; float f; }; };
    struct Functions { int (*compare)(const void *, const void *); void (*handlers[3])(int); };
    struct Wide { signed char c; long double d; __int128 t; };
    struct Opaque;
    union Number { signed char c[5]; int i; double d; };
    enum Small { one, two };
    struct Mixed { signed char c; union Number n[2]; struct Bits b; };
    #ifdef __OBJC__
    struct Objects { __unsafe_unretained id a, b[2]; SEL c; __unsafe_unretained Class d; void (^e)(int); };
    #endif

    """

  static let cTypes = [
    Row("char"), Row("signed char", "c"), Row("unsigned char", "C"), Row("short", "s"), Row("unsigned short", "S"), Row("int", "i"),
    Row("unsigned", "I"), Row("long", "q"), Row("unsigned long", "Q"), Row("long long", "q"), Row("unsigned long long", "Q"),
    Row("__int128", "t"), Row("unsigned __int128", "T"), Row("float", "f"), Row("double", "d"), Row("long double", "D"), Row("_Bool", "B"),
    Row("_Complex float", "jf"), Row("_Complex double", "jd"), Row("_Complex long double", "jD"), Row("_Float16", " "), Row("size_t", "Q"),
    Row("wchar_t"), Row("int8_t", "c"), Row("enum Small"), Row("char *", "*"), Row("const char *", "r*"), Row("char **", "^*"),
    Row("const int *", "r^i"), Row("int *const *", "^^i"), Row("void *", "^v"), Row("int (*)(int)", "^?"), Row("int[4]", "[4i]"),
    Row("int[2][3]", "[2[3i]]"), Row("struct Point", "{Point=dd}"), Row("struct Rect", "{Rect={Point=dd}{Point=dd}}"),
    Row("struct Rect *", "^{Rect={Point=dd}{Point=dd}}"), Row("struct Rect **", "^^{Rect}"), Row("struct List", "{List=^{List}^^{List}i}"),
    Row("struct Bits"), Row("struct Flags"), Row("struct Tail", "{Tail=s[0c]}"), Row("struct Anonymous", "{Anonymous={?=sc}(?=if)}"),
    Row("struct Functions", "{Functions=^?[3^?]}"), Row("struct Wide", "{Wide=cDt}"), Row("struct Opaque *", "^{Opaque=}"),
    Row("union Number", "(Number=[5c]id)"), Row("struct Rect[3]", "[3{Rect={Point=dd}{Point=dd}}]"), Row("va_list"), Row("div_t"),
    Row("struct tm"), Row("struct timespec"), Row("struct Mixed"),
  ]

  static let cOnlyTypes = [Row("_Atomic int", "Ai"), Row("_Atomic(void *)", "A^v")]

  static let objectiveCTypes = [
    Row("id", "@"), Row("Class", "#"), Row("SEL", ":"), Row("void (^)(int)", "@?"), Row("struct Objects", "{Objects=@[2@]:#@?}"),
  ]

  static let cxxDeclarations = """
    template <class A, class B> struct Pair { A a; B b; bool operator<(const Pair &) const { return false; } };
    template <int N, char C> struct Named { signed char x[N]; };
    template <class T> struct Box { T value; };
    namespace { struct Hidden { int i; double d; }; }
    namespace outer { namespace inner { struct Nested { short s; }; template <void (*F)(int)> struct Caller { int i; }; } }
    template <bool (*F)(outer::inner::Nested, outer::inner::Nested)> struct Sorted { int i; };
    template <bool (Pair<int, int>::*F)(const Pair<int, int> &) const> struct Less { int i; };
    bool operator<(outer::inner::Nested, outer::inner::Nested) { return false; }
    bool operator>(outer::inner::Nested, outer::inner::Nested) { return false; }
    bool operator>>(outer::inner::Nested, outer::inner::Nested) { return false; }
    bool operator<<(outer::inner::Nested, outer::inner::Nested) { return false; }
    bool operator==(outer::inner::Nested, outer::inner::Nested) { return false; }
    void call(int) {}
    struct Virtual { virtual ~Virtual(); int i; };
    struct Derived : Pair<int, signed char> { long l; };
    struct Empty {};
    struct FromEmpty : Empty { int i; };
    auto lambda = [](int) {};

    """

  static let cxxTypes = [
    Row("Pair<int, double>", "{Pair<int, double>=id}"), Row("Pair<Pair<char, short>, Pair<float, int *>>"),
    Row("Pair<int (*)(char), void *>"),
    Row("Named<2, '('>", "{Named<2, '('>=[2c]}"), Row("Named<3, ')'>"), Row("Named<4, '<'>"), Row("Named<5, '>'>"), Row("Named<6, '{'>"),
    Row("Named<7, '}'>"), Row("Named<8, '='>"), Row("Named<9, '\"'>"), Row("Named<1, '\\''>"), Row("Named<2, '\\\\'>"),
    Row("Named<3, '\\x7f'>"),
    Row("Named<4, '['>"), Row("Hidden", "{Hidden=id}"), Row("Box<Hidden>"), Row("Pair<Hidden, Hidden *>"),
    Row("outer::inner::Nested", "{Nested=s}"),
    Row("outer::inner::Caller<&call>"), Row("Sorted<&operator< >"), Row("Sorted<&operator> >"), Row("Sorted<(&operator>>)>"),
    Row("Sorted<&operator<< >"), Row("Sorted<&operator== >"), Row("Less<&Pair<int, int>::operator< >"), Row("Virtual", "{Virtual=^^?i}"),
    Row("Derived", "{Derived=icq}"), Row("FromEmpty", "{FromEmpty=i}"), Row("Empty", "{Empty=}", losesSize: true), Row("Box<int[3]>"),
    Row("Box<decltype(lambda)>", losesSize: true), Row("Box<int Pair<int, int>::*>", losesSize: true), Row("bool", "B"),
    Row("char16_t", "S"),
    Row("char32_t", "I"), Row("wchar_t"), Row("Box<char16_t>"), Row("Pair<bool, Pair<long double, Box<Pair<int, char>>>>"),
  ]
}
