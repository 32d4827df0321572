public import Logging
import Synchronization

/// Where warnings about events go that nobody handled.
public enum EventLog {
  private static let state: Mutex<Logger?> = Mutex(Logger(label: "EventRouting"))

  /// The logger; nil says nothing, and then nothing is worked out either.
  ///
  /// At first it is one of the label `EventRouting`. Rules whose ``RoutingRules/unknownKey`` is silent do not warn.
  public static var logger: Logger? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  static func warn(_ diagnosis: () -> UnhandledDiagnosis) {
    guard let logger, logger.logLevel <= .warning else { return }
    logger.warning("\(diagnosis().description)")
  }
}
