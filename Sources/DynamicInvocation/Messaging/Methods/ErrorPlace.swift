public import CFFIErrorPlace

/// Where the error of a method goes that an invocation calls.
@usableFromInline
@safe
package struct ErrorPlace {
  @usableFromInline let error: UnsafeMutablePointer<(any Error)?>?

  @inlinable @inline(__always)
  init(error: UnsafeMutablePointer<(any Error)?>?) { unsafe self.error = error }

  /// Takes the place that the caller of this method has offered, if the caller is an invocation.
  @inlinable @inline(__always)
  static func take() -> ErrorPlace {
    unsafe ErrorPlace(error: cffi_take_error_place()?.assumingMemoryBound(to: (any Error)?.self))
  }

  /// No place, for a method that throws nothing.
  @inlinable static var none: ErrorPlace { unsafe ErrorPlace(error: nil) }

  /// Offers the place to the method that is called next.
  func offer() { unsafe cffi_set_error_place(error) }

  /// Runs a call of a method that may throw, and throws its error.
  package static func rethrow(_ call: () -> Void) throws {
    var error: (any Error)?
    unsafe withUnsafeMutablePointer(to: &error) { place in
      unsafe cffi_set_error_place(place)
      call()
    }
    if let error { throw error }
  }

  /// Hands the error over; says whether there is a place for it.
  func give(_ error: any Error) -> Bool {
    guard let place = unsafe self.error else { return false }
    unsafe place.pointee = error
    return true
  }
}
