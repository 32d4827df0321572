internal import CFFIShim

extension String {
  /// Copies the text into memory that ends in a zero and is freed with ``CStringMemory/free(_:)``.
  ///
  /// A zero inside the text ends the C string there, as for any C callee.
  @usableFromInline
  func copiedAsCString() -> UnsafeMutablePointer<CChar> {
    unsafe withCString { unsafe CStringMemory.copy($0) }
  }
}

/// Copies C strings to memory of their own.
@usableFromInline
enum CStringMemory {
  /// Copies a C string.
  @usableFromInline
  static func copy(_ string: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar> {
    guard let copy = unsafe cffi_copy_string(string) else { preconditionFailure("out of memory") }
    return unsafe copy
  }

  /// Frees a copy.
  @usableFromInline
  static func free(_ string: UnsafeMutableRawPointer) { unsafe cffi_free(string) }
}
