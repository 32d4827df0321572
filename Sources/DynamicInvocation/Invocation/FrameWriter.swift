internal import CFFIShim

/// Writes the arguments of one call into a frame on the stack, in order, each checked against its slot.
@safe @_documentation(visibility: internal)
public struct FrameWriter {
  /// Not retained: whoever makes the call holds the signature.
  @usableFromInline let storage: Unmanaged<MethodSignature.Storage>
  @usableFromInline let slots: UnsafePointer<Slot>
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline var index: Int
  /// The error of the first argument that cannot be passed, or null. As a plain word it costs the calls that have none a comparison only: nothing
  /// is counted. Whoever ends the call takes it.
  @usableFromInline var failureBits: UnsafeMutableRawPointer?
  /// A bit for each argument that the frame owns: at most 64 are written this way, or one at a time.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ signature: MethodSignature, _ plan: CallPlan, _ frame: UnsafeMutableRawPointer, index: Int = 0) {
    // A cast, so that the optimizer sees that nothing is counted.
    unsafe storage = unsafeBitCast(signature, to: Unmanaged<MethodSignature.Storage>.self)
    unsafe slots = plan.slots
    unsafe self.frame = frame
    self.index = index
  }

  /// Writes the next argument; after one that cannot be passed writes nothing more.
  @inlinable @inline(__always)
  mutating func write<Value: EncodedValue>(_ value: Value) {
    let slot = unsafe slots[index]
    if Value.accepts(slot.kind), unsafe Value.pointeeType == nil || FrameWriter.pointsRight(Value.self, index, storage) {
      if unsafe failureBits == nil, unsafe value.store(in: slot, of: frame, keeping: false) {
        owned |= 1 &<< UInt64(truncatingIfNeeded: index)
      }
    } else if unsafe failureBits == nil {
      if let literal = Literal(value) {
        unsafe failureBits = FrameWriter.adapt(literal, index, frame, storage)
      } else {
        unsafe failureBits = FrameWriter.mismatch(Value.self, index, storage)
      }
    }
    index &+= 1
  }

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

  @usableFromInline
  func releaseOwned() {
    var rest = owned
    while rest != 0 {
      unsafe slots[rest.trailingZeroBitCount].releaseOwned(of: frame)
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

  /// The error of a value whose type is not the argument's.
  @inline(never) @usableFromInline
  static func mismatch(_ type: Any.Type, _ index: Int, _ storage: Unmanaged<MethodSignature.Storage>) -> UnsafeMutableRawPointer {
    unsafe MethodSignature(storage: storage.takeUnretainedValue()).mismatch(type, .index(index)).retainedBits
  }

  /// Writes a literal as a value of the argument's type, or returns the error.
  @inline(never) @usableFromInline
  static func adapt(
    _ value: Literal, _ index: Int, _ frame: UnsafeMutableRawPointer, _ storage: Unmanaged<MethodSignature.Storage>
  ) -> UnsafeMutableRawPointer? {
    let signature = unsafe MethodSignature(storage: storage.takeUnretainedValue())
    do {
      unsafe try signature.adapt(value, at: index, of: frame)
      return nil
    } catch {
      return unsafe error.retainedBits
    }
  }

  /// Notes the error of an argument, if it is the first.
  mutating func fail(_ error: InvocationError) {
    if !hasFailed { unsafe failureBits = error.retainedBits }
  }

  var hasFailed: Bool { unsafe failureBits != nil }

  /// Returns the error, which is the writer's no more; nil when all arguments can be passed.
  mutating func takeFailure() -> InvocationError? {
    defer { unsafe failureBits = nil }
    return unsafe failureBits.map { unsafe InvocationError(retainedBits: $0) }
  }

  @usableFromInline
  mutating func writeNull() {
    defer { index += 1 }
    guard !hasFailed else { return }
    let slot = unsafe slots[index]
    guard slot.kind.hasNull else {
      fail(signature.nullNotAllowed(index))
      return
    }
    unsafe slot.write(word: 0, to: frame)
  }

  /// Writes the address of a copy, behind which lies a zero: an array of characters may be taken for a C string.
  mutating func writeCopy<Element: EncodedValue>(of elements: [Element]) {
    defer { index += 1 }
    guard !hasFailed else { return }
    let slot = unsafe slots[index]
    let type = signature.types.arguments[index]
    guard slot.kind == .pointer || slot.kind == .cString, PointeeComparison.matches(Element.self, type), _isPOD(Element.self) else {
      fail(signature.mismatch([Element].self, .index(index)))
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
    guard !hasFailed else { return }
    let type = signature.types.arguments[index]
    do throws(InvocationError) {
      if unsafe try value.store(in: slots[index], of: frame, as: type, options: [], keeping: true) { markOwned() }
    } catch {
      fail(error.placed(.index(index), type))
    }
  }

  private mutating func markOwned() { owned |= 1 &<< UInt64(truncatingIfNeeded: index) }

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
