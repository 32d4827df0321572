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
public final class DynamicLibrary: Sendable {
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
  /// - Complexity: That of the corresponding C function, `dlopen`.
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
}

extension DynamicLibrary: CustomStringConvertible {
  /// The name that the library was opened with, or a text for the process.
  public var description: String { isProcess ? "the process" : "library '\(name)'" }
}

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
  /// Returns the address of a function or variable, by its symbol name.
  ///
  /// The library is searched first, then its dependencies. The address is valid only while the library is loaded.
  ///
  /// With glibc and on Android, `name@VERSION` is a version of a symbol, as `nm -D` writes it, and `name@@VERSION` the one
  /// that a program is linked with. A name without a version is the latter.
  ///
  /// - Throws: `InvocationError` with `InvocationError.Code.symbolNotFound` when the symbol does not exist or its
  ///   address is null. Its `InvocationError.candidates` are the versions that the library has of the symbol, or up to
  ///   three similar names that the library defines.
  /// - Complexity: That of the corresponding C functions, `dlsym` and `dlvsym`. On failure, the names of all symbols of the
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
    var collector = SymbolCollector(lengths: 1...Int.max)
    unsafe withUnsafeMutablePointer(to: &collector) { context in
      let visitor: cffi_symbol_visitor = { name, context in
        unsafe context?.assumingMemoryBound(to: SymbolCollector.self).pointee.add(name)
      }
      unsafe cffi_visit_versions(isProcess ? nil : handle, symbol, visitor, context)
    }
    return collector.names.prefix(8).map { version in
      let isDefault = unsafe address(of: VersionedName(symbol: symbol, version: version, isDefault: true)) != nil
      return symbol + (isDefault ? "@@" : "@") + version
    }
  }

  /// The names that the library itself exports, or for the process those of all loaded libraries, in alphabetical order.
  ///
  /// Empty on platforms whose libraries are not ELF files.
  ///
  /// - Complexity: O(*n* log *n*), where *n* is the number of symbols.
  public var exportedNames: [String] { Set(symbolNames()).sorted() }

  /// The names of the symbols that the library itself defines, or for the process those of all loaded libraries.
  ///
  /// A name may occur more than once.
  ///
  /// Empty on platforms whose libraries are not ELF files.
  func symbolNames(lengths: ClosedRange<Int> = 1...Int.max) -> [String] {
    var collector = SymbolCollector(lengths: lengths)
    unsafe withUnsafeMutablePointer(to: &collector) { context in
      let visitor: cffi_symbol_visitor = { name, context in
        // The context is the collector above, valid during the visit.
        unsafe context?.assumingMemoryBound(to: SymbolCollector.self).pointee.add(name)
      }
      if isProcess {
        unsafe cffi_visit_process_symbols(visitor, context)
      } else {
        unsafe cffi_visit_symbols(handle, visitor, context)
      }
    }
    return collector.names
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

/// Collects the symbol names whose length is in a range.
private struct SymbolCollector {
  let lengths: ClosedRange<Int>
  var names: [String] = []

  init(lengths: ClosedRange<Int>) { self.lengths = lengths }

  /// Adds a name.
  ///
  /// Most names have another length and are skipped before a string is created.
  mutating func add(_ name: UnsafePointer<CChar>) {
    if lengths.contains(unsafe strlen(name)) { unsafe names.append(String(cString: name)) }
  }
}
