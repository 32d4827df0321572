/// Prints each line of code beside its result, and compares the result with what it must be.
struct Demo {
  private(set) var failures = 0

  /// Prints a heading.
  func section(_ title: String) { print("\n\(title)") }

  /// Prints code and its result; an unexpected result, or an error, counts as a failure.
  mutating func show<Value>(_ code: String, expecting expected: String, _ body: () throws -> Value) {
    let result: String
    do {
      result = "\(try body())"
    } catch {
      result = "error: \(error)"
    }
    let isRight = result == expected
    if !isRight { failures += 1 }
    print("  \(isRight ? "ok  " : "FAIL") \(code)  →  \(result)" + (isRight ? "" : "  (expected \(expected))"))
  }

  /// Prints why something is left out.
  func skip(_ what: String, because reason: String) { print("  --   \(what): \(reason)") }
}
