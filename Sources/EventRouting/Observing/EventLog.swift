internal import DynamicInvocation
public import Logging

/// The destination of warnings: about events that no node handled, handlers that could not be called, errors that handlers
/// have thrown, and sends that were nested too deep.
public enum EventLog {
  private struct Scope: Sendable {
    let logger: Logger?
  }

  private static let state: Locked<Logger?> = Locked(Logger(label: "swift-invocation"), atFork: .eventLog)
  @TaskLocal private static var scope: Scope?

  /// The logger of the process; with nil nothing is logged, and no message is computed.
  ///
  /// The initial logger has the label `swift-invocation`. Rules whose ``RoutingRules/unknownKey`` is silent do not log
  /// warnings about unhandled events, and those whose ``RoutingRules/handlerErrors`` are kept log none about errors that
  /// handlers throw. All rules log a warning for each handler that could not be called with the event, and for each send
  /// that was nested too deep. ``withLogger(_:_:)`` sets another logger for a task.
  public static var logger: Logger? {
    get { state.withLock { $0 } }
    set {
      let former = state.withLock { exchange(&$0, with: newValue) }
      // Released without the lock: objects that it keeps may send events.
      withExtendedLifetime(former) {}
    }
  }

  /// Runs a closure whose sends, and the sends of tasks that it creates, use a separate logger.
  ///
  /// Tests that run in parallel can use it to keep their logs separate.
  ///
  /// - Parameters:
  ///   - logger: The logger; with nil nothing is logged.
  ///   - body: The closure to run.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  public static func withLogger<Result>(_ logger: Logger?, _ body: () throws -> Result) rethrows -> Result {
    try $scope.withValue(Scope(logger: logger), operation: body)
  }

  /// Runs an asynchronous closure whose sends, and the sends of tasks that it creates, use a separate logger.
  ///
  /// - Throws: The error of the closure.
  public static func withLogger<Result>(
    _ logger: Logger?, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Result
  ) async rethrows -> Result {
    try await $scope.withValue(Scope(logger: logger), operation: body, isolation: isolation)
  }

  static func warn(_ text: () -> String) {
    let logger = scope.map(\.logger) ?? logger
    guard let logger, logger.logLevel <= .warning else { return }
    logger.warning("\(text())")
  }

  /// Logs a warning about a handler that could not be called, or that has not returned, whatever the rules specify for unhandled events.
  static func warn(_ error: EventError) {
    warn { text(of: error) }
  }

  static func text(of error: EventError) -> String {
    "a handler \(error.reason.code == .deadlineExceeded ? "has not returned" : "was not called"): \(error.description)"
  }

  /// Logs a warning about an error that a handler has thrown.
  static func warn(_ thrown: ThrownError, at node: DispatchReport.NodeIdentity?) { warn { thrown.text(at: node) } }
}

// Texts that are made of data have a limit: names within them, and each line as a whole.

extension String {
  /// The maximum number of bytes of a key or of a node's name in a text.
  private static var longestName: Int { 256 }

  /// The name of a key or a node for a text; of a long name, the beginning and the end.
  var asName: String { shortened(to: Self.longestName) }

  /// The text as one line, without characters that a terminal interprets; of a long text, the beginning and the end.
  var asLine: String {
    // Shortened first, so that a long text costs no more than the part that is shown.
    shortened(to: ValueText.longest).escaped.shortened(to: ValueText.longest)
  }
}

extension Sequence<String> {
  /// The texts with a separator between them, as far as a line shows them.
  func joinedInLine(separator: String = ", ") -> String {
    var text = ""
    var isFirst = true
    for piece in self {
      if !isFirst { text += separator }
      isFirst = false
      if text.utf8.count > ValueText.longest { return text + "..." }
      text += piece
    }
    return text
  }
}
