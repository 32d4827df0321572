// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+RegisterCalls.swift.template.

// The calls of a C function whose arguments and result are words, or floating-point numbers, in registers. The compiler
// loads the registers, so there is no frame.
extension ForeignFunction {
  /// Calls the function with no words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords() -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) () -> UInt64).self)()
    }
  }

  /// Calls the function with the bits of no floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats() -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) () -> Double).self)().bitPattern
    }
  }

  /// Calls the function with one word, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64) -> UInt64).self)(a)
    }
  }

  /// Calls the function with the bits of one floating-point number, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double) -> Double).self)(
        Double(bitPattern: a)
      ).bitPattern
    }
  }

  /// Calls the function with two words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64, _ b: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64, UInt64) -> UInt64).self)(a, b)
    }
  }

  /// Calls the function with the bits of two floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64, _ b: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double, Double) -> Double).self)(
        Double(bitPattern: a), Double(bitPattern: b)
      ).bitPattern
    }
  }

  /// Calls the function with three words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64, UInt64, UInt64) -> UInt64).self)(a, b, c)
    }
  }

  /// Calls the function with the bits of three floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64, _ b: UInt64, _ c: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double, Double, Double) -> Double).self)(
        Double(bitPattern: a), Double(bitPattern: b), Double(bitPattern: c)
      ).bitPattern
    }
  }

  /// Calls the function with four words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64, UInt64, UInt64, UInt64) -> UInt64).self)(a, b, c, d)
    }
  }

  /// Calls the function with the bits of four floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double, Double, Double, Double) -> Double).self)(
        Double(bitPattern: a), Double(bitPattern: b), Double(bitPattern: c), Double(bitPattern: d)
      ).bitPattern
    }
  }

  /// Calls the function with five words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64, UInt64, UInt64, UInt64, UInt64) -> UInt64).self)(
        a, b, c, d, e)
    }
  }

  /// Calls the function with the bits of five floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double, Double, Double, Double, Double) -> Double).self)(
        Double(bitPattern: a), Double(bitPattern: b), Double(bitPattern: c), Double(bitPattern: d), Double(bitPattern: e)
      ).bitPattern
    }
  }

  /// Calls the function with six words, and returns the general register of the result.
  @inlinable @inline(__always)
  func callWithWords(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64, _ f: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (UInt64, UInt64, UInt64, UInt64, UInt64, UInt64) -> UInt64).self)(
        a, b, c, d, e, f)
    }
  }

  /// Calls the function with the bits of six floating-point numbers, and returns the bits of the result.
  @inlinable @inline(__always)
  func callWithFloats(_ a: UInt64, _ b: UInt64, _ c: UInt64, _ d: UInt64, _ e: UInt64, _ f: UInt64) -> UInt64 {
    withExtendedLifetime(self) {
      unsafe unsafeBitCast(implementation.pointer, to: (@convention(c) (Double, Double, Double, Double, Double, Double) -> Double).self)(
        Double(bitPattern: a), Double(bitPattern: b), Double(bitPattern: c), Double(bitPattern: d), Double(bitPattern: e),
        Double(bitPattern: f)
      ).bitPattern
    }
  }
}
