internal import DynamicInvocation
public import Logging

/// Where warnings go: of events that nobody handled, of handlers that could not be called, and of sends that were nested too deep.
public enum EventLog {
  private struct Scope: Sendable {
    let logger: Logger?
  }

  private static let state: Locked<Logger?> = Locked(Logger(label: "swift-invocation"), atFork: .eventLog)
  @TaskLocal private static var scope: Scope?

  /// The logger of the process; nil says nothing, and then nothing is worked out either.
  ///
  /// At first it is one of the label `swift-invocation`. Rules whose ``RoutingRules/unknownKey`` is silent do not warn of an event that nobody handled. Under
  /// all rules there is a warning for each handler that was there and could not be called with the event, and for each send that was nested too deep.
  /// ``withLogger(_:_:)`` sets another logger for a task.
  public static var logger: Logger? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Runs a closure whose sends, and those of the tasks that it makes, write to a logger of their own.
  ///
  /// Tests that run side by side keep apart that way.
  ///
  /// - Parameters:
  ///   - logger: The logger; nil says nothing.
  ///   - body: What to run.
  /// - Returns: What the closure returns.
  public static func withLogger<Result>(_ logger: Logger?, _ body: () throws -> Result) rethrows -> Result {
    try $scope.withValue(Scope(logger: logger), operation: body)
  }

  /// Runs a closure that may wait, whose sends, and those of the tasks that it makes, write to a logger of their own.
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

  /// Warns of a handler that could not be called, whatever the rules say of events that nobody handles.
  static func warn(_ error: EventError) {
    warn { "a handler was not called: \(error.description)" }
  }
}
