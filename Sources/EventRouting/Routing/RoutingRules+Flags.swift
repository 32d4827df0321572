// Array literals are avoided here: without optimization, one of an option set allocates.
extension RoutingRules {
  /// The flags that a walk up has to look at when a node has no handler.
  var attention: NodeFlags {
    let flags = endsUnhandled.union(.overridden).union(.external)
    return endsBeforeBoundary ? flags.union(.boundary) : flags
  }

  /// The flags of nodes at which an event ends that they do not handle.
  var endsUnhandled: NodeFlags { unknownKey == .endsAtProxy ? endsIgnored.union(.hasProxy) : endsIgnored }

  /// The flags of nodes at which an event ends that their handlers do not want.
  var endsIgnored: NodeFlags {
    if unknownKey == .endsAtTerminal { return NodeFlags.terminalAlways.union(.terminalForOwnKeys) }
    return direction == .up ? .terminalAlways : .none
  }

  /// The flags of nodes beyond which an event never goes that they handle.
  var endsHandled: NodeFlags { direction == .up ? NodeFlags.terminalAlways.union(.terminalForOwnKeys) : .none }

  /// Whether an event that nobody handles is worth a warning.
  var warnsWhenUnhandled: Bool { unknownKey == .warns || unknownKey == .endsAtTerminal }
}
