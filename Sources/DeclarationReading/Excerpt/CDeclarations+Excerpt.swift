import TypeEncodings

extension CDeclarations {
  /// The declarations of headers in a preprocessed source as a text that needs no preprocessor.
  package struct Excerpt: Sendable {
    /// The declarations of the headers and the types that they use, in their order, then the constants.
    package var text: String
    /// The functions that the headers declare and a library may export.
    package var functions: [String] = []
    /// The macros of the headers that are constants.
    package var constants: [String] = []
  }

  /// Returns the declarations of the headers that the preprocessor was told to read, and of the types that they use.
  ///
  /// Functions without external linkage, bodies of functions and macros that are no constants are left out.
  ///
  /// - Parameter headerCount: The number of headers.
  /// - Returns: The excerpt; nil for declarations that a cache stored.
  /// - Complexity: O(*n*) for a source of *n* bytes, and that of evaluating each macro of the headers.
  package func excerpt(headerCount: Int) -> Excerpt? {
    storage.read { reader in reader.index == nil ? reader.excerpt(HeaderParts(reader.source, headerCount: headerCount)) : nil }
  }

  /// Returns the names that the headers themselves declare or define, which are those of an excerpt; empty for
  /// declarations that a cache stored.
  ///
  /// - Complexity: O(*n*) for a source of *n* bytes.
  package func ownNames(headerCount: Int) -> Set<String> {
    storage.read { reader in
      guard reader.index == nil else { return [] }
      let parts = HeaderParts(reader.source, headerCount: headerCount)
      let symbols = reader.symbols.filter { $0.declaration >= 0 && parts.contains(Int(reader.declarations[Int($0.declaration)].start)) }
      let macros = reader.macros.filter { $0.body.map { parts.contains($0.lowerBound) } ?? false }
      return Set((symbols.map(\.name) + macros.map(\.name)).map(reader.names.text))
    }
  }
}
