#if os(Linux)
  import DynamicInvocation
  import Foundation
  import FunctionReplacement
  import Shop
  import Synchronization
  import TestSupport
  import Testing

  /// Values that closures on any thread add.
  final class Recorded<Value: Sendable>: Sendable {
    private let values = Mutex<[Value]>([])
    var all: [Value] { values.withLock { $0 } }
    func add(_ value: Value) { values.withLock { $0.append(value) } }
  }

  /// Calls of a replaced function that are made while its closure, its spy or the function itself runs.
  @Suite struct ReentranceTests {
    @Test("Callbacks of a closure and tasks that it starts find the replacement")
    func callbacks() async throws {
      let asked = Recorded<Int>()
      let answers = try replacing(
        "ask(_:done:)",
        with: { (number: Int, done: (Int) -> Void) in
          asked.add(number)
          done(asked.all.count < 3 ? -1 : number)
        }
      ) { askAgain(5, 7) }
      #expect(asked.all == [7, 7, 7] && answers == [-1, -1, 7])
      try await withReplacements {
        let later = Recorded<Task<Double, Never>>()
        try replace(
          "Shop.area(_:_:)",
          with: { (width: Double, height: Double) in
            if width == 1 {
              later.add(
                Task {
                  await Task.yield()
                  return area(2, 5)
                })
            }
            return width + height
          })
        #expect(area(1, 1) == 2)
        #expect(await later.all[0].value == 7)
      }
    }

    @Test("Tasks that closures start one after another are not within each other")
    func tasks() async throws {
      let count = 1 << 17 + 9
      let (ends, end) = AsyncStream.makeStream(of: Int.self)
      try await withReplacements {
        try replace(
          "isOdd(_:)",
          with: { (number: Int) in
            if number < count { Task { _ = isOdd(number + 1) } } else { end.yield(number) }
            return true
          })
        #expect(isOdd(1))
        for await number in ends {
          #expect(number == count)
          break
        }
      }
    }

    @Test("The recursion of the original finds the replacement, of a closure and of a spy, also of two functions in turns")
    func recursion() async throws {
      let seen = Recorded<Int>()
      try replacing(
        "factorial(_:)",
        with: { (number: Int) in
          seen.add(number)
          return original { factorial(number) }
        }
      ) { #expect(factorial(3) == 6) }
      #expect(seen.all == [3, 2, 1])
      try await withReplacements {
        try replace(
          "isEven(_:)",
          with: { (number: Int) in
            seen.add(number)
            return original { isEven(number) }
          })
        let odd = try spy("isOdd(_:)")
        let later = try spy("depthLater(_:)")
        #expect(isEven(4))
        #expect(seen.all.suffix(3) == [4, 2, 0])
        #expect(odd.all.map { $0.argument(0) } == [3, 1])
        #expect(await depthLater(3) == 3)
        #expect(later.all.map { $0.result() } == [3, 2, 1, 0])
      }
    }

    @Test("Only the first call of the body goes past the replacement, on its own task; no call is needed")
    func onlyTheFirst() async throws {
      try await withReplacements {
        try replace("Cart.price(of:)", with: { (item: Int) in item < 0 ? original { Cart.price(of: -item) + Cart.price(of: 1) } : item })
        #expect(Cart.price(of: -3) == 301)
        try replace(
          "slow(_:)",
          with: { (number: Int) async in
            guard number < 10 else { return number }
            return await original {
              async let other = slow(50)
              let answers = await [other, slow(number)]
              return answers[0] + answers[1]
            } + original { 1_000 }
          })
        #expect(await slow(2) == 1_052)
        // A task that the closure starts may call the original while the closure runs.
        try replace(
          "slow(_:)",
          with: { (number: Int) async in
            async let first = original { await slow(10 + number) }
            async let second = original { await slow(20 + number) }
            return await first + second
          })
        #expect(await slow(1) == 32)
      }
    }

    @Test("The function is the one that the innermost closure replaces")
    func nested() throws {
      try withReplacements {
        try replace("Cart.price(of:)", with: { (item: Int) in original { Cart.price(of: item) } + 1 })
        try replace("withTax(_:)", with: { (amount: Int) in original { withTax(Cart.price(of: amount)) } + 10_000 })
        #expect(withTax(2) == 201 + 20 + 10_000)
        // A call by the name within the original's body is not the one that is meant.
        try replace(
          "Shop.area(_:_:)",
          with: { (width: Double, height: Double) in
            width > 5 ? width : original { area(width + 6, height) * area(9, 9) }
          })
        #expect(area(1, 2) == 14 * 9)
      }
    }

    @Test("Replacements end in any order; one made in a closure is newer; one that ends while it runs keeps its place")
    func order() async throws {
      let inner = try replacing(
        "Cart.price(of:)",
        with: { (item: Int) in (try? replacing("Cart.price(of:)", with: { (other: Int) in 5_000 + other }) { Cart.price(of: item) }) ?? 0 }
      ) { Cart.price(of: 5) }
      #expect(inner == 5_005)
      let token = Mutex<Replacement?>(nil)
      for reach in [Replacement.Reach.task, .global] {
        let name = reach == .task ? "Shop.onlyTask(_:)" : "Shop.onlyOrdered(_:)"
        @Sendable func call(_ number: Int) -> Int { name.hasSuffix("Task(_:)") ? onlyTask(number) : onlyOrdered(number) }
        try withReplacements {
          try replace(name, reach: reach, with: { (number: Int) in original { call(number) } + 100 })
          let ending = try replace(
            name, reach: reach,
            with: { (number: Int) in
              token.withLock { $0?.cancel() }
              // Both find what was there before: by the name since it has ended, and as the original.
              return call(number) * 1_000 + original { call(number) }
            })
          token.withLock { $0 = ending }
          let newest = try replace(name, reach: reach, with: { (number: Int) in original { call(number) } + 1 })
          newest.cancel()
          #expect(call(5) == 105_105)
          #expect(call(5) == 105)
        }
      }
      token.withLock { $0 = nil }  // which its closure has captured
      try await Self.checkEndedScope()
    }

    private static func checkEndedScope() async throws {
      try await replacing("slow(_:)", with: { (number: Int) async in await original { await slow(number) } + 500 }) {
        let clock = ManualClock()
        let task = try await withReplacements {
          let calls = try spy("slow(_:)")
          try calls.answer(.after(.seconds(1), .original, clock: clock))
          let task = Task { await slow(1) }
          while clock.sleeperCount == 0 { await Task.yield() }
          return task
        }
        clock.advance(by: .seconds(1))
        #expect(await task.value == 501)
      }
    }

    @Test("What is made in a scope ends with it, for all tasks too; a scope that has ended takes none")
    func scopes() async throws {
      let object = Recorded<Int>()
      weak let held = object
      let (calls, task) = try withReplacements {
        let calls = try spy("leftGlobal(_:)", reach: .global)
        try calls.answer(.returning(1))
        try replace("leftGlobal(_:)", reach: .global, with: { (number: Int) in original { leftGlobal(number) } + object.all.count + 1 })
        #expect(leftGlobal(5) == 2)
        let task = Task { [object] in
          while object.all.isEmpty { await Task.yield() }
          var codes: [InvocationError.Code?] = []
          for reach in [Replacement.Reach.task, .global] {
            do { _ = try replace("leftGlobal(_:)", reach: reach, with: { (number: Int) in number + object.all.count }) } catch {
              codes.append((error as? InvocationError)?.code)
            }
            do { _ = try spy("leftGlobal(_:)", reach: reach) } catch { codes.append((error as? InvocationError)?.code) }
          }
          return (codes, leftGlobal(5))
        }
        return (calls, task)
      }
      #expect(leftGlobal(5) == 5)
      object.add(1)
      let (codes, result) = await task.value
      #expect(codes.count == 4 && codes.allSatisfy { $0 == .noScope } && result == 5)
      #expect(calls.count == 1)
      #expect(held != nil)
    }

    @Test("800 levels through a closure and through a spy hold on a stack of 2 MB, or of 8 MB in a debug build")
    func smallStack() async {
      await #expect(processExitsWith: .success) {
        let depths = await withCheckedContinuation { (done: CheckedContinuation<[Int], Never>) in
          let thread = Thread {
            let closure = try? replacing("depth(_:)", with: { (number: Int) in original { depth(number) } }) { depth(800) }
            let spied = try? withReplacements {
              let calls = try spy("depth(_:)")
              return depth(800) + calls.count
            }
            done.resume(returning: [closure ?? 0, spied ?? 0])
          }
          #if DEBUG
            thread.stackSize = 8 << 20
          #else
            thread.stackSize = 2 << 20
          #endif
          thread.start()
        }
        #expect(depths == [800, 1_601])
      }
    }

    @Test("A closure that calls its function by its name without end, and original elsewhere, end with a message")
    func messages() async {
      let endless = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try replacing("factorial(_:)", with: { (number: Int) in factorial(number) + 1 }) { _ = factorial(1) }
      }
      Self.check(endless, "innermost one for 'Shop.factorial(_:)'", "write original { } around a call")
      let endlessLater = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try await replacing("slow(_:)", with: { (number: Int) async in await slow(number) + 1 }) { _ = await slow(1) }
      }
      Self.check(endlessLater, "innermost one for 'Shop.slow(_:)'", "write original { } around a call")
      let outside = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        _ = original { Cart.price(of: 1) }
      }
      Self.check(outside, "outside of a closure that replaces a function")
      let late = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        let tasks = Recorded<Task<Int, Never>>()
        try await withReplacements {
          try replace(
            "Cart.price(of:)",
            with: { (item: Int) in
              tasks.add(
                Task {
                  try? await Task.sleep(for: .milliseconds(100))
                  return original { Cart.price(of: item) }
                })
              return item
            })
          _ = Cart.price(of: 1)
          _ = await tasks.all[0].value
        }
      }
      Self.check(late, "in a task that outlives its closure, which replaces 'Shop.Cart.price(of:)'")
    }

    private static func check(_ result: ExitTest.Result?, _ texts: String...) {
      let output = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      for text in texts { #expect(output.contains(text), "\(output.suffix(2_000))") }
    }
  }
#endif
