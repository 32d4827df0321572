#if os(Linux)
  import DynamicInvocation
  import FunctionReplacement
  import Shop
  import Synchronization
  import TestSupport
  import Testing

  /// Tasks that wait for calls.
  @Suite struct SpyWaitingTests {
    private static func isWaiting(_ clock: ManualClock) async { while clock.sleeperCount == 0 { await Task.yield() } }

    @Test("A call wakes the task that waits; calls that came before count; a statement tells which calls count")
    func isWoken() async throws {
      try await withReplacements {
        let calls = try spy("Shop.onlyTask(_:)")
        let clock = ManualClock()
        expectEqual(onlyTask(1), 1)
        expectEqual(try await calls.wait(within: .zero, clock: clock).map { $0.argument(0) }, [1])
        expect(try await calls.wait(for: 0, within: .zero, clock: clock).isEmpty)
        async let three = calls.wait(for: 3, within: .seconds(1), clock: clock).map { $0.argument(0) as Int? }
        async let even = calls.wait(for: 2, within: .seconds(1), clock: clock) { ($0.argument(0) ?? 1) % 2 == 0 }.count
        while clock.sleeperCount < 2 { await Task.yield() }
        for number in 2...6 { await Task { _ = onlyTask(number) }.value }
        expectEqual(try await three, [1, 2, 3])
        expectEqual(try await even, 2)
        // The clocks of waits that are over are cancelled.
        while clock.sleeperCount > 0 { await Task.yield() }
      }
    }

    @Test("A failure says what came instead")
    func missing() async throws {
      try await withReplacements {
        let mails = try spy("Shop.Mailer.send(_:to:)")
        let clock = ManualClock()
        func failure(_ count: Int, to address: String?) async -> String {
          do {
            async let found = mails.wait(for: count, within: .seconds(2), clock: clock) { address == nil || $0["to"] == address }.count
            await Self.isWaiting(clock)
            clock.advance(by: .seconds(2))
            return "\(try await found)"
          } catch { return "\(error)" }
        }
        let name = "Shop.Mailer.send(_:to:): "
        expectEqual(await failure(1, to: nil), name + "0 of 1 call came within 2.0 seconds")
        let mailer = Mailer(host: "host")
        for number in 1...12 { _ = try mailer.send("\(number)", to: number < 3 ? "a" : "b") }
        expectEqual(
          await failure(3, to: "a"),
          name + "2 of 3 calls came within 2.0 seconds: Shop.Mailer.send(\"1\", to: \"a\"), Shop.Mailer.send(\"2\", to: \"a\"); "
            + "others that came: " + (3...12).map { "Shop.Mailer.send(\"\($0)\", to: \"b\")" }.joined(separator: ", "))
        mails.reset()
        _ = try mailer.send(String(repeating: "x", count: 1_000), to: "a")
        expect(await failure(2, to: nil).count < 300)
      }
    }

    @Test("A wait is cancelled, and calls that are forgotten meanwhile count")
    func cancelled() async throws {
      try await withReplacements {
        let calls = try spy("Shop.onlyTask(_:)")
        let clock = ManualClock()
        let waiting = Task { try await calls.wait(within: .seconds(Int64.max), clock: clock).count }
        await Self.isWaiting(clock)
        waiting.cancel()
        let result = await waiting.result
        expectThrows(CancellationError.self) { try result.get() }
        // Who waits has seen a call that is forgotten.
        async let both = calls.wait(for: 2, within: .seconds(1), clock: clock).count
        await Self.isWaiting(clock)
        _ = onlyTask(1)
        calls.reset()
        for _ in 0..<2 { _ = onlyTask(2) }
        expectEqual(try await both, 2)
        await #expect(throws: ShopError.empty) {
          try await calls.wait(within: .seconds(1)) { _ in throw ShopError.empty }
        }
      }
    }

    @Test("Many tasks wait while many call: each is woken, with the calls in order")
    func many() async throws {
      try await withReplacements {
        let calls = try spy("Shop.onlyTask(_:)")
        try await withThrowingTaskGroup(of: Int.self) { group in
          for number in 1...20 {
            group.addTask { try await calls.wait(for: number * 10, within: .seconds(1_000)).last?.number ?? -1 }
            group.addTask {
              for _ in 0..<10 {
                _ = onlyTask(number)
                await Task.yield()
              }
              return 0
            }
          }
          expectEqual(try await group.reduce(0, +), (1...20).reduce(0) { $0 + $1 * 10 - 1 })
        }
        expectEqual(calls.all.map(\.number), Array(0..<200))
        let orders = calls.all.map(\.order)
        expectEqual(orders, orders.sorted())
      }
    }
  }
#endif
