/// The replies that handlers have declared, for dry runs and reports.
extension EventProxy {
  /// A key under which a handler has declared to resend the event, with its index among the handlers that would be
  /// called.
  struct DeclaredRewrite {
    let place: Int
    let key: EventKey
  }

  /// The combined reply of the handlers of a key that would be called, according to their options.
  ///
  /// - Parameter recorder: That of a dry run, which knows what to assume of interceptors.
  func declaredAnswer(to key: EventKey, skipping: Gate, _ recorder: ReportRecorder?) -> Answer {
    var answer = Answer()
    forEachCallable(key, upTo: .max, skipping: skipping) { registration in
      var reply = registration.options.declaredReply
      if registration.isUndecided, let recorder {
        recorder.hasUndecided = true
        if recorder.ignoresUndecided { reply = .ignored }
      }
      answer.add(reply)
      return !reply.endsNode
    }
    return answer
  }

  /// The rewrites declared by the handlers of a key that would be called.
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

  /// Whether an event would call an asynchronous handler of a key.
  func isAsynchronous(_ key: EventKey, upTo last: UInt, skipping: Gate) -> Bool {
    var isAsynchronous = false
    forEachCallable(key, upTo: last, skipping: skipping) { registration in
      if registration.isAsynchronous { isAsynchronous = true }
      return !isAsynchronous
    }
    return isAsynchronous
  }

  /// Calls `body` with the handlers of a key that an event would call, until it returns false.
  private func forEachCallable(_ key: EventKey, upTo last: UInt, skipping: Gate, _ body: (EventRegistration) -> Bool) {
    // A target that another thread releases may be deallocated here, and remove handlers.
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
  /// The reply of the handler according to its options.
  fileprivate var declaredReply: EventReply { rewritesTo.map { .resend($0, []) } ?? reply }
}

extension EventRegistration {
  /// Whether it is an interceptor that decides for each event: its options do not specify the reply.
  fileprivate var isUndecided: Bool { isInterceptor && options.rewritesTo == nil }
}

extension EventProxy.Answer {
  /// Descriptions of how handlers deviated from what they had declared.
  func deviations(from declared: [EventProxy.DeclaredRewrite]) -> [String] {
    // It is not known which handler an error belongs to; the error itself is reported.
    guard !declared.isEmpty, errors.isEmpty else { return [] }
    return declared.compactMap { rewrite in
      guard rewrite.place < calls else { return nil }
      // The handler that resent the event was the last one called.
      guard rewrite.place == calls - 1, case .resend(let next, _) = reply else {
        return "a handler did not send the event on as \(rewrite.key.name), as declared"
      }
      return next == rewrite.key ? nil : "a handler sent the event on as \(next.name), not as \(rewrite.key.name), as declared"
    }
  }
}
