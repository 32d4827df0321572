internal import CFFIShim

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

extension DynamicLibrary {
  /// Opens a library by its linker name: `m` for `libm.so.6`, `z` for `libz.so.1` or `libz.dylib`.
  ///
  ///     let libm = try DynamicLibrary.find("m")
  ///
  /// The function first tries the name with the platform's prefix and suffix, `libm.so` or `libm.dylib`. On Linux it
  /// then tries the versioned files such as `libm.so.6` in the dynamic linker's directories, latest version first. A
  /// name that contains a slash, `.so` or `.dylib` is opened unchanged. If the program depends on a version, name it
  /// with ``init(_:)``.
  ///
  /// - Parameter name: The linker name, or the name of a file.
  /// - Throws: `InvocationError` `libraryNotFound`, with the names that were tried.
  /// - Complexity: That of `dlopen` for each name tried; reads the dynamic linker's directories.
  public static func find(_ name: String) throws(InvocationError) -> DynamicLibrary {
    try find(name, companion: nil)
  }

  package static func find(_ name: String, companion: (any Sendable)?) throws(InvocationError) -> DynamicLibrary {
    guard LibraryName(name).isPlain, !name.isEmpty else {
      return try DynamicLibrary(name, suggesting: true, companion: companion)
    }
    var tried: [String] = []
    for file in ["lib\(name).\(LibraryName.suffix)"] + LibraryName(name).versions {
      do {
        return try DynamicLibrary(file, suggesting: false, companion: companion)
      } catch {
        // A file that exists but is not a library, such as a linker script, has its own error reason.
        tried.append(error.reason)
      }
    }
    throw InvocationError(.libraryNotFound, "library '\(name)' cannot be found; tried: " + tried.joined(separator: "; "))
  }
}

/// The linker name of a library, and the files that it can refer to.
struct LibraryName {
  #if canImport(Darwin)
    static let suffix = "dylib"
  #else
    static let suffix = "so"
  #endif

  /// The name without a directory, prefix, suffix and version: `m` of `libm.so.6`.
  let base: String
  /// Whether the given name was a plain linker name.
  let isPlain: Bool

  init(_ name: String) {
    var base = Substring(name)
    for suffix in [".so", ".dylib"] {
      if let end = base.firstRange(of: suffix) { base = base[..<end.lowerBound] }
    }
    isPlain = base.count == name.count && !name.utf8.contains(0x2F)
    if base.hasPrefix("lib") { base = base.dropFirst(3) }
    self.base = String(base)
  }

  /// The files such as `libm.so.6` in the dynamic linker's directories, latest version first.
  ///
  /// Of the same major version the shortest name comes first, which is the one that programs are linked with.
  var versions: [String] {
    let prefix = "lib\(base).so."
    var found: [String: [Int]] = [:]
    for folder in Self.folders {
      let entries = unsafe Self.names { unsafe cffi_visit_entries(folder, $0, $1) }
      for entry in entries where entry.hasPrefix(prefix) {
        let parts = entry.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        if !parts.contains(nil) { found[entry] = parts.compactMap(\.self) }
      }
    }
    return found.sorted { left, right in
      let (major, other) = (left.value.first ?? 0, right.value.first ?? 0)
      if major != other { return major > other }
      return left.value.count != right.value.count
        ? left.value.count < right.value.count : right.value.lexicographicallyPrecedes(left.value)
    }.map(\.key)
  }

  /// The directories that the dynamic linker searches, and `/usr/local/lib` for locally installed libraries.
  private static var folders: [String] {
    unsafe names { unsafe cffi_visit_library_folders(DynamicLibrary.process.handle, $0, $1) } + ["/usr/local/lib"]
  }

  /// Collects the names that a C function passes to a visitor.
  private static func names(_ visit: (cffi_name_visitor, UnsafeMutableRawPointer?) -> Void) -> [String] {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { context in
      let visitor: cffi_name_visitor = { name, context in
        // The context is the array above, valid during the visit.
        unsafe context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }
      unsafe visit(visitor, context)
    }
    return names
  }
}

/// A file that the dynamic linker refuses, since it is for the linker that makes programs.
enum RefusedFile {
  /// The number of bytes that are read.
  private static let longest = 4_096

  /// Returns what a file is, by its first bytes: an archive, or a text that names the library; nil for any other.
  static func kind(ofFileAt path: String) -> String? {
    guard let file = unsafe fopen(path, "r") else { return nil }
    defer { unsafe fclose(file) }
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: longest) { buffer, count in
      unsafe count = fread(buffer.baseAddress, 1, buffer.count, file)
    }
    return kind(bytes)
  }

  static func kind(_ bytes: [UInt8]) -> String? {
    guard !bytes.contains(0) else { return bytes.starts(with: "!<arch>\n".utf8) ? "a static library" : nil }
    let text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix("!<arch>\n") || text.hasPrefix("!<thin>\n") { return "a static library" }
    let names = text.hasPrefix("--- !tapi") ? stubNames(text) : scriptNames(text)
    guard !names.isEmpty else { return nil }
    return "a linker script that names " + names.prefix(8).joined(separator: ", ")
  }

  /// The library that a text stub of Apple's linker is for: `install-name: /usr/lib/libz.1.dylib`.
  private static func stubNames(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("install-name:") }.prefix(1).map { line in
      String(line.dropFirst("install-name:".count).filter { !" '\"".contains($0) })
    }
  }

  /// The files that the commands GROUP and INPUT of a linker script name, also in AS_NEEDED.
  private static func scriptNames(_ text: String) -> [String] {
    var code = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "/*") {
      code += rest[..<start.lowerBound] + " "
      rest = rest[start.upperBound...].firstRange(of: "*/").map { rest[$0.upperBound...] } ?? ""
    }
    code += rest
    var words: [String] = []
    var isOpen = false
    for character in code {
      let isPart = !character.isWhitespace && !"(),".contains(character)
      if isPart, isOpen {
        words[words.count - 1].append(character)
      } else if isPart || "()".contains(character) {
        words.append(String(character))
      }
      isOpen = isPart
    }
    var names: [String] = []
    var depth = 0
    for (index, word) in words.enumerated() {
      switch word {
      case "(" where depth > 0 || index > 0 && ["GROUP", "INPUT"].contains(words[index - 1]): depth += 1
      case ")": depth = max(0, depth - 1)
      case "(", "AS_NEEDED": break
      default: if depth > 0 { names.append(word) }
      }
    }
    return names
  }
}
