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
