internal import DynamicInvocation
public import Logging

/// Where warnings about events go: of those that nobody handled, and of handlers that could not be called.
public enum EventLog {
  private static let state: Guarded<Logger?> = Guarded(Logger(label: "EventRouting"), atFork: .eventLog)

  /// The logger; nil says nothing, and then nothing is worked out either.
  ///
  /// At first it is one of the label `EventRouting`. Rules whose ``RoutingRules/unknownKey`` is silent do not warn of an
  /// event that nobody handled. Under all rules there is a warning for each handler that was there and could not be called with the event.
  public static var logger: Logger? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  static func warn(_ diagnosis: () -> UnhandledDiagnosis) {
    guard let logger, logger.logLevel <= .warning else { return }
    logger.warning("\(diagnosis().description)")
  }

  /// Warns of a handler that could not be called, whatever the rules say of events that nobody handles.
  static func warn(_ error: EventError) {
    guard let logger, logger.logLevel <= .warning else { return }
    logger.warning("a handler was not called: \(error.description)")
  }
}
