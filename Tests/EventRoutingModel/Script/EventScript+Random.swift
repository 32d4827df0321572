import EventRouting

extension EventScript {
  /// Creates a script from a generator.
  ///
  /// - Parameter generator: Random numbers, or the bytes of a fuzzer's input.
  public init(using generator: inout some RandomNumberGenerator) {
    let trees = generator.pick(Trees.allCases)
    let count = generator.oneIn(6) ? 1 + generator.below(20) : 1 + generator.below(8)
    let proxyCount = 1 + generator.below(count)
    var nodes: [Node] = []
    for index in 0..<count {
      let isForeign =
        switch trees {
        case .nodes: false
        case .foreign: true
        case .mixed: generator.oneIn(2)
        }
      // Half of the nodes are children of the previous node, which creates both deep and wide trees.
      let parent = index == 0 ? nil : generator.oneIn(2) ? index - 1 : generator.below(index)
      nodes.append(
        Node(
          isForeign: isForeign, parent: parent.flatMap { nodes[$0].isForeign == isForeign ? $0 : nil },
          proxy: generator.oneIn(4) ? nil : generator.below(proxyCount)))
      if generator.oneIn(10) { nodes[index].terminality = generator.pick([.forOwnKeys, .always]) }
      nodes[index].isBoundary = generator.oneIn(14)
    }
    let handlerCount = 1 + generator.below(10)
    let handlers = (0..<handlerCount).map { _ in Handler(using: &generator) }
    var steps: [Action] = (0..<2 + generator.below(handlerCount + 2)).map { _ in
      .register(handler: generator.below(handlerCount), proxy: generator.below(proxyCount))
    }
    if trees == .mixed {
      for _ in 0..<2 { steps.append(.addGuest(generator.below(count), to: generator.below(count))) }
      for _ in 0..<2 { steps.append(.setOverride(generator.below(count), generator.below(count))) }
    }
    for _ in 0..<1 + generator.below(12) {
      steps.append(generator.oneIn(3) ? Action(using: &generator) : .send(Send(using: &generator)))
    }
    self.init(trees: trees, nodes: nodes, proxyCount: proxyCount, handlers: handlers, steps: steps)
  }
}

extension EventScript {
  /// Creates a script of many sends through a small tree, in which most nodes handle both of two keys and nothing else
  /// changes on the way: the rules, replies, phases and terminalities meet in each send.
  public init(denseUsing generator: inout some RandomNumberGenerator) {
    let trees = generator.pick([Trees.nodes, .nodes, .foreign])
    let count = 2 + generator.below(5)
    let keys = Self.keys.prefix(2)
    let nodes = (0..<count).map { index in
      var node = Node(
        isForeign: trees == .foreign, parent: index == 0 ? nil : generator.oneIn(3) ? generator.below(index) : index - 1, proxy: index)
      if generator.oneIn(4) { node.terminality = generator.pick([.forOwnKeys, .always]) }
      node.isBoundary = generator.oneIn(10)
      return node
    }
    let handlers = (0..<3 * count).map { _ in
      var handler = Handler(using: &generator)
      handler.key = keys[generator.below(keys.count)]
      (handler.kind, handler.source, handler.duplicates, handler.holding) = (.interceptor, .any, .append, .weak)
      (handler.direction, handler.actions) = (generator.oneIn(4) ? .capture : .both, [])
      handler.seesStopped = generator.oneIn(3)
      handler.isAsynchronous = generator.oneIn(2)
      handler.isOnce = generator.oneIn(8)
      if case .reply(.resend(let key, let arguments)) = handler.result, !keys.contains(key) {
        handler.result = .reply(generator.oneIn(3) ? .resend(keys[generator.below(keys.count)], arguments) : .goOn)
      }
      return handler
    }
    var steps = handlers.indices.map { Action.register(handler: $0, proxy: generator.below(count)) }
    for _ in 0..<12 {
      var send = Send(using: &generator)
      (send.node, send.key) = (generator.below(count), keys[generator.below(keys.count)])
      send.rules.depthLimit = nil
      steps.append(.send(send))
    }
    self.init(trees: trees, nodes: nodes, proxyCount: count, handlers: handlers, steps: steps)
  }
}

extension EventScript.Handler {
  init(using generator: inout some RandomNumberGenerator) {
    kind = generator.pick(Kind.allCases)
    key = generator.pick(EventScript.keys)
    // Most handlers have parameters that match an event without arguments.
    parameters = generator.oneIn(3) ? generator.pick(Parameters.allCases) : .none
    source = generator.oneIn(4) ? generator.pick(SourceWish.allCases) : .any
    target = generator.below(4)
    holding = generator.oneIn(3) ? generator.pick([.strong, .unretained]) : .weak
    priority = generator.oneIn(3) ? generator.below(3) - 1 : 0
    isOnce = generator.oneIn(5)
    duplicates = generator.oneIn(3) ? generator.pick([.error, .replace, .keepFirst]) : .append
    direction = generator.oneIn(3) ? generator.pick([.up, .down, .capture]) : .both
    rewritesTo = generator.oneIn(6) ? generator.pick(EventScript.keys) : nil
    seesStopped = generator.oneIn(5)
    isAsynchronous = generator.oneIn(3)
    refusesSynchronous = generator.oneIn(4)
    returnsOptional = generator.oneIn(3)
    result = generator.oneIn(10) ? .failure : .reply(EventScript.Reply(using: &generator))
    actions = generator.oneIn(2) ? [] : (0..<1 + generator.below(3)).map { _ in EventScript.Action(using: &generator) }
    // Options cannot specify arguments of a resend.
    if isQuiet, case .reply(.resend) = result { result = .reply(.goOn) }
    // A method with a text parameter only detects a null when it is called.
    if hasOwnTarget, parameters == .text { parameters = .double }
    if hasOwnTarget || kind == .interceptor { source = .any }
    if hasOwnTarget { isAsynchronous = false }
    if isAsynchronous, source == .specialRequired { source = .special }
  }
}

extension EventScript.Reply {
  init(using generator: inout some RandomNumberGenerator) {
    self =
      switch generator.below(8) {
      case 0: .ignored
      case 1: .handled
      case 2: .stop(generator.pick([.node, .subtree, .pass]))
      case 3, 4: .resend(generator.pick(EventScript.keys), EventScript.Argument.list(using: &generator))
      default: .goOn
      }
  }
}

extension EventScript.Argument {
  static func list(using generator: inout some RandomNumberGenerator) -> [EventScript.Argument] {
    if !generator.oneIn(3) { return [] }
    return (0..<1 + generator.below(2)).map { _ in EventScript.Argument(using: &generator) }
  }

  private init(using generator: inout some RandomNumberGenerator) {
    self =
      switch generator.below(8) {
      case 0: .text("t")
      case 1: .null
      case 2: .double(generator.pick([2, -1, 2.5, 1e10]))
      case 3, 4: .double(2.5)
      default: .int(generator.pick([-1, 0, 7, 300, 1 << 60 + 1]))
      }
  }
}

extension EventScript.Action {
  private typealias Script = EventScript

  init(using generator: inout some RandomNumberGenerator) {
    func number() -> Int { generator.below(64) }
    func key() -> String { generator.pick(Script.keys) }
    self =
      switch generator.below(33) {
      case 0, 1, 2, 3, 4: .send(Script.Send(using: &generator))
      case 5: .dryRun(Script.Send(using: &generator))
      case 6: .ask(proxy: number(), key: key(), arguments: Script.Argument.list(using: &generator), isAwaited: generator.oneIn(2))
      case 7, 8, 9: .register(handler: number(), proxy: number())
      case 10, 11: .cancel(number())
      case 12: .block(number())
      case 13: .unblock(number())
      case 14: .token(number())
      case 15: .endToken(number())
      case 16: .removeHandlers(proxy: number(), key: key())
      case 17: generator.oneIn(2) ? .removeAllHandlers(proxy: number()) : .removeDeadHandlers(proxy: number())
      case 18, 19, 20: .detach(number())
      case 21, 22, 23: .attach(number(), to: number(), at: generator.oneIn(2) ? nil : number())
      case 24: .makeNode(below: number())
      case 25, 26: .setOverride(number(), generator.oneIn(4) ? nil : number())
      case 27:
        generator.oneIn(2) ? .setTerminality(number(), generator.pick([.passing, .forOwnKeys, .always])) : .setBoundary(number(), true)
      case 28: .setProxy(number(), generator.oneIn(3) ? nil : number())
      case 29, 30: .dropNode(number())
      case 31: .dropTarget(number())
      default: generator.oneIn(2) ? .dropProxy(number()) : .addGuest(number(), to: number())
      }
  }
}

extension EventScript.Send {
  init(using generator: inout some RandomNumberGenerator) {
    node = generator.below(64)
    key = generator.pick(EventScript.keys)
    arguments = EventScript.Argument.list(using: &generator)
    way = generator.pick(Way.allCases)
    source = generator.oneIn(2) ? .sender : generator.oneIn(3) ? .none : .object(generator.below(2))
    isAwaited = generator.oneIn(2)
    if generator.oneIn(2) {
      rules = generator.pick([.router, .strategy, .busUp, .busDown, .componentEmit, .componentBroadcast])
    } else {
      rules = RoutingRules(
        direction: generator.pick([.up, .down]), startsAtSender: generator.oneIn(2), continuesWhenHandled: generator.oneIn(2),
        stopScope: generator.pick([.node, .subtree, .pass]),
        unknownKey: generator.pick([.warns, .isSilent, .endsAtTerminal, .endsAtProxy]),
        emptyKey: generator.pick([.isAllowed, .isIgnored]), endsBeforeBoundary: generator.oneIn(2))
    }
    rules.hasCapturePhase = generator.oneIn(3)
    if generator.oneIn(3) { rules.handlerErrors = .kept }
    if generator.oneIn(6) { rules.depthLimit = 1 + generator.below(3) }
  }
}

extension RandomNumberGenerator {
  /// Returns a number from zero up to, but not including, a bound.
  fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns true once in `count` calls, on average.
  fileprivate mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

  /// Returns a random element.
  fileprivate mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}
