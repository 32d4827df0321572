import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The properties of the rules, each changed on each preset, and the presets against their table.
@Suite(.measured) struct RulesTableTests {
  static let presets: [RoutingRules] = [.router, .busUp, .busDown, .strategy, .componentEmit, .componentBroadcast]

  private let journal = Journal()
  private let top = ResponderNode("top")
  private let middle: ResponderNode
  private let low: ResponderNode
  private let beside: ResponderNode

  init() {
    middle = top.child("middle")
    low = middle.child("low")
    beside = top.child("beside")
  }

  /// The node from which a pass meets `middle` and then `low` or `top`.
  private func sender(_ rules: RoutingRules) -> ResponderNode { rules.direction == .up ? low : top }

  @Test("The presets have the properties of the table (E13.1)") func rows() {
    typealias Row = (
      RoutingRules, startsAtSender: Bool, continues: Bool, scope: EventReply.StopScope, unknown: RoutingRules.UnknownKey,
      isEmptyAllowed: Bool
    )
    let table: [Row] = [
      (.router, true, false, .pass, .warns, true),
      (.busUp, false, true, .pass, .isSilent, false),
      (.busDown, true, true, .subtree, .isSilent, false),
      (.strategy, true, false, .pass, .isSilent, true),
      (.componentEmit, false, false, .pass, .isSilent, true),
      (.componentBroadcast, false, false, .subtree, .isSilent, true),
    ]
    for row in table {
      #expect(row.0.startsAtSender == row.startsAtSender)
      #expect(row.0.continuesWhenHandled == row.continues)
      #expect(row.0.stopScope == row.scope)
      #expect(row.0.unknownKey == row.unknown)
      #expect((row.0.emptyKey == .isAllowed) == row.isEmptyAllowed)
    }
    #expect(Self.presets.map(\.direction) == [.up, .up, .down, .up, .up, .down])
    #expect(Self.presets.map(\.endsBeforeBoundary) == [false, true, false, false, false, false])
  }

  @Test("Whether the sender is asked can be changed on every preset (E13.2)", arguments: presets, [true, false])
  func start(preset: RoutingRules, startsAtSender: Bool) throws {
    var rules = preset
    rules.startsAtSender = startsAtSender
    rules.continuesWhenHandled = true
    try sender(rules).proxy.on("k", journal, "sender")
    try middle.proxy.on("k", journal, "middle")
    sender(rules).send("k", rules: rules)
    #expect(journal.entries == (startsAtSender ? ["sender", "middle"] : ["middle"]))
  }

  @Test("Whether an event goes on when handled can be changed on every preset (E13.2)", arguments: presets, [true, false])
  func continuing(preset: RoutingRules, continues: Bool) throws {
    var rules = preset
    rules.continuesWhenHandled = continues
    try middle.proxy.on("k", journal, "middle")
    let beyond = rules.direction == .up ? top : low
    try beyond.proxy.on("k", journal, "beyond")
    sender(rules).send("k", rules: rules)
    #expect(journal.entries == (continues ? ["middle", "beyond"] : ["middle"]))
  }

  @Test("The stop scope can be changed on every preset (E13.2)", arguments: presets, [EventReply.StopScope.node, .subtree, .pass])
  func stopScope(preset: RoutingRules, scope: EventReply.StopScope) throws {
    var rules = preset
    rules.continuesWhenHandled = false
    rules.stopScope = scope
    for node in [top, middle, low, beside] { try node.proxy.on("k", journal, node.responderName) }
    rules.startsAtSender = false
    let outcome = sender(rules).send("k", rules: rules)
    let expected: [String] =
      switch (rules.direction, scope) {
      case (.up, .node): ["middle", "top"]
      case (.up, _): ["middle"]
      case (.down, .node): ["middle", "low", "beside"]
      case (.down, .subtree): ["middle", "beside"]
      case (.down, .pass): ["middle"]
      }
    #expect(journal.entries == expected)
    #expect(outcome.stopped == scope)
  }

  @Test(
    "The rule of unknown keys can be changed on every preset (E5.2, E5.10, E13.2)",
    arguments: presets, [RoutingRules.UnknownKey.warns, .isSilent, .endsAtTerminal, .endsAtProxy])
  func unknownKey(preset: RoutingRules, rule: RoutingRules.UnknownKey) throws {
    var rules = preset
    rules.unknownKey = rule
    let beyond = rules.direction == .up ? top : low
    try beyond.proxy.on("k", journal, "beyond")
    sender(rules).send("k", rules: rules)
    #expect(journal.entries.count == 1)
    _ = middle.proxy
    sender(rules).send("k", rules: rules)
    #expect(journal.entries.count == (rule == .endsAtProxy ? 1 : 2))
    middle.eventProxy = nil
    middle.terminality = .forOwnKeys
    let before = journal.entries.count
    sender(rules).send("k", rules: rules)
    #expect(journal.entries.count == before + (rule == .endsAtTerminal ? 0 : 1))
  }

  @Test(
    "The rule of empty names can be changed on every preset (E1.3, E1.4, E13.2)",
    arguments: presets, [RoutingRules.EmptyKey.isAllowed, .isIgnored])
  func emptyKey(preset: RoutingRules, rule: RoutingRules.EmptyKey) throws {
    var rules = preset
    rules.emptyKey = rule
    try middle.proxy.on("", journal, "middle")
    let outcome = sender(rules).send("", rules: rules)
    #expect(outcome.wasIgnored == (rule == .isIgnored))
    #expect(journal.entries == (rule == .isIgnored ? [] : ["middle"]))
  }

  @Test("The direction can be changed on every preset (E13.2)", arguments: presets, [RoutingRules.Direction.up, .down])
  func direction(preset: RoutingRules, direction: RoutingRules.Direction) throws {
    var rules = preset
    rules.direction = direction
    try top.proxy.on("k", journal, "top")
    try low.proxy.on("k", journal, "low")
    middle.send("k", rules: rules)
    #expect(journal.entries == [direction == .up ? "top" : "low"])
  }

  @Test("Whether boundaries end a pass can be changed on every preset (E3.8, E13.2)", arguments: presets, [true, false])
  func boundary(preset: RoutingRules, ends: Bool) throws {
    var rules = preset
    rules.direction = .up
    rules.endsBeforeBoundary = ends
    middle.isBoundary = true
    try top.proxy.on("k", journal, "top")
    low.send("k", rules: rules)
    #expect(journal.entries == (ends ? [] : ["top"]))
  }

  @Test(
    "RoutingRules.Terminality ends passes up, whatever a handler says, and no passes down (E4.6, E5.8, E5.9)", arguments: [true, false])
  func terminality(saysContinue: Bool) throws {
    let reply: EventReply = saysContinue ? .handledAndContinue : .handled
    middle.terminality = .forOwnKeys
    try middle.proxy.on("k", journal, "middle", reply: reply)
    try top.proxy.on("k", journal, "top")
    try low.proxy.on("k", journal, "low")
    var up = RoutingRules.busUp
    up.endsBeforeBoundary = false
    low.send("k", rules: up)
    #expect(journal.entries == ["middle"])
    journal.entries = []
    top.send("k", rules: .busDown)
    #expect(journal.entries == ["top", "middle", "low"])
    journal.entries = []
    middle.proxy.removeHandlers(for: "k")
    try middle.proxy.on("k", journal, "middle", reply: .ignored)
    low.send("k", rules: up)
    #expect(journal.entries == ["middle", "top"])
    journal.entries = []
    middle.terminality = .always
    low.send("k", rules: up)
    #expect(journal.entries == ["middle"])
  }
}
