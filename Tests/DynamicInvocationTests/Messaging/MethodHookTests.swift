#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// Closures before, after and instead of methods.
  @Suite(.measured) struct MethodHookTests {
    private class Page: EncodedObject, @unchecked Sendable {
      let lines: Locked<[String]> = Locked([])
      func note(_ line: String) { lines.withLock { $0.append(line) } }
      var log: [String] { lines.withLock { $0 } }
    }
    private final class Row: Page, @unchecked Sendable {}
    private final class Cell: Page, @unchecked Sendable {}

    private final class Flag: Sendable {
      let isSet: Atomic<Bool> = Atomic(false)
    }

    /// A class of its own for each test, since tables are for ever.
    private static func table<Object: Page>(_ type: Object.Type, _ name: String) throws -> MethodSelector {
      let selector = MethodSelector("\(name)(_:)")
      try MethodTable.of(Page.self).add(selector) { (page: Page, number: Int) throws -> Int in
        page.note("method \(number)")
        if number < 0 { throw Refusal(number: number) }
        return number * 2
      }
      return selector
    }

    private func send(_ selector: MethodSelector, _ number: Int, to page: Page) throws -> Int {
      try Invocation.send(page, selector, number)
    }

    @Test(
      "Before, after and instead of a method, each removed in any order (D6.1)",
      arguments: [[0, 1, 2], [2, 1, 0], [1, 0, 2], [1, 2, 0]])
    func order(removed: [Int]) throws {
      let selector = try Self.table(Page.self, "order\(removed)".filter { $0.isLetter || $0.isNumber })
      let table = MethodTable.of(Page.self)
      let page = Page()
      let hooks = [
        try table.hook(before: selector) { (page: Page, number: Int) in page.note("before \(number)") },
        try table.hook(after: selector) { (page: Page, number: Int) in page.note("after \(number)") },
        try table.hook(insteadOf: selector) { call, original in
          page.note("around")
          try call.forward(to: original)
          let number: Int = try call.returnValue()
          try call.setReturnValue(number + 1)
        },
      ]
      // What each adds to the lines, the newest outermost.
      let (first, last) = ([["before 3"], [], ["around"]], [[], ["after 3"], []])
      var left = [0, 1, 2]
      func check() throws {
        page.lines.withLock { $0 = [] }
        try expectEqual(send(selector, 3, to: page), (left.contains(2) ? 7 : 6))
        expectEqual(page.log, left.reversed().flatMap { first[$0] } + ["method 3"] + left.flatMap { last[$0] })
      }
      try check()
      for index in removed {
        hooks[index].cancel()
        left.removeAll { $0 == index }
        try check()
        hooks[index].cancel()
        try check()
      }
    }

    @Test("A hook of a class is one of the subclasses that inherit the method, and wraps what they inherit (D6.2)")
    func inheritance() throws {
      let selector = try Self.table(Page.self, "inheritance")
      let (row, page, cell) = (Row(), Page(), Cell())
      let (rows, pages) = (MethodTable.of(Row.self), MethodTable.of(Page.self))
      let ofRow = try rows.hook(before: selector) { (row: Row, _: Int) in row.note("row") }
      let ofPage = try pages.hook(before: selector) { (page: Page, _: Int) in page.note("page") }
      for target in [row, page, cell] { try expectEqual(send(selector, 1, to: target), 2) }
      expect(row.log == ["row", "page", "method 1"] && page.log == ["page", "method 1"] && cell.log == page.log)
      ofPage.cancel()
      try expect(send(selector, 2, to: row) == 4 && row.log.suffix(2) == ["row", "method 2"])
      ofRow.cancel()
      try expect(send(selector, 3, to: row) == 6 && row.log.last == "method 3" && !rows.selectors.contains(selector))
      // A subclass with a method of its own is not hooked by the superclass.
      try MethodTable.of(Cell.self).add(selector) { (cell: Cell, number: Int) -> Int in -number }
      try pages.hook(before: selector) { (page: Page, _: Int) in page.note("late") }
      try expect(send(selector, 4, to: cell) == -4 && !cell.log.contains("late"))
    }

    @Test("A hook wraps what the class gets later (D6.3)") func changes() throws {
      let selector = try Self.table(Page.self, "changes")
      let pages = MethodTable.of(Page.self), rows = MethodTable.of(Row.self)
      let row = Row()
      let hook = try rows.hook(insteadOf: selector) { call, original in
        row.note("hook")
        try call.forward(to: original)
      }
      try rows.add(selector) { (_: Row, number: Int) throws -> Int in number + 100 }
      try expectEqual(send(selector, 1, to: row), 101)
      expectError(.duplicateMethod) { try rows.add(selector) { (_: Row, _: Int) throws -> Int in 0 } }
      let former = try rows.replace(selector, Implementation { (_: Row, number: Int) throws -> Int in number + 200 })
      try expect(former != nil && send(selector, 1, to: row) == 201)
      expectThrows(InvocationError.self) { try rows.replace(selector, Implementation { (_: Row, _: String) in }) }
      expect(rows.remove(selector) != nil && rows.remove(selector) == nil)
      try expectEqual(send(selector, 1, to: row), 2)
      expectEqual(row.log, ["hook", "hook", "hook", "method 1"])
      pages.remove(selector)
      expectError(.unrecognizedSelector) { try send(selector, 1, to: row) }
      hook.cancel()
      expect(!rows.responds(to: selector))
    }

    @Test("Errors of a method and of its hooks are the sender's (D6.4)") func errors() throws {
      let selector = try Self.table(Page.self, "errors")
      let pages = MethodTable.of(Page.self)
      let page = Page()
      let after = try pages.hook(after: selector) { (page: Page, number: Int) throws in
        page.note("after")
        if number == 7 { throw Refusal(number: 7) }
      }
      expectThrows(Refusal(number: -1)) { try send(selector, -1, to: page) }
      expectEqual(page.log, ["method -1"])
      expectThrows(Refusal(number: 7)) { try send(selector, 7, to: page) }
      after.cancel()
      try pages.hook(before: selector) { (_: Page, number: Int) throws in if number == 8 { throw Refusal(number: 8) } }
      expectThrows(Refusal(number: 8)) { try send(selector, 8, to: page) }
      expect(!page.log.contains("method 8"))
      let caught = try pages.hook(insteadOf: selector) { call, original in
        do { try call.forward(to: original) } catch is Refusal { try call.setReturnValue(-1) }
      }
      try expect(send(selector, -5, to: page) == -1 && send(selector, 5, to: page) == 10)
      caught.cancel()
      let silent = try pages.hook(insteadOf: selector) { _, _ in }
      expectError(.noReturnValue) { try send(selector, 5, to: page) }
      silent.cancel()
      try expectEqual(send(selector, 5, to: page), 10)
    }

    @Test("What is no method, or has other types, is refused (D6.5)") func refusals() throws {
      let selector = try Self.table(Page.self, "refusals")
      let pages = MethodTable.of(Page.self)
      expectErrors(
        .unrecognizedSelector, { try pages.hook(insteadOf: "nowhere(_:)") { _, _ in } },
        { try pages.hook(before: "nowhere(_:)") { (_: Page) in } })
      expectErrors(
        .typeMismatch, { try pages.hook(before: selector) { (_: Row, _: Int) in } },
        { try pages.hook(before: selector) { (_: Page, _: Double) in } },
        { try MethodTable.of(Row.self).hook(after: selector) { (_: Cell, _: Int) in } })
      expectError(.countMismatch) { try pages.hook(before: selector) { (_: Page, _: Int, _: Int) in } }
      // The target alone, or with a class above.
      let hook = try MethodTable.of(Row.self).hook(before: selector) { (page: Page) in page.note("short") }
      let row = Row()
      try expect(send(selector, 1, to: row) == 2 && row.log == ["short", "method 1"])
      hook.cancel()
    }

    @Test("A hook changes arguments, and calls the original twice or not at all (D6.6)") func arguments() throws {
      let selector = try Self.table(Page.self, "arguments")
      let pages = MethodTable.of(Page.self)
      let page = Page()
      let hook = try pages.hook(insteadOf: selector) { call, original in
        let number: Int = try call.argument(at: 2)
        if number == 0 { return try call.setReturnValue(-100) }
        let changed = call.makeInvocation()
        try changed.setArgument(number + 1, at: 2)
        try changed.invoke(using: original)
        try call.forward(to: original)
        let (twice, once): (Int, Int) = (try changed.returnValue(), try call.returnValue())
        try call.setReturnValue(twice * 1000 + once)
        try expectEqual(call.argument(at: 2, as: Int.self), number)
        try expectEqual("\(call.boxedReturnValue())", "\(BoxedValue.int(twice * 1000 + once))")
      }
      try expect(send(selector, 0, to: page) == -100 && send(selector, 4, to: page) == 10_008)
      expectEqual(page.log, ["method 5", "method 4"])
      hook.cancel()
    }

    @Test("Objects, texts and structs of every size pass, and nothing leaks") func values() throws {
      final class Thing: EncodedObject, Sendable {
        static let alive: Atomic<Int> = Atomic(0)
        init() { Self.alive.add(1, ordering: .relaxed) }
        deinit { Self.alive.subtract(1, ordering: .relaxed) }
      }
      let pages = MethodTable.of(Page.self)
      try pages.add("thing(_:text:rect:)") { (page: Page, thing: Thing?, text: String, rect: Geometry.Rect) -> Thing in
        page.note("\(text) \(rect.size.width)")
        return thing ?? Thing()
      }
      try pages.add("rect(_:)") { (_: Page, rect: Geometry.Rect) -> Geometry.Rect in rect }
      let kept = Thing()
      do {
        let hook = try pages.hook(insteadOf: "thing(_:text:rect:)") { call, original in
          try call.forward(to: original)
          let thing: Thing = try call.returnValue()
          try call.setReturnValue(thing === kept ? kept : Thing())
        }
        try pages.hook(after: "rect(_:)") { (page: Page, rect: Geometry.Rect) in page.note("rect \(rect.origin.x)") }
        let page = Page()
        for thing in [kept, nil] {
          let message = try Invocation(target: page, selector: "thing(_:text:rect:)")
          try message.setArguments([thing, "a longer text than one word", Geometry.Rect(x: 1, y: 2, width: 3, height: 4)])
          try message.invoke()
          try expectEqual((message.returnValue(as: Thing.self) === kept), (thing != nil))
          hook.cancel()
        }
        let message = try Invocation(target: page, selector: "rect(_:)")
        try message.setArgument(Geometry.Rect(x: 1, y: 2, width: 3, height: 4), at: 2)
        try message.invoke()
        try expectEqual(message.returnValue(as: Geometry.Rect.self).size.height, 4)
        expectEqual(page.log, ["a longer text than one word 3.0", "a longer text than one word 3.0", "rect 1.0"])
      }
      withExtendedLifetime(kept) { expectEqual(Thing.alive.load(ordering: .relaxed), 1) }
    }

    @Test("A hook removes itself while it runs, and messages within it run it again (D6.7)") func reentrancy() throws {
      let selector = try Self.table(Page.self, "reentrancy")
      let pages = MethodTable.of(Page.self)
      let (page, other) = (Page(), Page())
      let held: Locked<MethodHook?> = Locked(nil)
      let hook = try pages.hook(insteadOf: selector) { call, original in
        let number: Int = try call.argument(at: 2)
        if call.objectTarget === page {
          let message = try Invocation(target: other, selector: selector)
          try message.setArgument(number + 1, at: 2)
          try message.invoke()
        }
        held.withLock { $0 }?.cancel()
        try call.forward(to: original)
        let answer: Int = try call.returnValue()
        try call.setReturnValue(answer + 1)
      }
      try pages.hook(before: selector) { (page: Page, number: Int) in page.note("outer \(number)") }
      held.withLock { $0 = hook }
      try expectEqual(send(selector, 1, to: page), 3)
      expect(page.log == ["outer 1", "method 1"] && other.log == ["outer 2", "method 2"])
      try expectEqual(send(selector, 1, to: page), 2)
    }

    @Test("A closure that was removed is released with what it captured (D6.8)") func lifetime() throws {
      let selector = try Self.table(Page.self, "lifetime")
      weak var captured: Page?
      let page = Page()
      do {
        let object = Page()
        captured = object
        let hook = try MethodTable.of(Page.self).hook(insteadOf: selector) { call, original in
          object.note("x")
          try call.forward(to: original)
        }
        try expectEqual(send(selector, 1, to: page), 2)
        hook.cancel()
      }
      try expectEqual(send(selector, 1, to: page), 2)
      expectNil(captured)
    }

    @Test(
      "A hundred hooks of one method need a megabyte of stack at most (D6.1)",
      .enabled(if: Sanitizer.current == nil, "the frames of sanitizer builds are several times as large"))
    func many() throws {
      let selector = try Self.table(Page.self, "many")
      let hooks = try (0..<100).map { _ in
        try MethodTable.of(Page.self).hook(insteadOf: selector) { call, original in try call.forward(to: original) }
      }
      defer { for hook in hooks { hook.cancel() } }
      expectEqual(onStack(of: 1 << 20) { (try? self.send(selector, 1, to: Page())) ?? -1 }, 2)
    }

    @Test("Hooks are added and removed while other threads send (D6.9)") func threads() async throws {
      let selector = try Self.table(Page.self, "threads")
      let pages = MethodTable.of(Page.self)
      let isOver = Flag()
      let counts: Locked<[Int: Int]> = Locked([:])
      await withTaskGroup { group in
        for _ in 0..<3 {
          group.addTask {
            let page = Page()
            while !isOver.isSet.load(ordering: .acquiring) {
              let number = (try? self.send(selector, 1, to: page)) ?? -1
              counts.withLock { $0[number, default: 0] += 1 }
              page.lines.withLock { $0.removeAll(keepingCapacity: true) }
              // The task that changes the hooks needs a thread as well.
              await Task.yield()
            }
          }
        }
        group.addTask {
          for _ in 0..<300 {
            let hooks = (0..<3).compactMap { _ in
              try? pages.hook(insteadOf: selector) { call, original in
                try call.forward(to: original)
                let number: Int = try call.returnValue()
                try call.setReturnValue(number + 10)
              }
            }
            for hook in hooks.shuffled() { hook.cancel() }
          }
          isOver.isSet.store(true, ordering: .releasing)
        }
      }
      expect(Set(counts.withLock { $0.keys }).isSubset(of: [2, 12, 22, 32]))
      try expectEqual(send(selector, 1, to: Page()), 2)
    }
  }

  extension IncomingCall {
    fileprivate var objectTarget: AnyObject? { try? objectArgument(at: 0) }
  }
#endif
