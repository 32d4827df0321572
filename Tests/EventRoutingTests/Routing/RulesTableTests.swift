import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// The properties of the rules, each changed on each preset, and the presets against their table.
@Suite(.measured) struct RulesTableTests {
  /// A tree of four nodes, and what its handlers wrote down.
  private struct Tree {
    let journal = Journal()
    let top = ResponderNode("top")
    let middle: ResponderNode
    let low: ResponderNode
    let beside: ResponderNode

    init() {
      middle = top.child("middle")
      low = middle.child("low")
      beside = top.child("beside")
    }

    func on(_ nodes: ResponderNode..., key: EventKey = "k") throws {
      for node in nodes { try node.proxy.on(key, journal, node.responderName) }
    }

    /// Sends an event from the node from which a pass meets `middle` and then `low` or `top`.
    @discardableResult
    func send(_ rules: RoutingRules, key: EventKey = "k") -> SendOutcome { (rules.direction == .up ? low : top).send(key, rules: rules) }

    /// The node that a pass meets after `middle`.
    func beyond(_ rules: RoutingRules) -> ResponderNode { rules.direction == .up ? top : low }
  }

  @Test("The presets have the properties of the table (E13.1)") func rows() {
    let table: [(RoutingRules, RoutingRules)] = [
      (.router, RoutingRules()),
      (
        .busUp,
        RoutingRules(
          startsAtSender: false, continuesWhenHandled: true, unknownKey: .isSilent, emptyKey: .isIgnored, endsBeforeBoundary: true)
      ),
      (
        .busDown,
        RoutingRules(direction: .down, continuesWhenHandled: true, stopScope: .subtree, unknownKey: .isSilent, emptyKey: .isIgnored)
      ),
      (.strategy, RoutingRules(unknownKey: .isSilent)),
      (.componentEmit, RoutingRules(startsAtSender: false, unknownKey: .isSilent)),
      (.componentBroadcast, RoutingRules(direction: .down, startsAtSender: false, stopScope: .subtree, unknownKey: .isSilent)),
    ]
    for (preset, rules) in table { expectEqual(preset, rules) }
    // What the defaults are.
    let router = RoutingRules.router
    expect(router.direction == .up && router.startsAtSender && !router.continuesWhenHandled && router.stopScope == .pass)
    expect(router.unknownKey == .warns && router.emptyKey == .isAllowed && !router.endsBeforeBoundary)
  }

  @Test(
    "Each property can be changed on every preset (E1.3, E1.4, E3.8, E5.2, E5.10, E13.2)",
    arguments: [RoutingRules.router, .busUp, .busDown, .strategy, .componentEmit, .componentBroadcast])
  func properties(preset: RoutingRules) throws {
    /// Sends with changed rules in a tree, and compares the handlers called.
    func check(_ expected: [String], _ prepare: (Tree) throws -> Void, line: Int = #line, _ change: (inout RoutingRules) -> Void) rethrows {
      let tree = Tree()
      var rules = preset
      change(&rules)
      try prepare(tree)
      tree.send(rules)
      expectEqual(tree.journal.entries, expected, "\(rules)", line: line)
    }
    let isUp = preset.direction == .up
    for isOn in [true, false] {
      try check((isOn ? [isUp ? "low" : "top"] : []) + ["middle"], { try $0.on(isUp ? $0.low : $0.top, $0.middle) }) {
        $0.startsAtSender = isOn
        $0.continuesWhenHandled = true
      }
      try check(["middle"] + (isOn ? [isUp ? "top" : "low"] : []), { try $0.on($0.middle, $0.beyond(preset)) }) {
        $0.continuesWhenHandled = isOn
      }
      try check(
        isOn ? [] : ["top"],
        {
          $0.middle.isBoundary = true
          try $0.on($0.top)
        }
      ) {
        $0.direction = .up
        $0.endsBeforeBoundary = isOn
      }
    }
    for scope in [EventReply.StopScope.node, .subtree, .pass] {
      let expected: [String] =
        switch (isUp, scope) {
        case (true, .node): ["middle", "top"]
        case (false, .node): ["middle", "low", "beside"]
        case (false, .subtree): ["middle", "beside"]
        default: ["middle"]
        }
      let tree = Tree()
      var rules = preset
      (rules.continuesWhenHandled, rules.stopScope, rules.startsAtSender) = (false, scope, false)
      try tree.on(tree.top, tree.middle, tree.low, tree.beside)
      expectEqual(tree.send(rules).stopped, scope)
      expectEqual(tree.journal.entries, expected)
    }
    for unknownKey in [RoutingRules.UnknownKey.warns, .isSilent, .endsAtTerminal, .endsAtProxy] {
      let beyond = [isUp ? "top" : "low"]
      try check(beyond, { try $0.on($0.beyond(preset)) }) { $0.unknownKey = unknownKey }
      try check(
        unknownKey == .endsAtProxy ? [] : beyond,
        {
          _ = $0.middle.proxy
          try $0.on($0.beyond(preset))
        }
      ) { $0.unknownKey = unknownKey }
      try check(
        unknownKey == .endsAtTerminal ? [] : beyond,
        {
          $0.middle.terminality = .forOwnKeys
          try $0.on($0.beyond(preset))
        }
      ) { $0.unknownKey = unknownKey }
    }
    for emptyKey in [RoutingRules.EmptyKey.isAllowed, .isIgnored] {
      let tree = Tree()
      var rules = preset
      rules.emptyKey = emptyKey
      try tree.on(tree.middle, key: "")
      expectEqual(tree.send(rules, key: "").wasIgnored, emptyKey == .isIgnored)
      expectEqual(tree.journal.entries, emptyKey == .isIgnored ? [] : ["middle"])
    }
    for direction in [RoutingRules.Direction.up, .down] {
      let tree = Tree()
      var rules = preset
      rules.direction = direction
      try tree.on(tree.top, tree.low)
      tree.middle.send("k", rules: rules)
      expectEqual(tree.journal.entries, [direction == .up ? "top" : "low"])
    }
  }
}
