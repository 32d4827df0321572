public import TypeEncodings

extension CDeclarations {
  /// A declaration of a header that cannot be read, and the reason.
  public struct SkippedDeclaration: Sendable {
    /// The declaration in one line, without the body of a function.
    public let declaration: String

    /// The reason, with the file, the line and the column.
    public let error: InvocationError

    /// Returns whether the declaration contains a name, which it may have declared.
    ///
    /// - Complexity: O(length of the declaration).
    public func names(_ name: String) -> Bool {
      declaration.split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "$" }).contains { $0 == name }
    }
  }

  /// The declarations of a header that cannot be read, in their order; empty for a text, of which each is an error.
  ///
  /// Those of a header in the cache that were found unreadable only when they were looked up are at the end.
  public var skipped: [SkippedDeclaration] { storage.read { $0.skippedDeclarations() } }
}

extension CDeclarations.SkippedDeclaration: CustomStringConvertible {
  /// The reason.
  public var description: String { error.reason }
}

extension DeclarationReader {
  mutating func skippedDeclarations() -> [CDeclarations.SkippedDeclaration] {
    if let entries = index?.entries(.skipped) {
      let known = entries.map { reason, entry in
        let text = Self.text((index?.read(entry.range) ?? [])[...])
        return CDeclarations.SkippedDeclaration(
          declaration: text.shortened(to: 200),
          error: InvocationError(entry.symbol == .function ? .limitExceeded : .malformedDeclaration, reason))
      }
      return known + readFailures()
    }
    return readFailures()
  }

  /// The declarations that could not be read: of a header, or of an image of one, when they were needed.
  private func readFailures() -> [CDeclarations.SkippedDeclaration] {
    skipped.map { skipped in
      CDeclarations.SkippedDeclaration(
        declaration: text(of: skipped.range).shortened(to: 200), error: InvocationError(skipped.code, skipped.reason))
    }
  }
}
