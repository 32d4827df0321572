#if os(Linux)
  import DynamicInvocation
  import Foundation
  import FunctionReplacement
  import SwiftFunctions
  import TestSupport
  import Testing

  /// Functions of other libraries, which were compiled without the flag: functions of Foundation and of C that this program calls.
  @Suite struct OtherLibraryTests {
    private static let epoch = Date(timeIntervalSince1970: 0)

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

    @Test("Functions of C, whose types the closure states; each task has its own")
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

    @Test("Spies of functions of Foundation and of C, with answers, and the original")
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

    @Test("What is not reached or not sound is refused, with the reason")
    func refusals() {
      #expect(refusal("gethostid", is: .unsupportedType, { 0 }).contains("no image that is meant calls it through its table"))
      let unused = refusal("Foundation.DateInterval.duration.setter", is: .unsupportedType, { (_: inout DateInterval, _: Double) in })
      #expect(unused.contains("no image that is meant calls it through its table"), "\(unused)")
      #expect(refusal("printf", is: .unsupportedType, { 0 }).contains("it is variadic"))
      #expect(refusal("longjmp", is: .unsupportedType, { 0 }).contains("does not return as other functions do"))
      #expect(refusal("memcpy", is: .unsupportedType, { 0 }).contains("replacements need it themselves"))
      #expect(refusal("time", is: .unsupportedType, { (_: String) in 0 }).contains("argument 0: functions of C are replaced if"))
      #expect(refusal("time", is: .unsupportedType, { (_: inout Int) in 0 }).contains("argument 0: functions of C are replaced if"))
      #expect(refusal("Date.init()", is: .typeMismatch, { 0.0 }).contains("its type is FoundationEssentials.Date"))
      #expect(refusal("Foundation.Date.inti()", is: .symbolNotFound, { Self.epoch }).contains("has no Swift function"))
      #expect(throws: InvocationError.self) { try withReplacements { _ = try spy("getenv") } }
    }

    @Test("A library that another one calls, in each way of compiling; whose calls are meant", arguments: SwiftCompiler.Mode.allCases)
    func library(_ mode: SwiftCompiler.Mode) throws {
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
          public func count() -> Int { var counter = Counter(); counter.add(2); return counter.value }
          public func printed() -> [Int] { [Printer().line(3), Printer().page(3)] }
          """, module: "SlotUser_\(mode)",
        flags: mode.flags + ["-I", folder, "-L", folder, "-l\(name)", "-Xlinker", "-rpath", "-Xlinker", folder])
      let library = try DynamicLibrary(base)
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
        #expect(throws: InvocationError.self) { try spy("\(name).fetched(_:)", in: library, calledBy: callers) }
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
