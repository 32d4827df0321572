internal import CallFrames
internal import TypeEncodings

// The steps of a call: write the arguments, call, take the result or the error.

extension SwiftCallPlan {
  // `SwiftKernel.error` and `SwiftKernel.selfWord`, which code that is inlined into clients does not see; a test compares
  // them.
  @inlinable static var errorOffset: Int { 32 }
  @inlinable static var selfOffset: Int { 40 }

  /// Whether an argument has the type that is passed.
  @inlinable @inline(__always)
  func accepts<Value>(_ type: Value.Type, _ index: Int) -> Bool {
    unsafe slots[index].type.address == unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Whether an argument can be passed as a variable of the type.
  @inlinable @inline(__always)
  func acceptsInOut<Value>(_ type: Value.Type, _ index: Int) -> Bool {
    let slot = unsafe slots[index]
    return unsafe (slot.isInOut || slot.isValueSelf) && slot.value.address == unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Whether the result has the type that is requested.
  @inlinable @inline(__always)
  func returns<Value>(_ type: Value.Type) -> Bool {
    unsafe result.address == unsafeBitCast(type, to: UnsafeRawPointer.self)
  }

  /// Writes an argument to a frame.
  ///
  /// The value must stay at its address until the call has returned.
  @inlinable @inline(__always)
  func write<Value>(_ value: UnsafePointer<Value>, _ index: Int, _ frame: UnsafeMutableRawPointer) {
    let offset = unsafe slots[index].offset
    if offset >= 0 {
      unsafe (frame + offset).copyMemory(from: value, byteCount: MemoryLayout<Value>.size)
    } else {
      unsafe writeParts(UnsafeRawPointer(value), index, frame)
    }
  }

  /// Writes the address of the caller's variable to a frame.
  @inlinable @inline(__always)
  func writeInOut<Value>(_ value: UnsafeMutablePointer<Value>, _ index: Int, _ frame: UnsafeMutableRawPointer) {
    if unsafe slots[index].isValueSelf {
      unsafe writeParts(inPlace: UnsafeRawPointer(value), index, frame)
    } else {
      unsafe (frame + slots[index].offset).storeBytes(of: value, as: UnsafeMutablePointer<Value>.self)
    }
  }

  /// Writes an argument that is not one run of bytes, or that the callee consumes or changes.
  @usableFromInline
  func writeParts(_ value: UnsafeRawPointer, _ index: Int, _ frame: UnsafeMutableRawPointer) {
    let slot = unsafe slots[index]
    guard slot.copyOffset >= 0 else { return unsafe writeParts(inPlace: value, index, frame) }
    let copy = unsafe frame + slot.copyOffset
    unsafe slot.value.initialize(copy, copying: value)
    for closure in closures[index] { unsafe SwiftClosureAdapter.lower(copy + closure.offset, closure.plan) }
    unsafe writeParts(inPlace: UnsafeRawPointer(copy), index, frame)
  }

  /// Writes the parts of a value at its final address.
  @usableFromInline
  func writeParts(inPlace value: UnsafeRawPointer, _ index: Int, _ frame: UnsafeMutableRawPointer) {
    if unsafe slots[index].isValueSelf {
      unsafe (frame + SwiftKernel.selfWord).storeBytes(of: value, as: UnsafeRawPointer.self)
    }
    for part in parts[index] {
      let source = unsafe value + part.source
      if part.size == 0 {
        unsafe (frame + part.target).storeBytes(of: source, as: UnsafeRawPointer.self)
      } else {
        unsafe (frame + part.target).copyMemory(from: source, byteCount: part.size)
      }
    }
  }

  /// Calls the function with the arguments in a frame.
  ///
  /// - Throws: What the function throws.
  @inlinable @inline(__always)
  func call(_ frame: UnsafeMutableRawPointer) throws {
    guard isPlain else { return try unsafe callPreparing(frame) }
    unsafe kernel(frame, code(in: frame), stackWords)
    if unsafe frame.load(fromByteOffset: Self.errorOffset, as: UInt.self) != 0 { throw unsafe error(frame) }
  }

  /// Calls a function that needs more than its kernel.
  ///
  /// - Throws: What the function throws.
  @usableFromInline
  func callPreparing(_ frame: UnsafeMutableRawPointer) throws {
    if needsPreparation { unsafe prepare(frame) }
    unsafe kernel(frame, code(in: frame), stackWords)
    if destroysCopy { unsafe destroyCopies(frame) }
    if unsafe frame.load(fromByteOffset: Self.errorOffset, as: UInt.self) != 0 { throw unsafe error(frame) }
    if collectsResult { unsafe collect(frame) }
  }

  /// The code of the function; of an overridable method, the implementation that the class of self has.
  @inlinable @inline(__always)
  func code(in frame: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    methodOffset == 0 ? unsafe address : unsafe method(frame)
  }

  /// The implementation of the method that the class of self has.
  @inlinable @inline(__always)
  func method(_ frame: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    unsafe code(for: frame.load(fromByteOffset: Self.selfOffset, as: UInt.self))
  }

  /// Sets the words of a frame that are not arguments.
  func prepare(_ frame: UnsafeMutableRawPointer) {
    for (word, target) in addresses {
      unsafe (frame + word).storeBytes(of: frame + target, as: UnsafeMutableRawPointer.self)
    }
    if let selfConstant {
      unsafe (frame + SwiftKernel.selfWord).storeBytes(of: selfConstant.address, as: UnsafeRawPointer.self)
    }
  }

  /// Destroys the copies of arguments that the callee did not consume.
  func destroyCopies(_ frame: UnsafeMutableRawPointer) {
    for index in 0..<count {
      let slot = unsafe slots[index]
      guard slot.isDestroyed else { continue }
      // Self that is passed in place has its own address in the word for self.
      if slot.isValueSelf,
        unsafe frame.load(fromByteOffset: SwiftKernel.selfWord, as: UnsafeMutableRawPointer.self) != frame + slot.copyOffset
      {
        continue
      }
      unsafe slot.value.destroy(frame + slot.copyOffset)
    }
  }

  /// Puts the result together from registers.
  func collect(_ frame: UnsafeMutableRawPointer) {
    if types.kind == .addressor {
      let variable = unsafe frame.load(as: UnsafeRawPointer.self)
      unsafe result.initialize(frame + resultOffset, copying: variable)
    } else {
      for list in [resultParts, resultMoves] {
        for part in list { unsafe Self.copy(part, in: frame) }
      }
    }
    for closure in resultClosures { unsafe SwiftClosureAdapter.raise(frame + resultOffset + closure.offset, closure.plan) }
  }

  private static func copy(_ part: SwiftArgumentPart, in frame: UnsafeMutableRawPointer) {
    if part.isBit {
      // The other bits of a register with one bit are not defined.
      let bit = unsafe frame.load(fromByteOffset: part.source, as: UInt8.self) & 1
      unsafe frame.storeBytes(of: bit, toByteOffset: part.target, as: UInt8.self)
    } else {
      unsafe (frame + part.target).copyMemory(from: frame + part.source, byteCount: part.size)
    }
  }

  /// Takes the error of a call out of a frame.
  @usableFromInline
  func error(_ frame: UnsafeMutableRawPointer) -> any Error {
    guard let typedError else {
      // The error arrives with a reference of its own: it is moved.
      return unsafe (frame + SwiftKernel.error).assumingMemoryBound(to: (any Error).self).move()
    }
    for part in typedError.parts { unsafe Self.copy(part, in: frame) }
    func take<E>(_: E.Type) -> (any Error)? {
      unsafe (frame + typedError.offset).assumingMemoryBound(to: E.self).move() as? any Error
    }
    guard let error = _openExistential(typedError.type.type, do: take) else {
      preconditionFailure("the type of a typed error is an error")
    }
    return error
  }

  /// Takes the result out of a frame.
  @inlinable @inline(__always)
  func takeResult<Value>(_ frame: UnsafeMutableRawPointer, as type: Value.Type) -> Value {
    unsafe (frame + resultOffset).assumingMemoryBound(to: type).move()
  }

  /// Destroys the result in a frame.
  @usableFromInline
  func discardResult(_ frame: UnsafeMutableRawPointer) {
    unsafe result.destroy(frame + resultOffset)
  }

  /// Builds a frame of any size and calls, with the addresses of the arguments.
  ///
  /// - Parameters:
  ///   - values: For each argument the address of the value; for `inout` that of the variable.
  ///   - isInPlace: Whether self of a struct or enum is the caller's variable.
  ///   - take: Reads the result from the address in the frame.
  /// - Throws: What the function throws.
  func perform<Value>(
    _ values: UnsafeBufferPointer<UnsafeMutableRawPointer>, isInPlace: Bool, _ take: (UnsafeMutableRawPointer) -> Value
  ) throws -> Value {
    try unsafe withUnsafeTemporaryAllocation(byteCount: frameSize, alignment: frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      for index in values.indices {
        let value = unsafe values[index]
        let slot = unsafe slots[index]
        if slot.isInOut {
          unsafe (frame + slot.offset).storeBytes(of: value, as: UnsafeMutableRawPointer.self)
        } else if isInPlace, slot.isValueSelf {
          unsafe writeParts(inPlace: UnsafeRawPointer(value), index, frame)
        } else {
          unsafe writeParts(UnsafeRawPointer(value), index, frame)
        }
      }
      try unsafe call(frame)
      return unsafe take(frame + resultOffset)
    }
  }
}
