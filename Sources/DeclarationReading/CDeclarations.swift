import Synchronization
public import TypeEncodings

/// The declarations of a C source: functions, types and constants by name.
///
/// The text is C11 with the extensions of gcc and clang, as a header's author wrote it or as a preprocessor wrote it:
///
///     let declarations = try CDeclarations("""
///       typedef struct { double x, y; } point;
///       double distance(point from, point to);
///       """)
///     try declarations.functions["distance"]?.types.text()  // "d{?=dd}{?=dd}"
///
/// Types are converted to encodings when they are used. A declaration that a call cannot use, such as one with a
/// parameter of type `__float128`, is an error only then.
///
/// - Complexity: One word. Copies share their contents, which is protected by a lock.
public struct CDeclarations: Sendable {
  let storage: Storage

  final class Storage: Sendable {
    private let reader: Mutex<DeclarationReader>
    /// Reads the declarations again if the image that they were stored in is damaged.
    private let reload: @Sendable () -> CDeclarations?

    init(_ reader: DeclarationReader, reload: @escaping @Sendable () -> CDeclarations? = { nil }) {
      self.reader = Mutex(reader)
      self.reload = reload
    }

    func read<Result: Sendable>(_ body: (inout DeclarationReader) -> Result) -> Result {
      reader.withLock { reader in
        let result = body(&reader)
        return repair(&reader) ? body(&reader) : result
      }
    }

    /// Reads the declarations again if the image is damaged, and returns whether they were read.
    // A copy of the reader is 15 KiB of code, so it is not a part of each access.
    @inline(never)
    private func repair(_ reader: inout DeclarationReader) -> Bool {
      guard reader.index?.isDamaged == true, let repaired = reload() else { return false }
      reader = repaired.storage.read { $0 }
      return true
    }
  }

  /// Reads declarations.
  ///
  /// The names of `<stdint.h>`, `<stddef.h>` and `<stdbool.h>` need no declaration. Of the preprocessor's directives
  /// `#define`, `#undef`, `#pragma pack` and line markers are read. The bodies of functions are skipped.
  ///
  /// - Parameter text: The source, of at most 64 MiB.
  /// - Throws: `InvocationError` `malformedDeclaration` with the line, the column, the token and what was expected;
  ///   `limitExceeded` for nesting beyond the limits that the article Limits states, and for types of more than 2³¹ − 1 bytes.
  /// - Complexity: O(*n*), where *n* is the length of the text; 512 KB of stack suffice.
  public init(_ text: String) throws(InvocationError) {
    try self.init(source: Array(text.utf8))
  }

  /// Reads declarations from the output of a preprocessor.
  ///
  /// - Parameter skipsFailures: Whether a declaration that cannot be read is skipped, and is no error.
  package init(source: [UInt8], target: TargetABI = .host, skipsFailures: Bool = false) throws(InvocationError) {
    var reader = DeclarationReader(source, target: target)
    reader.skipsFailures = skipsFailures
    do throws(SyntaxFailure) {
      try reader.split(0..<source.count)
      try reader.readAll()
    } catch {
      throw reader.error(error)
    }
    reader.tokens = [Token(kind: .end, offset: Int32(source.count), end: Int32(source.count))]
    reader.position = 0
    storage = Storage(reader)
  }

  /// Opens declarations that ``image(attachment:checksum:)`` wrote; nil for other bytes.
  ///
  /// - Parameter reload: Reads the declarations again, when bytes that are read later are damaged.
  /// - Complexity: O(pages of the image).
  package init?(image: any DeclarationImage, reload: @escaping @Sendable () -> CDeclarations? = { nil }) {
    guard let index = DeclarationIndex(image) else { return nil }
    storage = Storage(DeclarationReader(index), reload: reload)
  }

  /// Returns the declarations as bytes that are opened without reading them again, with other bytes attached.
  ///
  /// - Returns: The image; empty for declarations of an image that is damaged.
  package func image(attachment: [UInt8], checksum: ([UInt8], Range<Int>) -> UInt64) -> [UInt8] {
    storage.read { reader in
      guard reader.index != nil else { return reader.image(attachment: attachment, checksum: checksum) }
      return reader.index?.image(attachment: attachment, checksum: checksum) ?? []
    }
  }

  /// The bytes that were attached to the image; nil without an image, or if they are damaged.
  package var attachment: [UInt8]? {
    storage.read { reader in
      guard let range = reader.index?.attachmentRange else { return nil }
      return reader.index?.read(range)
    }
  }

  /// The paths of the files that a preprocessed source is from, each once; empty for an image.
  package var files: [String] {
    storage.read { reader in
      var known: Set<ArraySlice<UInt8>> = []
      return reader.files.map { reader.source[$0] }.filter { known.insert($0).inserted }.map { String(decoding: $0, as: UTF8.self) }
    }
  }

  /// The declared functions, by name.
  public var functions: Functions { Functions(storage: storage) }

  /// The constants, by name: enumerators, and macros that are integers, floating-point numbers, addresses or strings.
  public var constants: Constants { Constants(storage: storage) }

  /// The declared types, by name: of a typedef, or of a struct, union or enum with its keyword or without.
  public var types: Types { Types(storage: storage) }

  /// The declared variables, by name.
  public var variables: Variables { Variables(storage: storage) }
}

extension DeclarationReader {
  /// Returns the error of a failure, with its location.
  func error(_ failure: SyntaxFailure) -> InvocationError {
    let location = SourceLocation(of: failure.offset, in: source)
    return InvocationError(failure.code, "\(location.description): \(failure.reason)")
  }

  /// Returns the text of a declaration in one line.
  func text(of declaration: Int32) -> String { text(of: declarations[Int(declaration)]) }

  func text(of range: DeclarationRange) -> String { Self.text(source[Int(range.start)..<Int(range.end)]) }

  /// Returns the text of a declaration in one line.
  static func text(_ declaration: ArraySlice<UInt8>) -> String {
    var words: [String] = []
    for line in declaration.split(separator: SourceByte.newline) {
      let text = line.split { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
      if text.first?.first == SourceByte.hash { continue }
      words += text.map { String(decoding: $0, as: UTF8.self) }
    }
    return words.joined(separator: " ")
  }
}
