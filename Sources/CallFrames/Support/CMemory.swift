internal import CFFIInline

/// Memory of the C library.
@usableFromInline
package enum CMemory {
  /// Allocates zeroed memory, which is freed with ``free(_:)``.
  ///
  /// Traps if no memory is available.
  ///
  /// - Parameters:
  ///   - size: The size in bytes.
  ///   - alignment: The alignment in bytes, a power of two, at least 16.
  package static func allocateZeroed(_ size: Int, alignment: Int = 16) -> UnsafeMutableRawPointer {
    guard let memory = unsafe cffi_allocate_zeroed(size, alignment) else { preconditionFailure("out of memory") }
    return unsafe memory
  }

  /// Copies a C string to memory that is freed with ``free(_:)``.
  ///
  /// Traps if no memory is available.
  @usableFromInline
  package static func copy(_ string: UnsafePointer<CChar>) -> UnsafeMutablePointer<CChar> {
    guard let copy = unsafe cffi_copy_string(string) else { preconditionFailure("out of memory") }
    return unsafe copy
  }

  /// Returns the number of bytes of a C string, without the zero at its end.
  package static func length(of string: UnsafePointer<CChar>) -> Int { unsafe cffi_string_length(string) }

  /// Returns the number of bytes of memory that is freed with ``free(_:)``, at least those that were requested.
  package static func size(of memory: UnsafeRawPointer) -> UInt64 { unsafe UInt64(cffi_allocated_size(memory)) }

  /// Returns the part of a C string, up to its end, that is equal to another C string.
  package static func end(of string: UnsafePointer<CChar>, equalTo other: UnsafePointer<CChar>) -> UnsafePointer<CChar>? {
    let (count, excess) = unsafe (length(of: other), length(of: string) - length(of: other))
    guard excess >= 0 else { return nil }
    let (end, wanted) = unsafe (UnsafeBufferPointer(start: string + excess, count: count), UnsafeBufferPointer(start: other, count: count))
    return unsafe end.elementsEqual(wanted) ? string + excess : nil
  }

  /// Frees memory.
  @usableFromInline
  package static func free(_ memory: UnsafeMutableRawPointer) { unsafe cffi_free(memory) }
}

extension String {
  /// Copies the text to a C string that is freed with ``CMemory/free(_:)``.
  ///
  /// A null character inside the text terminates the C string, as for any C callee.
  @usableFromInline
  package func copiedAsCString() -> UnsafeMutablePointer<CChar> { unsafe withCString { unsafe CMemory.copy($0) } }
}
