extension Int {
  /// The number and a noun, in the plural unless it is one: `1 method`, `2 methods`.
  package func counted(_ noun: String, plural: String? = nil) -> String { "\(self) \(self == 1 ? noun : plural ?? noun + "s")" }
}

extension OptionSet where Element == Self, RawValue: FixedWidthInteger {
  /// The names of the options in brackets; bits without a name are not told.
  func text(_ names: [(Self, String)]) -> String {
    "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}
