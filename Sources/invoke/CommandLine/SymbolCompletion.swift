#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// The completion of the words of a call in a shell.
  enum SymbolCompletion {
    /// Completes the name of a symbol.
    static var symbols: CompletionKind { .custom { words, _, prefix in names(for: words, prefix: prefix) } }

    /// Returns the symbols of the library on a line that begin with a text.
    ///
    /// The library is the last word before that names one, or `-`.
    static func names(for words: [String], prefix: String) -> [String] {
      guard let name = words.dropFirst().last(where: { $0.contains(".so") || $0.contains(".dylib") || $0 == "-" }) else { return [] }
      let library = name == "-" ? DynamicLibrary.process : try? DynamicLibrary(name)
      return library?.exportedNames.filter { $0.hasPrefix(prefix) } ?? []
    }
  }
#endif
