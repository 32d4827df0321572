import AllocationCounter
import DynamicInvocation
import EventRouting
import TestSupport
import Testing

@testable import EventRouting

/// What a send costs in what can be counted.
@Suite(.measured) struct SendCostTests {
  private let row = Row()

  private func allocations(_ body: () -> Void) -> UInt64 {
    for _ in 0..<3 { body() }
    let before = allocation_count()
    for _ in 0..<1_000 { body() }
    return allocation_count() - before
  }

  #if arch(x86_64) && os(Linux) && !DEBUG
    /// Unoptimised, generic code may allocate for what it does not know the size of.
    @Test("No send allocates: boxed, boxing and typed, to functions, closures and methods, weak and strong")
    func sendsAllocateNothing() throws {
      final class Target {
        var calls = 0
      }
      let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
      let boxes: [BoxedValue] = [.object(row), .int(7), .rect(rect), nil]
      let handlers = try CHandlers(.gcc)
      let target = Target()
      try MethodTable.of(Target.self).replace(
        "method", Implementation { (target: Target, _: Row?, _: Row, _: Int, _: Geometry.Rect, _: Row?) in target.calls += 1 })
      for holding in [HandlerOptions.Holding.weak, .strong, .unretained] {
        let proxy = EventProxy()
        let options = HandlerOptions(holding: holding)
        try proxy.register("function", handlers.handler("m_event", "v@:@@q{R=dddd}@"), target: target, options: options)
        try proxy.register("method", target: target, selector: "method", options: options)
        try proxy.register("closure", target: target, options: options) { (target: Target) in
          { (_: Row?, _: Row, _: Int, _: Geometry.Rect, _: Row?) in
            target.calls += 1
          }
        }
        try proxy.register("several") { (_: Row?, _: Row, _: Int, _: Geometry.Rect, _: Row?) in target.calls += 1 }
        try proxy.register("several", options: HandlerOptions(priority: 1, duplicates: .append)) {
          (_: Row?, _: Row, _: Int, _: Geometry.Rect, _: Row?) -> EventReply in .handledAndContinue
        }
        for key in proxy.keys {
          let typed = TypedEventKey<(Row, Int, Geometry.Rect, Row?)>(key)
          expectEqual(allocations { proxy.send(key, source: row, arguments: boxes) }, 0, "\(key) \(holding)")
          expectEqual(allocations { proxy.send(key, source: row, boxed: .object(row), .int(7), .rect(rect), nil) }, 0, "\(key) \(holding)")
          expectEqual(allocations { proxy.send(typed, source: row, row, 7, rect, nil) }, 0, "\(key) \(holding)")
        }
        expect(proxy.send("method", source: row, arguments: boxes).errors.isEmpty)
      }
      expect(target.calls > 0)
    }
  #endif

  @Test("The cost is the same from 10 to 100,000 keys: a key is found at its place or near it")
  func manyKeys() throws {
    let proxy = EventProxy()
    var calls = 0
    var keys: [EventKey] = []
    for index in 0..<100_000 {
      let key = EventKey("many keys \(index)")
      keys.append(key)
      try proxy.register(TypedEventKey(key)) { (_: Row?, value: Int) in calls += value }
      guard index == 9 || index == 99_999 else { continue }
      let probes = keys.map { proxy.state.pointee.table.probes(for: $0.bits) }
      // Where keys lie differs from run to run, so only the mean of many says something: ten may all lie together.
      expect(Double(probes.reduce(0, +)) / Double(keys.count) < (index == 9 ? 10 : 4))
    }
    for key in keys { proxy.send(key, source: nil, arguments: [.int(1)]) }
    expectEqual(calls, 100_000)
    expectEqual(proxy.keys, keys)
    for key in keys where key != keys[77_777] { proxy.removeHandlers(for: key) }
    expectEqual(proxy.keys, [keys[77_777]])
    expectEqual(proxy.send(TypedEventKey(keys[77_777]), source: nil, 5).calls, 1)
    expectEqual(calls, 100_005)
    expect(keys.allSatisfy { proxy.handles($0) == ($0 == keys[77_777]) })
  }

  @Test("The table of keys does what a dictionary does", arguments: 0..<5 as Range<UInt64>)
  func tableLikeADictionary(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let proxy = EventProxy()
    var registered: [Int: EventRegistration] = [:]
    for _ in 0..<3_000 {
      let index = Int.random(in: 0..<200, using: &generator)
      let key = EventKey("like a dictionary \(index)")
      if let registration = registered.removeValue(forKey: index) {
        registration.cancel()
      } else {
        registered[index] = try proxy.register(TypedEventKey(key)) { (_: Row?) in }
      }
      expectEqual(proxy.handles(key), (registered[index] != nil))
    }
    expectEqual(proxy.keys.count, registered.count)
    expect((0..<200).allSatisfy { proxy.handles(EventKey("like a dictionary \($0)")) == (registered[$0] != nil) })
  }
}
