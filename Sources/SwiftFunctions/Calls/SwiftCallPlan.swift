package import CallFrames
internal import SwiftSymbols
package import TypeEncodings

/// The part of a call of a native Swift function that is computed once: the types, the slots of a frame, the kernel.
///
/// A frame is one block of memory: the register image of the kernel, the stack words, copies of arguments that the
/// callee may change or consume, and the result and the typed error if they do not stay in the registers.
@usableFromInline
@safe
package final class SwiftCallPlan: @unchecked Sendable {
  // Unchecked Sendable: everything is written in the initializer only.

  /// The largest frame that a typed call reserves without a computation at run time.
  @usableFromInline static let smallFrame: Int = 512

  package let signature: SwiftFunctionSignature
  /// The slots of the arguments, as ``layout`` has them.
  @usableFromInline let slots: UnsafePointer<SwiftArgumentSlot>
  /// The number of arguments, or -1 if the frame is larger than ``smallFrame``.
  @usableFromInline let smallCount: Int
  /// The number of arguments.
  @usableFromInline let count: Int
  /// The type of the result.
  @usableFromInline let result: SwiftMetadata
  /// The offset of the result in a frame, after the call and ``collect(_:)``.
  @usableFromInline let resultOffset: Int
  /// How a typed call passes the arguments.
  @usableFromInline let form: Form
  /// Whether a result in a word has to be destroyed.
  @usableFromInline let destroysWord: Bool
  /// Whether a call with a frame does nothing but run the kernel, once the arguments are written.
  @usableFromInline let isPlain: Bool
  /// Whether words of a frame besides the arguments have to be set.
  let needsPreparation: Bool
  /// Whether an argument has to be destroyed after the call.
  let destroysCopy: Bool
  /// The code, if it does not depend on the class of self.
  @usableFromInline let address: UnsafeRawPointer
  /// The offset of the method in the metadata of the class of self, or 0 for a call of ``address``.
  @usableFromInline let methodOffset: Int
  /// The code that calls a method with words, see ``SwiftKernel/methodEntry``.
  @usableFromInline let methodEntry: UnsafeRawPointer
  /// The kernel.
  @usableFromInline let kernel: CallPlan.Kernel
  /// The number of stack words.
  @usableFromInline let stackWords: UnsafeRawPointer?
  /// Where the values of a call are.
  let layout: SwiftFrameLayout

  /// Plans the calls of a function.
  ///
  /// - Parameters:
  ///   - isVirtual: Whether an overridable method of a class is called as the object's class implements it.
  ///   - promises: What the caller states of the function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason, and with the argument if the error is about one.
  package convenience init(
    _ signature: SwiftFunctionSignature, isVirtual: Bool = true, trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    if signature.isAsync {
      throw signature.refused("an asynchronous function cannot be called by name without await: use asyncFunction(_:)")
    }
    try unsafe self.init(signature, isVirtual: isVirtual, code: signature.address, takesIsolation: nil, trusting: promises)
  }

  /// Plans the calls of an asynchronous function.
  ///
  /// Its ``address`` is its async function pointer.
  ///
  /// - Parameters:
  ///   - takesIsolation: Whether the function is `nonisolated(nonsending)`, or nil if that is not known.
  ///   - promises: What the caller states of the function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason.
  package convenience init(
    async signature: SwiftFunctionSignature, takesIsolation: Bool?, trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    let code = try unsafe Self.asyncFunctionPointer(of: signature)
    try unsafe self.init(signature, isVirtual: true, code: code, takesIsolation: takesIsolation, trusting: promises)
  }

  private init(
    _ signature: SwiftFunctionSignature, isVirtual: Bool, code: UnsafeRawPointer, takesIsolation: Bool?,
    trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    try signature.require(promises)
    guard let convention = SwiftKernel.convention else {
      throw signature.refused("Swift functions cannot be called by name on this platform")
    }
    let layout = try SwiftFrameLayout(signature, by: convention, takesIsolation: takesIsolation, trusting: promises)
    self.signature = signature
    self.layout = layout
    let slots = UnsafeMutablePointer<SwiftArgumentSlot>.allocate(capacity: max(1, layout.slots.count))
    unsafe slots.initialize(from: layout.slots, count: layout.slots.count)
    unsafe self.slots = unsafe UnsafePointer(slots)
    count = layout.slots.count
    smallCount = layout.size <= Self.smallFrame && layout.alignment <= 16 ? layout.slots.count : -1
    result = layout.result
    resultOffset = layout.resultOffset
    needsPreparation = !layout.addresses.isEmpty || layout.selfConstant != nil
    destroysCopy = layout.slots.contains { $0.isDestroyed }
    isPlain = !needsPreparation && !destroysCopy && !layout.collectsResult
    form = layout.form
    destroysWord = !layout.result.isTrivial
    unsafe methodEntry = unsafe SwiftKernel.methodEntry
    unsafe address = unsafe code
    methodOffset = isVirtual ? SwiftMethodTable.offset(of: signature) ?? 0 : 0
    unsafe kernel = unsafe layout.kernel.function
    unsafe stackWords = UnsafeRawPointer(bitPattern: layout.stackWords)
  }

  deinit {
    unsafe slots.deallocate()
  }

  /// The async function pointer of a function that can be called.
  private static func asyncFunctionPointer(of signature: SwiftFunctionSignature) throws(InvocationError) -> UnsafeRawPointer {
    guard signature.isAsync else {
      let way = signature.isActorMember ? "function(_:) with the promise 'unsafe library.trusting(.isolation)'" : "function(_:)"
      throw signature.refused("it is not asynchronous: use \(way)")
    }
    guard unsafe SwiftKernel.asyncEntry != nil else {
      throw signature.refused("asynchronous functions are called by name on Linux only, on x86-64 and AArch64")
    }
    guard signature.kind == .function || signature.kind == .initializer else {
      throw signature.refused("it is an asynchronous accessor, and its symbol does not state whether it throws")
    }
    if signature.typedError != nil { throw signature.refused("it is asynchronous, and the type of its error is stated") }
    if let index = signature.parameters.firstIndex(where: { $0.ownership == .inOut }) {
      throw signature.refused("a variable cannot be passed to an asynchronous function").at(signature.argument(index))
    }
    guard let pointer = unsafe signature.asyncFunctionPointer else {
      throw signature.refused("the library does not export its async function pointer")
    }
    return unsafe pointer
  }
}

// MARK: - Form

// Calls without a frame. `Generated/SwiftCallPlan+Words.swift` contains the calls for each number of arguments.

extension SwiftCallPlan {
  /// How a typed call passes the arguments.
  @usableFromInline
  enum Form {
    /// In a frame, by a kernel.
    case frame
    /// As words in general registers, without self.
    case words
    /// An object as self, and words in general registers.
    case method
  }

  /// Whether a value of a type fills one word or a power of two of its bytes, so that it can be converted to a word.
  ///
  /// A constant to the optimizer, which then removes the calls with words for other types.
  @inlinable @inline(__always)
  static func isWord<Value>(_: Value.Type) -> Bool {
    let size = MemoryLayout<Value>.size
    return size == 8 || size == 4 || size == 2 || size == 1
  }

  /// Whether a result of a type can be converted from a word.
  @inlinable @inline(__always)
  static func isWordResult<Value>(_ type: Value.Type) -> Bool { isWord(type) || MemoryLayout<Value>.size == 0 }

  /// The bytes of a value as a word.
  ///
  /// The word does not keep an object alive.
  @inlinable @inline(__always)
  static func word<Value>(_ value: Value) -> UInt {
    switch MemoryLayout<Value>.size {
    case 8: unsafe unsafeBitCast(value, to: UInt.self)
    case 4: UInt(unsafe unsafeBitCast(value, to: UInt32.self))
    case 2: UInt(unsafe unsafeBitCast(value, to: UInt16.self))
    default: UInt(unsafe unsafeBitCast(value, to: UInt8.self))
    }
  }

  /// The value whose bytes a function has returned in a word.
  @inlinable @inline(__always)
  func result<Value>(_ word: UInt, as type: Value.Type) -> Value {
    // The other bits of a register with a narrow value are not defined.
    let word = type == Bool.self ? word & 1 : word
    guard _isPOD(type) else {
      // The value is moved: a bit cast would copy it.
      var word = word
      return unsafe withUnsafeMutableBytes(of: &word) { unsafe $0.assumingMemoryBound(to: type).baseAddress.unsafelyUnwrapped.move() }
    }
    switch MemoryLayout<Value>.size {
    case 8: return unsafe unsafeBitCast(word, to: type)
    case 4: return unsafe unsafeBitCast(UInt32(truncatingIfNeeded: word), to: type)
    case 2: return unsafe unsafeBitCast(UInt16(truncatingIfNeeded: word), to: type)
    case 1: return unsafe unsafeBitCast(UInt8(truncatingIfNeeded: word), to: type)
    default: return unsafe unsafeBitCast((), to: type)
    }
  }

  /// Destroys the result in a word.
  @inlinable @inline(__always)
  func discardWord(_ word: UInt) {
    if destroysWord { destroyWord(word) }
  }

  /// Destroys a result that is not trivial.
  @usableFromInline
  func destroyWord(_ word: UInt) {
    var word = word
    unsafe withUnsafeMutableBytes(of: &word) { unsafe result.destroy($0.baseAddress.unsafelyUnwrapped) }
  }

  /// The code of a method for the object whose address is a word.
  @inlinable @inline(__always)
  func code(for object: UInt) -> UnsafeRawPointer {
    guard methodOffset != 0 else { return unsafe address }
    // The address of an object is not null. Its first word is the metadata of its class.
    let metadata = unsafe UnsafeRawPointer(bitPattern: object).unsafelyUnwrapped.load(as: UnsafeRawPointer.self)
    return unsafe metadata.load(fromByteOffset: methodOffset, as: UnsafeRawPointer.self)
  }
}

// MARK: - Calling

// The steps of a call: write the arguments, call, take the result or the error.

extension SwiftCallPlan {
  // The values of `SwiftKernel.error` and `SwiftKernel.selfWord`: code that is inlined into clients does not see these.
  // A test compares them.
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
    for closure in layout.closures[index] { unsafe SwiftClosureAdapter.lower(copy + closure.offset, closure.plan) }
    unsafe writeParts(inPlace: UnsafeRawPointer(copy), index, frame)
  }

  /// Writes the parts of a value at its final address.
  @usableFromInline
  func writeParts(inPlace value: UnsafeRawPointer, _ index: Int, _ frame: UnsafeMutableRawPointer) {
    if unsafe slots[index].isValueSelf {
      unsafe (frame + SwiftKernel.selfWord).storeBytes(of: value, as: UnsafeRawPointer.self)
    }
    for part in layout.parts[index] { unsafe part.store(value, to: frame) }
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
    if layout.collectsResult { unsafe collect(frame) }
  }

  /// The code of the function; of an overridable method, the implementation that the class of self has.
  @inlinable @inline(__always)
  func code(in frame: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    methodOffset == 0 ? unsafe address : unsafe code(for: frame.load(fromByteOffset: Self.selfOffset, as: UInt.self))
  }

  /// Sets the words of a frame that are not arguments.
  func prepare(_ frame: UnsafeMutableRawPointer) {
    for (word, target) in layout.addresses {
      unsafe (frame + word).storeBytes(of: frame + target, as: UnsafeMutableRawPointer.self)
    }
    if let selfConstant = layout.selfConstant {
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
    if signature.kind == .addressor {
      let variable = unsafe frame.load(as: UnsafeRawPointer.self)
      unsafe result.initialize(frame + resultOffset, copying: variable)
    } else {
      let flat = unsafe frame + layout.flatOffset
      for part in layout.resultParts { unsafe part.load(from: frame, to: flat) }
      for move in layout.resultMoves {
        unsafe (frame + resultOffset + move.target).copyMemory(from: flat + move.source, byteCount: move.size)
      }
    }
    for closure in layout.resultClosures { unsafe SwiftClosureAdapter.raise(frame + resultOffset + closure.offset, closure.plan) }
  }

  /// Takes the error of a call out of a frame.
  @usableFromInline
  func error(_ frame: UnsafeMutableRawPointer) -> any Error {
    unsafe layout.error.take(from: frame, at: frame + layout.errorOffset)
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

  /// Builds a frame of any size and calls.
  ///
  /// - Parameters:
  ///   - values: A block of memory with the arguments at the ``SwiftFrameLayout/valueOffsets``; `inout` ones are changed.
  ///   - isInPlace: Whether self of a struct or enum is changed, too.
  ///   - take: Reads the result from the address in the frame.
  /// - Throws: What the function throws.
  func perform<Value>(
    _ values: UnsafeMutableRawPointer, isInPlace: Bool, _ take: (UnsafeMutableRawPointer) -> Value
  ) throws -> Value {
    try unsafe withUnsafeTemporaryAllocation(byteCount: layout.size, alignment: layout.alignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      for index in 0..<count {
        let value = unsafe values + layout.valueOffsets[index]
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
