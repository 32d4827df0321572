internal import CFFIShim

extension DynamicLibrary {
  /// Opens a library by the name that a linker is given: `m` for `libm.so.6`, `z` for `libz.so.1` or `libz.dylib`.
  ///
  ///     let libm = try DynamicLibrary.find("m")
  ///
  /// Tried are the name with the platform's prefix and suffix, `libm.so` or `libm.dylib`, and on Linux then those with a version, `libm.so.6`, that lie
  /// in the folders of the dynamic linker, the latest version first. A name with a slash, a `.so` or a `.dylib` in it is opened as it is. Name the
  /// version, with ``init(_:)``, where the program depends on it.
  ///
  /// - Throws: ``InvocationError`` `libraryNotFound`, with what was tried.
  /// - Complexity: That of `dlopen` for each name tried; reads the folders of the dynamic linker.
  public static func find(_ name: String) throws(InvocationError) -> DynamicLibrary {
    guard LibraryName(name).isPlain, !name.isEmpty else { return try DynamicLibrary(name) }
    var tried: [String] = []
    for file in ["lib\(name).\(LibraryName.suffix)"] + LibraryName(name).versions {
      do {
        return try DynamicLibrary(file, suggesting: false)
      } catch {
        // One that is there but is none, as the text for a linker that stands for some libraries, has a reason of its own.
        tried.append(error.reason)
      }
    }
    throw InvocationError(.libraryNotFound, "library '\(name)' cannot be found; tried: " + tried.joined(separator: "; "))
  }
}

/// The name of a library, as a linker is given it, and the files that it may stand for.
struct LibraryName {
  #if canImport(Darwin)
    static let suffix = "dylib"
  #else
    static let suffix = "so"
  #endif

  /// The name without a folder, prefix, suffix and version: `m` of `libm.so.6`.
  let base: String
  /// Whether that is all there was.
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

  /// The files `libm.so.6` in the folders of the dynamic linker: the latest version first, and of one version the shortest name, which is the one that
  /// programs are linked with.
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

  /// The folders in which the dynamic linker looks, and the one for what was not installed by the system.
  private static var folders: [String] {
    unsafe names { unsafe cffi_visit_library_folders(DynamicLibrary.process.handle, $0, $1) } + ["/usr/local/lib"]
  }

  /// The names that a function of C calls a visitor with.
  private static func names(_ visit: (cffi_name_visitor, UnsafeMutableRawPointer?) -> Void) -> [String] {
    var names: [String] = []
    unsafe withUnsafeMutablePointer(to: &names) { context in
      let visitor: cffi_name_visitor = { name, context in
        // The context is the list above, for as long as the visit lasts.
        unsafe context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: name))
      }
      unsafe visit(visitor, context)
    }
    return names
  }
}
