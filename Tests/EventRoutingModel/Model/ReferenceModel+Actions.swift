import EventRouting

/// The actions on the tree.
extension ReferenceModel {
  func perform(_ action: EventScript.Action) {
    switch action {
    case .send(let send): self.send(send, isDry: false)
    case .dryRun(let send): self.send(send, isDry: true)
    case .ask(let proxy, let key, let arguments, let isAwaited): ask(proxy, key, arguments, isAwaited: isAwaited && mayWait)
    case .register(let handler, let proxy): register(handler, proxy)
    case .cancel(let number): withRegistration(number) { registrations[$0].isRemoved = true }
    case .block(let number): withRegistration(number) { registrations[$0].blocks += 1 }
    case .unblock(let number): withRegistration(number) { registrations[$0].blocks = max(0, registrations[$0].blocks - 1) }
    case .token(let number):
      withRegistration(number) { registration in
        // A registration has one token: the second one replaces the first.
        for index in tokens.indices where tokens[index] == registration { tokens[index] = nil }
        tokens.append(registration)
      }
    case .endToken(let number):
      guard !tokens.isEmpty else { return }
      if let registration = tokens[number % tokens.count] { registrations[registration].isRemoved = true }
      tokens[number % tokens.count] = nil
    case .removeHandlers(let proxy, let key): withProxy(proxy) { proxy in remove { $0.proxy == proxy && $0.handler.key == key } }
    case .removeAllHandlers(let proxy): withProxy(proxy) { proxy in remove { $0.proxy == proxy } }
    case .removeDeadHandlers(let proxy): withProxy(proxy) { proxy in remove { $0.proxy == proxy && !isAlive($0) } }
    case .dropTarget(let number):
      targets[number % targets.count].hasHandle = false
      settle(target: number % targets.count)
    case .dropProxy(let number): proxyHandles[number % proxyHandles.count] = false
    case .detach(let number): withNode(number, detach)
    case .attach(let child, let parent, let place):
      withNode(child) { child in withNode(parent) { parent in attach(child, parent, place) } }
    case .addGuest(let child, let parent):
      withNode(child) { child in
        withNode(parent) { parent in if nodes[parent].isForeign { nodes[parent].guests.append(child) } }
      }
    case .makeNode(let parent):
      guard nodes.count < EventScript.mostNodes else { return }
      withNode(parent) { parent in
        nodes.append(Node(isForeign: nodes[parent].isForeign))
        attach(nodes.count - 1, parent, nil)
      }
    case .setOverride(let number, let other):
      withNode(number) { node in
        guard let other else { return nodes[node].override = nil }
        withNode(other) { nodes[node].override = $0 }
      }
    case .setTerminality(let number, let terminality): withNode(number) { nodes[$0].terminality = terminality }
    case .setBoundary(let number, let isBoundary): withNode(number) { nodes[$0].isBoundary = isBoundary }
    case .setProxy(let number, let proxy):
      withNode(number) { node in
        guard let proxy else { return nodes[node].proxy = nil }
        withProxy(proxy) { nodes[node].proxy = $0 }
      }
    case .dropNode(let number):
      withNode(number) {
        nodes[$0].hasHandle = false
        settle($0)
      }
    }
  }

  private func remove(_ isMeant: (Registration) -> Bool) {
    for index in registrations.indices where isMeant(registrations[index]) { registrations[index].isRemoved = true }
  }

  private func attach(_ child: Int, _ parent: Int, _ place: Int?) {
    let isAllowed = nodes[child].isForeign == nodes[parent].isForeign && !isBelow(parent, child)
    note("attach n\(child) to n\(parent) \(isAllowed)")
    guard isAllowed else { return }
    // Retained during the change.
    hold(child)
    detach(child)
    let count = nodes[parent].children.count
    nodes[parent].children.insert(child, at: place.map { $0 % (count + 1) } ?? count)
    nodes[child].parent = parent
    unhold(child)
  }

  private func withNode(_ number: Int, _ body: (Int) -> Void) {
    let index = number % nodes.count
    if nodes[index].hasHandle { body(index) }
  }

  private func withProxy(_ number: Int, _ body: (Int) -> Void) {
    let index = number % proxyHandles.count
    if proxyHandles[index] { body(index) }
  }

  private func withRegistration(_ number: Int, _ body: (Int) -> Void) {
    if !registrations.isEmpty { body(number % registrations.count) }
  }

  /// Returns whether a registration that appends a handler looks for deallocated targets of the key's other handlers.
  ///
  /// It does at 16 handlers, and again when they have doubled, so that its time does not grow with their number.
  private func isDue(_ proxy: Int, _ key: String, _ count: Int) -> Bool {
    guard count >= limits[proxy][key, default: 16] else { return false }
    limits[proxy][key] = max(16, 2 * handlers(proxy, key).count { isAlive(registrations[$0]) })
    return true
  }

  private func register(_ number: Int, _ proxy: Int) {
    guard registrations.count < EventScript.mostRegistrations else { return }
    withProxy(proxy) { proxy in
      let handler = script.handlers[number % script.handlers.count]
      var target: Int?
      if handler.hasOwnTarget {
        target = targets.count
        targets.append(Target())
      } else if handler.hasTarget {
        target = handler.target % targets.count
      }
      if let target {
        guard targets[target].hasHandle else { return }
        if handler.holding == .unretained { targets[target].isHeldForGood = true }
      }
      let former = handlers(proxy, handler.key)
      let looks = handler.duplicates != .append || isDue(proxy, handler.key, former.count)
      for other in former where looks && !isAlive(registrations[other]) { registrations[other].isRemoved = true }
      if !hasHandlers(proxy, handler.key) { limits[proxy][handler.key] = nil }
      // Interceptors and handlers are counted separately.
      let peers = former.filter {
        (registrations[$0].handler.kind == .interceptor) == (handler.kind == .interceptor)
          && registrations[$0].handler.meets(handler)
      }
      let hasFormer = peers.contains { !registrations[$0].isRemoved && !registrations[$0].isSpent }
      var isDropped = false
      if hasFormer {
        switch handler.duplicates {
        case .append: break
        case .keepFirst: isDropped = true
        case .replace: for other in peers { registrations[other].isRemoved = true }
        case .error: return note("duplicate")
        }
      }
      if let target, handler.holding == .strong { targets[target].isHeldForGood = true }
      registrations.append(Registration(handler: handler, proxy: proxy, target: target, isRemoved: isDropped))
    }
  }
}
