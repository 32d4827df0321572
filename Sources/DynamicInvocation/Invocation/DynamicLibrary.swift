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
/// The library stays loaded as long as this object or a function made from it lives. An address taken with ``symbol(_:)`` keeps
/// nothing: it is good only while the library is loaded.
///
/// Objects for the same library are independent of each other; the system loads the library once and unloads it with the last.
@safe
public final class DynamicLibrary: Sendable {
  /// The name or path that the library was opened by; `process` for the process itself.
  public let name: String

  /// What the dynamic linker knows the library by.
  ///
  /// It is never written to, and the functions of the linker take it on any thread.
  nonisolated(unsafe) let handle: UnsafeMutableRawPointer

  /// Whether this is the process itself, which is never closed.
  let isProcess: Bool

  /// The process itself: the program, the libraries it was linked with, and those that were opened for all to see.
  public static let process: DynamicLibrary = DynamicLibrary()

  /// Opens a library by name or path.
  ///
  /// A name without a slash is looked for where the dynamic linker looks for libraries. All symbols that the library
  /// needs are bound at once, so that a missing one is an error here; its own symbols stay out of other libraries' sight.
  /// The library's initializers run, if it was not loaded before.
  ///
  /// - Parameter name: A file name such as `libm.so.6`, or a path.
  /// - Throws: ``InvocationError`` with ``InvocationError/Code/libraryNotFound`` and the dynamic linker's reason when the library
  ///   cannot be opened, and for a name that is empty or contains a null character. Its ``InvocationError/candidates`` are versions of the library
  ///   that are there, such as `libm.so.6` for `m`; see ``find(_:)``.
  /// - Complexity: That of the corresponding C function, `dlopen`.
  public convenience init(_ name: String) throws(InvocationError) {
    try self.init(name, suggesting: true)
  }

  /// Opens a library; where it cannot be opened, looks for names that may be meant if it is to suggest any.
  init(_ name: String, suggesting: Bool) throws(InvocationError) {
    guard !name.isEmpty else { throw InvocationError(.libraryNotFound, "the name of the library is empty") }
    guard !name.utf8.contains(0) else {
      throw InvocationError(.libraryNotFound, "the name of the library contains a null character")
    }
    _ = unsafe dlerror()
    guard let handle = unsafe dlopen(name, RTLD_NOW | RTLD_LOCAL) else {
      throw InvocationError(
        .libraryNotFound, "library '\(name)' cannot be opened: \(Self.linkerReason(about: name) ?? "the linker tells no reason")",
        candidates: suggesting && !name.utf8.contains(0x2F) ? Array(LibraryName(name).versions.prefix(3)) : [])
    }
    self.name = name
    unsafe self.handle = handle
    isProcess = false
  }

  private init() {
    guard let handle = unsafe dlopen(nil, RTLD_NOW) else { preconditionFailure("the process has no handle of itself") }
    name = "process"
    unsafe self.handle = handle
    isProcess = true
  }

  deinit {
    if !isProcess { _ = unsafe dlclose(handle) }
  }

  /// What the dynamic linker says of its last failure on this thread, without the name that it begins with.
  static func linkerReason(about name: String) -> String? {
    guard let message = unsafe dlerror() else { return nil }
    let text = unsafe String(cString: message)
    let prefix = name + ": "
    return text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text
  }
}

extension DynamicLibrary: CustomStringConvertible {
  /// The name that the library was opened by, or words for the process.
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
  /// Returns the address of a function or variable, by its name as the linker knows it.
  ///
  /// The library is searched first, then the libraries it depends on. The address is good only while the library is loaded.
  ///
  /// - Throws: ``InvocationError`` with ``InvocationError/Code/symbolNotFound`` when there is no such symbol or its address is null.
  ///   Its ``InvocationError/candidates`` are up to three similar names that the library defines.
  /// - Complexity: That of the corresponding C function, `dlsym`. A failure reads the names of all symbols of the library.
  public func symbol(_ name: String) throws(InvocationError) -> UnsafeRawPointer {
    guard !name.isEmpty else { throw InvocationError(.symbolNotFound, "the name of the symbol is empty") }
    guard !name.utf8.contains(0) else {
      throw InvocationError(.symbolNotFound, "the name of the symbol contains a null character")
    }
    _ = unsafe dlerror()
    if let address = unsafe dlsym(handle, name) { return UnsafeRawPointer(address) }
    // A symbol may have the value null, for one a weak reference that nothing defines: only dlerror tells the two apart.
    guard unsafe dlerror() != nil else {
      throw InvocationError(.symbolNotFound, "symbol '\(name)' of \(self) is at the null address")
    }
    throw InvocationError(
      .symbolNotFound, "\(self) has no symbol '\(name)'",
      candidates: NearestNames.nearest(to: name, among: symbolNames(lengths: NearestNames.lengths(near: name)), limit: 3))
  }

  /// The names of the symbols that the library itself defines, or all loaded libraries for the process; some more than once.
  ///
  /// Empty on platforms whose libraries are not ELF files.
  func symbolNames(lengths: ClosedRange<Int> = 1...Int.max) -> [String] {
    var collector = SymbolCollector(lengths: lengths)
    unsafe withUnsafeMutablePointer(to: &collector) { context in
      let visitor: cffi_symbol_visitor = { name, context in
        // The context is the collector below, for as long as the walk lasts.
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

/// Gathers the symbol names of some lengths.
private struct SymbolCollector {
  let lengths: ClosedRange<Int>
  var names: [String] = []

  init(lengths: ClosedRange<Int>) { self.lengths = lengths }

  /// Most names have another length, and never become a string.
  mutating func add(_ name: UnsafePointer<CChar>) {
    if lengths.contains(unsafe strlen(name)) { unsafe names.append(String(cString: name)) }
  }
}
