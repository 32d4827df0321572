#if os(Linux)
  import Foundation
  import TestSupport
  import Testing

  /// Nothing that a batch line contains may end the process.
  @Suite(.measured) struct RobustnessTests {
    /// A line and the kind of error it is answered with; nil for a result.
    static let lines: [(line: String, kind: String?)] = {
      func labs(_ types: String, _ arguments: String, _ more: String = "") -> String {
        request("libc.so.6", "labs", types, arguments, more)
      }
      func many(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }
      return [
        // No JSON.
        ("nul", "malformedRequest"), ("[]", "malformedRequest"), ("5", "malformedRequest"), ("{\"a\":1", "malformedRequest"),
        ("{}{}", "malformedRequest"), ("{\"a\" 1}", "malformedRequest"), ("{\"a\":}", "malformedRequest"), ("[1,]", "malformedRequest"),
        ("[01]", "malformedRequest"), ("[1.]", "malformedRequest"), ("[.5]", "malformedRequest"), ("[1e]", "malformedRequest"),
        ("[-]", "malformedRequest"), ("[+1]", "malformedRequest"), ("[\"\\x\"]", "malformedRequest"), ("[\"a", "malformedRequest"),
        ("[\"a\tb\"]", "malformedRequest"), ("[\"\\u12\"]", "malformedRequest"), ("\u{FEFF}{}", "malformedRequest"),
        ("\"\\ud800\"", "malformedRequest"), ("\"\\udc00\\ud800\"", "malformedRequest"), ("\"\\ud800\\u0041\"", "malformedRequest"),
        (many("[", 100_000), "malformedRequest"), (many("{\"a\":", 100_000), "malformedRequest"), (many(" ", 17_000_000), "limitExceeded"),
        (many("x", 17_000_000), "limitExceeded"),
        // No request.
        (#"{"library":"x","library":"y"}"#, "malformedRequest"), (#"{"library":"libc.so.6"}"#, "malformedRequest"),
        (#"{"library":1,"symbol":"labs","types":"qq"}"#, "malformedRequest"), (labs("qq", "5"), "malformedRequest"),
        (labs("qq", "null"), "malformedRequest"), (labs("qq", "[1]", ",\"fixt\":1"), "malformedRequest"),
        (labs("qq", "[1]", ",\"fixed\":-1"), "malformedRequest"), (labs("qq", "[1]", ",\"fixed\":1e999"), "malformedRequest"),
        (labs("qq", "[1]", ",\"dialect\":\"x\""), "malformedRequest"), (labs("qq", "[1]", ",\"errno\":1"), "malformedRequest"),
        (labs("qq", "[1]", ",\"follow\":1"), "malformedRequest"), (labs("qq", "[1]", ",\"define\":[\"A\"]"), "malformedRequest"),
        (labs("qq", "[1]", ",\"follow\":true"), "unsupportedType"), (labs("qq", "[1]", ",\"packed\":\"S\""), "malformedRequest"),
        (labs("qq", "[1]", ",\"packed\":[1]"), "malformedRequest"),
        (labs("v^{S=i}", "[null]", ",\"packed\":[\"S=x\"]"), "malformedRequest"),
        (labs("v^{S=i}", "[null]", ",\"packed\":[\"S=3\"]"), "outOfRange"),
        (labs("v^{S=i}", "[null]", ",\"aligned\":[\"S\"]"), "malformedRequest"),
        (labs("v^{S=i}", "[null]", ",\"aligned\":[\"S=8192\"]"), "outOfRange"),
        (labs("v^{S=i}", "[null]", ",\"packed\":[\"T\"]"), "typeMismatch"),
        (labs("v^{S=i}", "[null]", ",\"bitfield\":\"d\""), "malformedRequest"),
        (labs("v^{S=i}", "[null]", ",\"bitfield\":\"\""), "malformedRequest"),
        (labs("v^{S=b9}", "[null]", ",\"bitfield\":\"C\""), "malformedEncoding"),
        (#"{"library":"libc.so.6","symbol":"environ","type":"^v","types":"v"}"#, "malformedRequest"),
        (#"{"library":"libc.so.6","symbol":"environ","type":"^v","arguments":[]}"#, "malformedRequest"),
        (#"{"library":"libc.so.6","symbol":"environ","type":"vi"}"#, "malformedEncoding"),
        (#"{"library":"libc.so.6","symbol":"environ","type":"v"}"#, "unsupportedType"),
        (#"{"library":"libc.so.6","symbol":"0x10","type":"v"}"#, "unsupportedType"),
        (#"{"library":"libc.so.6","symbol":"environ","type":"[2147483647c]"}"#, "limitExceeded"),
        // Nothing to call.
        (request("-", "0x", "v", "[]"), "symbolNotFound"), (request("-", "0x0", "v", "[]"), "symbolNotFound"),
        (request("-", "0x1p3", "v", "[]"), "symbolNotFound"), (request("-", "0x10000000000000000", "v", "[]"), "symbolNotFound"),
        (request("libc.so.6", "environ", "v", "[]"), "typeMismatch"), (request("", "labs", "v", "[]"), "libraryNotFound"),
        (request("/nowhere", "labs", "v", "[]"), "libraryNotFound"), (request("lib\\u0000c", "labs", "v", "[]"), "libraryNotFound"),
        (request("libc.so.6", "", "v", "[]"), "symbolNotFound"), (request("libc.so.6", "la\\u0000bs", "v", "[]"), "symbolNotFound"),
        (request("libc.so.6", many("s", 1_000_000), "v", "[]"), "symbolNotFound"),
        (request(many("l", 1_000_000), "labs", "v", "[]"), "libraryNotFound"),
        // Types.
        (labs("", "[]"), "malformedEncoding"), (labs("!", "[]"), "malformedEncoding"), (labs("é", "[]"), "malformedEncoding"),
        (labs("q\\u0000", "[]"), "malformedEncoding"), (labs(many("{", 5000), "[]"), "malformedEncoding"),
        (labs(many("{=", 5000), "[]"), "limitExceeded"), (labs(many("^", 500) + "i", "[]"), "limitExceeded"),
        (labs(many("q", 20_000), "[]"), "limitExceeded"), (labs(many("q", 3_000_000), "[]"), "limitExceeded"),
        (labs("v[99999999999999999999i]", "[]"), "limitExceeded"), (labs("v{S=[2147483647c]}", "[[1]]"), "limitExceeded"),
        (labs("{S=[2147483647c]}", "[]"), "limitExceeded"), (labs("{S=i[2000000000{E=}]}", "[]"), "limitExceeded"),
        (labs("v^(U=c[2000000000c])", #"[[{"member":0,"value":1}]]"#), "limitExceeded"),
        (labs("v(U=c[2000000000c])", #"[{"member":0,"value":1}]"#), "limitExceeded"), (labs("v[2000000000{E=}]", "[[]]"), "limitExceeded"),
        (labs("[3i]", "[]"), "unsupportedType"), (labs("qv", "[1]"), "unsupportedType"), (labs("q{O}", "[[1]]"), "unsupportedType"),
        (labs("qb3", "[1]"), "unsupportedType"), (labs("q?", "[1]"), "unsupportedType"),
        (labs("q!" + "[32,32f]", "[[1,2,3,4,5,6,7,8]]"), "unsupportedType"), (labs("qf", "[1]", ",\"fixed\":0"), "unsupportedType"),
        (labs("qq", "[1]", ",\"fixed\":2"), "outOfRange"),
        // Counts.
        (labs("qq", "[]"), "countMismatch"), (labs("qq", "[1,2]"), "countMismatch"),
        (labs("qq", "[" + many("1,", 1_000_000) + "1]"), "countMismatch"), (labs("v{P=ii}", "[[1,2,3,4]]"), "countMismatch"),
        (labs("v{P=ii}", "[[1,2,3]]"), "countMismatch"), (labs("v[3i]", "[[1,2,3,4]]"), "countMismatch"),
        (labs("vjd", "[[1]]"), "countMismatch"),
        // Numbers.
        (labs("qq", "[1e999]"), "outOfRange"), (labs("qq", "[1e99999999999999999999]"), "outOfRange"),
        (labs("qq", "[1e-99999999999999999999]"), "inexact"), (labs("qq", "[0e99999999999999999999]"), nil),
        (labs("qq", "[" + many("9", 1_000_000) + "]"), "outOfRange"), (labs("qq", "[1" + many("0", 100_000) + "e-100000]"), nil),
        (labs("qd", "[1e999]"), "outOfRange"), (labs("qd", "[-1e999]"), "outOfRange"), (labs("qd", "[1e-999]"), nil),
        (labs("qf", "[1e39]"), "outOfRange"), (labs("qf", "[16777217]"), "inexact"), (labs("qd", "[9007199254740993]"), "inexact"),
        (labs("qd", "[9007199254740993.0]"), nil), (labs("qD", "[\"1e9999\"]"), "outOfRange"), (labs("qc", "[128]"), "outOfRange"),
        (labs("qc", "[-129]"), "outOfRange"), (labs("qC", "[-1]"), "outOfRange"), (labs("qs", "[32768]"), "outOfRange"),
        (labs("qS", "[65536]"), "outOfRange"), (labs("qi", "[2147483648]"), "outOfRange"), (labs("qI", "[4294967296]"), "outOfRange"),
        (labs("qq", "[9223372036854775808]"), "outOfRange"), (labs("qq", "[-9223372036854775809]"), "outOfRange"),
        (labs("qQ", "[18446744073709551616]"), "outOfRange"), (labs("qt", "[\"170141183460469231731687303715884105728\"]"), "outOfRange"),
        (labs("qT", "[\"340282366920938463463374607431768211456\"]"), "outOfRange"), (labs("qT", "[\"-1\"]"), "outOfRange"),
        (labs("qq", "[1.5]"), "inexact"), (labs("qt", "[\"1.5\"]"), "inexact"), (labs("v^{B=b3}", "[[[8]]]"), "outOfRange"),
        (labs("v^{B=b0i3}", "[[[-5]]]"), "outOfRange"), (labs("v^{B=b0i3}", "[[[-4]]]"), nil),
        // Types of values.
        (labs("qq", "[\"5\"]"), "typeMismatch"), (labs("qq", "[true]"), "typeMismatch"), (labs("qq", "[null]"), "nullNotAllowed"),
        (labs("qq", "[[1]]"), "typeMismatch"), (labs("qq", "[{}]"), "typeMismatch"), (labs("qB", "[1]"), "typeMismatch"),
        (labs("qB", "[0]"), "typeMismatch"), (labs("qd", "[\"1\"]"), "typeMismatch"), (labs("qd", "[\"NaN\"]"), "typeMismatch"),
        (labs("qt", "[\"x\"]"), "typeMismatch"), (labs("qt", "[\"\"]"), "typeMismatch"), (labs("qD", "[\"\"]"), "typeMismatch"),
        (labs("q*", "[5]"), "typeMismatch"), (labs("q*", "[\"a\\u0000b\"]"), "typeMismatch"), (labs("q*", "[[256]]"), "outOfRange"),
        (labs("q:", "[5]"), "typeMismatch"), (labs("q:", "[[1]]"), "typeMismatch"), (labs("q@", "[\"x\"]"), "typeMismatch"),
        (labs("q#", "[[1]]"), "typeMismatch"), (labs("q@?", "[[1]]"), "typeMismatch"), (labs("q^?", "[[1]]"), "typeMismatch"),
        (labs("q^v", "[\"0x\"]"), "typeMismatch"), (labs("q^v", "[\"0xg\"]"), "typeMismatch"), (labs("q^v", "[5]"), "typeMismatch"),
        (labs("q^v", "[\"0x10000000000000000\"]"), "outOfRange"), (labs("q^{O}", "[[1]]"), "unsupportedType"),
        (labs("q^v", "[\"-0x1\"]"), "outOfRange"), (labs("q:", "[\"-0x1\"]"), "outOfRange"), (labs("q^?", "[\"+0x1\"]"), "typeMismatch"),
        (labs("q^^i", "[[[1.5]]]"), "inexact"), (labs("q^^v", "[[[1]]]"), "typeMismatch"), (labs("q^i", "[[1,\"a\"]]"), "typeMismatch"),
        (labs("q{P=i}", "[5]"), "typeMismatch"), (labs("v^(U=id)", "[[5]]"), "typeMismatch"),
        (labs("v^(U=id)", #"[[{"member":2,"value":1}]]"#), "indexOutOfRange"),
        (labs("v^(U=id)", #"[[{"member":-1,"value":1}]]"#), "indexOutOfRange"), (labs("v^(U=id)", #"[[{"member":0}]]"#), "typeMismatch"),
        (labs("v^(U=id)", #"[[{"member":1e99,"value":1}]]"#), "outOfRange"), (labs("v(E=)", "[null]"), "nullNotAllowed"),
        (labs("q^?", "[\"no_such_function\"]"), "symbolNotFound"), (labs("q^?", "[\"\"]"), "symbolNotFound"),
        (labs("q^?", "[\":\"]"), "libraryNotFound"), (labs("q^?", "[\"environ\"]"), "typeMismatch"),
        (labs("q*", "[{\"address\":5}]"), "typeMismatch"), (labs("q*", "[{\"address\":\"x\"}]"), "typeMismatch"),
        (labs("q^*", "[[{\"address\":\"0x10\"}]]"), "typeMismatch"), (labs("q{S=*}", "[[{\"address\":\"0x10\"}]]"), "typeMismatch"),
        (labs("q^i", "[\"text\"]"), "typeMismatch"), (labs("q^v", "[\"a\\u0000b\"]"), "typeMismatch"),
        (labs("qq", "[\"0x\"]"), "typeMismatch"), (labs("qq", "[\"0x1p3\"]"), "inexact"), (labs("qc", "[\"0x80\"]"), "outOfRange"),
        (labs("qT", "[\"0x1" + many("0", 32) + "\"]"), "outOfRange"), (labs("qf", "[\"0x1000001\"]"), "inexact"),
        (labs("qd", "[\"0x1p9999\"]"), "outOfRange"), (labs("qd", "[\"0x1p\"]"), "typeMismatch"),
        (labs("qd", "[\"0x.p1\"]"), "typeMismatch"), (labs("qB", "[\"0x1\"]"), "typeMismatch"),
        // The layout of these is not known: the text is the same whatever type the bit-fields were declared with.
        (labs("v{B=ib3}", "[[1,1]]"), "unsupportedType"), (labs("v^{B=b3}", "[[[1]]]"), "unsupportedType"),
        (labs("{B=b3}", "[]"), "unsupportedType"), (labs("v[2{B=b3}]", "[[[1],[1]]]"), "unsupportedType"),
        // What is unusual but right.
        (labs("v^{B=b3}", "[null]"), nil), (labs("q@:", "[null,\"any selector\"]"), nil), (labs("v^i", "[[]]"), nil),
        (labs("v^{E=}", "[[[],[]]]"), nil), (labs("v{E=}", "[[]]"), nil), (labs("v[0i]", "[[]]"), nil), (labs("v[3i]", "[null]"), nil),
        (labs("q%", "[\"atom\"]"), nil), (labs("q^v", "[\"0xFFFFffff\"]"), nil), (labs("q^v", "[[0,255]]"), "typeMismatch"),
        (labs("q^v", #"[{"C":[0,255]}]"#), nil), (labs("q^v", #"[{"C":[0,256]}]"#), "outOfRange"),
        (labs("q^v", #"[{"C":5}]"#), "typeMismatch"), (labs("q^v", "[{}]"), "typeMismatch"),
        (labs("q^v", #"[{"{":[5]}]"#), "malformedEncoding"), (labs("q^v", #"[{"v":[5]}]"#), "unsupportedType"),
        (labs("q^v", #"[{"[2000000000c]":[[]]}]"#), "limitExceeded"), (labs("q^v", #"[{"{B=b3}":[[1]]}]"#), "unsupportedType"),
        (labs("q^{P=ii}", "[{}]"), nil), (labs("q^{P=ii}", #"[{"a":1}]"#), "typeMismatch"), (labs("q^{O}", "[{}]"), "unsupportedType"),
        (labs("q^{P=^{B=b3}}", "[[[[[1]]]]]"), "unsupportedType"), (labs("q^^i", "[[[1,2],null]]"), nil),
        (labs("q{P=*^C}", "[[[65],[1]]]"), nil), (labs("v{P=ii}", "[[1]]"), nil), (labs("v{P=ii}", "[{}]"), nil),
        (labs("v^(U=id)", "[[{}]]"), nil), (labs("v[3i]", "[[1,2]]"), nil), (labs("v[8c]", "[\"text\"]"), nil),
        (labs("v{P=[4c]}", "[[\"text\"]]"), nil), (labs("v{P=[4c]}", "[[\"texts\"]]"), "outOfRange"),
        (labs("v{P=[4c]}", "[[\"a\\u0000\"]]"), "typeMismatch"), (labs("v[4i]", "[\"text\"]"), "typeMismatch"),
        (labs("v^q", "[[" + many("1,", 100_000) + "1]]"), nil),
        (labs("v^" + many("{S=", 100) + "i" + many("}", 100), "[[" + many("[", 100) + "7" + many("]", 100) + "]]"), nil),
        (labs(many("^", 100) + "i", "[]"), nil), (labs("v\\u003a", "[null]"), nil), (labs("v*", "[\"\\ud83d\\ude00\"]"), nil),
      ]
    }()

    @Test func answersEveryLine() throws {
      // A good line after each shows that nothing was left behind.
      let good = request("libc.so.6", "labs", "qq", "[-5]")
      let answers = try Program.batch(Self.lines.flatMap { [$0.line, good] })
      try #require(answers.count == 2 * Self.lines.count)
      for (index, entry) in Self.lines.enumerated() {
        #expect(try errorKind(answers[2 * index]) == entry.kind, "\(entry.line.prefix(200)): \(answers[2 * index].prefix(300))")
        #expect(answers[2 * index + 1] == "{\"result\":5}")
      }
    }

    @Test func answersBytesThatAreNoText() throws {
      var input: [UInt8] = []
      let bytes: [[UInt8]] = [
        [0xFF, 0xFE], [0], [0x22, 0xC3, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], Array(0x80...0xFF), [0x22, 0, 0x22],
      ]
      for line in bytes { input += line + [0x0A] }
      input += request("libc.so.6", "labs", "qq", "[-5]").utf8
      let run = try Program.run(["call", "--batch"], input: input)
      #expect(run.status == 0)
      #expect(try run.lines.map(errorKind) == Array(repeating: "malformedRequest", count: bytes.count) + [nil])
    }

    @Test("Ever new types need bounded memory", .enabled(if: Sanitizer.current == nil))
    func manyTypes() throws {
      // The largest amount of memory of the worker, in kilobytes: the fifth word of struct rusage on 64-bit Linux.
      let usage = request("libc.so.6", "getrusage", "ii^q", "[0,[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]]")
      let lines = (0..<200).map { number in
        request("libc.so.6", "getppid", "v^{N\(number)=\(String(repeating: "i", count: 3_990))}", "[null]")
      }
      let few = (0..<2_000).map { request("libc.so.6", "getppid", "v^{M\($0)=\(String(repeating: "i", count: 200))}", "[null]") }
      let answers = try Program.batch([usage] + lines + few + [usage])
      #expect(answers.count == lines.count + few.count + 2)
      func kilobytes(_ answer: String?) throws -> Int {
        let object = try JSONSerialization.jsonObject(with: Data((answer ?? "").utf8)) as? [String: Any]
        let buffers = object?["buffers"] as? [String: [Int]]
        return try #require(buffers?["1"]?[4])
      }
      let growth = try kilobytes(answers.last) - kilobytes(answers.first)
      // Kept, the types of all lines take 240 megabytes.
      #expect(growth < 120_000, "\(growth) kilobytes")
    }

    @Test func errorsNameArgumentEncodingAndValue() throws {
      let answers = try Program.batch([
        request("libc.so.6", "labs", "qqs", "[1, 70000]"), request("libc.so.6", "labs", "v{R={P=dd}{P=ds}}", "[[[1,2],[3,40000]]]"),
        request("libc.so.6", "labs", "qqq", "[1]"), request("libc.so.6", "labs", "v^{B=ib3}", "[[[1,2],[3,9]]]"),
      ])
      #expect(
        answers == [
          #"{"error":{"kind":"outOfRange","message":"labs: argument 1 (s, Int16): 70000 does not fit"}}"#,
          #"{"error":{"kind":"outOfRange","message":"labs: argument 0 (s, Int16): at [1][1]: 40000 does not fit"}}"#,
          #"{"error":{"kind":"countMismatch","message":"labs: qqq: 1 argument given, the signature takes 2"}}"#,
          #"{"error":{"kind":"outOfRange","message":"labs: argument 0 (b3): at [1][1]: 9 does not fit 3 bits, 0 to 7"}}"#,
        ])
    }
  }
#endif
