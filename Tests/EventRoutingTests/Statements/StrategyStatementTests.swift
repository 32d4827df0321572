import DynamicInvocation
import EventRouting
import TestSupport
import Testing

/// What `RoutingRules.strategy` does, by the statements of the page Behavior.
@Suite(.measured) struct StrategyStatementTests {
  private let journal = Journal()
  private let controller = ResponderNode("controller")
  private let view: ResponderNode
  private let button: ResponderNode

  init() {
    view = controller.child("view")
    button = view.child("button")
  }

  @Test("An event without a handler passes to the next, up to the root (E3.1)") func passing() throws {
    try controller.on("k", journal)
    #expect(button.send("k", rules: .strategy).handledCount == 1)
    #expect(button.send("nobody", rules: .strategy).isUnhandled)
    #expect(journal.entries == ["controller.k"])
  }

  @Test("The router with strategies asks the sender first (E3.2)") func startsAtSender() throws {
    try button.on("k", journal)
    try controller.on("k", journal)
    button.send("k", rules: .strategy)
    #expect(journal.entries == ["button.k"])
  }

  @Test("With strategies, a node that handles an event ends it unless the handler says otherwise (E5.3, E5.4)")
  func endsUnlessContinued() throws {
    try view.on("one", journal)
    try view.on("two", journal, reply: .handledAndContinue)
    for key: EventKey in ["one", "two"] { try controller.on(key, journal) }
    button.send("one", rules: .strategy)
    button.send("two", rules: .strategy)
    #expect(journal.entries == ["view.one", "view.two", "controller.two"])
  }

  /// A dictionary as Foundation has it: an object.
  private final class UserInfo: EncodedObject {
    let values: [String: Int]
    init(_ values: [String: Int]) { self.values = values }
  }

  @Test("A handler of one optional object takes one argument, an object or null (E9.1, E9.7)")
  func oneArgument() throws {
    var seen: [[String: Int]?] = []
    let table: [EventKey: (UserInfo?) -> Void] = ["save": { seen.append($0?.values) }, "drop": { _ in seen.append([:]) }]
    for (key, handler) in table {
      try controller.proxy.register(TypedEventKey(key)) { (_: ResponderNode?, info: UserInfo?) in handler(info) }
    }
    button.send("save", arguments: [.object(UserInfo(["row": 3]))], rules: .strategy)
    button.send("save", arguments: [.null], rules: .strategy)
    button.send("drop", arguments: [.null], rules: .strategy)
    #expect(seen == [["row": 3], nil, [:]])
    #expect(button.send("save", rules: .strategy).firstError != nil)
  }

  @Test("An unknown key passes a node that has other handlers, unless the rules end it there (E5.1, E5.2)")
  func unknownName() throws {
    try view.on("other", journal)
    try controller.on("k", journal)
    #expect(button.send("k", rules: .strategy).handledCount == 1)
    view.terminality = .always
    #expect(button.send("k", rules: .strategy).isUnhandled)
    view.terminality = .passing
    var asItWas = RoutingRules.strategy
    asItWas.unknownKey = .endsAtProxy
    #expect(button.send("k", rules: asItWas).isUnhandled)
    #expect(journal.entries == ["controller.k"])
  }

  @Test(
    "With endsAtTerminal, an event ends at a terminal node whose handlers ignore it (E5.10)",
    arguments: [RoutingRules.Terminality.forOwnKeys, .always])
  func ignoredAtTerminal(terminality: RoutingRules.Terminality) throws {
    var rules = RoutingRules.strategy
    try view.on("k", journal, reply: .ignored)
    try controller.on("k", journal)
    button.send("k", rules: rules)
    rules.unknownKey = .endsAtTerminal
    view.terminality = terminality
    button.send("k", rules: rules)
    #expect(journal.entries == ["view.k", "controller.k", "view.k"])
  }

  @Test("A middle node may send an event on with more data under the same key (E6.2, E6.4)") func decorator() throws {
    final class Info {
      var entries: [String: Int]
      init(_ entries: [String: Int]) { self.entries = entries }
    }
    let info = Info(["a": 1])
    var received: [String: Int] = [:]
    try view.proxy.intercept("k") { _, key, arguments in
      guard case .object(let object)? = arguments.first, let info = object as? Info else { return .ignored }
      return .resend(key, [.object(Info(info.entries.merging(["b": 2]) { first, _ in first }))])
    }
    try controller.proxy.intercept("k") { _, _, arguments in
      if case .object(let object)? = arguments.first, let info = object as? Info { received = info.entries }
      return .handled
    }
    let outcome = button.send("k", arguments: [.object(info)], rules: .strategy)
    #expect(outcome.handledCount == 1)
    #expect(outcome.routingError == nil)
    #expect(received == ["a": 1, "b": 2])
    #expect(info.entries == ["a": 1])
  }

  @Test("Only nodes from the sender to the root are asked (E3.4)") func scope() throws {
    let sibling = controller.child("sibling")
    try sibling.on("k", journal)
    try controller.on("k", journal)
    button.send("k", rules: .strategy)
    #expect(journal.entries == ["controller.k"])
  }

  @Test("The way up goes from views to their superviews and controllers, to window and application (E3.1)")
  func chain() throws {
    let application = View("application")
    let window = Window("window")
    window.superview = application
    let owner = ViewController("owner")
    owner.state.terminality = .passing
    window.addSubview(owner.view)
    let inner = View("inner")
    owner.view.addSubview(inner)
    let report = inner.report("nobody", rules: .strategy)
    #expect(report.names == ["inner", "ownerv", "owner", "window", "application"])
  }

  @Test("Names are compared as text, and the nearest one is told (E1.1, E12.3)") func names() throws {
    try controller.on("play.button", journal)
    #expect(button.send(EventKey(["play", "button"].joined(separator: ".")), rules: .strategy).handledCount == 1)
    #expect(button.send("playbutton", rules: .strategy).isUnhandled)
    #expect(button.report("playButton", rules: .strategy).diagnosis?.nearestKeys.map(\.key.name) == ["play.button"])
  }
}
