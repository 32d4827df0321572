/// Writes the arguments of one call into a frame on the stack, in order, and checks each against its slot.
///
/// A value of another type than the argument's is noted, and checked after all arguments are written: see ``repair()``.
/// Therefore the fast path contains no function call, and the optimizer keeps the values in registers.
@safe @_documentation(visibility: internal)
public struct FrameWriter {
  /// Not retained: the caller keeps the signature alive.
  @usableFromInline let storage: Unmanaged<PlannedSignature>
  @usableFromInline let slots: UnsafePointer<FrameSlot>
  @usableFromInline let frame: UnsafeMutableRawPointer
  /// The notes, indexed by argument.
  @usableFromInline let notes: UnsafeMutablePointer<Note>
  @usableFromInline var index: Int
  /// A bit for each argument that is noted or cannot be passed.
  ///
  /// A writer writes at most 64 arguments, or a single one.
  @usableFromInline var wrong: UInt64 = 0
  /// A bit for each argument that the frame owns.
  @usableFromInline var owned: UInt64 = 0
  /// The error of an argument that cannot be passed, or null.
  ///
  /// The code that completes the call takes it.
  ///
  /// A raw pointer, so that calls without an error do no reference counting.
  @usableFromInline var failureBits: UnsafeMutableRawPointer?

  /// A value of another type than the argument's.
  @usableFromInline
  struct Note {
    @usableFromInline let type: Any.Type
    @usableFromInline let literal: Literal?

    @inlinable @inline(__always)
    init<Value>(_ value: Value) {
      type = Value.self
      literal = Literal(value)
    }
  }

  /// Creates a writer for a frame.
  ///
  /// - Parameters:
  ///   - signature: The types.
  ///   - plan: The signature's plan.
  ///   - frame: The frame.
  ///   - notes: Memory for a ``Note`` about each argument that will be written.
  ///   - index: The index of the first argument to write.
  @inlinable @inline(__always)
  init(_ signature: MethodSignature, _ plan: CallPlan, _ frame: UnsafeMutableRawPointer, notes: UnsafeMutableRawPointer, index: Int = 0) {
    // A cast, so that the optimizer sees that nothing is retained.
    unsafe storage = unsafeBitCast(signature, to: Unmanaged<PlannedSignature>.self)
    unsafe slots = plan.slots
    unsafe self.frame = frame
    unsafe self.notes = notes.assumingMemoryBound(to: Note.self) - index
    self.index = index
  }

  /// Writes the next argument, or notes it if its type is not the argument's.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value) {
    if unsafe Value.matches(slots, at: index, FrameWriter.pointsRight(Value.self, index, storage)) {
      if unsafe value.store(in: slots[index], of: frame, keeping: false) { owned |= bit }
    } else if Value.copiesText, takesBytes(index) {
      if unsafe value.store(in: slots[index], of: frame, keeping: false) { owned |= bit }
    } else {
      unsafe (notes + index).initialize(to: Note(value))
      wrong |= bit
    }
    index &+= 1
  }

  /// The bit of the next argument.
  @inlinable @inline(__always)
  var bit: UInt64 { 1 &<< UInt64(truncatingIfNeeded: index) }

  /// Writes the address of a variable as the next argument.
  @inline(never) @usableFromInline
  mutating func write<Value>(place: UnsafeMutablePointer<Value>) {
    if _isPOD(Value.self) {
      unsafe write(place)
    } else if Value.self == EncodedBytes.self {
      unsafe write(bytesAt: UnsafeMutableRawPointer(place).assumingMemoryBound(to: EncodedBytes.self))
    } else {
      let type = signature.types.arguments[index]
      let reason = "C cannot write to a variable of the type \(Value.self), which is not bitwise copyable"
      fail(InvocationError(.typeMismatch, reason, argument: .index(index), encoding: type.description), at: index)
      index += 1
    }
  }

  /// Writes the next argument; nil is written as null.
  @inline(never) @usableFromInline
  mutating func writeAny(_ argument: (any _CallArgument)?) {
    let next = index + 1
    if let argument { unsafe argument.write(to: &self) } else { writeNull() }
    precondition(index == next, "a _CallArgument must write one argument")
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { releaseOwned() }
  }

  /// Returns the index of the argument that the lowest set bit stands for: the last one written that has this bit.
  private func index(of bits: UInt64) -> Int { index - 1 - (index - 1 - bits.trailingZeroBitCount) & 63 }

  @usableFromInline
  func releaseOwned() {
    var rest = owned
    while rest != 0 {
      unsafe slots[index(of: rest)].releaseOwned(of: frame)
      rest &= rest - 1
    }
  }
}

// The slow paths, kept out of the code of the fast path.
extension FrameWriter {
  /// Returns whether the pointee of a pointer type matches the argument.
  @inline(never) @usableFromInline
  static func pointsRight<Value: EncodedValue>(
    _ type: Value.Type, _ index: Int, _ storage: Unmanaged<PlannedSignature>
  ) -> Bool {
    unsafe storage._withUnsafeGuaranteedRef { $0.pointsRight(type, at: index) }
  }

  /// Whether an argument is a pointer to bytes, for which a text is copied as for a C string.
  @inline(never) @usableFromInline
  func takesBytes(_ index: Int) -> Bool { signature.types.arguments[index].isBytePointer }

  /// Checks the noted arguments.
  ///
  /// A literal is converted and written as a value of its argument's type; any other value is an error.
  mutating func repair() {
    var rest = wrong
    wrong = 0
    while rest != 0 {
      let index = index(of: rest)
      rest &= rest - 1
      // The call reports its first error.
      if index == failedIndex { return }
      let note = unsafe notes[index]
      do throws(InvocationError) {
        guard let literal = note.literal else { throw signature.mismatch(note.type, .index(index)) }
        unsafe try signature.adapt(literal, at: index, of: frame)
      } catch {
        _ = takeFailure()
        return fail(error, at: index)
      }
    }
  }

  /// Notes the error of an argument, if no error was noted before.
  mutating func fail(_ error: InvocationError, at index: Int) {
    guard !hasFailed else { return }
    unsafe failureBits = error.at(.index(index)).retainedBits
    wrong |= 1 &<< UInt64(truncatingIfNeeded: index)
  }

  var hasFailed: Bool { unsafe failureBits != nil }

  /// The index of the argument that cannot be passed.
  private var failedIndex: Int? {
    guard let failureBits = unsafe failureBits else { return nil }
    return unsafe InvocationError.place(retainedBits: failureBits)
  }

  /// Takes the error out of the writer, after checking the noted arguments.
  ///
  /// Returns nil if all arguments can be passed.
  mutating func takeFailure() -> InvocationError? {
    if wrong != 0 { repair() }
    defer { unsafe failureBits = nil }
    return unsafe failureBits.map { unsafe InvocationError(retainedBits: $0) }
  }

  @usableFromInline
  mutating func writeNull() {
    defer { index += 1 }
    let slot = unsafe slots[index]
    guard slot.kind.hasNull else {
      fail(signature.nullNotAllowed(index), at: index)
      return
    }
    unsafe slot.write(word: 0, to: frame)
  }

  /// Writes the address of the bytes of a value, which the caller has exclusive access to until the call has returned.
  private mutating func write(bytesAt place: UnsafeMutablePointer<EncodedBytes>) {
    defer { index += 1 }
    let type = signature.types.arguments[index]
    do throws(InvocationError) {
      unsafe slots[index].write(word: try place.pointee.address(for: type, slots[index].kind), to: frame)
    } catch {
      fail(error.placed(.index(index), type), at: index)
    }
  }

  /// Writes the address of a copy of an array.
  ///
  /// A zero follows the copy, since an array of characters may be used as a C string.
  mutating func writeCopy<Element: EncodedValue>(of elements: [Element]) {
    defer { index += 1 }
    let slot = unsafe slots[index]
    let type = signature.types.arguments[index]
    guard slot.kind == .pointer || slot.kind == .cString, _isPOD(Element.self) else {
      fail(signature.mismatch([Element].self, .index(index)), at: index)
      return
    }
    guard PointeeComparison.matches(Element.self, type) else {
      var reason = "the elements of \([Element].self) are not what the pointer points to"
      if case .pointer(let target) = type.kind, case .scalar(let scalar) = target.kind { reason += ": pass [\(scalar.swiftName)]" }
      fail(InvocationError(.typeMismatch, reason, argument: .index(index), encoding: type.description), at: index)
      return
    }
    unsafe elements.withUnsafeBytes { bytes in
      let copy = unsafe CMemory.allocateZeroed(bytes.count + 8)
      if let start = bytes.baseAddress { unsafe copy.copyMemory(from: start, byteCount: bytes.count) }
      unsafe slot.write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    }
    markOwned()
  }

  mutating func write(boxed value: BoxedValue) {
    defer { index += 1 }
    let type = signature.types.arguments[index]
    do throws(InvocationError) {
      // For the call a text is copied, as for a C string.
      let text: TypeEncoding = if case .string = value, type.isBytePointer { TypeEncoding(.cString) } else { type }
      if unsafe try value.store(in: slots[index], of: frame, as: text, options: [], keeping: true) { markOwned() }
    } catch {
      fail(error.placed(.index(index), type), at: index)
    }
  }

  private mutating func markOwned() { owned |= bit }

  private var signature: MethodSignature { unsafe MethodSignature(storage: storage.takeUnretainedValue()) }
}

extension ValueKind {
  /// Whether null is a value of the kind: a pointer, an object, a class, a selector or a block.
  var hasNull: Bool {
    switch self {
    case .pointer, .cString, .object, .block, .classObject, .selector: true
    default: false
    }
  }
}

/// An argument of a call: an encoded value, an array, a boxed value, or the bytes of a value.
///
/// An array is passed as the address of a copy of its elements. The copy is freed when the call has returned, so
/// anything the callee writes to it is lost. To pass a buffer that the callee fills, write `&array`. A ``BoxedValue``
/// is converted to the argument's type, as the signature requires. To make your own type an argument, conform it to
/// ``EncodedValue``.
public protocol _CallArgument {
  /// Writes the value as the next argument of a call.
  ///
  /// A type of your own calls this once, for a value of another type. Traps if it writes nothing.
  @unsafe
  func write(to frame: inout FrameWriter)
}

extension EncodedValue {
  /// Writes the value as the next argument of a call.
  @unsafe
  @inlinable @inline(__always)
  public func write(to frame: inout FrameWriter) { frame.write(self) }
}

extension Array: _CallArgument where Element: EncodedValue {
  /// Writes the address of a copy of the elements as the next argument of a call.
  @unsafe
  public func write(to frame: inout FrameWriter) { frame.writeCopy(of: self) }
}

extension BoxedValue: _CallArgument {
  /// Writes the value, converted to the argument's type, as the next argument of a call.
  @unsafe
  public func write(to frame: inout FrameWriter) { frame.write(boxed: self) }
}

extension EncodedBytes: _CallArgument {
  /// Writes the value, for an argument of the same layout, as the next argument of a call.
  @unsafe
  public func write(to frame: inout FrameWriter) { frame.write(boxed: .value(self)) }
}

extension InvocationError {
  /// The error as a raw pointer that was retained once; copies of the pointer are not counted.
  ///
  /// It must be converted back to an error exactly once.
  var retainedBits: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(storage).toOpaque() }

  /// Creates an error from ``retainedBits`` and consumes them.
  @unsafe
  init(retainedBits bits: UnsafeMutableRawPointer) { self.init(unsafe Unmanaged<Storage>.fromOpaque(bits).takeRetainedValue()) }

  /// Returns the index of the argument that the error in ``retainedBits`` is about, without consuming them.
  @unsafe
  static func place(retainedBits bits: UnsafeMutableRawPointer) -> Int? {
    if case .index(let index) = unsafe Unmanaged<Storage>.fromOpaque(bits).takeUnretainedValue().argument { index } else { nil }
  }
}
