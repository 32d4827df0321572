import CFFIShim

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A shared library that is loaded into the process, or the process itself.
///
/// The library stays loaded while this object, or a function created from it, is alive. An address returned by
/// ``symbol(_:)`` does not keep the library loaded and is valid only while it is.
///
/// Several objects can refer to the same library. The system loads the library once, and unloads it when the last of
/// them is deallocated. Keep a library that starts threads or stores callbacks, such as a user interface toolkit, until
/// the process ends: its threads would return to code that is no longer there.
@safe
public final class DynamicLibrary: Sendable, CustomStringConvertible {
  /// The name or path that the library was opened with; `process` for the process itself.
  public let name: String

  /// What the library was opened with: the declarations of the module `CDeclarations`, or nil.
  package let companion: (any Sendable)?

  /// The dynamic linker's handle of the library.
  ///
  /// The memory is never written to, and the linker's functions accept the handle on any thread.
  package nonisolated(unsafe) let handle: UnsafeMutableRawPointer

  /// Whether this is the process itself, which is never closed.
  package let isProcess: Bool

  /// The process itself: the program, the libraries it was linked with, and those opened with global symbol visibility.
  public static let process: DynamicLibrary = DynamicLibrary()

  /// Opens a library by name or path.
  ///
  /// A name without a slash is looked up in the dynamic linker's search path. All symbols that the library needs are
  /// bound immediately (`RTLD_NOW`), so a missing one is an error here. Its own symbols are not visible to other
  /// libraries (`RTLD_LOCAL`). The library's initializers run if it was not loaded before.
  ///
  /// - Parameter name: A file name such as `libm.so.6`, or a path.
  /// - Throws: `InvocationError` with `InvocationError.Code.libraryNotFound` and the dynamic linker's reason when
  ///   the library cannot be opened, or when the name is empty or contains a null character. Its
  ///   `InvocationError.candidates` are the installed versions of the library, such as `libm.so.6` for `m`; see
  ///   ``find(_:)``.
  /// - Complexity: As the C function `dlopen`.
  public convenience init(_ name: String) throws(InvocationError) {
    try self.init(name, suggesting: true)
  }

  /// Opens a library; if that fails and `suggesting` is true, the error contains similar names.
  package init(_ name: String, suggesting: Bool, companion: (any Sendable)? = nil) throws(InvocationError) {
    guard !name.isEmpty else { throw InvocationError(.libraryNotFound, "the name of the library is empty") }
    guard !name.utf8.contains(0) else {
      throw InvocationError(.libraryNotFound, "the name of the library contains a null character")
    }
    _ = unsafe dlerror()
    guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      let reason = Self.openingFailure(of: name)
      let isHere = unsafe !name.utf8.contains(0x2F) && access(name, F_OK) == 0
      let advice = isHere ? "; a name is looked up in the path of the linker only, './\(name)' is the file in this folder" : ""
      throw InvocationError(
        .libraryNotFound, "library '\(name)' cannot be opened: \(reason)\(advice)",
        candidates: suggesting && !name.utf8.contains(0x2F) ? Array(LibraryName(name).versions.prefix(3)) : [])
    }
    self.name = name
    self.companion = companion
    unsafe self.handle = handle
    isProcess = false
  }

  private init() {
    guard let handle = unsafe dlopen(nil, RTLD_NOW) else { preconditionFailure("the process has no handle of itself") }
    name = "process"
    companion = nil
    unsafe self.handle = handle
    isProcess = true
  }

  deinit {
    if !isProcess { _ = unsafe dlclose(handle) }
  }

  /// The reason why a library was not opened: what the file is, if the dynamic linker refused a text or an archive, or else
  /// the linker's message.
  private static func openingFailure(of name: String) -> String {
    let reason = linkerReason(about: name) ?? "the linker tells no reason"
    // A message begins with the path of the file, which the linker may have found for the name or for a dependency.
    let found = reason.hasPrefix("/") ? reason.firstRange(of: ": ").map { String(reason[..<$0.lowerBound]) } : nil
    guard let path = found ?? (name.utf8.contains(0x2F) ? name : nil), let kind = RefusedFile.kind(ofFileAt: path) else { return reason }
    return (path == name ? "it" : "'\(path)'") + " is \(kind)"
  }

  /// The message of the dynamic linker's last failure on this thread, without the library name at its beginning.
  static func linkerReason(about name: String) -> String? {
    guard let message = unsafe dlerror() else { return nil }
    let text = unsafe String(cString: message)
    let prefix = name + ": "
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }

  /// The name that the library was opened with, or a text for the process.
  public var description: String { isProcess ? "the process" : "library '\(name)'" }
}

extension DynamicLibrary {
  /// Returns the address of a function or variable, by its symbol name.
  ///
  /// The library is searched first, then its dependencies. The address is valid only while the library is loaded.
  ///
  /// With glibc and on Android, `name@VERSION` is a version of a symbol, as `nm -D` writes it, and `name@@VERSION` the one
  /// that a program is linked with. A name without a version is what a program is linked with, too.
  ///
  /// - Throws: `InvocationError` with `InvocationError.Code.symbolNotFound` when the symbol does not exist or its
  ///   address is null. Its `InvocationError.candidates` are the versions that the library has of the symbol, or up to
  ///   three similar names that the library defines.
  /// - Complexity: As the C functions `dlsym` and `dlvsym`. On failure, the names of all symbols of the
  ///   library are read.
  public func symbol(_ name: String) throws(InvocationError) -> UnsafeRawPointer {
    guard !name.isEmpty else { throw InvocationError(.symbolNotFound, "the name of the symbol is empty") }
    guard !name.utf8.contains(0) else {
      throw InvocationError(.symbolNotFound, "the name of the symbol contains a null character")
    }
    _ = unsafe dlerror()
    if let address = unsafe dlsym(handle, name) { return UnsafeRawPointer(address) }
    // A symbol can have a null address, for example an undefined weak symbol: only dlerror distinguishes the two cases.
    guard unsafe dlerror() != nil else {
      throw InvocationError(.symbolNotFound, "symbol '\(name)' of \(self) is at the null address")
    }
    let versioned = VersionedName(name)
    if let versioned, let address = unsafe address(of: versioned) { return unsafe address }
    let versions = versions(of: versioned?.symbol ?? name)
    guard versions.isEmpty else {
      let wanted = versioned == nil ? "'\(name)' without a version" : "'\(name)'"
      throw InvocationError(.symbolNotFound, "\(self) has no symbol \(wanted)", candidates: versions)
    }
    throw InvocationError(
      .symbolNotFound, "\(self) has no symbol '\(name)'",
      candidates: NearestNames.nearest(to: name, among: symbolNames(lengths: NearestNames.lengths(near: name)), limit: 3))
  }

  /// Returns the address of a version of a symbol, or nil.
  private func address(of name: VersionedName) -> UnsafeRawPointer? {
    guard let address = unsafe cffi_find_version(handle, name.symbol, name.version) else { return nil }
    guard name.isDefault else { return unsafe address }
    return unsafe dlsym(handle, name.symbol).map { UnsafeRawPointer($0) } == address ? address : nil
  }

  /// The first versions that the library defines of a symbol, or for the process those that any loaded library defines.
  private func versions(of symbol: String) -> [String] {
    let names = unsafe NameCollector.names { unsafe cffi_visit_versions(isProcess ? nil : handle, symbol, $0, $1) }
    return names.prefix(8).map { version in
      let isDefault = unsafe address(of: VersionedName(symbol: symbol, version: version, isDefault: true)) != nil
      return symbol + (isDefault ? "@@" : "@") + version
    }
  }

  /// The names that the library itself exports, or for the process all loaded libraries, in alphabetical order.
  ///
  /// They are names of functions, of variables, also thread-local ones, and of symbols without a type. Empty on platforms whose
  /// libraries are not ELF files.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of symbols.
  public var exportedNames: [String] { Set(symbolNames()).sorted() }

  /// The names of the symbols that the library itself defines, or for the process all loaded libraries.
  ///
  /// A name may occur more than once.
  ///
  /// Empty on platforms whose libraries are not ELF files.
  func symbolNames(lengths: ClosedRange<Int> = 1...Int.max) -> [String] {
    unsafe NameCollector.names(lengths: lengths) { visitor, context in
      if isProcess {
        unsafe cffi_visit_process_symbols(visitor, context)
      } else {
        unsafe cffi_visit_symbols(handle, visitor, context)
      }
    }
  }
}

/// The parts of `name@VERSION`, or of `name@@VERSION` for the version that programs are linked with.
struct VersionedName {
  var symbol: String
  var version: String
  var isDefault: Bool

  init(symbol: String, version: String, isDefault: Bool) { (self.symbol, self.version, self.isDefault) = (symbol, version, isDefault) }

  /// Returns nil for a name without a version.
  init?(_ name: String) {
    guard let sign = name.firstIndex(of: "@"), sign != name.startIndex else { return nil }
    let rest = name[name.index(after: sign)...]
    self.init(symbol: String(name[..<sign]), version: String(rest.drop { $0 == "@" }), isDefault: rest.hasPrefix("@"))
  }
}

/// Collects the names that a C function passes to a visitor, whose length is in a range.
private struct NameCollector {
  private let lengths: ClosedRange<Int>
  private var names: [String] = []

  /// Returns the names that a function visits.
  static func names(lengths: ClosedRange<Int> = 0...Int.max, _ visit: (cffi_name_visitor, UnsafeMutableRawPointer) -> Void) -> [String] {
    var collector = NameCollector(lengths: lengths)
    unsafe withUnsafeMutablePointer(to: &collector) { context in
      // The context is the collector above, valid during the visit.
      unsafe visit({ name, context in unsafe context?.assumingMemoryBound(to: NameCollector.self).pointee.add(name) }, context)
    }
    return collector.names
  }

  /// Adds a name.
  ///
  /// Most names have another length and are skipped before a string is created.
  private mutating func add(_ name: UnsafePointer<CChar>) {
    if lengths.contains(unsafe strlen(name)) { unsafe names.append(String(cString: name)) }
  }
}

// MARK: - Finding

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
  /// - Complexity: As `dlopen` for each name tried; reads the dynamic linker's directories.
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
      let entries = unsafe NameCollector.names { unsafe cffi_visit_entries(folder, $0, $1) }
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
    unsafe NameCollector.names { unsafe cffi_visit_library_folders(DynamicLibrary.process.handle, $0, $1) } + ["/usr/local/lib"]
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

// MARK: - Function

extension DynamicLibrary {
  /// Returns a function of the library.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - types: The return type and the argument types: `ddd` for `double pow(double, double)`. They must match the
  ///     code. This cannot be checked, and a call with wrong types is undefined behavior.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the library's symbol
  ///   table states that the symbol is a variable, and the errors of
  ///   ``MethodSignature/init(types:dialect:fixedArgumentCount:backend:)``.
  @unsafe
  public func function(
    _ name: String, types: String, fixedArgumentCount: Int? = nil
  ) throws(InvocationError) -> ForeignFunction {
    let signature: MethodSignature
    do { signature = try MethodSignature(types: types, fixedArgumentCount: fixedArgumentCount) } catch { throw error.about(name) }
    return try unsafe function(name, signature)
  }

  /// Returns a function of the library with an existing signature.
  ///
  /// The signature must match the code, which cannot be checked.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, and `typeMismatch` when the library's
  ///   symbol table states that the symbol is a variable.
  /// - Complexity: As ``symbol(_:)``, and O(symbols of the library).
  @unsafe
  public func function(_ name: String, _ methodSignature: MethodSignature) throws(InvocationError) -> ForeignFunction {
    let implementation = unsafe Implementation(try code(name), methodSignature: methodSignature, keeping: LibrarySymbol(name, self))
    do { return try ForeignFunction(implementation, methodSignature) } catch { throw error.about(name) }
  }

  /// Returns the address of a symbol that is not a variable.
  ///
  /// - Throws: As ``function(_:_:)``.
  @unsafe
  package func code(_ name: String) throws(InvocationError) -> UnsafeRawPointer {
    let address = unsafe try symbol(name)
    if case .data(let size) = unsafe SymbolKind(of: name, at: address) {
      let bytes = size.map { " of \($0) bytes" } ?? ""
      throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a variable\(bytes), not a function")
    }
    return unsafe address
  }
}

/// The name of a function and its library.
///
/// The implementation owns this object, which keeps the library loaded.
package final class LibrarySymbol: Sendable {
  package let name: String
  package let library: DynamicLibrary

  init(_ name: String, _ library: DynamicLibrary) {
    self.name = name
    self.library = library
  }
}

extension Implementation {
  /// The symbol of a function from a ``DynamicLibrary``, or nil.
  var symbolName: String? { librarySymbol?.name }

  /// The symbol of a function from a ``DynamicLibrary`` with the library, or nil.
  package var librarySymbol: LibrarySymbol? { owner as? LibrarySymbol }
}

extension DynamicLibrary {
  /// Returns the address of a variable that is large enough for a value of a type.
  ///
  /// The address is valid only while the library is loaded. For a thread-local variable it is the calling thread's.
  ///
  /// - Parameters:
  ///   - name: The symbol.
  ///   - type: The type of the variable. Only its size can be checked, if the library's symbol table states one.
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a
  ///   function or the variable is smaller than the type, `unsupportedType` when the type has no size.
  /// - Complexity: As ``symbol(_:)``, and O(symbols of the library).
  public func variable(_ name: String, type: TypeEncoding) throws(InvocationError) -> UnsafeRawPointer {
    guard let size = type.size else {
      throw InvocationError(.unsupportedType, "no variable has a type without a size", encoding: type.description)
    }
    let address = unsafe try symbol(name)
    switch unsafe SymbolKind(of: name, at: address) {
    case .function: throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a function, not a variable")
    case .data(let stated?) where stated < size:
      throw InvocationError(
        .typeMismatch, "variable '\(name)' of \(self) has \(stated) bytes, the type \(size)", encoding: type.description)
    case .data, nil: return unsafe address
    }
  }
}

extension DynamicLibrary {
  /// Returns the size of a variable in bytes, or nil if the library's symbol table does not state it.
  ///
  /// A declaration such as `extern const char *const names[];` does not state how many elements there are.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` with the nearest names, `typeMismatch` when the symbol is a function.
  /// - Complexity: As ``symbol(_:)``, and O(symbols of the library).
  public func size(ofVariable name: String) throws(InvocationError) -> Int? {
    switch unsafe SymbolKind(of: name, at: try symbol(name)) {
    case .function: throw InvocationError(.typeMismatch, "symbol '\(name)' of \(self) is a function, not a variable")
    case .data(let size): return size
    case nil: return nil
    }
  }
}

/// The kind of a symbol, from the library's symbol table.
enum SymbolKind {
  case function
  /// A variable, with its size in bytes if the table states it.
  case data(size: Int?)

  /// Reads the symbol table of the library that defines the symbol.
  ///
  /// Nil when the table does not state a kind, as on platforms whose libraries are not ELF files.
  init?(of name: String, at address: UnsafeRawPointer) {
    var size = 0
    switch unsafe cffi_describe_symbol(name, address, &size) {
    case CFFI_SYMBOL_FUNCTION: self = .function
    case CFFI_SYMBOL_DATA: self = .data(size: size > 0 ? size : nil)
    default:
      // The table has the versions of a symbol under its name.
      guard let symbol = VersionedName(name)?.symbol, let kind = unsafe SymbolKind(of: symbol, at: address) else { return nil }
      self = kind
    }
  }
}
