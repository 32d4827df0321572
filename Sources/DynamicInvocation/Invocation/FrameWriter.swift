internal import CFFIShim

/// Writes the arguments of one call into a frame on the stack, in order, each checked against its slot.
///
/// A value of another type than the argument's is noted, and looked at when all are written: see ``repair()``. So the way of most calls has no call
/// of a function in it, and the optimizer keeps the values in registers.
@safe @_documentation(visibility: internal)
public struct FrameWriter {
  /// Not retained: whoever makes the call holds the signature.
  @usableFromInline let storage: Unmanaged<MethodSignature.Storage>
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let frame: UnsafeMutableRawPointer
  /// The note about an argument, by its index.
  @usableFromInline let notes: UnsafeMutablePointer<Note>
  @usableFromInline var index: Int
  /// A bit for each argument that is noted or cannot be passed: at most 64 are written this way, or one at a time.
  @usableFromInline var wrong: UInt64 = 0
  /// A bit for each argument that the frame owns.
  @usableFromInline var owned: UInt64 = 0
  /// The error of an argument that cannot be passed, which whoever ends the call takes, or null.
  ///
  /// A plain word: nothing is counted in calls that have none.
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

  /// Begins to write.
  ///
  /// - Parameters:
  ///   - signature: The types.
  ///   - plan: The signature's plan.
  ///   - frame: The frame.
  ///   - notes: Room for a ``Note`` about each argument that will be written.
  ///   - index: The index of the first one.
  @inlinable @inline(__always)
  init(_ signature: MethodSignature, _ plan: CallPlan, _ frame: UnsafeMutableRawPointer, notes: UnsafeMutableRawPointer, index: Int = 0) {
    // A cast, so that the optimizer sees that nothing is counted.
    unsafe storage = unsafeBitCast(signature, to: Unmanaged<MethodSignature.Storage>.self)
    unsafe slots = plan.slots
    unsafe self.frame = frame
    unsafe self.notes = notes.assumingMemoryBound(to: Note.self) - index
    self.index = index
  }

  /// Writes the next argument, or notes it when it is of another type.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value) {
    let slot = unsafe slots[index]
    if Value.accepts(slot.kind), unsafe Value.pointeeType == nil || FrameWriter.pointsRight(Value.self, index, storage) {
      if unsafe value.store(in: slot, of: frame, keeping: false) { owned |= bit }
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
  mutating func write<Value: BitwiseCopyable>(place: UnsafeMutablePointer<Value>) { unsafe write(place) }

  /// Writes the next argument, null for nil.
  @inline(never) @usableFromInline
  mutating func writeAny(_ argument: (any CallArgument)?) {
    if let argument { argument.write(to: &self) } else { writeNull() }
  }

  /// Releases what the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { releaseOwned() }
  }

  /// The index of the argument that the lowest of some bits is about: the last one written that has this bit.
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

// What needs a closer look, out of the way of the calls that do not.
extension FrameWriter {
  /// Whether the values of a pointer type point to what the argument does.
  @inline(never) @usableFromInline
  static func pointsRight<Value: EncodedValue>(
    _ type: Value.Type, _ index: Int, _ storage: Unmanaged<MethodSignature.Storage>
  ) -> Bool {
    unsafe storage._withUnsafeGuaranteedRef { $0.pointsRight(type, at: index) }
  }

  /// Looks at the arguments that were noted: a literal is written as a value of its argument's type, another value is an error.
  mutating func repair() {
    var rest = wrong
    wrong = 0
    while rest != 0 {
      let index = index(of: rest)
      rest &= rest - 1
      // The first error is the call's.
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

  /// Notes the error of an argument, if there is none before it.
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

  /// Returns the error, which is the writer's no more; nil when all arguments can be passed, those noted included.
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

  /// Writes the address of a copy, behind which lies a zero: an array of characters may be taken for a C string.
  mutating func writeCopy<Element: EncodedValue>(of elements: [Element]) {
    defer { index += 1 }
    let slot = unsafe slots[index]
    let type = signature.types.arguments[index]
    guard slot.kind == .pointer || slot.kind == .cString, PointeeComparison.matches(Element.self, type), _isPOD(Element.self) else {
      fail(signature.mismatch([Element].self, .index(index)), at: index)
      return
    }
    unsafe elements.withUnsafeBytes { bytes in
      guard let copy = unsafe cffi_allocate_zeroed(bytes.count + 8, 16) else { preconditionFailure("out of memory") }
      if let start = bytes.baseAddress { unsafe copy.copyMemory(from: start, byteCount: bytes.count) }
      unsafe slot.write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    }
    markOwned()
  }

  mutating func write(boxed value: BoxedValue) {
    defer { index += 1 }
    let type = signature.types.arguments[index]
    do throws(InvocationError) {
      if unsafe try value.store(in: slots[index], of: frame, as: type, options: [], keeping: true) { markOwned() }
    } catch {
      fail(error.placed(.index(index), type), at: index)
    }
  }

  private mutating func markOwned() { owned |= bit }

  private var signature: MethodSignature { unsafe MethodSignature(storage: storage.takeUnretainedValue()) }
}

extension ValueKind {
  /// Whether null is a value: of any pointer, an object, a class, a selector, a block.
  var hasNull: Bool {
    switch self {
    case .pointer, .cString, .object, .block, .classObject, .selector: true
    default: false
    }
  }
}

/// What a call takes as an argument: an encoded value, an array, or a boxed value.
///
/// An array is passed as the address of a copy of its elements, which is freed when the call has returned; what the callee writes to it is lost.
/// Write `&array` for a buffer that the callee fills. A ``BoxedValue`` is converted to the argument's type, as the signature demands. A type of yours
/// becomes an argument by being an ``EncodedValue``.
public protocol CallArgument {
  /// Writes the value as the next argument of a call.
  func write(to frame: inout FrameWriter)
}

extension EncodedValue {
  /// Writes the value as the next argument of a call.
  @inlinable @inline(__always)
  public func write(to frame: inout FrameWriter) { frame.write(self) }
}

extension Array: CallArgument where Element: EncodedValue {
  /// Writes the address of a copy of the elements as the next argument of a call.
  public func write(to frame: inout FrameWriter) { frame.writeCopy(of: self) }
}

extension BoxedValue: CallArgument {
  /// Writes the value, converted to the argument's type, as the next argument of a call.
  public func write(to frame: inout FrameWriter) { frame.write(boxed: self) }
}
