public import CFFIInline

/// The location in which a method that an invocation calls stores its error.
@usableFromInline
@safe
package struct ErrorPlace {
  @usableFromInline package let error: UnsafeMutablePointer<(any Error)?>?

  @inlinable @inline(__always)
  package init(error: UnsafeMutablePointer<(any Error)?>?) { unsafe self.error = error }

  /// Takes the location that the caller of this method has provided, if the caller is an invocation.
  @inlinable @inline(__always)
  package static func take() -> ErrorPlace {
    unsafe ErrorPlace(error: cffi_take_error_place()?.assumingMemoryBound(to: (any Error)?.self))
  }

  /// No location, for a method that does not throw.
  @inlinable package static var none: ErrorPlace { unsafe ErrorPlace(error: nil) }

  /// Provides the location to the method that is called next.
  package func offer() { unsafe cffi_set_error_place(error) }

  /// Runs a call of a method that may throw, and throws its error.
  @usableFromInline
  package static func rethrow(_ call: () -> Void) throws {
    var error: (any Error)?
    unsafe withUnsafeMutablePointer(to: &error) { place in
      unsafe cffi_set_error_place(place)
      call()
    }
    if let error { throw error }
  }

  /// Stores the error.
  ///
  /// Returns false if there is no location for it.
  package func give(_ error: any Error) -> Bool {
    guard let place = unsafe self.error else { return false }
    unsafe place.pointee = error
    return true
  }
}
