import CFFIShim
public import DeclarationReading
public import TypeEncodings

extension CDeclarations {
  /// Reads the declarations of a header and of the headers that it includes.
  ///
  /// The preprocessor belongs to the compiler in the environment variable `CC`, or else `cc`, `clang` or `gcc`. Macros
  /// that are constants are in `constants`.
  ///
  /// Each call runs the preprocessor and stores nothing in a file, so keep the declarations. A program that starts
  /// without a compiler states the declarations in a text.
  ///
  /// - Parameters:
  ///   - header: The name or the path, as after `#include`: `sqlite3.h`, `curl/curl.h`.
  ///   - include: Folders that are searched first.
  ///   - options: Further arguments of the compiler, such as `-D_GNU_SOURCE`. They are passed unchanged, and some of
  ///     them run programs: do not take options from others. A header or a folder is always a file, whatever its name is.
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

/// Headers to preprocess, and how.
struct HeaderRequest {
  var headers: [String]
  var include: [String]
  var options: [String]

  /// The commands of compilers, each with its first arguments.
  var compilers: [[String]] = {
    if let chosen = HeaderRequest.environment("CC")?.split(separator: " ").map(String.init), !chosen.isEmpty { return [chosen] }
    return [["cc"], ["clang"], ["gcc"]]
  }()

  /// The arguments after the compiler: the source is empty, so that nothing has to be passed on standard input.
  private var arguments: [String] {
    ["-E", "-dD", "-x", "c"] + include.map { "-I" + Self.path($0) } + options + headers.flatMap { ["-include", Self.path($0)] }
      + ["/dev/null"]
  }

  /// Returns a name that the compiler takes for a file or a folder only.
  ///
  /// `@file` is a file with further arguments, `-I-` an option and `-I=folder` a folder of the sysroot.
  private static func path(_ name: String) -> String {
    guard let first = name.utf8.first else { return name }
    let isPlain = (first | 0x20) &- 0x61 < 26 || first &- 0x30 < 10 || first == 0x2E || first == 0x2F || first == 0x5F || first >= 0x80
    return isPlain ? name : "./" + name
  }

  /// Throws if a name cannot name a header or a folder.
  func requireNames() throws(InvocationError) {
    for text in headers + include + options where text.isEmpty || text.utf8.contains(0) {
      throw InvocationError(.headerNotRead, "the name of a header, a folder or an option is empty or contains a null character")
    }
    // clang writes an #include directive with the name. C11, section 6.4.7, leaves quotes and backslashes undefined.
    for header in headers where header.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0x22 || $0 == 0x5C }) {
      throw InvocationError(
        .headerNotRead, "the name of a header contains a quote, a backslash or a control character: '\(header.shortened(to: 200).escaped)'")
    }
    guard !headers.isEmpty else { throw InvocationError(.headerNotRead, "no header is named") }
  }

  /// Returns the output of the preprocessor.
  func preprocessed() throws(InvocationError) -> [UInt8] {
    var missing: [String] = []
    for compiler in compilers {
      let (output, errors, status, error) = Self.run(compiler + arguments)
      if error == CFFI_NOT_FOUND {
        missing.append(compiler[0])
        continue
      }
      let command = compiler.joined(separator: " ")
      guard error == 0 else {
        let reason = unsafe String(cString: cffi_error_message(error))
        throw InvocationError(.headerNotRead, "\(command) cannot be run: \(reason)")
      }
      guard status == 0 else {
        let reason =
          String(decoding: errors.prefix(4_096), as: UTF8.self).split(separator: "\n")
          .first { $0.contains("error") } ?? "status \(status >> 8 & 0xFF)"
        let isMissing = reason.contains("No such file") || reason.contains("file not found")
        let hint = "; a header is part of a library's development package, on Debian one whose name ends in -dev"
        throw InvocationError(
          .headerNotRead, "\(command) cannot preprocess \(headers.joined(separator: ", ")): \(reason)\(isMissing ? hint : "")")
      }
      return output
    }
    throw InvocationError(
      .headerNotRead,
      "no C compiler was found (\(missing.joined(separator: ", "))): install one, on Debian with apt-get install gcc libc6-dev, "
        + "or set the environment variable CC")
  }

  private static func run(_ arguments: [String]) -> (output: [UInt8], errors: [UInt8], status: CInt, error: CInt) {
    var output = unsafe cffi_bytes()
    var errors = unsafe cffi_bytes()
    var status: CInt = 0
    // The texts are valid until the call returns. A text is missing only without memory.
    let texts = unsafe arguments.compactMap { unsafe cffi_copy_string($0) }
    defer { unsafe texts.forEach { unsafe cffi_free($0) } }
    guard unsafe texts.count == arguments.count else { return ([], [], 0, CInt(CFFI_NO_MEMORY)) }
    var pointers = unsafe texts.map { unsafe UnsafePointer($0) }
    let error = unsafe pointers.withUnsafeMutableBufferPointer { buffer in
      unsafe cffi_run_command(buffer.baseAddress.unsafelyUnwrapped, CInt(buffer.count), &output, &errors, &status)
    }
    return unsafe (taken(output), taken(errors), status, error)
  }

  /// Returns bytes as an array, and frees them.
  private static func taken(_ bytes: cffi_bytes) -> [UInt8] {
    defer { unsafe cffi_free_bytes(bytes) }
    return unsafe Array(UnsafeBufferPointer(start: bytes.bytes, count: bytes.bytes == nil ? 0 : bytes.size))
  }

  private static func environment(_ name: String) -> String? { unsafe cffi_environment(name).map { unsafe String(cString: $0) } }
}
