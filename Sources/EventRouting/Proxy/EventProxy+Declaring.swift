/// What handlers have declared that they answer, for dry runs and reports.
extension EventProxy {
  /// A key under which a handler has declared to send the event on, with its place among the handlers that would be called.
  struct DeclaredRewrite {
    let place: Int
    let key: EventKey
  }

  /// What the handlers of a key that would be called answer by their options.
  func declaredAnswer(to key: EventKey, skipping: Gate) -> NodeAnswer {
    var answer = NodeAnswer()
    forEachCallable(key, upTo: .max, skipping: skipping) { registration in
      let reply = registration.options.declaredReply
      answer.add(reply)
      return !reply.endsNode
    }
    return answer
  }

  /// The rewrites that the handlers of a key that would be called have declared.
  func declaredRewrites(of key: EventKey, upTo last: UInt, skipping: Gate) -> [DeclaredRewrite] {
    var rewrites: [DeclaredRewrite] = []
    var place = 0
    forEachCallable(key, upTo: last, skipping: skipping) { registration in
      if let next = registration.options.rewritesTo { rewrites.append(DeclaredRewrite(place: place, key: next)) }
      place += 1
      return true
    }
    return rewrites
  }

  /// Calls `body` with the handlers of a key that an event would call, until it says no.
  private func forEachCallable(_ key: EventKey, upTo last: UInt, skipping: Gate, _ body: (EventRegistration) -> Bool) {
    // A target that another thread lets go of may end here, and remove handlers.
    unsafe state.pointee.depth += 1
    defer { leave() }
    var next = unsafe state.pointee.first(key.bits)
    while let record = unsafe next {
      if unsafe record.pointee.sequence <= last, unsafe record.pointee.isCallable(skipping: skipping) {
        guard body(unsafe record.pointee.registration.takeUnretainedValue()) else { return }
      }
      unsafe next = record.pointee.next
    }
  }
}

extension HandlerOptions {
  /// What the handler answers as far as its options tell.
  fileprivate var declaredReply: EventReply { rewritesTo.map { .resend($0, []) } ?? EventReply(reply) }
}

extension NodeAnswer {
  /// What handlers did otherwise than they had declared, in words.
  func deviations(from declared: [EventProxy.DeclaredRewrite]) -> [String] {
    // Which handler an error is of is not known; it is told itself.
    guard !declared.isEmpty, errors.isEmpty else { return [] }
    return declared.compactMap { rewrite in
      guard rewrite.place < calls else { return nil }
      // The handler that sent the event on was the last one called.
      guard rewrite.place == calls - 1, case .resend(let next, _) = reply else {
        return "a handler did not send the event on as \(rewrite.key.name), as declared"
      }
      return next == rewrite.key ? nil : "a handler sent the event on as \(next.name), not as \(rewrite.key.name), as declared"
    }
  }
}
