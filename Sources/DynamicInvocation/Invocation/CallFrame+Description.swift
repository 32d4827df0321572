// What is called, in a few words.

extension CallFrame {
  /// What the frame is for: `frame of 'ddd'`.
  public var description: String { "frame of '\(methodSignature.types.shortText.escaped)'" }
}

extension ForeignFunction: CustomStringConvertible {
  /// The symbol, if it is known, and the types: `function pow 'ddd'`, `function 'ddd'`.
  public var description: String {
    "function " + (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "'\(methodSignature.types.shortText.escaped)'"
  }
}

extension ArgumentColumn: CustomStringConvertible {
  /// How many values of which type: `100 values of Double`, `one Double for all rows`.
  public var description: String { count.map { $0.counted("value") + " of \(type)" } ?? "one \(type) for all rows" }
}
