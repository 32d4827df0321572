// Written by make generate from Scripts/Templates/SwiftFunctions/SwiftCallPlan+Words.swift.template.

// One call for each number of arguments of a function whose arguments and result are words in general registers.
//
// Such a function is called without a frame, as a Swift function of words: the compiler loads the registers. A function
// value is the address of code and a context, which is passed in the register for self and is null here. A struct with
// a field of a stated function type holds these two words; a value of a function type in generic code does not.

/// The types with which functions of words are called.
@usableFromInline
enum SwiftWordFunctions {
  /// A function of no words.
  @usableFromInline
  struct Function0 {
    @usableFromInline let body: () throws -> UInt
  }

  /// A function of one word.
  @usableFromInline
  struct Function1 {
    @usableFromInline let body: (UInt) throws -> UInt
  }

  /// A function of two words.
  @usableFromInline
  struct Function2 {
    @usableFromInline let body: (UInt, UInt) throws -> UInt
  }

  /// A function of three words.
  @usableFromInline
  struct Function3 {
    @usableFromInline let body: (UInt, UInt, UInt) throws -> UInt
  }

  /// A function of four words.
  @usableFromInline
  struct Function4 {
    @usableFromInline let body: (UInt, UInt, UInt, UInt) throws -> UInt
  }

  /// A function of six words.
  @usableFromInline
  struct Function6 {
    @usableFromInline let body: (UInt, UInt, UInt, UInt, UInt, UInt) throws -> UInt
  }
}

extension SwiftCallPlan {
  /// Calls a function of no words.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func callWords() throws -> UInt {
    let words = unsafe (address, UnsafeRawPointer?.none)
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function0.self).body()
  }

  /// Calls a function of one word.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func callWords(_ a: UInt) throws -> UInt {
    let words = unsafe (address, UnsafeRawPointer?.none)
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function1.self).body(a)
  }

  /// Calls a function of two words.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func callWords(_ a: UInt, _ b: UInt) throws -> UInt {
    let words = unsafe (address, UnsafeRawPointer?.none)
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function2.self).body(a, b)
  }

  /// Calls a function of three words.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func callWords(_ a: UInt, _ b: UInt, _ c: UInt) throws -> UInt {
    let words = unsafe (address, UnsafeRawPointer?.none)
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function3.self).body(a, b, c)
  }

  /// Calls a function of four words.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func callWords(_ a: UInt, _ b: UInt, _ c: UInt, _ d: UInt) throws -> UInt {
    let words = unsafe (address, UnsafeRawPointer?.none)
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function4.self).body(a, b, c, d)
  }

  /// Calls a method of an object, which is the first of one word.
  ///
  /// - Throws: What the method throws.
  @inlinable @inline(__always)
  func callMethod(_ a: UInt) throws -> UInt {
    let words = unsafe (methodEntry, UnsafeRawPointer?.none)
    let code = unsafe UInt(bitPattern: self.code(for: a))
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function6.self).body(
      0, 0, 0, 0, a, code)
  }

  /// Calls a method of an object, which is the first of two words.
  ///
  /// - Throws: What the method throws.
  @inlinable @inline(__always)
  func callMethod(_ a: UInt, _ b: UInt) throws -> UInt {
    let words = unsafe (methodEntry, UnsafeRawPointer?.none)
    let code = unsafe UInt(bitPattern: self.code(for: a))
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function6.self).body(
      b, 0, 0, 0, a, code)
  }

  /// Calls a method of an object, which is the first of three words.
  ///
  /// - Throws: What the method throws.
  @inlinable @inline(__always)
  func callMethod(_ a: UInt, _ b: UInt, _ c: UInt) throws -> UInt {
    let words = unsafe (methodEntry, UnsafeRawPointer?.none)
    let code = unsafe UInt(bitPattern: self.code(for: a))
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function6.self).body(
      b, c, 0, 0, a, code)
  }

  /// Calls a method of an object, which is the first of four words.
  ///
  /// - Throws: What the method throws.
  @inlinable @inline(__always)
  func callMethod(_ a: UInt, _ b: UInt, _ c: UInt, _ d: UInt) throws -> UInt {
    let words = unsafe (methodEntry, UnsafeRawPointer?.none)
    let code = unsafe UInt(bitPattern: self.code(for: a))
    return try unsafe unsafeBitCast(words, to: SwiftWordFunctions.Function6.self).body(
      b, c, d, 0, a, code)
  }
}
