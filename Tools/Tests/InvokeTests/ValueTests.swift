#if os(Linux)
  import Testing
  import TestSupport

  /// Values of every type through functions that a C compiler made, by value and in buffers.
  @Suite(.measured) struct ValueTests {
    static let source = """
      #include <complex.h>
      #include <stdbool.h>
      #include <stdint.h>
      #include <stddef.h>
      #define SAME(name, type) type name(type value) { return value; }
      SAME(same_c, signed char) SAME(same_C, unsigned char) SAME(same_s, short) SAME(same_S, unsigned short)
      SAME(same_i, int) SAME(same_I, unsigned) SAME(same_q, long long) SAME(same_Q, unsigned long long)
      SAME(same_t, __int128) SAME(same_T, unsigned __int128) SAME(same_f, float) SAME(same_d, double)
      SAME(same_D, long double) SAME(same_B, bool) SAME(same_string, char *) SAME(same_pointer, void *)
      SAME(same_jf, float complex) SAME(same_jd, double complex)
      struct point { double x, y; };
      struct rect { struct point origin; struct point size; };
      SAME(same_rect, struct rect)
      struct mixed { char c; struct point p[2]; const char *name; unsigned char tail[3]; };
      SAME(same_mixed, struct mixed)
      struct bits { unsigned a : 3; int b : 5; unsigned c : 24; long long d : 40; unsigned e : 1; };
      SAME(same_bits, struct bits)
      int bits_sum(struct bits v) { return v.a + 10 * v.b + v.c + (int)v.d + 1000 * v.e; }
      union number { int i; double d; char bytes[8]; };
      SAME(same_union, union number)
      double union_double(union number v) { return v.d; }
      struct tagged { int tag; union number value; };
      SAME(same_tagged, struct tagged)
      struct pair { __int128 big; long double number; };
      SAME(same_pair, struct pair)
      typedef float vector4 __attribute__((vector_size(16)));
      typedef float vector2 __attribute__((vector_size(8)));
      SAME(same_vector2, vector2)
      void double_vector(vector4 *v) { *v += *v; }
      void swap_points(struct point *points, size_t count) {
        for (size_t i = 0; i < count; i++) { double x = points[i].x; points[i].x = points[i].y; points[i].y = x; }
      }
      int sum_array(int values[4]) { int sum = 0; for (int i = 0; i < 4; i++) { sum += values[i]; values[i] = -values[i]; } return sum; }
      static const char *const words[] = {"one", "two"};
      void fill_words(const char **out, size_t count) { for (size_t i = 0; i < count; i++) out[i] = i < 2 ? words[i] : NULL; }
      size_t first_length(const char **in) { size_t n = 0; while (in[0][n]) n++; return n; }
      void set_bits(struct bits *v) { v->a = 5; v->b = -6; v->c = 1000; v->d = -70000000000LL; v->e = 1; }
      void negate(bool *values, size_t count) { for (size_t i = 0; i < count; i++) values[i] = !values[i]; }
      const char *selector_name(void *target, const char *selector) { return selector; }
      int is_null(void *pointer) { return pointer == NULL; }
      struct objects { void *object, *type, *selector, *block; };
      SAME(same_objects, struct objects)
      size_t text_length(const char *text) { size_t n = 0; while (text[n]) n++; return n; }
      int twice(int value) { return 2 * value; }
      int apply(int (*function)(int), int value) { return function ? function(value) : -1; }
      struct functions { int (*first)(int), (*second)(int); };
      int apply_both(struct functions both, int value) { return both.second(both.first(value)); }
      int ascending(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
      extern void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
      void qsort_ints(int *values, size_t count, int (*order)(const void *, const void *)) { qsort(values, count, sizeof *values, order); }
      """

    /// A rectangle whose encoding has the names of its members.
    private static let named =
      #"{r=\"origin\"{p=\"x\"d\"y\"d}\"size\"{p=dd}}"#

    /// A function, its types, arguments, and the answer.
    static let calls: [(symbol: String, types: String, arguments: String, answer: String)] = [
      ("same_c", "cc", "[-128]", "-128"), ("same_C", "CC", "[255]", "255"), ("same_s", "ss", "[-32768]", "-32768"),
      ("same_S", "SS", "[65535]", "65535"), ("same_i", "ii", "[-2147483648]", "-2147483648"),
      ("same_I", "II", "[4294967295]", "4294967295"),
      ("same_q", "qq", "[-9223372036854775808]", "-9223372036854775808"), ("same_q", "qq", "[9223372036854775807]", "9223372036854775807"),
      ("same_q", "qq", "[9007199254740993]", "9007199254740993"), ("same_Q", "QQ", "[18446744073709551615]", "18446744073709551615"),
      ("same_Q", "QQ", "[18446744073709551615.0]", "18446744073709551615"), ("same_q", "qq", "[1.0]", "1"),
      ("same_q", "qq", "[-12e2]", "-1200"),
      ("same_q", "qq", "[-0]", "0"), ("same_q", "qq", "[-0.0]", "0"), ("same_q", "qq", "[120e-1]", "12"),
      (
        "same_t", "tt", "[\"-170141183460469231731687303715884105728\"]", "\"-170141183460469231731687303715884105728\""
      ), ("same_t", "tt", "[-170141183460469231731687303715884105728]", "\"-170141183460469231731687303715884105728\""),
      ("same_T", "TT", "[\"340282366920938463463374607431768211455\"]", "\"340282366920938463463374607431768211455\""),
      ("same_f", "ff", "[0.1]", "0.1"), ("same_f", "ff", "[16777216]", "16777216.0"), ("same_f", "ff", "[\"-inf\"]", "\"-inf\""),
      // Halfway between two floats but for a digit that a double cannot hold.
      ("same_f", "ff", "[1.000000178813934326171874999999999]", "1.0000001"), ("same_d", "dd", "[0.1]", "0.1"),
      ("same_d", "dd", "[1e308]", "1e+308"), ("same_d", "dd", "[5e-324]", "5e-324"), ("same_d", "dd", "[-0.0]", "-0.0"),
      ("same_d", "dd", "[\"nan\"]", "\"nan\""), ("same_d", "dd", "[\"inf\"]", "\"inf\""),
      ("same_d", "dd", "[9007199254740992]", "9007199254740992.0"),
      ("same_D", "DD", "[\"0.1\"]", "\"0.1\""), ("same_D", "DD", "[0.1]", "\"0.1\""),
      ("same_D", "DD", "[18446744073709551615]", "\"18446744073709551615.0\""),
      ("same_D", "DD", "[\"1e4000\"]", "\"1e+4000\""), ("same_D", "DD", "[\"nan\"]", "\"nan\""), ("same_B", "BB", "[true]", "true"),
      ("same_B", "BB", "[false]", "false"),
      ("same_string", "**", "[\"a \\\"b\\\" \\\\ \\n\\u00e9\\u0001\"]", "\"a \\\"b\\\" \\\\ \\né\\u0001\""),
      ("same_string", "**", "[null]", "null"), ("same_string", "**", "[\"\"]", "\"\""),
      ("same_pointer", "^v^v", "[\"0xDEADbeef\"]", "\"0xdeadbeef\""),
      ("same_pointer", "@@", "[null]", "null"), ("same_pointer", "##", "[null]", "null"),
      ("same_pointer", "^?^?", "[\"0x10\"]", "\"0x10\""),
      ("same_pointer", "^v^v", "[\"0xffffffffffffffff\"]", "\"0xffffffffffffffff\""), ("same_pointer", "*:", "[\"do:it:\"]", "\"do:it:\""),
      ("same_pointer", "::", "[null]", "null"), ("same_jf", "jfjf", "[[1.5,-2]]", "[1.5,-2.0]"),
      ("same_jd", "jdjd", "[[1e300,\"inf\"]]", "[1e+300,\"inf\"]"),
      ("same_rect", "{r={p=dd}{p=dd}}{r={p=dd}{p=dd}}", "[[[1,2],[3,4.5]]]", "[[1.0,2.0],[3.0,4.5]]"),
      (
        "same_mixed", "{m=c[2{p=dd}]*[3C]}{m=c[2{p=dd}]*[3C]}", "[[-1,[[1,2],[3,4]],\"name\",[7,8,9]]]",
        "[-1,[[1.0,2.0],[3.0,4.0]],\"name\",[7,8,9]]"
      ),
      (
        "same_mixed", "{m=c[2{p=dd}]*[3C]}{m=c[2{p=dd}]*[3C]}", "[[0,[[0,0],[0,0]],null,[0,0,0]]]", "[0,[[0.0,0.0],[0.0,0.0]],null,[0,0,0]]"
      ),
      (
        "same_bits", "{b=b0I3b3i5b8I24b64q40b104I1}{b=b0I3b3i5b8I24b64q40b104I1}", "[[7,-16,16777215,-549755813888,1]]",
        "[7,-16,16777215,-549755813888,1]"
      ), ("bits_sum", "i{b=b0I3b3i5b8I24b64q40b104I1}", "[[7,-16,500,-3,1]]", "1344"),
      ("same_union", "(n=id[8c])(n=id[8c])", "[{\"member\":1,\"value\":2.5}]", "{\"member\":1,\"value\":2.5}"),
      ("union_double", "d(n=id[8c])", "[{\"value\":[0,0,0,0,0,0,4,64],\"member\":2}]", "2.5"),
      ("same_tagged", "{t=i(n=id[8c])}{t=i(n=id[8c])}", "[[7,{\"member\":1,\"value\":-1}]]", "[7,{\"member\":1,\"value\":-1.0}]"),
      ("same_pair", "{p=tD}{p=tD}", "[[\"-5\",\"0.25\"]]", "[\"-5\",\"0.25\"]"), ("same_vector2", "<2f><2f>", "[[1,2]]", "[1.0,2.0]"),
      ("double_vector", "v^<4f>", "[[[1,2,3,4]]]", "null,\"buffers\":{\"0\":[[2.0,4.0,6.0,8.0]]}"),
      ("swap_points", "v^{p=dd}Q", "[[[1,2],[3,4]],2]", "null,\"buffers\":{\"0\":[[2.0,1.0],[4.0,3.0]]}"),
      ("sum_array", "i[4i]", "[[1,2,3,4]]", "10,\"buffers\":{\"0\":[-1,-2,-3,-4]}"),
      ("fill_words", "v^*Q", "[[null,null,\"x\"],3]", "null,\"buffers\":{\"0\":[\"one\",\"two\",null]}"),
      ("first_length", "Q^*", "[[\"four\",null]]", "4,\"buffers\":{\"0\":[\"four\",null]}"),
      (
        "set_bits", "v^{b=b0I3b3i5b8I24b64q40b104I1}", "[[[0,0,0,0,0]]]", "null,\"buffers\":{\"0\":[[5,-6,1000,-70000000000,1]]}"
      ), ("negate", "v^BQ", "[[true,false],2]", "null,\"buffers\":{\"0\":[false,true]}"),
      // A method's target and selector are arguments like any other, a null target too.
      ("selector_name", "*@:", "[null,\"area\"]", "\"area\""), ("selector_name", "*^v:", "[null,\"area\"]", "\"area\""),
      // What refers to an object is an address that nothing follows, neither of an argument nor of a result.
      ("same_pointer", "@@", "[\"0x1234\"]", "\"0x1234\""), ("same_pointer", "##", "[\"0x1235\"]", "\"0x1235\""),
      ("same_pointer", "::", "[\"0x1236\"]", "\"0x1236\""), ("same_pointer", "@?@?", "[\"0x1237\"]", "\"0x1237\""),
      ("same_pointer", "@\\\"Some\\\"@", "[\"0xfffffffffffffff1\"]", "\"0xfffffffffffffff1\""),
      ("same_objects", "{O=@#:@?}{O=@#:@?}", "[[\"0x1\",\"0x2\",\"0x3\",null]]", "[\"0x1\",\"0x2\",\"0x3\",null]"),
      // Members by name, in any order. The result is an array, on which scripts depend.
      ("same_rect", "\(Self.named)\(Self.named)", "[{\"size\":[3,4],\"origin\":{\"y\":2,\"x\":1}}]", "[[1.0,2.0],[3.0,4.0]]"),
      ("swap_points", "v^{p=\\\"x\\\"d\\\"y\\\"d}Q", "[[{\"x\":1,\"y\":2}],1]", "null,\"buffers\":{\"0\":[[2.0,1.0]]}"),
      ("union_double", "d(n=\\\"i\\\"i\\\"d\\\"d)", "[{\"d\":2.5}]", "2.5"),
      ("union_double", "d(n=\\\"i\\\"i\\\"d\\\"d)", "[{\"member\":1,\"value\":2.5}]", "2.5"),
      // Hexadecimal numbers, for every integer and every floating-point number by one rule.
      ("same_c", "cc", "[\"-0x80\"]", "-128"), ("same_C", "CC", "[\"0xff\"]", "255"), ("same_I", "II", "[\"0XFFFFFFFF\"]", "4294967295"),
      ("same_q", "qq", "[\"-0x8000000000000000\"]", "-9223372036854775808"),
      ("same_T", "TT", "[\"0xffffffffffffffffffffffffffffffff\"]", "\"340282366920938463463374607431768211455\""),
      ("same_bits", "{b=b0I3b3i5b8I24b64q40b104I1}{b=b0I3b3i5b8I24b64q40b104I1}", "[[\"0x7\",\"-0x10\",0,0,\"0x1\"]]", "[7,-16,0,0,1]"),
      ("same_f", "ff", "[\"0x1p-3\"]", "0.125"), ("same_d", "dd", "[\"0x1p-3\"]", "0.125"), ("same_D", "DD", "[\"0x1p-3\"]", "\"0.125\""),
      ("same_d", "dd", "[\"-0x1.8p1\"]", "-3.0"), ("same_d", "dd", "[\"0x10\"]", "16.0"),
      // Rounded, as a decimal number with a point is.
      ("same_f", "ff", "[\"0x1.0000001p0\"]", "1.0"),
      // Texts where memory is wanted, addresses where a text is.
      ("text_length", "Q^v", "[\"h\\u00e9llo\"]", "6"), ("text_length", "Qr^v", "[\"\"]", "0"), ("text_length", "Q^c", "[\"four\"]", "4"),
      ("text_length", "Q^C", "[\"four\"]", "4"), ("text_length", "Qr*", "[\"0x10\"]", "4"), ("text_length", "Q{S=^v}", "[[\"four\"]]", "4"),
      ("is_null", "i*", "[{\"address\":\"0x10\"}]", "0"), ("is_null", "i*", "[{\"address\":null}]", "1"),
      // A function of the library, of another one, or none.
      ("apply", "i^?i", "[\"twice\",21]", "42"), ("apply", "i^?i", "[\"libc.so.6:abs\",-7]", "7"), ("apply", "i^?i", "[null,5]", "-1"),
      ("apply_both", "i{F=^?^?}i", "[[\"twice\",\"-:abs\"],-4]", "8"),
      ("qsort_ints", "v^iQ^?", "[[3,1,2],3,\"ascending\"]", "null,\"buffers\":{\"0\":[1,2,3]}"),
      ("is_null", "i^i", "[[]]", "0,\"buffers\":{\"0\":[]}"), ("is_null", "i^i", "[null]", "1"), ("is_null", "i[4i]", "[null]", "1"),
      ("is_null", "i*", "[[65,-1,255]]", "0,\"buffers\":{\"0\":[65,255,255]}"),
      ("is_null", "ir^v", "[{\"C\":[255]}]", "0,\"buffers\":{\"0\":[255]}"),
      // A union may hold another member than the text it is shown as: following that one ended the process.
      ("is_null", "i^(U=*Q)", "[[{\"member\":1,\"value\":1}]]", "0,\"buffers\":{\"0\":[{\"member\":0,\"value\":\"0x1\"}]}"),
      (
        "is_null", "i^(U={S=[1*]}:Q)", "[[{\"member\":2,\"value\":255}]]",
        "0,\"buffers\":{\"0\":[{\"member\":0,\"value\":[[\"0xff\"]]}]}"
      ),
      // A bit-field as wide as its type, with every bit set, ended it too.
      (
        "is_null", "i^{S=b0T128b128t128}",
        "[[[340282366920938463463374607431768211455,-170141183460469231731687303715884105728]]]",
        "0,\"buffers\":{\"0\":[[\"340282366920938463463374607431768211455\",\"-170141183460469231731687303715884105728\"]]}"
      ),
      // As a whole 128-bit integer it is a string both ways, even if it is small.
      (
        "is_null", "i^{S=b0T65b65t63}", "[[[\"36893488147419103231\",-5]]]",
        "0,\"buffers\":{\"0\":[[\"36893488147419103231\",-5]]}"
      ),
    ]

    @Test(arguments: CCompiler.all.filter(\.available)) func passesValues(compiler: CCompiler) throws {
      let library = try compiler.sharedLibrary(source: Self.source, flags: ["-O1"])
      let answers = try Program.batch(Self.calls.map { request(library, $0.symbol, $0.types, $0.arguments) })
      try #require(answers.count == Self.calls.count)
      for (call, answer) in zip(Self.calls, answers) {
        #expect(answer == "{\"result\":\(call.answer)}", "\(call.symbol) \(call.types) \(call.arguments)")
      }
    }
  }
#endif
