#if os(Linux)
  import FunctionReplacement
  import Foundation
  import Shop
  import Synchronization
  import Testing

  /// Whose calls a replacement answers, and for how long.
  @Suite struct ReplacementScopeTests {
    @Test("Many tasks have a replacement each, and others none, at the same time")
    func tasks() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            for _ in 0..<20 {
              guard number % 4 != 0 else {
                #expect(area(3, 4) == 12)
                await Task.yield()
                continue
              }
              let value = Double(number)
              try await replacing("Shop.area(_:_:)", with: { (_: Double, _: Double) in value }) {
                #expect(areaOfSquare(2) == value)
                await Task.yield()
                #expect(areaOfSquare(2) == value)
              }
              #expect(areaOfSquare(2) == 4)
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test("Global replacements come and go on some threads while others call: each call is answered whole")
    func threads() async throws {
      final class Bonus: Sendable {
        static let count: Atomic<Int> = Atomic(0)
        let value: Int
        init(_ value: Int) {
          self.value = value
          Self.count.add(1, ordering: .relaxed)
        }
        deinit { Self.count.subtract(1, ordering: .relaxed) }
      }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for worker in 1...4 {
          group.addTask {
            for _ in 0..<200 {
              let bonus = Bonus(worker * 1_000)
              let replacement = try replace(
                "Shop.crowded(_:)", reach: .global, with: { (number: Int) in original { crowded(number) } + bonus.value })
              // What others have put beneath it is part of the result.
              let sum = crowded(worker)
              guard sum % 1_000 == worker, sum >= 1_000 else { return 1 }
              replacement.cancel()
            }
            return 0
          }
          group.addTask {
            for round in 0..<2_000 {
              let sum = crowded(round % 1_000)
              guard sum % 1_000 == round % 1_000, sum <= 10_999 else { return 1 }
            }
            return 0
          }
        }
        let failed = try await group.reduce(0, +)
        #expect(failed == 0)
      }
      #expect(crowded(7) == 7)
      #expect(Bonus.count.load(ordering: .relaxed) == 0)
    }

    @Test("Child tasks have the replacements of their parent; detached tasks and threads have the global ones")
    func children() async throws {
      try await replacing("Position.scaled(by:)", with: { (own: Position, _: Double) in Position(x: -1, y: own.y) }) {
        let position = Position(x: 1, y: 2)
        async let child = position.scaled(by: 2)
        #expect(await child.x == -1)
        #expect(await Task { position.scaled(by: 2) }.value.x == -1)
        #expect(await Task.detached { position.scaled(by: 2) }.value.x == 2)
      }
      let everywhere = try replace("Shop.onlyGlobal(_:)", reach: .global, with: { (number: Int) in number + 1 })
      #expect(await Task.detached { onlyGlobal(1) }.value == 2)
      #expect(await withCheckedContinuation { done in Thread { done.resume(returning: onlyGlobal(1)) }.start() } == 2)
      #expect(try replacing("Shop.onlyGlobal(_:)", with: { (number: Int) in number + 2 }) { onlyGlobal(1) } == 3)
      everywhere.cancel()
      everywhere.cancel()
      #expect(await Task.detached { onlyGlobal(1) }.value == 1)
      #expect(everywhere.name == "Shop.onlyGlobal(_:)")
      #expect("\(everywhere)" == "replacement of Shop.onlyGlobal(_:)")
    }

    @Test("A call that is running keeps what its closure has captured, also if its replacement ends meanwhile")
    func running() {
      final class Witness: Sendable {
        let log: Log
        init(_ log: Log) { self.log = log }
        deinit { log.add("freed") }
      }
      final class Log: Sendable {
        private let entries = Mutex<[String]>([])
        var all: [String] { entries.withLock { $0 } }
        func add(_ entry: String) { entries.withLock { $0.append(entry) } }
      }
      let log = Log()
      let token = Mutex<Replacement?>(nil)
      @Sendable func endAll() {
        token.withLock { token in
          token?.cancel()
          token = nil
        }
      }
      withReplacements {
        do {
          let witness = Witness(log)
          token.withLock { token in
            token = try? replace(
              "Shop.withTax(_:)",
              with: { (amount: Int) -> Int in
                endAll()
                log.add("runs")
                return witness.log === log ? amount + original { withTax(amount) } : 0
              })
          }
        }
        #expect(withTax(100) == 210)
        #expect(log.all == ["runs", "freed"])
        #expect(withTax(100) == 110)
      }
    }

    @Test("What a body throws ends its replacements")
    func thrown() throws {
      #expect(throws: ShopError.empty) {
        try replacing("Cart.price(of:)", with: { (_: Int) in 0 }) {
          #expect(Cart.price(of: 1) == 0)
          throw ShopError.empty
        }
      }
      #expect(Cart.price(of: 1) == 100)
    }

    @Test("Values are neither leaked nor released twice")
    func ownership() throws {
      let item = Tracked()
      weak let held = item
      for _ in 0..<100 {
        let given = try replacing("anything(_:)", with: { (value: Any) -> Any in [value, value] }) { anything(item) }
        #expect((given as? [Any])?.count == 2)
        try replacing("Box.store(_:_:)", with: { (box: inout Box, item: Tracked, list: [Tracked]) in box.items = list + [item] }) {
          var box = Box()
          box.store(item, [item])
          #expect(box.items.count == 2)
        }
        try replacing("Box.init(owning:)", with: { (item: Tracked) in Box() }) { _ = Box(owning: item) }
        try Self.checkClosures(item)
        #expect(throws: ShopError.empty) {
          try replacing("Box.init(throwing:)", with: { (item: Tracked) throws -> Box in throw ShopError.empty }) {
            _ = try Box(throwing: item)
          }
        }
      }
      #expect(Tracked.count.load(ordering: .relaxed) == 1)
      #expect(held != nil)
    }

    private static func checkClosures(_ item: Tracked) throws {
      try replacing("keep(_:)", with: { (function: @escaping () -> Tracked) in _ = function() }) { keep { item } }
      try replacing("lend(_:)", with: { (function: (Tracked) -> Tracked) in _ = function(item) }) { lend { _ in item } }
      try replacing("give()", with: { () -> (Tracked) -> Tracked in { _ in item } }) { _ = give()(item) }
    }
  }
#endif
