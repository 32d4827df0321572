import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The list of a key's handlers while many are registered and removed.
@Suite(.measured) struct ManyHandlersTests {
  private final class Target {}

  /// What a list in the order of calls is sorted by.
  private struct Entry {
    let registration: EventRegistration
    let priority: Int
    let isInterceptor: Bool
    let number: Int

    func goesBefore(_ other: Entry) -> Bool {
      if priority != other.priority { return priority > other.priority }
      if isInterceptor != other.isInterceptor { return isInterceptor }
      return number < other.number
    }
  }

  @Test("Handlers that are registered and removed at random stay in the order of priority and registration", arguments: 1...8)
  func order(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let proxy = EventProxy()
    let key: TypedEventKey<Int> = "k"
    var entries: [Entry] = []
    for number in 0..<300 {
      if Int.random(in: 0..<3, using: &random) == 0, let index = entries.indices.randomElement(using: &random) {
        entries.remove(at: index).registration.cancel()
      } else {
        let isInterceptor = Int.random(in: 0..<4, using: &random) == 0
        // Few priorities in one half of the rounds, in the other many, with the extreme ones.
        let few = Int.random(in: 0..<3, using: &random)
        let many = [.min, .max, Int.random(in: -100...100, using: &random)].randomElement(using: &random) ?? 0
        let priority = seed % 2 == 0 ? few : many
        let directions: [HandlerOptions.Direction] = [.up, .down, .both, .capture]
        let options = HandlerOptions(
          priority: priority, duplicates: .append, direction: directions.randomElement(using: &random) ?? .both)
        let registration =
          isInterceptor
          ? try proxy.intercept(key.key, options: options) { _, _, _ in .handledAndContinue }
          : try proxy.register(key, options: options) { (_: AnyObject?, _: Int) in }
        entries.append(Entry(registration: registration, priority: priority, isInterceptor: isInterceptor, number: number))
      }
      entries.sort { $0.goesBefore($1) }
      expectEqual(proxy.registrations(for: key.key).map(ObjectIdentifier.init), entries.map { ObjectIdentifier($0.registration) })
    }
    proxy.removeAllHandlers()
    expect(proxy.registrations(for: key.key).isEmpty && proxy.keys.isEmpty)
  }

  @Test("A node follows the directions of many handlers, removed in any order", arguments: 1...6) func manyDirections(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let root = ResponderNode("root")
    let leaf = root.child("leaf")
    let key: TypedEventKey<Int> = "k"
    var registrations: [(registration: EventRegistration, direction: HandlerOptions.Direction)] = []
    for _ in 0..<80 {
      let direction: HandlerOptions.Direction = Int.random(in: 0..<12, using: &random) == 0 ? .down : .up
      let options = HandlerOptions(
        priority: Int.random(in: 0..<9, using: &random), reply: .handledAndContinue, duplicates: .append, direction: direction)
      registrations.append((try leaf.proxy.register(key, options: options) { (_: AnyObject?, _: Int) in }, direction))
    }
    registrations.shuffle(using: &random)
    while let last = registrations.popLast() {
      last.registration.cancel()
      expectEqual(root.send(key, 1, rules: .busDown).isUnhandled, !registrations.contains { $0.direction == .down })
      expectEqual(leaf.send(key, 1, rules: .strategy).isUnhandled, !registrations.contains { $0.direction == .up })
    }
  }

  @Test("Registrations alone keep the number of handlers with deallocated targets in proportion to those alive") func deadTargets() throws {
    let proxy = EventProxy()
    let kept = Target()
    let options = HandlerOptions(duplicates: .append)
    try proxy.register("k", target: kept, options: options) { (_: Target) in { (_: AnyObject?) in } }
    for _ in 0..<1_000 {
      try proxy.register("k", target: Target(), options: options) { (_: Target) in { (_: AnyObject?) in } }
      expect(proxy.registrations(for: "k").count <= 32)
    }
    proxy.removeDeadHandlers()
    expectEqual(proxy.registrations(for: "k").count, 1)
    withExtendedLifetime(kept) {}
  }

  @Test("20,000 handlers of one key are registered, called and removed") func twentyThousand() throws {
    let proxy = EventProxy()
    var sum = 0
    for index in 0..<20_000 {
      // Each priority is another one, and they do not ascend.
      let priority = index * 7_919 % 20_011
      try proxy.register(
        TypedEventKey<Int>("k"), options: HandlerOptions(priority: priority, reply: .handledAndContinue, duplicates: .append)
      ) { (_: AnyObject?, number: Int) in sum += number }
    }
    expect(proxy.send("k", source: nil, 1).calls == 20_000 && sum == 20_000)
    proxy.removeHandlers(for: "k")
    expect(proxy.keys.isEmpty)
  }
}
