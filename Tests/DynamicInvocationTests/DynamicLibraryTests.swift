#if canImport(Glibc)
  import Foundation
  import Glibc
  import TestSupport
  import Testing

  @testable import DynamicInvocation

  @Suite(.measured) struct DynamicLibraryTests {
    /// The error of a search for a symbol, or nil when there is such a symbol.
    private func failure(toFind name: String, in library: DynamicLibrary) -> InvocationError? {
      do throws(InvocationError) {
        _ = unsafe try library.symbol(name)
        return nil
      } catch {
        return error
      }
    }

    @Test func callsFunctionOfLibrary() throws {
      let library = try DynamicLibrary("libm.so.6")
      expectEqual(library.name, "libm.so.6")
      expectEqual(library.description, "library 'libm.so.6'")
      typealias Power = @convention(c) (Double, Double) -> Double
      let power = unsafe try unsafeBitCast(library.symbol("pow"), to: Power.self)
      expectEqual(power(2, 10), 1024)
    }

    @Test func findsSymbolsOfProcess() throws {
      typealias Absolute = @convention(c) (CInt) -> CInt
      let absolute = unsafe try unsafeBitCast(DynamicLibrary.process.symbol("abs"), to: Absolute.self)
      expectEqual(absolute(-7), 7)
      expectEqual(DynamicLibrary.process.description, "the process")
      expectEqual(DynamicLibrary.process.name, "process")
    }

    @Test func findsSymbolsOfDependencies() throws {
      // libm itself has no strlen; libc, on which it depends, has.
      let library = try DynamicLibrary("libm.so.6")
      expect(!library.symbolNames().contains("strlen"))
      try expectEqual(library.symbol("strlen"), DynamicLibrary("libc.so.6").symbol("strlen"))
    }

    @Test("A library is found by the name that a linker is given") func finds() throws {
      let libm = try DynamicLibrary.find("m")
      expect(libm.name.hasPrefix("libm.so"))
      try expectEqual(libm.symbol("pow"), DynamicLibrary("libm.so.6").symbol("pow"))
      try expectEqual(DynamicLibrary.find("libc.so.6").name, "libc.so.6")
      expectEqual(LibraryName("m").versions.first, "libm.so.6")
      for (name, base, isPlain) in [
        ("m", "m", true), ("libm.so.6", "m", false), ("/lib/libz.so", "/lib/libz", false), ("libz.dylib", "z", false),
        ("libfoo", "foo", true),
      ] { expect(LibraryName(name).base == base && LibraryName(name).isPlain == isPlain) }
    }

    @Test func tellsWhatWasTried() throws {
      let error = try requireThrows(InvocationError.self) { try DynamicLibrary.find("nonesuch") }
      expect(error.code == .libraryNotFound && error.reason.contains("tried: library 'libnonesuch.so' cannot be opened"))
      expectErrors(.libraryNotFound, { _ = try DynamicLibrary.find("") }, { _ = try DynamicLibrary.find("/nowhere/libm") })
    }

    @Test(arguments: ["", "libm.so.6\0", "/nowhere/libnone.so", "libnone-such.so.1", "/dev/null"])
    func refusesLibrary(name: String) throws {
      let error = try requireThrows(InvocationError.self) { try DynamicLibrary(name) }
      expectEqual(error.code, .libraryNotFound)
      expect(!error.reason.isEmpty)
    }

    @Test func tellsTheLinkersReason() throws {
      let error = try requireThrows(InvocationError.self) { try DynamicLibrary("/nowhere/libnone.so") }
      expectEqual(error.reason, "library '/nowhere/libnone.so' cannot be opened: cannot open shared object file: No such file or directory")
    }

    @Test func tellsThatAFileIsInTheFolder() throws {
      // The folder of the package is the one of its tests.
      let name = "Package.swift"
      let error = try requireThrows(InvocationError.self) { try DynamicLibrary(name) }
      expect(error.reason.hasSuffix("; a name is looked up in the path of the linker only, './\(name)' is the file in this folder"))
    }

    @Test(arguments: [("powq", "pow"), ("sqtr", "sqrt"), ("F_REXP", "frexp"), ("hypto", "hypot"), ("lgama_r", "lgamma_r")])
    func suggestsNearNames(name: String, near: String) throws {
      let library = try DynamicLibrary("libm.so.6")
      let error = try require(failure(toFind: name, in: library))
      expectEqual(error.code, .symbolNotFound)
      expectEqual(error.reason, "library 'libm.so.6' has no symbol '\(name)'")
      expect(error.candidates.contains(near))
      expect(error.candidates.count <= 3)
      expectEqual(Set(error.candidates).count, error.candidates.count)
    }

    @Test func suggestsNothingForRubbish() throws {
      let library = try DynamicLibrary("libm.so.6")
      let error = try require(failure(toFind: "xyzzy_plugh_plover", in: library))
      expectEqual(error.candidates, [])
      expectEqual(error.description, "library 'libm.so.6' has no symbol 'xyzzy_plugh_plover'")
    }

    @Test func suggestsNamesOfAllLoadedObjects() throws {
      let error = try require(failure(toFind: "swift_retian", in: DynamicLibrary.process))
      expectEqual(error.candidates.first, "swift_retain")
    }

    @Test(arguments: ["", "pow\0", "\0"]) func refusesSymbolName(name: String) throws {
      let library = try DynamicLibrary("libm.so.6")
      let error = try require(failure(toFind: name, in: library))
      expectEqual(error.code, .symbolNotFound)
      expectEqual(error.candidates, [])
    }

    /// Every name that the tables give is one that the dynamic linker finds, and well-known ones are among them.
    @Test(arguments: ["libc.so.6", "libm.so.6"]) func listedSymbolsExist(name: String) throws {
      let library = try DynamicLibrary(name)
      let names = Set(library.symbolNames())
      expect(names.count > 500)
      expect(names.isSuperset(of: name == "libc.so.6" ? ["strlen", "qsort", "environ", "snprintf"] : ["pow", "frexp", "signgam"]))
      expect(!names.contains("GLIBC_2.2.5"))
      expectEqual(names.filter { failure(toFind: $0, in: library) != nil }, [])
      expect(library.symbolNames(lengths: 3...3).allSatisfy { $0.utf8.count == 3 })
    }

    @Test("A variable is no function, wherever it is looked for", arguments: ["environ", "stdout", "optarg", "program_invocation_name"])
    func refusesVariablesAsFunctions(name: String) throws {
      for library in [try DynamicLibrary("libc.so.6"), try DynamicLibrary("libm.so.6"), .process] {
        let error = expectThrows(InvocationError.self) { try library.function(name, types: "v") }
        expectEqual(error?.code, .typeMismatch)
        expectEqual(error?.reason, "symbol '\(name)' of \(library) is a variable of 8 bytes, not a function")
        // Its address is there for who asks for that.
        expectNil(failure(toFind: name, in: library))
      }
    }

    @Test("Functions of all kinds are functions: indirect ones, and functions of several versions")
    func takesFunctions() throws {
      let library = try DynamicLibrary("libc.so.6")
      for name in ["strlen", "memcpy", "qsort", "pthread_create", "gettimeofday", "time", "realpath"] {
        _ = try library.function(name, types: "v")
        _ = try DynamicLibrary.process.function(name, types: "v")
        expectThrows(InvocationError.self) { _ = unsafe try library.variable(name, type: "C") }
      }
    }

    @Test("A variable is found, of another thread's memory, too, and is as large as its type") func findsVariables() throws {
      let path = try CCompiler.gcc.sharedLibrary(
        source: """
          int number = 5; __thread long local = 7; const double table[2] = {1, 2}; int function(void) { return 1; }
          int getppid(void); static void *choose(void) { return (void *)getppid; }
          int elsewhere(void) __attribute__((ifunc("choose")));
          """, name: "symbols")
      let library = try DynamicLibrary(path)
      try expectEqual(library.variable("number", type: "i").load(as: CInt.self), 5)
      try expectEqual(library.variable("local", type: "q").load(as: Int.self), 7)
      try expectEqual(library.variable("table", type: "[2d]").load(fromByteOffset: 8, as: Double.self), 2)
      for (name, type, reason) in [
        ("number", "q", "variable 'number' of \(library) has 4 bytes, the type 8"),
        ("table", "[3d]", "variable 'table' of \(library) has 16 bytes, the type 24"),
        ("function", "i", "symbol 'function' of \(library) is a function, not a variable"),
        // Its code is in another library.
        ("elsewhere", "i", "symbol 'elsewhere' of \(library) is a function, not a variable"),
        ("number", "v", "no variable has a type without a size"),
      ] as [(String, TypeEncoding, String)] {
        let error = expectThrows(InvocationError.self) { _ = unsafe try library.variable(name, type: type) }
        expectEqual(error?.reason, reason)
      }
      for name in ["number", "local", "table"] {
        expectThrows(InvocationError.self) { try library.function(name, types: "v") }
      }
      let one: CInt = try library.function("function", types: "i")()
      expectEqual(one, 1)
      let parent: CInt = try library.function("elsewhere", types: "i")()
      expectEqual(parent, getppid())
    }

    @Test("Versions of a symbol are found, and named when one is missing")
    func versions() throws {
      let folder = TemporaryFolder.shared.url.appendingPathComponent("versions.map")
      try "V1 { local: *_old; *_new; };\nV2 { global: *; } V1;\n".write(to: folder, atomically: true, encoding: .utf8)
      let path = try CCompiler.gcc.sharedLibrary(
        source: """
          int both_old(void) { return 1; } int both_new(void) { return 2; } int past_old(void) { return 3; } int number_old = 4;
          __asm__(".symver both_old,both@V1"); __asm__(".symver both_new,both@@V2");
          __asm__(".symver past_old,past@V1"); __asm__(".symver number_old,number@V1");
          int plain(void) { return 5; }
          """, flags: ["-Wl,--version-script=\(folder.path)"], name: "versions")
      let library = try DynamicLibrary(path)
      for (name, result) in [("both", 2), ("both@V1", 1), ("both@V2", 2), ("both@@V2", 2), ("past@V1", 3), ("plain", 5), ("plain@V2", 5)] {
        let value: CInt = try library.function(name, types: "i")()
        expectEqual(Int(value), result, "\(name)")
      }
      try expectEqual(library.variable("number@V1", type: "i").load(as: CInt.self), 4)
      try expectEqual(library.size(ofVariable: "number@V1"), 4)
      expectThrows(InvocationError.self) { try library.function("number@V1", types: "v") }
      expectThrows(InvocationError.self) { _ = unsafe try library.variable("both@V1", type: "i") }
      for (name, wanted, candidates) in [
        ("both@V3", "'both@V3'", ["both@V1", "both@@V2"]), ("both@@V1", "'both@@V1'", ["both@V1", "both@@V2"]),
        ("past", "'past' without a version", ["past@V1"]), ("past@@V1", "'past@@V1'", ["past@V1"]), ("none@V1", "'none@V1'", []),
        ("both@", "'both@'", ["both@V1", "both@@V2"]), ("@V1", "'@V1'", []),
      ] {
        let error = try require(failure(toFind: name, in: library))
        expect(error.code == .symbolNotFound && error.reason == "\(library) has no symbol \(wanted)")
        expectEqual(Set(error.candidates), Set(candidates), "\(name): \(error.candidates)")
      }
      // The C library has had some functions for long. No sanitizer replaces this one.
      let libc = try DynamicLibrary("libc.so.6")
      expectEqual(failure(toFind: "nftw@GLIBC_0", in: libc)?.candidates.contains { $0.hasPrefix("nftw@@GLIBC_") }, true)
      expectEqual(failure(toFind: "nftw@GLIBC_0", in: .process)?.candidates.contains { $0.hasPrefix("nftw@@GLIBC_") }, true)
    }

    @Test("A file for the linker says what it is, and which library it names")
    func linkerFiles() throws {
      let folder = TemporaryFolder.shared.url
      func reason(_ contents: [UInt8], _ name: String) throws -> String {
        let file = folder.appendingPathComponent(name)
        try Data(contents).write(to: file)
        let error = try requireThrows(InvocationError.self) { try DynamicLibrary(file.path) }
        expect(error.code == .libraryNotFound && error.reason.hasPrefix("library '\(file.path)' cannot be opened: "))
        return String(error.reason.dropFirst("library '\(file.path)' cannot be opened: ".count))
      }
      for (text, names) in [
        ("GROUP ( ./libv.so )", "./libv.so"), ("INPUT(libv.so.1 -lm)\n", "libv.so.1, -lm"),
        (
          "/* GNU ld script\n GROUP(x) */\nOUTPUT_FORMAT(elf64-x86-64)\nGROUP ( /a.so.6 /b.a  AS_NEEDED ( /c.so.2 ) )\n",
          "/a.so.6, /b.a, /c.so.2"
        ),
        ("--- !tapi-tbd\ntbd-version: 4\ninstall-name: '/usr/lib/libz.1.dylib'\n", "/usr/lib/libz.1.dylib"),
        ("GROUP(" + (0..<2_000).map { "l\($0) " }.joined(), "l0, l1, l2, l3, l4, l5, l6, l7"),
      ] { try expectEqual(reason(Array(text.utf8), "script.so"), "it is a linker script that names \(names)") }
      try expectEqual(reason(Array("!<arch>\n".utf8) + Array(repeating: 0, count: 100), "archive.a"), "it is a static library")
      // What tells nothing has the dynamic linker's reason.
      for text in ["", "just a text", "GROUP ( )", "ENTRY(start)", "/*"] {
        let reason = try reason(Array(text.utf8), "text.so")
        expect(reason.contains("file too short") || reason.contains("invalid ELF header"), "\(reason)")
      }
      expect(RefusedFile.kind(ofFileAt: folder.path) == nil && RefusedFile.kind(ofFileAt: "/nowhere/x") == nil)
    }

    @Test("A short name of a library is answered with what it may mean", arguments: ["m", "libm", "libm.so.9", "libm.so.99"])
    func suggestsLibraries(name: String) throws {
      let error = expectThrows(InvocationError.self) { try DynamicLibrary(name) }
      expect(error?.candidates.first == "libm.so.6" && error?.description.contains("; nearest: libm.so.6") == true)
      expect((error?.candidates.count ?? 9) <= 3)
      let rubbish = expectThrows(InvocationError.self) { try DynamicLibrary("xyzzy_plugh") }
      expectEqual(rubbish?.candidates, [])
      let folder = expectThrows(InvocationError.self) { try DynamicLibrary("/nowhere/m") }
      expectEqual(folder?.candidates, [])
    }

    @Test func processListsMoreThanAnyLibrary() throws {
      let names = Set(DynamicLibrary.process.symbolNames())
      expect(names.isSuperset(of: try DynamicLibrary("libc.so.6").symbolNames()))
      expect(names.contains("swift_retain"))
    }

    /// Uses a library that nothing else in a test process needs, and asks the linker for it without loading it.
    @Test func libraryIsClosedWithItsObject() throws {
      let name = "libanl.so.1"
      func isLoaded() -> Bool {
        guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_NOLOAD) else { return false }
        _ = unsafe dlclose(handle)
        return true
      }
      expect(!isLoaded())
      var libraries = [try DynamicLibrary(name), try DynamicLibrary(name)]
      expect(isLoaded())
      libraries.removeLast()
      expect(isLoaded())
      libraries.removeLast()
      expect(!isLoaded())
    }

    @Test func opensFromManyTasks() async throws {
      let found = try await withThrowingTaskGroup(of: UInt.self) { group in
        for _ in 0..<64 {
          group.addTask { unsafe UInt(bitPattern: try DynamicLibrary("libm.so.6").symbol("cos")) }
        }
        var addresses: Set<UInt> = []
        for try await address in group { addresses.insert(address) }
        return addresses
      }
      expectEqual(found.count, 1)
    }
  }
#endif
