extension DispatchRow {
  /// Whether somebody who is called for the method responds to it.
  var hasResponder: Bool {
    (0..<count).contains { index in
      let responder = unsafe responders[index]
      if case .only(let wanted) = policy, number(at: index) != wanted { return false }
      guard unsafe responder.reference._withUnsafeGuaranteedRef({ $0.isAlive }) else { return false }
      switch responder.kind {
      case .method: return true
      case .otherTypes: return false
      case .asked, .dispatcher: break
      }
      let retained = unsafe responder.reference._withUnsafeGuaranteedRef { unsafe $0.retain() }
      guard let object = unsafe retained?.takeRetainedValue() else { return false }
      if let dispatcher = object as? ProtocolDispatcher { return dispatcher.responds(to: method.selector) }
      return (object as? any Invocable)?.implementation(for: method.selector) != nil
    }
  }
}
