/// What the programs in `Tools/` need of the engine besides its public API.
@_spi(Tools) public enum ToolSupport {
  /// Returns a text with the characters that a terminal or a log interprets written as escapes.
  public static func escaped(_ text: String) -> String { text.escaped }

  /// Returns an encoding, shortened if it is long.
  public static func shortText(_ type: TypeEncoding) -> String { type.shortText }

  /// Returns at most `limit` of the names that are most similar to a misspelled one, nearest first.
  public static func nearestNames(to name: String, among names: some Sequence<String>, limit: Int) -> [String] {
    NearestNames.nearest(to: name, among: names, limit: limit)
  }
}
