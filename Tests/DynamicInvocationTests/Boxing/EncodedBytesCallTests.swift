import CDeclarations

#if canImport(Glibc)
  import DynamicInvocation
  import Glibc
  import TestSupport
  import Testing

  /// The structs of headers, as bytes with a type: passed by address and by value, and returned.
  @Suite(.measured, .enabled(if: InvocationFixtures.hasCompiler)) struct EncodedBytesCallTests {
    private func zero(_ name: String, _ header: CDeclarations) throws -> EncodedBytes {
      try EncodedBytes(zero: require(header.types[name], "\(name)").encoding)
    }

    private func number(_ value: EncodedBytes, _ member: String) throws -> Int {
      try require(value[member], "\(member)").value(as: Int.self)
    }

    private func library(_ header: String, options: [String] = []) throws -> (DynamicLibrary, CDeclarations) {
      let header = try CDeclarations(header: header, options: options)
      return (try DynamicLibrary(Platform.cLibrary, declarations: header), header)
    }

    @Test("struct tm, which has a text, is passed by address: mktime, gmtime_r, strftime")
    func dates() throws {
      let (libc, header) = try library("time.h")
      var date = try zero("struct tm", header)
      expectEqual("\(date["tm_zone"] ?? .int(0))", "null")
      try date.setMember("tm_year", to: 126)
      try date.setMember("tm_mday", to: 33)
      try date.setMember("tm_isdst", to: -1)
      let kept = date
      let seconds: Int = try libc.function("mktime")(&date)
      // The 33rd of January is the 2nd of February.
      try expect(number(date, "tm_mon") == 1 && number(date, "tm_mday") == 2 && seconds > 1_700_000_000)
      try expectEqual(number(kept, "tm_mday"), 33, "a copy is another value")

      var time = 86_400 * 365
      let place: UnsafeRawPointer = try libc.function("gmtime_r")(&time, &date)
      try expectEqual(number(date, "tm_year"), 71)
      _ = place
      guard case .pointer(let zone)? = date["tm_zone"] else {
        Issue.record("no zone")
        return
      }
      expectEqual(String(cString: zone.assumingMemoryBound(to: CChar.self)), "GMT")
      var text = [CChar](repeating: 0, count: 32)
      let length: Int = try libc.function("strftime")(&text, 32, "%Y-%m-%d %Z", &date)
      expect(length == 14 && String(decoding: text.prefix(14).map(UInt8.init), as: UTF8.self) == "1971-01-01 GMT")

      // A result that points to a struct is read as one.
      let shared: UnsafeRawPointer = try libc.function("gmtime")(&time)
      guard case .value(let read) = BoxedValue(reading: shared, as: date.encoding) else {
        Issue.record("no struct")
        return
      }
      try expectEqual(number(read, "tm_year"), 71)
    }

    @Test("A text in a struct is an address, and nothing owns a copy of it")
    func texts() throws {
      let source = """
        struct named { int a; char *name; char *others[2]; union { char *text; long word; } u; };
        int by_address(struct named *s) { return s->name ? s->name[0] + s->a : -1; }
        int by_value(struct named s) { return (s.name ? s.name[0] + s.a : -1) + (s.others[1] ? s.others[1][0] : 0); }
        struct named make(int a) { struct named s = {a, "made"}; s.u.text = s.name; return s; }
        """
      let compiler = try require(CCompiler.all.first { $0.available })
      let declarations = try CDeclarations(source)
      let library = try DynamicLibrary(compiler.sharedLibrary(source: source, name: "named"), declarations: declarations)
      var value = try zero("named", declarations)
      try value.setMember("a", to: 7)
      try expectEqual(library.function("by_address")(&value, as: Int.self), -1)
      try expectEqual(library.function("by_value")(value, as: Int.self), -1)
      let error = try requireThrows(InvocationError.self) { try value.setMember("name", to: "text") }
      expect(error.code == .typeMismatch && error.reason.contains("set its address"))
      expectThrows(InvocationError.self) { try value.setMember("name", to: 7) }
      let buffer = strdup("A")
      defer { free(buffer) }
      try value.setMember("name", to: .pointer(require(UnsafeRawPointer(buffer))))
      try expectEqual(library.function("by_address")(&value, as: Int.self), 65 + 7)
      try expectEqual(library.function("by_value")(value, as: Int.self), 65 + 7)
      // The array of texts, by way of its own value.
      guard case .value(let others)? = value["others"] else {
        Issue.record("no array")
        return
      }
      expectEqual("\(others)", "{null, null}")
      var words: [UnsafeMutablePointer<CChar>?] = [nil, buffer]
      let filled = try words.withUnsafeMutableBytes { try EncodedBytes(others.encoding, bytes: Array($0)) }
      try value.setMember("others", to: .value(filled))
      try expectEqual(library.function("by_value")(value, as: Int.self), 65 + 7 + 65)
      try value.setMember("name", to: nil)
      try expectEqual(library.function("by_address")(&value, as: Int.self), -1)

      let made: EncodedBytes = try library.function("make")(3)
      guard case .pointer(let name)? = made["name"], case .value(let union)? = made["u"],
        case .pointer(let text)? = union["text"]
      else {
        Issue.record("\(made)")
        return
      }
      try expect(number(made, "a") == 3 && name == text && String(cString: name.assumingMemoryBound(to: CChar.self)) == "made")
      // A result is an argument of the next call.
      try expectEqual(library.function("by_value")(made, as: Int.self), Int(UInt8(ascii: "m")) + 3)
    }

    @Test("A result is read as bytes, and in a box")
    func results() throws {
      let (libc, _) = try library("stdlib.h")
      let division: EncodedBytes = try libc.function("div")(17, 5)
      try expect(number(division, "quot") == 3 && number(division, "rem") == 2)
      let long: EncodedBytes = try libc.function("ldiv")(-17, 5)
      expectEqual("\(long)", "{-3, -2}")
      let box: BoxedValue = try libc.function("div")(17, 5)
      expectEqual("\(box)", "{3, 2}")
      try expectEqual(
        "\(libc.function("abs")(-3, as: BoxedValue.self)) \(libc.function("getenv")("NO_SUCH", as: BoxedValue.self))", "3 null")
      try expectEqual("\(libc.function("srand")(7, as: BoxedValue.self))", "null")
      var end: UnsafeMutablePointer<CChar>?
      let number: BoxedValue = try libc.function("strtol")("12", &end, 10)
      expectEqual("\(number)", "12")
      let (captured, code) = try libc.function("div").capturingErrno(7, 2, as: EncodedBytes.self)
      expect("\(captured)" == "{3, 1}" && code == 0)
      try expectEqual("\(libc.function("abs")(-3, as: EncodedBytes.self))", "3")
      // A text and nothing have no bytes of their own.
      expectErrors(
        .typeMismatch, { _ = try libc.function("getenv")("PATH", as: EncodedBytes.self) },
        { _ = try libc.function("srand")(7, as: EncodedBytes.self) })
      expect(
        InvocationFixtures.message { _ = try libc.function("div")(17, 5, as: Int.self) }.hasSuffix("; ask for EncodedBytes for its members")
      )
    }

    @Test("getaddrinfo takes a struct and gives a list")
    func addresses() throws {
      let (libc, header) = try library("netdb.h")
      var hints = try zero("struct addrinfo", header)
      try hints.setMember("ai_flags", to: .int(require(header.constants["AI_NUMERICHOST"]?.int.map { Int($0) })))
      try hints.setMember("ai_socktype", to: 1)
      var list: UnsafeMutableRawPointer?
      let status: Int = try libc.function("getaddrinfo")("127.0.0.1", "80", &hints, &list)
      expectEqual(status, 0)
      var count = 0
      var next = UnsafeRawPointer(list)
      while let place = next {
        guard case .value(let info) = BoxedValue(reading: place, as: hints.encoding) else { break }
        try expect(number(info, "ai_family") == 2 && number(info, "ai_socktype") == 1)
        count += 1
        next = try info["ai_next"]?.value(as: UnsafeRawPointer?.self)
      }
      expectEqual(count, 1)
      try libc.function("freeaddrinfo")(list)
    }

    @Test("regcomp takes a struct with bit-fields: as bytes, and as the struct that Swift imports")
    func expressions() throws {
      let (libc, header) = try library("regex.h")
      var expression = try zero("regex_t", header)
      try expectEqual(libc.function("regcomp")(&expression, "^[a-z]+$", 1, as: Int.self), 0)
      try expectEqual(libc.function("regexec")(&expression, "abc", 0, nil, 0, as: Int.self), 0)
      try expectEqual(libc.function("regexec")(&expression, "ab1", 0, nil, 0, as: Int.self), 1)
      try expectEqual(number(expression, "re_nsub"), 0)
      try libc.function("regfree")(&expression)
      var imported = Glibc.regex_t()
      try expectEqual(libc.function("regcomp")(&imported, "(a)(b)", 1, as: Int.self), 0)
      expectEqual(imported.re_nsub, 2)
      try libc.function("regfree")(&imported)
    }

    private static let zlib = try? CDeclarations(header: "zlib.h")

    @Test("z_stream, which has a text, goes through deflate and inflate", .enabled(if: zlib != nil))
    func streams() throws {
      let header = try require(Self.zlib)
      let zlib = try DynamicLibrary.find("z", declarations: header)
      var input = [UInt8](repeating: 65, count: 1000)
      var packed = [UInt8](repeating: 0, count: 100)
      var unpacked = [UInt8](repeating: 0, count: 2000)
      func run(_ name: String, _ from: UnsafeMutablePointer<UInt8>, _ length: Int, _ to: UnsafeMutablePointer<UInt8>, _ room: Int) throws
        -> Int
      {
        var stream = try zero("z_stream", header)
        let size = stream.bytes.count
        let version: UnsafePointer<CChar> = try zlib.function("zlibVersion")()
        let status: Int =
          name == "deflate"
          ? try zlib.function("deflateInit_")(&stream, 9, version, size) : try zlib.function("inflateInit_")(&stream, version, size)
        expectEqual(status, 0)
        for (member, value) in [
          ("next_in", BoxedValue.pointer(from)), ("avail_in", .int(length)), ("next_out", .pointer(to)), ("avail_out", .int(room)),
        ] {
          try stream.setMember(member, to: value)
        }
        try expectEqual(zlib.function(name)(&stream, 4, as: Int.self), 1)
        expectEqual("\(stream["msg"] ?? .int(0))", "null")
        try zlib.function(name + "End")(&stream)
        return try number(stream, "total_out")
      }
      let length = try run("deflate", &input, 1000, &packed, 100)
      expect(length < 100)
      try expectEqual(run("inflate", &packed, length, &unpacked, 2000), 1000)
      expectEqual(Array(unpacked.prefix(1000)), input)
    }

    private struct Date: EncodedValue {
      var numbers: InlineArray<9, Int32> = InlineArray(repeating: 0)
      var offset = 0
      var zone: UnsafePointer<CChar>?
      // The encoding of the header: the layout is compared with it.
      static let typeEncoding: TypeEncoding = (try? CDeclarations(header: "time.h").types["struct tm"]?.encoding) ?? "v"
    }

    @Test("A Swift struct that mirrors a struct with a text has the header's encoding")
    func mirrored() throws {
      let (libc, _) = try library("time.h")
      var date = Date()
      date.numbers[5] = 126
      date.numbers[3] = 33
      let seconds: Int = try libc.function("mktime")(&date)
      expect(seconds > 1_700_000_000 && date.numbers[4] == 1 && date.numbers[3] == 2)
      let bytes = try EncodedBytes(date)
      try expectEqual(number(bytes, "tm_mon"), 1)
      try expectEqual(bytes.value(as: Date.self).numbers[4], 1)
    }

    @Test("Another struct, a pointer to a number and references are not what a parameter points to")
    func refusals() throws {
      let source = """
        struct a { int x; float y; }; struct b { int x; int y; }; struct hidden;
        int take(struct a *a) { return a->x; } int number(int *n) { return *n; } int any(void *p) { return *(int *)p; }
        int opaque(struct hidden *h) { return h != 0; } int sum(int *n, int count) { int s = 0; while (count--) s += *n++; return s; }
        """
      let compiler = try require(CCompiler.all.first { $0.available })
      let declarations = try CDeclarations(source)
      let library = try DynamicLibrary(compiler.sharedLibrary(source: source, name: "refusals"), declarations: declarations)
      var (a, b) = (try zero("struct a", declarations), try zero("struct b", declarations))
      try a.setMember("x", to: 5)
      try expect(library.function("take")(&a, as: Int.self) == 5 && library.function("any")(&a, as: Int.self) == 5)
      let error = try requireThrows(InvocationError.self) { try library.function("take")(&b) }
      expect(error.code == .typeMismatch && error.argument == .index(0) && error.callee == "take")
      expect(error.reason.contains("is not what is pointed to"), "\(error)")
      expectError(.typeMismatch) { try library.function("number")(&b) }
      // Nothing tells how large an opaque struct is.
      expectError(.typeMismatch) { try library.function("opaque")(&a) }
      var (array, one) = (try EncodedBytes("[3i]", bytes: [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]), try EncodedBytes(Int32(4)))
      try expect(library.function("sum")(&array, 3, as: Int.self) == 6 && library.function("sum")(&one, 1, as: Int.self) == 4)
      var wide = try EncodedBytes("[3q]", bytes: Array(repeating: 0, count: 24))
      expectErrors(.typeMismatch, { try library.function("sum")(&wide, 3) }, { try library.function("sum")(3, &one) })
      // A variable that holds more than bytes.
      var (text, texts, object) = ("text", ["text"], Methodless())
      let kept = object
      for call in [
        { try library.function("any")(&text) }, { try library.function("any")(&texts) }, { try library.function("any")(&object) },
      ] as [() throws -> Void] {
        let error = try requireThrows(InvocationError.self) { try call() }
        expect(error.code == .typeMismatch && error.reason.contains("not bitwise copyable"), "\(error)")
      }
      expect(text == "text" && texts == ["text"] && object === kept)
    }

    @Test("Bytes that are aligned to more than memory is are refused by address")
    func alignment() throws {
      let any = try InvocationFixtures.function("any", "i^v", "int any(void *p) { return (long)p & (*(char *)p ? 4095 : 15); }")
      let wide = try require(CDeclarations("struct s { int x; } __attribute__((aligned(4096)));").types["s"]).encoding
      var value = try EncodedBytes(zero: wide)
      try value.setMember("x", to: 1)
      // Memory may be aligned to more than it must be.
      do { try expectEqual(any(&value, as: Int.self), 0) } catch { expectEqual(error.code, .typeMismatch) }
      var vector = try EncodedBytes(zero: "![16,16f]")
      try expectEqual(any(&vector, as: Int.self), 0)
    }

    @Test("Bytes are read and written in place, and a bool of C is a bool of Swift")
    func bytes() throws {
      struct Flagged: EncodedValue, Equatable {
        var number: Int32
        var flag: Bool
        static let typeEncoding: TypeEncoding = "{Flagged=iB}"
      }
      var value = try EncodedBytes(zero: Flagged.typeEncoding)
      let copy = value
      let count = value.withUnsafeMutableBytes { bytes in
        bytes.storeBytes(of: 7, as: Int32.self)
        bytes[4] = 200
        return bytes.count
      }
      try expect(count == 8 && value.value(as: Flagged.self) == Flagged(number: 7, flag: true))
      expect(copy.bytes.allSatisfy { $0 == 0 })
      let invocation = try InvocationFixtures.invocation("v{Flagged=iB}")
      try invocation.setArgument(boxed: .value(value), at: 0)
      try expect(invocation.argument(at: 0, as: Flagged.self).flag)
    }
  }
#endif
