import DynamicInvocation
import EventRouting

/// The actions on the tree.
extension ScriptRun {
  /// Performs an action in code that may wait.
  nonisolated(nonsending) func performAwaiting(_ action: EventScript.Action) async {
    switch action {
    case .send(let send) where send.isAwaited: await sendAwaiting(send)
    case .ask(let proxy, let key, let arguments, isAwaited: true): await askAwaiting(proxy, key, arguments)
    default: perform(action)
    }
  }

  func perform(_ action: EventScript.Action) {
    switch action {
    case .send(let send): self.send(send)
    case .dryRun(let send): dryRun(send)
    case .ask(let proxy, let key, let arguments, _): ask(proxy, key, arguments)
    case .register(let handler, let proxy): register(handler, proxy)
    case .cancel(let number): registration(number)?.cancel()
    case .block(let number): registration(number)?.block()
    case .unblock(let number): registration(number)?.unblock()
    case .token(let number):
      guard let registration = registration(number) else { return }
      let token = EventToken()
      registration.end(with: token)
      tokens.append(token)
    case .endToken(let number): if !tokens.isEmpty { tokens[number % tokens.count] = nil }
    case .removeHandlers(let number, let key): proxy(number)?.removeHandlers(for: EventKey(key))
    case .removeAllHandlers(let number): proxy(number)?.removeAllHandlers()
    case .removeDeadHandlers(let number): proxy(number)?.removeDeadHandlers()
    case .dropTarget(let number): targets[number % targets.count] = nil
    case .dropProxy(let number): proxies[number % proxies.count] = nil
    case .detach(let number): detach(number % nodes.count)
    case .attach(let child, let parent, let place):
      if node(child) != nil, node(parent) != nil { attach(child % nodes.count, parent % nodes.count, place, isNoted: true) }
    case .addGuest(let child, let parent):
      if let child = node(child), let parent = node(parent) as? ForeignNode { parent.guests.append(child) }
    case .makeNode(let parent):
      guard nodes.count < EventScript.mostNodes, let above = node(parent) else { return }
      let index = parent % nodes.count
      addNode(isForeign: above is ForeignNode)
      attach(nodes.count - 1, index, nil, isNoted: true)
    case .setOverride(let number, let other):
      guard let node = node(number) else { return }
      guard let other else { return node.set(next: nil) }
      if let other = self.node(other) { node.set(next: other) }
    case .setTerminality(let number, let terminality): node(number)?.set(terminality)
    case .setBoundary(let number, let isBoundary): node(number)?.setBoundary(isBoundary)
    case .setProxy(let number, let proxy):
      if proxy.map({ proxies[$0 % proxies.count] != nil }) ?? true { setProxy(number % nodes.count, proxy) }
    case .dropNode(let number): nodes[number % nodes.count] = nil
    }
  }

  func attach(_ child: Int, _ parent: Int, _ place: Int?, isNoted: Bool = false) {
    var isAllowed = false
    switch (nodes[child], nodes[parent]) {
    case (let child as ScriptNode, let parent as ScriptNode):
      isAllowed = parent.canAdopt(child)
      guard isAllowed else { break }
      if let place {
        let others = parent.children.count { $0 !== child }
        parent.insertChild(child, at: place % (others + 1))
      } else {
        parent.addChild(child)
      }
    case (let child as ForeignNode, let parent as ForeignNode):
      isAllowed = parent.canAdopt(child)
      guard isAllowed else { break }
      child.removeFromSuperview()
      let count = parent.subviews.count
      parent.insert(child, at: place.map { $0 % (count + 1) } ?? count)
    default: break
    }
    if isNoted { note("attach n\(child) to n\(parent) \(isAllowed)") }
  }

  private func detach(_ index: Int) {
    switch nodes[index] {
    case let node as ScriptNode: node.removeFromParent()
    case let node as ForeignNode: node.removeFromSuperview()
    default: break
    }
  }

  func setProxy(_ index: Int, _ number: Int?) { nodes[index]?.set(number.flatMap { proxy($0) }) }

  func node(_ number: Int) -> (any Responder)? { nodes[number % nodes.count] }
  func proxy(_ number: Int) -> EventProxy? { proxies[number % proxies.count] }
  private func registration(_ number: Int) -> EventRegistration? {
    registrations.isEmpty ? nil : registrations[number % registrations.count]
  }
}
