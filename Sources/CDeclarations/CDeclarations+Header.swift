public import DeclarationReading
public import TypeEncodings

extension CDeclarations {
  /// Reads the declarations of a header and of the headers that it includes.
  ///
  /// The preprocessor is that of the compiler in the environment variable `CC`, or else `cc`, `clang` or `gcc`. Macros
  /// that are constants are in `constants`.
  ///
  /// The result is stored in the user's cache folder, `$XDG_CACHE_HOME` or `~/.cache`, and read from there as long as
  /// none of the files that were read, the folders in `include` and the compiler has changed. A file with another time or
  /// inode is compared by its contents. At most 64 results of 256
  /// MiB in total are kept.
  ///
  /// - Parameters:
  ///   - header: The name or the path, as it is written after `#include`: `sqlite3.h`, `curl/curl.h`.
  ///   - include: Folders that are searched first.
  ///   - options: Further arguments of the compiler, such as `-D_GNU_SOURCE`. They are passed as they are, and some run
  ///     programs: do not take them from others. A header or a folder is always a file, whatever its name is.
  /// - Throws: `InvocationError` `headerNotRead` with the compiler's message if there is no compiler or the header
  ///   cannot be preprocessed, or for a name with a quote, a backslash or a control character, and the errors of `CDeclarations.init(_:)`.
  /// - Complexity: Starts a process, unless the result is stored; then O(files that were read), one system call for each.
  public init(header: String, include: [String] = [], options: [String] = []) throws(InvocationError) {
    try self.init(headers: [header], include: include, options: options)
  }

  /// Reads the declarations of several headers, in their order.
  ///
  /// A header such as `jpeglib.h` needs another before it. The rest is as for one header.
  ///
  /// - Throws: `InvocationError` as ``init(header:include:options:)`` does.
  public init(headers: [String], include: [String] = [], options: [String] = []) throws(InvocationError) {
    let request = HeaderRequest(headers: headers, include: include, options: options)
    try self.init(request, HeaderCache(request, folder: HeaderCache.folder))
  }

  /// Reads headers without the cache, so that the whole source is there.
  package static func uncached(
    headers: [String], include: [String] = [], options: [String] = []
  ) throws(InvocationError) -> CDeclarations {
    try CDeclarations(HeaderRequest(headers: headers, include: include, options: options), nil)
  }

  /// Reads what a cache stores for a request, or else the headers.
  init(_ request: HeaderRequest, _ cache: HeaderCache?) throws(InvocationError) {
    try request.requireNames()
    guard let cache else {
      try self.init(source: request.preprocessed(), skipsFailures: true)
      return
    }
    if let stored = cache.stored() {
      self = stored
    } else {
      self = try cache.read()
    }
  }
}
