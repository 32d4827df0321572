internal import CFFIShim
public import Synchronization

/// The part of a call that is computed once per signature: the slots and the size of a frame, and the backend.
///
/// A call itself only copies bytes.
///
/// A frame is one block of memory that contains the result and the arguments, at offsets that the backend determines.
@usableFromInline
@safe
package final class CallPlan: @unchecked Sendable {
  // Unchecked Sendable: the slots are written only in the initializer, and the words before them are atomic.

  /// The slots of the arguments, followed by the slot of the result.
  ///
  /// Before them in memory there is a word for each: see ``knownType(at:)``.
  @usableFromInline package let slots: UnsafePointer<FrameSlot>
  /// The number of arguments.
  @usableFromInline package let count: Int
  /// The value of ``FrameCore/State/setMask`` when all of the first ``firstCount`` arguments are set.
  @usableFromInline package let allSetMask: UInt64
  /// Equal to ``allSetMask`` if a call with all arguments set needs no other check: it has at most ``firstCount``
  /// arguments, and its result is not an object.
  ///
  /// Otherwise 0, which is never equal to the mask of a frame.
  @usableFromInline package let fastPathMask: UInt64
  /// The offset of the target of a message in a frame.
  ///
  /// For a function it is negative: the offset of a word before the frame that is never 0.
  @usableFromInline package let targetOffset: Int
  /// The words of a frame to copy for another target: the arguments after the target for a method with a native kernel,
  /// otherwise the whole frame.
  @usableFromInline package let argumentWords: Range<Int>
  /// The size of a frame in bytes, a multiple of 16.
  @usableFromInline package let frameSize: Int
  /// The size in bytes of a frame and of the bit sets after it: the arguments that the frame owns, and the arguments
  /// from index ``firstCount`` on that are set.
  @usableFromInline package let blockSize: Int
  /// The alignment of a frame in bytes: 16 for libffi; for other backends 8, or the alignment of a result in memory if
  /// that is larger.
  @usableFromInline package let frameAlignment: Int
  /// The number of arguments if the frame is small, otherwise -1.
  @usableFromInline package let smallFrameCount: Int
  /// The offset of the word that passes the address of a result in memory, or -1.
  @usableFromInline package let resultAddressOffset: Int
  /// The function that executes the call.
  @usableFromInline package let kernel: Kernel
  /// The third argument of the kernel.
  @usableFromInline package let context: UnsafeRawPointer?
  /// The layout of the frame of an incoming call; nil unless the backend is native, since only that has closure
  /// entries.
  package let incoming: IncomingFrameLayout?
  /// Whether an argument is a number smaller than eight bytes.
  package let hasNarrowArguments: Bool
  /// The backend that the kernel belongs to, with the data of the kernel.
  package let backend: Backend
  /// The registers of the arguments and the result, if a C function pointer can be called without a frame.
  @usableFromInline package let registerCall: RegisterCall
  /// The owner of the memory at ``context``.
  private let contextOwner: (any AnyObject & Sendable)?

  /// A function that calls an implementation with the arguments in a frame, as the C type `cffi_kernel`.
  @usableFromInline
  package typealias Kernel = @convention(c) @Sendable (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void

  /// The backend of a plan.
  package enum Backend: Sendable {
    /// A native kernel.
    case native(NativeKernel, CallLayout)
    /// A call prepared by libffi.
    case libffi(LibFFIBackend)
  }

  package init(
    arguments: [FrameSlot], result: FrameSlot, frameSize: Int, frameAlignment: Int = 16, resultAddressOffset: Int = -1,
    kernel: @escaping Kernel,
    context: UnsafeRawPointer?, backend: Backend, registerCall: RegisterCall = .none, incoming: IncomingFrameLayout? = nil,
    keeping contextOwner: (any AnyObject & Sendable)? = nil
  ) {
    let slots = unsafe Self.allocateSlots(arguments.count + 1)
    unsafe slots.initialize(from: arguments, count: arguments.count)
    unsafe (slots + arguments.count).initialize(to: result)
    unsafe self.slots = UnsafePointer(slots)
    count = arguments.count
    allSetMask = Self.noneSet | (1 << UInt64(min(arguments.count, Self.firstCount))) - 1
    fastPathMask = arguments.count <= Self.firstCount && result.kind != .object ? allSetMask : 0
    let isMethod = arguments.count >= 2 && arguments[1].kind == .selector && [.object, .classObject].contains(arguments[0].kind)
    targetOffset = isMethod ? Int(arguments[0].offset) : -FrameCore.State.size
    if isMethod, case .native = backend {
      argumentWords = Self.words(of: arguments, frameSize: frameSize)
    } else {
      argumentWords = 0..<frameSize / 8
    }
    self.frameSize = frameSize
    self.frameAlignment = frameAlignment
    smallFrameCount = frameSize <= Self.smallFrame && frameAlignment <= 16 ? arguments.count : -1
    self.resultAddressOffset = resultAddressOffset
    unsafe self.kernel = kernel
    unsafe self.context = context
    self.incoming = incoming
    hasNarrowArguments = arguments.contains { $0.size < 8 && $0.storage.isWord }
    self.backend = backend
    self.registerCall = registerCall
    self.contextOwner = contextOwner
    let stateWords = Self.stateWords(count)
    blockSize = frameSize + (count <= Self.firstCount ? 8 : 16) * stateWords
  }

  deinit {
    unsafe (UnsafeRawPointer(slots) - (count + 1) * MemoryLayout<Atomic<UInt>>.stride).deallocate()
  }

  /// Allocates memory for slots, preceded by a zero word for each slot.
  private static func allocateSlots(_ count: Int) -> UnsafeMutablePointer<FrameSlot> {
    let size = count * MemoryLayout<Atomic<UInt>>.stride
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size + count * MemoryLayout<FrameSlot>.stride, alignment: 16)
    let words = unsafe memory.bindMemory(to: Atomic<UInt>.self, capacity: count)
    for index in 0..<count { unsafe (words + index).initialize(to: Atomic(0)) }
    return unsafe (memory + size).bindMemory(to: FrameSlot.self, capacity: count)
  }

  /// Whether the call is a message, with a target and a selector.
  @inlinable package var isMethod: Bool { targetOffset >= 0 }

  /// The slot of the result.
  @inlinable package var result: FrameSlot { unsafe slots[count] }

  /// The number of 64-bit words of a bit set with one bit per argument; at least 1, so that the first word can always
  /// be loaded.
  @usableFromInline package var stateWords: Int { Self.stateWords(count) }

  private static func stateWords(_ count: Int) -> Int { max(1, (count + 63) / 64) }

  /// The offset of the bit set of the arguments that the frame owns and must release.
  @usableFromInline package var ownedBitsOffset: Int { frameSize }

  /// The offset of the bit set of the arguments from index ``firstCount`` on that are set.
  package var setBitsOffset: Int { frameSize + 8 * stateWords }

  /// Writes the address of a result in memory to a new frame.
  @inlinable @inline(__always)
  package func prepare(_ frame: UnsafeMutableRawPointer) {
    guard resultAddressOffset >= 0 else { return }
    unsafe frame.storeBytes(of: UInt(bitPattern: frame + Int(result.offset)), toByteOffset: resultAddressOffset, as: UInt.self)
  }

  /// Calls an implementation with a prepared frame whose arguments are all set, and stores the result in the frame.
  @inlinable @inline(__always)
  package func call(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) {
    unsafe kernel(frame, implementation, context)
  }

  /// Calls an implementation as ``call(_:frame:)`` does, with `errno` cleared before the call, and returns the `errno`
  /// of the callee.
  @usableFromInline
  package func callCapturingErrno(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) -> CInt {
    var code: CInt = 0
    unsafe cffi_call_capturing_errno(kernel, frame, implementation, context, &code)
    return code
  }
}

extension CallPlan {
  /// The number of arguments whose bits are in ``FrameCore/State/setMask``.
  ///
  /// The last bit of the mask is always set.
  @usableFromInline package static let firstCount = 63

  /// The mask when no argument is set.
  ///
  /// It is not 0.
  @usableFromInline package static let noneSet: UInt64 = 1 << 63

  /// The maximum size of a small frame in bytes, which most frames do not exceed.
  ///
  /// Stack memory of a size known at compile time needs no call of the runtime.
  @inlinable package static var smallFrame: Int { 512 }

  /// Whether a frame fits ``smallFrame`` bytes, aligned to 16.
  @inlinable @inline(__always)
  package var hasSmallFrame: Bool { smallFrameCount >= 0 }

  /// The maximum size of a frame in bytes.
  package static let largestFrame = 1 << 28

  /// The maximum number of bytes that a call may push to the stack.
  ///
  /// libffi copies a large struct twice, and the stack of a thread may be only a few megabytes.
  package static let largestStack = 1 << 20
}

/// The backend that executes a call.
public enum CallBackend: String, Sendable, CaseIterable {
  /// The backend that the engine chooses: a native kernel, on every platform that it supports.
  case automatic
  /// A native kernel: a few instructions that load the register image and call.
  case native
  /// libffi, on any platform that it supports, in a build with the trait `LibFFI`.
  case libffi

  /// Whether this build has the backend: ``libffi`` needs the trait `LibFFI`, which is on by default.
  public var isAvailable: Bool { self != .libffi || cffi_has_libffi() }
}

extension CallPlan {
  /// The words of a native frame that hold the arguments of a method after its target.
  ///
  /// - Parameters:
  ///   - arguments: The slots of the arguments.
  ///   - frameSize: The size of the frame in bytes.
  package static func words(of arguments: [FrameSlot], frameSize: Int) -> Range<Int> {
    var (first, end) = (frameSize, 0)
    for slot in arguments.dropFirst() {
      switch slot.storage {
      case .nothing: continue
      case .homogeneous: return 0..<frameSize / 8
      case .twoWords:
        first = min(first, Int(slot.offset), Int(slot.second))
        end = max(end, Int(slot.offset) + 8, Int(slot.second) + 8)
      case .signed, .unsigned, .floating, .bytes:
        first = min(first, Int(slot.offset))
        end = max(end, Int(slot.offset) + slot.extent)
      }
    }
    return first < end ? first / 8..<(end + 7) / 8 : 0..<0
  }
}

extension UnsafePointer<FrameSlot> {
  /// The word of a plan that notes a type found to match a slot, so that the type need not be looked up again.
  ///
  /// It is the address of a Swift type; for the slot of a pointer, the address of the pointee type plus 1; or 0.
  ///
  /// The words are in reverse order, so that each is at a constant distance from the slots.
  @inlinable @inline(__always)
  package func knownType(at index: Int) -> UnsafePointer<Atomic<UInt>> {
    unsafe (UnsafeRawPointer(self) - (index + 1) * MemoryLayout<Atomic<UInt>>.stride).assumingMemoryBound(to: Atomic<UInt>.self)
  }
}

// MARK: - Planning

extension CallPlan {
  /// Plans a call according to the platform's C convention.
  ///
  /// - Parameters:
  ///   - types: The types of the call.
  ///   - fixedCount: For a variadic function, the number of fixed arguments.
  ///   - backend: The backend that executes the call.
  package static func make(_ types: MethodTypes, fixedCount: Int?, backend: CallBackend = .automatic) throws(InvocationError) -> CallPlan {
    let layout = try convention.layout(of: types, fixedCount: fixedCount)
    try check(layout, types, fixedCount: fixedCount)
    if backend == .libffi {
      #if arch(x86_64)
        return try CallPlan(libffi: layout, types: types, fixedCount: fixedCount)
      #else
        return try CallPlan(portable: types, isAAPCS64: true, fixedCount: fixedCount)
      #endif
    }
    return try CallPlan(native: layout, types: types, isVariadic: fixedCount != nil)
  }

  /// The C convention of this platform.
  #if arch(x86_64)
    package static let convention = SystemV()
  #elseif arch(arm64) && canImport(Darwin)
    package static let convention = AppleAAPCS64()
  #elseif arch(arm64)
    package static let convention = AAPCS64()
  #else
    #error("the engine supports x86-64 and AArch64")
  #endif

  /// Throws an error for a call that no backend can execute: one with variadic arguments of a type that C promotes, or
  /// with stack arguments that exceed ``largestStack``.
  static func check(_ layout: CallLayout, _ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    if let fixedCount { try checkPromotions(types, fixedCount: fixedCount) }
    try checkStack(layout, types)
  }

  /// Throws an error if the stack arguments exceed ``largestStack``.
  private static func checkStack(_ layout: CallLayout, _ types: MethodTypes) throws(InvocationError) {
    guard layout.stackSize > largestStack else { return }
    let index = layout.arguments.firstIndex { placement in
      placement.pieces.contains { piece in
        if case .stack(let offset) = piece.location { offset + piece.size > largestStack } else { false }
      }
    }
    throw stackTooLarge(index, types)
  }

  /// Returns the error for stack arguments that exceed ``largestStack``.
  static func stackTooLarge(_ index: Int?, _ types: MethodTypes) -> InvocationError {
    InvocationError(
      .limitExceeded, "arguments of more than \(largestStack) bytes on the stack", argument: index.map { .index($0) },
      encoding: index.map { types.arguments[$0].description })
  }

  /// Throws an error if a variadic argument has a type that C promotes: the callee would read a wider type.
  ///
  /// Source: C11, section 6.5.2.2, paragraphs 6 and 7.
  private static func checkPromotions(_ types: MethodTypes, fixedCount: Int) throws(InvocationError) {
    guard fixedCount >= 0, fixedCount <= types.arguments.count else {
      throw InvocationError(
        .outOfRange, "\(fixedCount) fixed arguments of \(types.arguments.count)", encoding: types.text())
    }
    for (index, type) in types.arguments.enumerated().dropFirst(fixedCount) {
      guard case .scalar(let scalar) = type.kind, let promoted = scalar.traits.promoted else { continue }
      throw InvocationError(
        .unsupportedType, "a variadic \(scalar.cName) is passed as \(promoted.cName) (\(TypeEncoding(.scalar(promoted))))",
        argument: .index(index), encoding: type.description)
    }
  }
}

// MARK: - Bits

// The bit sets after a frame: the arguments that the frame owns and must release, and the arguments that are set.
extension CallPlan {
  /// Whether the frame owns the object or memory that an argument refers to.
  ///
  /// The index must be in range.
  @inlinable
  package func isOwned(_ index: Int, in frame: UnsafeRawPointer) -> Bool { unsafe bit(index, at: ownedBitsOffset, in: frame) }

  /// Marks an argument as owned, or as not owned.
  @inlinable
  package func markOwned(_ index: Int, _ isOwned: Bool = true, in frame: UnsafeMutableRawPointer) {
    unsafe mark(index, isOwned, at: ownedBitsOffset, in: frame)
  }

  /// Initializes the bit sets of a new frame: no argument is owned, and no argument from index ``firstCount`` on is
  /// set.
  @usableFromInline
  package func clearBits(in frame: UnsafeMutableRawPointer) {
    unsafe (frame + frameSize).initializeMemory(as: UInt8.self, repeating: 0, count: blockSize - frameSize)
  }

  /// Releases the object or memory of each owned argument.
  @usableFromInline
  package func releaseOwned(in frame: UnsafeRawPointer) {
    for word in 0..<stateWords {
      var bits = unsafe frame.load(fromByteOffset: ownedBitsOffset + 8 * word, as: UInt64.self)
      while bits != 0 {
        unsafe slots[64 * word + bits.trailingZeroBitCount].releaseOwned(of: frame)
        bits &= bits - 1
      }
    }
  }

  /// Whether an argument from index ``firstCount`` on is set.
  ///
  /// The index must be in range.
  package func isSet(_ index: Int, in frame: UnsafeRawPointer) -> Bool { unsafe bit(index, at: setBitsOffset, in: frame) }

  /// Marks an argument from index ``firstCount`` on as set, or as not set.
  package func markSet(_ index: Int, _ isSet: Bool = true, in frame: UnsafeMutableRawPointer) {
    unsafe mark(index, isSet, at: setBitsOffset, in: frame)
  }

  @inlinable
  package func bit(_ index: Int, at offset: Int, in frame: UnsafeRawPointer) -> Bool {
    unsafe frame.load(fromByteOffset: offset + 8 * (index >> 6), as: UInt64.self) >> UInt64(index & 63) & 1 != 0
  }

  @inlinable
  package func mark(_ index: Int, _ isMarked: Bool, at offset: Int, in frame: UnsafeMutableRawPointer) {
    let mask: UInt64 = 1 << UInt64(index & 63)
    let word = unsafe frame + offset + 8 * (index >> 6)
    let bits = unsafe word.load(as: UInt64.self)
    unsafe word.storeBytes(of: isMarked ? bits | mask : bits & ~mask, as: UInt64.self)
  }
}
