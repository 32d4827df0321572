#if os(Linux)
  import DynamicInvocation
  import Foundation
  import FoundationNetworking
  import FunctionReplacement
  import SwiftFunctions
  import TestSupport
  import Testing

  /// Functions of other libraries, which were compiled without the flag: functions of Foundation and of C that this program calls.
  @Suite struct OtherLibraryTests {
    private static let epoch = Date(timeIntervalSince1970: 0)
    private static let hasFunctionsOfC: ConditionTrait = .enabled(
      if: Sanitizer.current == nil, "sanitizers define such functions in the program")

    @Test("Foundation's clock, in a task beside others that get the real one")
    func clock() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<4 {
          group.addTask {
            for _ in 0..<50 {
              try replacing("Foundation.Date.init()", with: { Date(timeIntervalSince1970: Double(number)) }) {
                #expect(Date().timeIntervalSince1970 == Double(number))
              }
              #expect(Date().timeIntervalSince1970 > 1e9)
              await Task.yield()
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(Date().timeIntervalSince1970 > 1e9)
    }

    @Test("Names of Foundation's parts and of the type alone; child tasks, detached ones, and all tasks")
    func namesAndTasks() async throws {
      for name in ["Foundation.Date.init()", "FoundationEssentials.Date.init()", "Date.init()"] {
        #expect(try replacing(name, with: { Self.epoch }) { Date() } == Self.epoch)
      }
      try await replacing("Date.init()", with: { Self.epoch }) {
        async let child = Date()
        let detached = await Task.detached { Date() }.value
        #expect(await child == Self.epoch)
        #expect(detached != Self.epoch)
      }
    }

    @Test("Files, by a method that subclasses override, and the environment, by a getter of a class")
    func filesAndEnvironment() throws {
      let manager = FileManager.default
      try replacing("FileManager.fileExists(atPath:)", with: { (_: FileManager, path: String) in path == "/nowhere" }) {
        #expect(manager.fileExists(atPath: "/nowhere"))
        #expect(!manager.fileExists(atPath: "/"))
      }
      #expect(manager.fileExists(atPath: "/"))
      #expect(!manager.fileExists(atPath: "/nowhere"))
      let found = try replacing("ProcessInfo.environment", with: { (_: ProcessInfo) in ["HOME": "/nowhere"] }) {
        ProcessInfo.processInfo.environment
      }
      #expect(found == ["HOME": "/nowhere"])
      #expect(ProcessInfo.processInfo.environment["PATH"] != nil)
    }

    @Test("Functions of C, whose types the closure states; each task has its own", hasFunctionsOfC)
    func functionsOfC() async throws {
      let path = getenv("PATH").map { String(cString: $0) }
      let seconds = try replacing("time", with: { (_: UnsafeMutablePointer<time_t>?) -> time_t in 42 }) { time(nil) }
      #expect(seconds == 42)
      #expect(time(nil) > 1_000_000)
      let replaced = try replacing("getenv", with: { (_: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? in nil }) {
        getenv("PATH").map { String(cString: $0) }
      }
      #expect(replaced == nil)
      #expect(getenv("PATH").map { String(cString: $0) } == path)
      let difference = try replacing("difftime", with: { (end: time_t, start: time_t) in Double(end + start) }) { difftime(10, 4) }
      #expect(difference == 14)
      #expect(difftime(10, 4) == 6)
      let same = try replacing("access", with: { (path: UnsafePointer<CChar>, mode: Int32) -> Int32 in original { access("/", mode) } }) {
        access("/nowhere", 0)
      }
      #expect(same == 0)
      #expect(access("/nowhere", 0) == -1)
      #expect(errno == ENOENT)
    }

    @Test("Spies of functions of Foundation and of C, with answers, and the original", hasFunctionsOfC)
    func spies() throws {
      try withReplacements {
        let dates = try spy("Foundation.Date.init()")
        try dates.answer(.returning(Self.epoch), .original)
        #expect(Date() == Self.epoch)
        let now = Date()
        #expect(now > Self.epoch)
        #expect(dates.count == 2)
        #expect(dates[1].result() == now)
        let questions = try spy("FileManager.fileExists(atPath:)")
        #expect(FileManager.default.fileExists(atPath: "/"))
        #expect(questions[0].argument(0) === FileManager.default)
        #expect(questions[0].argument(1) == "/")
        #expect(questions[0].result() == true)
        let variables = try spy("getenv", as: ((UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>?).self)
        #expect(getenv("PATH") != nil)
        #expect(variables.count == 1)
        let times = try spy("time", as: ((UnsafeMutablePointer<time_t>?) -> time_t).self)
        try times.answer(.returning(42), .original)
        #expect(time(nil) == 42)
        #expect(time(nil) > 42)
        #expect(times.count == 2)
      }
      #expect(time(nil) > 1_000_000)
    }

    @Test("A pointer in a variable calls the function itself, also one that the program has changed", hasFunctionsOfC)
    func pointers() throws {
      let source = """
        #define _GNU_SOURCE
        #include <stdlib.h>
        typedef char *(*lookup)(const char *);
        lookup first = getenv, second = getenv;
        static const lookup table[] = {getenv};
        void change(void) { second = secure_getenv; }
        int is_changed(void) { return second == secure_getenv; }
        int finds(int way) { return (way == 0 ? getenv("PATH") : way == 1 ? first("PATH") : way == 2 ? second("PATH") : table[way - 3]("PATH")) != NULL; }
        """
      let path = try CCompiler.gcc.sharedLibrary(source: source, flags: ["-O0", "-Wl,-z,relro"], name: "pointers")
      let library = try DynamicLibrary(path)
      let finds = try library.function("finds", types: "ii")
      func found() throws -> [Int32] { try (0..<4).map { try finds(Int32($0)) } }
      try library.function("change", types: "v")()
      #expect(try found() == [1, 1, 1, 1])
      let file = URL(fileURLWithPath: path).lastPathComponent
      for _ in 0..<2 {
        let replaced = try replacing(
          "getenv", calledBy: .library(file), with: { (_: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar>? in nil }
        ) { try found() }
        #expect(replaced == [0, 1, 1, 0])
        #expect(try found() == [1, 1, 1, 1])
        #expect(try library.function("is_changed", types: "i")() == Int32(1))
      }
    }

    @Test("The network, by an asynchronous method; tasks that wait get their own answers")
    func network() async throws {
      let url = try #require(URL(string: "https://nowhere.invalid/page"))
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<8 {
          group.addTask {
            for round in 0..<20 {
              let (data, response) = try await replacing(
                "URLSession.data(from:delegate:)",
                with: { (_: URLSession, url: URL, _: (any URLSessionTaskDelegate)?) async throws -> (Data, URLResponse) in
                  await Task.yield()
                  guard round % 3 != 2 else { throw CocoaError(.fileNoSuchFile) }
                  return (
                    Data("\(number) \(round)".utf8),
                    URLResponse(url: url, mimeType: "text/plain", expectedContentLength: round, textEncodingName: nil)
                  )
                }
              ) { () async throws -> (String, Int64) in
                do {
                  let (data, response) = try await URLSession.shared.data(from: url)
                  return (String(decoding: data, as: UTF8.self), response.expectedContentLength)
                } catch is CocoaError {
                  return ("failed", Int64(round))
                }
              }
              #expect(data == (round % 3 == 2 ? "failed" : "\(number) \(round)"))
              #expect(response == Int64(round))
            }
          }
        }
        try await group.waitForAll()
      }
      // Without a replacement the function itself is called, in the task beside.
      await #expect(throws: URLError.self) { try await URLSession.shared.data(from: URL(fileURLWithPath: "/nowhere/at/all")) }
      try await withReplacements {
        let calls = try spy("URLSession.data(from:delegate:)")
        await #expect(throws: URLError.self) { try await URLSession.shared.data(from: URL(fileURLWithPath: "/nowhere/at/all")) }
        #expect(calls.count == 1)
        #expect(calls[0].error is URLError)
      }
    }

    @Test("A generic method, for the types of the closure")
    func generic() throws {
      let decoded = try replacing("JSONDecoder.decode(_:from:)", with: { (_: JSONDecoder, _: Int.Type, _: Data) throws in 7 }) {
        try JSONDecoder().decode([Int].self, from: Data("[5]".utf8)) + [JSONDecoder().decode(Int.self, from: Data("5".utf8))]
      }
      #expect(decoded == [5, 7])
    }

    @Test("A function of the standard library")
    func printed() throws {
      try withReplacements {
        let lines = try spy("Swift.print(_:separator:terminator:)")
        try lines.answer(.returning(()))
        print("hidden", 5)
        #expect(lines.count == 1)
        #expect((lines[0].argument(0) as [Any]?)?.count == 2)
      }
    }

    @Test("Replacements within each other, the older one by the closure, and each ends")
    func nested() throws {
      try withReplacements {
        let outer = try replace("Date.init()", with: { Self.epoch })
        let inner = try replace("Date.init()", with: { original { Date() } + 60 })
        let last = try spy("Date.init()")
        #expect(Date().timeIntervalSince1970 == 60)
        #expect(last[0].result() == Date(timeIntervalSince1970: 60))
        outer.cancel()
        #expect(Date().timeIntervalSince1970 > 1e9)
        inner.cancel()
        #expect(Date().timeIntervalSince1970 > 1e9)
        #expect(last.count == 3)
      }
    }

    @Test("Asynchronous functions of a library, while other tasks call them", arguments: SwiftCompiler.Mode.allCases)
    func asynchronous(_ mode: SwiftCompiler.Mode) async throws {
      let (name, library, user) = try Self.libraries(mode)
      let callers = Replacement.Callers.library("libSlotUser_\(mode).so")
      let fetch = try unsafe user.asyncFunction("SlotUser_\(mode).fetch(_:)", isNonsending: false)
      let sum = try unsafe user.asyncFunction("SlotUser_\(mode).sum(_:)", isNonsending: false)
      let read = try unsafe user.asyncFunction("SlotUser_\(mode).read(_:)", isNonsending: false)
      let sums = [4.0, 7, 3, 15, 15, 15]
      try await withThrowingTaskGroup(of: Void.self) { group in
        // The first calls may be between the size of the context and the code when the code is exchanged.
        for _ in 0..<3 {
          group.addTask {
            for number in 0..<200 {
              let (text, numbers): (String, [Double]) = (try await fetch(number), try await sum(4))
              #expect(text == "fetched \(number)")
              #expect(numbers == sums)
            }
          }
        }
        group.addTask {
          for number in 0..<50 {
            try await withReplacements {
              let spies = try ["fetched(_:)", "summed(_:_:_:_:_:_:_:)"].map { try spy("\(name).\($0)", in: library, calledBy: callers) }
              #expect(try await fetch(-1) as String == "failed")
              #expect(try await sum(4) as [Double] == sums)
              #expect(spies.map { $0.count } == [1, 1])
              #expect(spies[0][0].error != nil)
              try spies[0].answer(.returning("answered"))
              #expect(try await fetch(number) as String == "answered")
            }
          }
        }
        try await group.waitForAll()
      }
      guard mode == .plain || mode == .optimized else { return }
      try await withReplacements {
        let reads = try spy("\(name).Reader.read(_:)", in: library, calledBy: callers)
        #expect(try await read(5) as [String] == ["read 5"])
        try reads.answer(.returning(["answered"]))
        #expect(try await read(-5) as [String] == ["answered"])
        #expect(reads.count == 2)
      }
      #expect(try await read(-5) as [String] == [])
    }

    @Test("What is not reached or not sound is refused, with the reason")
    func refusals() {
      #expect(refusal("gethostid", is: .unsupportedType, { 0 }).contains("no image that is meant calls it through its table"))
      let unused = refusal("Foundation.DateInterval.duration.setter", is: .unsupportedType, { (_: inout DateInterval, _: Double) in })
      #expect(unused.contains("no image that is meant calls it through its table"), "\(unused)")
      #expect(refusal("Date.init()", is: .typeMismatch, { 0.0 }).contains("its type is FoundationEssentials.Date"))
      #expect(refusal("Foundation.Date.inti()", is: .symbolNotFound, { Self.epoch }).contains("has no Swift function"))
      #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("getenv") } }
    }

    @Test("Functions of C that are not sound to replace are refused, with the reason", hasFunctionsOfC)
    func refusalsOfC() {
      #expect(refusal("printf", is: .unsupportedType, { 0 }).contains("it is variadic"))
      #expect(refusal("longjmp", is: .unsupportedType, { 0 }).contains("does not return as other functions do"))
      #expect(refusal("memcpy", is: .unsupportedType, { 0 }).contains("replacements need it themselves"))
      #expect(refusal("time", is: .unsupportedType, { (_: String) in 0 }).contains("argument 0: functions of C are replaced if"))
      #expect(refusal("time", is: .unsupportedType, { (_: inout Int) in 0 }).contains("argument 0: functions of C are replaced if"))
    }

    /// A library, by its name, and one that calls it: each is made once.
    private static func libraries(_ mode: SwiftCompiler.Mode) throws -> (String, DynamicLibrary, SwiftLibrary) {
      // The dynamic linker takes two libraries of one name for one.
      let name = "SlotBase_\(mode)"
      let base = try SwiftCompiler.sharedLibrary(
        source: """
          public struct Negative: Error {}
          public func joined(_ left: String, _ number: Int) throws -> String {
            if number < 0 { throw Negative() }
            return left + String(number)
          }
          public func fetched(_ number: Int) async throws -> String { try joined("fetched ", number) }
          public func summed(_ a: Double, _ b: Double, _ c: [Int], _ d: Int, _ e: Int, _ f: Int, _ g: Int8) async -> (Double, [Int], Int8) {
            var words = (c, [a], 0.0, 1.0, 2.0, 3.0)
            for _ in 0..<3 { await Task.yield(); words.0.append(d + e + f) }
            return (a + b + words.1[0], words.0, g)
          }
          open class Reader {
            public init() {}
            open func read(_ number: Int) async throws -> [String] { await Task.yield(); return [try joined("read ", number)] }
          }
          public struct Counter {
            public var value = 0
            public init() {}
            public mutating func add(_ number: Int) { value += number }
          }
          open class Printer {
            public init() {}
            open func line(_ number: Int) -> Int { number + 1 }
            public final func page(_ number: Int) -> Int { number + 2 }
          }
          """, module: name, flags: mode.flags + ["-emit-module"])
      let folder = String(base.dropLast("/lib\(name).so".count))
      let user = try SwiftCompiler.library(
        source: """
          import \(name)
          public func join(_ number: Int) -> String { (try? joined("a", number)) ?? "failed" }
          public func fetch(_ number: Int) async -> String { (try? await fetched(number)) ?? "failed" }
          public func sum(_ number: Int) async -> [Double] {
            let (sum, list, last) = await summed(1, 2, [3], number, 5, 6, 7)
            return [sum, Double(last)] + list.map { Double($0) }
          }
          public func read(_ number: Int) async -> [String] { (try? await Reader().read(number)) ?? [] }
          public func count() -> Int { var counter = Counter(); counter.add(2); return counter.value }
          public func printed() -> [Int] { [Printer().line(3), Printer().page(3)] }
          """, module: "SlotUser_\(mode)",
        flags: mode.flags + ["-I", folder, "-L", folder, "-l\(name)", "-Xlinker", "-rpath", "-Xlinker", folder]
          // Half of them are bound at once, in a table that is read-only then.
          + (mode == .optimized || mode == .evolution ? ["now", "relro"].flatMap { ["-Xlinker", "-z", "-Xlinker", $0] } : []))
      return (name, try DynamicLibrary(base), user)
    }

    @Test("A library that was searched stays open, as another one could get its handle")
    func searched() throws {
      let (name, library, user) = try Self.libraries(.optimized)
      let path = try CCompiler.gcc.sharedLibrary(source: "int unused;", flags: ["-Wl,--no-as-needed", library.name], name: "searched")
      let text: String = try replacing(
        "\(name).joined(_:_:)", in: DynamicLibrary(path), calledBy: .library("libSlotUser_optimized.so"),
        with: { (_: String, _: Int) throws in "replaced" }
      ) {
        try user.function("SlotUser_optimized.join(_:)")(4)
      }
      #expect(text == "replaced")
      #expect(dlopen(path, RTLD_NOW | RTLD_NOLOAD) != nil)
    }

    @Test("A library that another one calls, in each way of compiling; whose calls are meant", arguments: SwiftCompiler.Mode.allCases)
    func library(_ mode: SwiftCompiler.Mode) throws {
      let (name, library, user) = try Self.libraries(mode)
      let join = try user.function("SlotUser_\(mode).join(_:)")
      // The library is not in the folder of the program.
      #expect(throws: InvocationError.self) {
        try replacing("\(name).joined(_:_:)", in: library, with: { (_: String, _: Int) throws in "" }) {}
      }
      let callers = Replacement.Callers.library("libSlotUser_\(mode).so")
      let text: String = try replacing(
        "\(name).joined(_:_:)", in: library, calledBy: callers,
        with: { (left: String, number: Int) throws in left + "\(number * 10)" }
      ) {
        try join(4)
      }
      #expect(text == "a40")
      #expect(try join(4) as String == "a4")
      try withReplacements {
        let joins = try spy("\(name).joined(_:_:)", in: library, calledBy: callers)
        #expect(try join(-1) as String == "failed")
        #expect(joins[0].error != nil)
        let sums = try spy("\(name).Counter.add(_:)", in: library, calledBy: callers, isMutating: true)
        #expect(try user.function("SlotUser_\(mode).count()")() as Int == 2)
        #expect(sums[0].argument(1) == 2)
        let pages = try spy("\(name).Printer.page(_:)", in: library, calledBy: callers)
        try pages.answer(.returning(7))
        guard mode == .plain || mode == .optimized else {
          // Callers get to it by a thunk, which is all that the library exports.
          #expect(throws: InvocationError.self) { try spy("\(name).Printer.line(_:)", in: library, calledBy: callers) }
          #expect(try user.function("SlotUser_\(mode).printed()")() as [Int] == [4, 7])
          return
        }
        let lines = try spy("\(name).Printer.line(_:)", in: library, calledBy: callers)
        try lines.answer(.returning(6))
        #expect(try user.function("SlotUser_\(mode).printed()")() as [Int] == [6, 7])
        #expect(lines[0].argument(1) == 3)
      }
      #expect(try user.function("SlotUser_\(mode).printed()")() as [Int] == [4, 5])
    }
  }
#endif
