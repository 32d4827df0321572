internal import CFFIShim

/// What is worked out once for a signature, so that a call only moves bytes: the slots of a frame, its size, and the lane that calls.
///
/// A frame is one block of memory: the result first, then what the lane lays out for the arguments.
@usableFromInline
@safe
final class CallPlan: @unchecked Sendable {
  // Sendable by hand: the slots are written once, in the initializer.

  /// The slot of each argument, and behind them that of the result.
  @usableFromInline let slots: UnsafePointer<Slot>
  /// The number of arguments.
  @usableFromInline let count: Int
  /// The state of a frame's first arguments when all of them are set, as in ``Invocation/firstSet``.
  @usableFromInline let firstBits: UInt64
  /// The same when a call then needs nothing but to be made: the arguments are few, and the result is no object to be counted.
  ///
  /// Otherwise 0, the state of no frame.
  @usableFromInline let readyBits: UInt64
  /// The offset in a frame of a message's target; of a plain function negative, the offset of a word of the state before the frame that is
  /// never 0.
  @usableFromInline let targetOffset: Int
  /// The words of a frame that a copy for another target needs: those of the arguments after the target, or all.
  let argumentWords: Range<Int>
  /// The bytes of a frame, a multiple of 16.
  @usableFromInline let frameSize: Int
  /// The bytes of a frame, and behind it of the bits that tell which arguments it owns and which far ones are set.
  @usableFromInline let blockSize: Int
  /// The alignment of a frame: that of words, or more when it holds the memory of a result that wants more.
  @usableFromInline let frameAlignment: Int
  /// The offset of the word that tells the callee where to put a result in memory, or -1.
  @usableFromInline let resultAddressOffset: Int
  /// The code that calls.
  @usableFromInline let kernel: Kernel
  /// What the kernel is given besides the frame and the implementation.
  @usableFromInline let context: UnsafeRawPointer?
  /// The frame of an incoming call; nil unless the lane is the native one, the only one that calls come in by.
  let incoming: IncomingImage?
  /// Whether some argument is a number of less than a word.
  let hasNarrowArguments: Bool
  /// The lane that the kernel belongs to, and what it keeps alive.
  let backend: Backend
  /// What the context points into.
  private let contextOwner: (any AnyObject & Sendable)?

  /// A function that calls an implementation with the arguments in a frame, as the C type `cffi_kernel`.
  @usableFromInline
  typealias Kernel = @convention(c) @Sendable (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void

  /// The lane of a plan.
  enum Backend: Sendable {
    /// A native kernel.
    case native(NativeKernel, CallLayout)
    /// A call prepared by libffi.
    case libffi(LibFFILane)
    /// One after the other.
    case shadow(ShadowLane)
  }

  init(
    arguments: [Slot], result: Slot, frameSize: Int, frameAlignment: Int = 16, resultAddressOffset: Int = -1, kernel: @escaping Kernel,
    context: UnsafeRawPointer?, backend: Backend, incoming: IncomingImage? = nil, keeping contextOwner: (any AnyObject & Sendable)? = nil
  ) {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: arguments.count + 1)
    unsafe slots.initialize(from: arguments, count: arguments.count)
    unsafe (slots + arguments.count).initialize(to: result)
    unsafe self.slots = UnsafePointer(slots)
    count = arguments.count
    firstBits = Self.noneSet | (1 << UInt64(min(arguments.count, Self.firstCount))) - 1
    readyBits = arguments.count <= Self.firstCount && result.kind != .object ? firstBits : 0
    let isMethod = arguments.count >= 2 && arguments[1].kind == .selector && [.object, .classObject].contains(arguments[0].kind)
    targetOffset = isMethod ? Int(arguments[0].offset) : -FrameCore.State.size
    if isMethod, case .native = backend {
      argumentWords = Self.words(of: arguments, frameSize: frameSize)
    } else {
      argumentWords = 0..<frameSize / 8
    }
    self.frameSize = frameSize
    self.frameAlignment = frameAlignment
    self.resultAddressOffset = resultAddressOffset
    unsafe self.kernel = kernel
    unsafe self.context = context
    self.incoming = incoming
    hasNarrowArguments = arguments.contains { $0.size < 8 && [.signed, .unsigned, .floating].contains($0.storage) }
    self.backend = backend
    self.contextOwner = contextOwner
    let stateWords = Self.stateWords(count)
    blockSize = frameSize + (count <= Self.firstCount ? 8 : 16) * stateWords
  }

  deinit {
    unsafe slots.deallocate()
  }

  /// Whether the call is a message, with a target and a selector.
  @inlinable var isMethod: Bool { targetOffset >= 0 }

  /// The slot of the result.
  @inlinable var result: Slot { unsafe slots[count] }

  /// The 64-bit words of a set that has a bit for each argument; never none, so that the first word can always be read.
  @usableFromInline var stateWords: Int { Self.stateWords(count) }

  private static func stateWords(_ count: Int) -> Int { max(1, (count + 63) / 64) }

  /// The offset after the frame of the bits that tell which arguments the frame must release.
  @usableFromInline var ownedBitsOffset: Int { frameSize }

  /// The offset of the bits that tell which arguments from the ``firstCount``th on are set.
  var setBitsOffset: Int { frameSize + 8 * stateWords }

  /// Writes into a new frame what the call needs besides the arguments.
  @inlinable @inline(__always)
  func prepare(_ frame: UnsafeMutableRawPointer) {
    guard resultAddressOffset >= 0 else { return }
    unsafe frame.storeBytes(of: UInt(bitPattern: frame + Int(result.offset)), toByteOffset: resultAddressOffset, as: UInt.self)
  }

  /// Calls an implementation with a prepared frame whose arguments are all set; the result is left in the frame.
  @inlinable @inline(__always)
  func call(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) {
    unsafe kernel(frame, implementation, context)
  }

  /// Calls as ``call(_:frame:)`` does and returns the callee's `errno`, cleared before the call.
  @usableFromInline
  func callCapturingErrno(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) -> CInt {
    var code: CInt = 0
    unsafe cffi_call_capturing_errno(kernel, frame, implementation, context, &code)
    return code
  }
}

extension CallPlan {
  /// The number of arguments whose bits an invocation keeps in one word: all bits but one, which is always set.
  @usableFromInline static let firstCount = 63

  /// The state of the first arguments when none is set; a word of zeros is the state of no frame.
  @usableFromInline static let noneSet: UInt64 = 1 << 63

  /// The bytes of most frames: a size known at compile time makes room on the stack without a call of the runtime.
  @inlinable static var smallFrame: Int { 512 }

  /// Whether a frame has room in ``smallFrame`` bytes, aligned to 16.
  @inlinable @inline(__always)
  var hasSmallFrame: Bool { frameSize <= CallPlan.smallFrame && frameAlignment <= 16 }

  /// The most bytes a frame may have.
  static let largestFrame = 1 << 28

  /// The most bytes that a call may put on the stack.
  ///
  /// libffi copies a large struct twice, and a thread may have a stack of few megabytes.
  static let largestStack = 1 << 20
}

/// The way a call is carried out.
public enum CallLane: String, Sendable, CaseIterable {
  /// A native kernel where the platform has one for the signature, else libffi.
  case automatic
  /// A native kernel: a few instructions that load the register image and call.
  case native
  /// libffi, on any platform that it supports.
  case libffi
  /// A native kernel, then libffi with the same arguments: a test of the engine itself.
  ///
  /// The implementation is called twice, so it should be one that may be. The native result stands; the process traps when the other differs from it.
  /// Padding, pointers, objects and unions are not compared. Types that one of the lanes cannot pass are refused.
  case shadow
}

/// What a signature's plan says of its frames and its call, for a module of this package that builds frames of its own.
///
/// It holds only while something keeps the signature.
@safe
package struct PreparedCall {
  /// The slot of each argument, and behind them that of the result.
  package let slots: UnsafePointer<Slot>
  /// The number of arguments.
  package let count: Int
  /// The bytes of a frame.
  package let frameSize: Int
  /// The alignment of a frame.
  package let frameAlignment: Int
  /// The offset of the word that tells the callee where to put a result in memory, or -1.
  package let resultAddressOffset: Int
  /// The code that calls an implementation with the arguments in a frame.
  package let kernel: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void
  /// What the kernel is given besides the frame and the implementation.
  package let context: UnsafeRawPointer?

  /// Copies what the plan of a signature says.
  package init(_ methodSignature: MethodSignature) {
    let plan = methodSignature.storage.plan
    unsafe slots = plan.slots
    count = plan.count
    frameSize = plan.frameSize
    frameAlignment = plan.frameAlignment
    resultAddressOffset = plan.resultAddressOffset
    unsafe kernel = plan.kernel
    unsafe context = plan.context
  }

  /// The slot of the result.
  package var result: Slot { unsafe slots[count] }
}

extension CallPlan {
  /// The words of a frame that hold the arguments of a method after its target; of anything but a method on the native lane, all words.
  ///
  /// - Parameters:
  ///   - arguments: The slots of the arguments.
  ///   - frameSize: The bytes of the frame.
  static func words(of arguments: [Slot], frameSize: Int) -> Range<Int> {
    var (first, end) = (frameSize, 0)
    for slot in arguments.dropFirst() {
      switch slot.storage {
      case .nothing: continue
      case .scattered: return 0..<frameSize / 8
      case .split:
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
