internal import CFFIShim

extension String {
  /// Copies the text to null-terminated memory that is freed with ``CStringMemory/free(_:)``.
  ///
  /// A null character inside the text terminates the C string, as for any C callee.
  @usableFromInline
  func copiedAsCString() -> UnsafeMutablePointer<CChar> {
    unsafe withCString { unsafe CStringMemory.copy($0) }
  }
}

/// Allocates and frees copies of C strings.
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
