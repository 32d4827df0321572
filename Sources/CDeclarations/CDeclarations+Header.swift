public import DeclarationReading
public import TypeEncodings

extension CDeclarations {
  /// Reads the declarations of a header and of the headers that it includes.
  ///
  /// The preprocessor is that of the compiler in the environment variable `CC`, or else `cc`, `clang` or `gcc`. Macros
  /// that are constants are in `constants`.
  ///
  /// Each time runs the preprocessor, and nothing is stored in a file: keep the declarations, or write them as Swift with
  /// `swift package write-c-declarations` for a program that starts without a compiler.
  ///
  /// - Parameters:
  ///   - header: The name or the path, as it is written after `#include`: `sqlite3.h`, `curl/curl.h`.
  ///   - include: Folders that are searched first.
  ///   - options: Further arguments of the compiler, such as `-D_GNU_SOURCE`. They are passed as they are, and some run
  ///     programs: do not take them from others. A header or a folder is always a file, whatever its name is.
  /// - Throws: `InvocationError` `headerNotRead` with the compiler's message if there is no compiler or the header
  ///   cannot be preprocessed, or for a name with a quote, a backslash or a control character, and the errors of `CDeclarations.init(_:)`.
  /// - Complexity: Starts a process; O(*n*) for *n* bytes that the preprocessor writes.
  public init(header: String, include: [String] = [], options: [String] = []) throws(InvocationError) {
    try self.init(headers: [header], include: include, options: options)
  }

  /// Reads the declarations of several headers, in their order.
  ///
  /// A header such as `jpeglib.h` needs another before it. The rest is as for one header.
  ///
  /// - Throws: `InvocationError` as ``init(header:include:options:)`` does.
  public init(headers: [String], include: [String] = [], options: [String] = []) throws(InvocationError) {
    try self.init(HeaderRequest(headers: headers, include: include, options: options))
  }

  init(_ request: HeaderRequest) throws(InvocationError) {
    try request.requireNames()
    try self.init(source: request.preprocessed(), skipsFailures: true)
  }
}
