extension TypeEncoding {
  /// Reads one type.
  ///
  /// The grammar is that of Apple's and the GNU runtimes, with `![16,16f]` and `<4f>` for vectors; field names in quotes, class names, C++ names
  /// with brackets in them are understood.
  ///
  /// Give it a text that is data. A string literal alone in the parentheses is taken as the literal of an encoding, which traps when malformed.
  ///
  /// - Parameters:
  ///   - text: The encoding of exactly one type, without a frame offset.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - blankIsFloat16: Whether a blank is read as `_Float16`, as clang writes it.
  /// - Throws: ``InvocationError`` with the byte offset and the reason when the text is malformed or beyond ``Limits``.
  /// - Complexity: O(bytes); allocates for each part.
  public init(_ text: String, dialect: Dialect = .next, blankIsFloat16: Bool = false) throws(InvocationError) {
    var parser = try TypeEncodingParser(text, dialect: dialect, blankIsFloat16: blankIsFloat16)
    let type = try parser.type()
    guard parser.isAtEnd else { throw parser.failure("the type ends here, the text does not") }
    self = type
  }
}

extension TypeEncoding: ExpressibleByStringLiteral {
  /// Creates a type encoding from a literal.
  ///
  /// A user struct declares its encoding this way: `static let typeEncoding: TypeEncoding = "{Pair=id}"`.
  ///
  /// Traps when the literal is malformed: it is part of the program, not data.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
