/// The types whose encodings are asked of the compiler.
extension CompilerEncodingTests {
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
}
