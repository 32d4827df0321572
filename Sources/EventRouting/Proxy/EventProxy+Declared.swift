internal import DynamicInvocation

/// What handlers have declared with their options, for dry runs and reports.
extension EventProxy {
  /// What the handlers that an event of a key would call have declared.
  struct Declared {
    /// The combined reply, up to the first handler after which no other is called.
    var answer: Outcome = Outcome()
    /// The keys under which handlers resend the event, each with the index of the handler.
    var rewrites: [(place: Int, key: EventKey)] = []
    /// Whether a handler is asynchronous.
    var isAsynchronous: Bool = false
    /// Whether the reply is not known, as an interceptor decides for each event.
    var isUndecided: Bool = false
  }

  /// Returns what the handlers that an event of a key would call have declared.
  ///
  /// - Parameter ignoresUndecided: Whether interceptors are assumed to ignore the event.
  func declared(_ key: EventKey, upTo last: UInt, skipping: HandlerFlags, ignoresUndecided: Bool) -> Declared {
    // A target that another thread releases may be deallocated here, and remove handlers.
    unsafe state.pointee.depth += 1
    defer { endRun() }
    var declared = Declared()
    var (place, isEnded) = (0, false)
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.isCallable(skipping: skipping) {
        let registration = unsafe record.pointee.registration.takeUnretainedValue()
        let rewritesTo = registration.options.rewritesTo
        if let rewritesTo { declared.rewrites.append((place, rewritesTo)) }
        if registration.isAsynchronous { declared.isAsynchronous = true }
        if !isEnded {
          var reply = rewritesTo.map { .resend($0, []) } ?? registration.options.reply
          if registration.isInterceptor, rewritesTo == nil {
            declared.isUndecided = true
            if ignoresUndecided { reply = .ignored }
          }
          declared.answer.add(reply)
          isEnded = reply.endsNode
        }
        place += 1
      }
      unsafe next = record.pointee.next
    }
    return declared
  }
}

extension EventProxy.Declared {
  /// Descriptions of how the answer of handlers deviates from the rewrites that they had declared.
  func deviations(of answer: EventProxy.Outcome) -> [String] {
    // It is not known which handler an error belongs to; the error itself is reported.
    guard answer.errors.isEmpty else { return [] }
    return rewrites.compactMap { rewrite in
      guard rewrite.place < answer.calls else { return nil }
      // The handler that resent the event was the last one called.
      guard rewrite.place == answer.calls - 1, case .resend(let next, _) = answer.reply else {
        return "a handler did not send the event on as \(rewrite.key.name), as declared"
      }
      return next == rewrite.key ? nil : "a handler sent the event on as \(next.name), not as \(rewrite.key.name), as declared"
    }
  }
}
