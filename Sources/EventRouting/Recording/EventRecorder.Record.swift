public import DynamicInvocation

extension EventRecorder {
  /// An event that was sent, as plain values: it can be saved, and sent again.
  ///
  ///     let data = try JSONEncoder().encode(recorder.events)
  ///     for event in try JSONDecoder().decode([Record].self, from: data) { try event.replay(in: root) }
  ///
  /// Null, bools, integers of 64 bits, floating-point numbers, strings, points, sizes, rectangles, vectors, offsets and
  /// insets are saved exactly. Other arguments, and a source that is not the sender, are not saved; ``omissions`` names
  /// them.
  ///
  /// Data from an untrusted source may be decoded: what is wrong is an error. Each new key stays in memory for the life of
  /// the process.
  public struct Record: Sendable, Hashable, Codable {
    /// The source of an event.
    enum Source: Hashable, Sendable, Codable {
      case sender
      case none
      case notSaved(String)
    }

    /// The name of the key.
    public let key: String
    /// The rules of the send.
    public let rules: RoutingRules
    /// The sender: for each level from the root down, the index of the child.
    ///
    /// Nil if a node on the way is no child of its next responder; such an event cannot be sent again.
    public let senderPath: [Int]?
    /// Whether the send waited for asynchronous handlers.
    public let isAwaited: Bool
    /// How many events were being handled when it was sent, including itself: more than 1 for an event that a handler sent.
    public let nesting: Int
    /// The report of the send, as text.
    public let report: String

    let source: Source
    let arguments: [RecordedArgument]

    /// What was not saved: each with the index of the argument, 0 for the source.
    public var omissions: [String] {
      var omissions: [String] = senderPath == nil ? ["the sender: it is no child of its next responder"] : []
      if case .notSaved(let text) = source { omissions.append("argument 0, the source: \(text)") }
      for (index, argument) in arguments.enumerated() {
        if case .notSaved(let text) = argument { omissions.append("argument \(index + 1): \(text)") }
      }
      return omissions
    }
  }
}

extension EventRecorder.Record {
  /// Sends the event again, from the node at the same position below a root, and returns the report.
  ///
  /// In a tree of the same shape and names with handlers that reply the same, ``DispatchReport/description`` equals
  /// ``report``.
  ///
  /// - Parameter root: The root of the tree.
  /// - Throws: `InvocationError` `unsupportedType` if something was not saved; `outOfRange` if the tree has no node at the
  ///   position of the sender; `asynchronousHandler` if the send waited, which
  ///   ``replayAwaiting(in:)`` does.
  @discardableResult
  public func replay(in root: some Responder) throws(InvocationError) -> DispatchReport {
    if isAwaited {
      throw InvocationError(.asynchronousHandler, "the event '\(key)' was sent with sendAwaiting; use replayAwaiting")
    }
    let (sender, boxes) = try prepared(in: root)
    return Self.report(from: sender, EventKey(key), source: source == .sender ? sender : nil, boxes, rules)
  }

  /// Sends the event again as ``replay(in:)`` does, and waits for asynchronous handlers.
  @discardableResult
  public nonisolated(nonsending) func replayAwaiting(in root: some Responder) async throws(InvocationError) -> DispatchReport {
    let (sender, boxes) = try prepared(in: root)
    return await Self.reportAwaiting(from: sender, EventKey(key), source: source == .sender ? sender : nil, boxes, rules)
  }

  private func prepared(in root: some Responder) throws(InvocationError) -> (sender: any Responder, boxes: [BoxedValue]) {
    guard omissions.isEmpty, let senderPath else {
      throw InvocationError(.unsupportedType, "the event '\(key)' was not saved completely: \(omissions.joined(separator: "; "))")
    }
    var node: any Responder = root
    for index in senderPath {
      let children = node.childResponders
      guard children.indices.contains(index) else {
        throw InvocationError(.outOfRange, "the tree has no node at \(senderPath), the sender of the event '\(key)'")
      }
      node = children[index]
    }
    return (node, arguments.compactMap(\.box))
  }

  private static func report(
    from sender: some Responder, _ key: EventKey, source: AnyObject?, _ boxes: [BoxedValue], _ rules: RoutingRules
  ) -> DispatchReport { sender.report(key, source: source, arguments: boxes, rules: rules) }

  private nonisolated(nonsending) static func reportAwaiting(
    from sender: some Responder, _ key: EventKey, source: AnyObject?, _ boxes: [BoxedValue], _ rules: RoutingRules
  ) async -> DispatchReport { await sender.reportAwaiting(key, source: source, arguments: boxes, rules: rules) }
}

extension EventRecorder.Record: CustomStringConvertible {
  /// The first line of the report, and what was not saved.
  public var description: String {
    let first = report.split(separator: "\n", maxSplits: 1).first.map(String.init) ?? key
    return omissions.isEmpty ? first : "\(first); not saved: \(omissions.joined(separator: "; "))".asLine
  }
}
