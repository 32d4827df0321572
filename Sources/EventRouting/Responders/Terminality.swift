/// Whether a node ends the passes up that reach it.
public enum Terminality: Sendable, Hashable {
  /// The answer of its handlers and the rules of the pass decide.
  case passing
  /// It ends the events that it handles, whatever its handlers say, and passes the others.
  ///
  /// The default for what a view controller was.
  case forOwnKeys
  /// Nothing goes beyond it, handled or not.
  case always
}
