import DynamicInvocation
import EventRouting
import Testing

/// The router with strategies, statement by statement.
@Suite struct StrategyStatementTests {
  private let journal = Journal()
  private let controller = ResponderNode("controller")
  private let view: ResponderNode
  private let button: ResponderNode

  init() {
    view = controller.child("view")
    button = view.child("button")
  }

  @Test("C1: an event without a handler passes to the next; at the end of the chain nothing happens") func passing() throws {
    try controller.on("k", journal)
    #expect(button.send("k", rules: .strategy).handledCount == 1)
    #expect(button.send("nobody", rules: .strategy).isUnhandled)
    #expect(journal.entries == ["controller.k"])
  }

  @Test("C2: a send starts at the object it is called on") func startsAtSender() throws {
    try button.on("k", journal)
    try controller.on("k", journal)
    button.send("k", rules: .strategy)
    #expect(journal.entries == ["button.k"])
  }

  @Test("C3: a node that handles an event ends it, and it goes on only when the handler says so") func endsUnlessContinued() throws {
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

  @Test("C5: the handlers of a table take one argument, the dictionary or nil, and are looked up by name") func oneArgument() throws {
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

  @Test("C6, repaired: an unknown name at a proxy passes on, unless the node is terminal; then it is told as unhandled") func unknownName()
    throws
  {
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

  @Test("C9: a middle node goes on with a copy of the data with more entries; the sender's is unchanged") func decorator() throws {
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
    let outcome = button.send("k", argument: .object(info), rules: .strategy)
    #expect(outcome.handledCount == 1)
    #expect(outcome.routingError == nil)
    #expect(received == ["a": 1, "b": 2])
    #expect(info.entries == ["a": 1])
  }

  @Test("C10: only the nodes of the chain are asked, and nothing has to be declared to receive") func scope() throws {
    let sibling = controller.child("sibling")
    try sibling.on("k", journal)
    try controller.on("k", journal)
    button.send("k", rules: .strategy)
    #expect(journal.entries == ["controller.k"])
  }

  @Test("C11: the chain goes from view to superview, from a root view to its controller, then to window and application")
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

  @Test("C12, repaired: names are compared as strings, and a wrong one is told with what was meant") func names() throws {
    try controller.on("play.button", journal)
    #expect(button.send(EventKey(["play", "button"].joined(separator: ".")), rules: .strategy).handledCount == 1)
    #expect(button.send("playbutton", rules: .strategy).isUnhandled)
    #expect(button.report("playButton", rules: .strategy).diagnosis?.nearestKeys.map(\.key.name) == ["play.button"])
  }
}
