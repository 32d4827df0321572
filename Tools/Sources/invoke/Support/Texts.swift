@_spi(Tools) import DynamicInvocation

extension String {
  /// The text with the characters that a terminal or a log interprets written as escapes.
  var escaped: String { ToolSupport.escaped(self) }
}

extension Int {
  /// Returns the number with a noun, in the plural unless the number is one: `1 value`, `2 values`.
  func counted(_ noun: String) -> String { "\(self) \(noun)\(self == 1 ? "" : "s")" }
}
