internal import CFFIShim

/// What is computed once per signature, so that a call only moves bytes: the slots and the size of a frame, and the
/// backend of the call.
///
/// A frame is one block of memory: the result first, then the arguments as the backend lays them out.
@usableFromInline
@safe
final class CallPlan: @unchecked Sendable {
  // Sendable by hand: the slots are written once, in the initializer.

  /// The slots of the arguments, followed by the slot of the result.
  @usableFromInline let slots: UnsafePointer<Slot>
  /// The number of arguments.
  @usableFromInline let count: Int
  /// The value of ``FrameCore/State/setMask`` when all of the first arguments are set.
  @usableFromInline let allSetMask: UInt64
  /// The same when a call with all arguments set needs no other check: it has at most ``firstCount`` arguments, and its
  /// result is no object.
  ///
  /// Otherwise 0, which the mask of a frame never is.
  @usableFromInline let fastPathMask: UInt64
  /// The offset of a message's target in a frame; for a function negative, the offset of a word before the frame that is never 0.
  @usableFromInline let targetOffset: Int
  /// The words of a frame to copy for another target: those of the arguments after the target, or the whole frame.
  let argumentWords: Range<Int>
  /// The size of a frame in bytes, a multiple of 16.
  @usableFromInline let frameSize: Int
  /// The size in bytes of a frame and of the bit sets after it: the arguments that it owns, and the set ones from the
  /// ``firstCount``th on.
  @usableFromInline let blockSize: Int
  /// The alignment of a frame: 8, or that of a result in memory when it is larger.
  @usableFromInline let frameAlignment: Int
  /// The offset of the word that passes the address of a result in memory, or -1.
  @usableFromInline let resultAddressOffset: Int
  /// The function that calls.
  @usableFromInline let kernel: Kernel
  /// The third argument of the kernel.
  @usableFromInline let context: UnsafeRawPointer?
  /// The frame of an incoming call; nil for other backends than the native one, which have no closure entries.
  let incoming: IncomingFrameLayout?
  /// Whether some argument is a number narrower than eight bytes.
  let hasNarrowArguments: Bool
  /// The backend that the kernel belongs to, with what the kernel needs.
  let backend: Backend
  /// The owner of the memory at ``context``.
  private let contextOwner: (any AnyObject & Sendable)?

  /// A function that calls an implementation with the arguments in a frame, as the C type `cffi_kernel`.
  @usableFromInline
  typealias Kernel = @convention(c) @Sendable (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void

  /// The backend of a plan.
  enum Backend: Sendable {
    /// A native kernel.
    case native(NativeKernel, CallLayout)
    /// A call prepared by libffi.
    case libffi(LibFFIBackend)
    /// The native kernel, then libffi.
    case shadow(ShadowBackend)
  }

  init(
    arguments: [Slot], result: Slot, frameSize: Int, frameAlignment: Int = 16, resultAddressOffset: Int = -1, kernel: @escaping Kernel,
    context: UnsafeRawPointer?, backend: Backend, incoming: IncomingFrameLayout? = nil,
    keeping contextOwner: (any AnyObject & Sendable)? = nil
  ) {
    let slots = UnsafeMutablePointer<Slot>.allocate(capacity: arguments.count + 1)
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

  /// The number of 64-bit words of a bit set with a bit for each argument; at least 1, so that the first word can
  /// always be read.
  @usableFromInline var stateWords: Int { Self.stateWords(count) }

  private static func stateWords(_ count: Int) -> Int { max(1, (count + 63) / 64) }

  /// The offset of the bit set of the arguments that the frame owns, and must release.
  @usableFromInline var ownedBitsOffset: Int { frameSize }

  /// The offset of the bit set of the arguments from the ``firstCount``th on that are set.
  var setBitsOffset: Int { frameSize + 8 * stateWords }

  /// Writes the address of a result in memory to a new frame.
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
  /// The number of arguments whose set bits are in one word; its last bit is always set.
  @usableFromInline static let firstCount = 63

  /// The mask when no argument is set; it is never 0.
  @usableFromInline static let noneSet: UInt64 = 1 << 63

  /// The size of most frames: stack memory of a size known at compile time needs no call of the runtime.
  @inlinable static var smallFrame: Int { 512 }

  /// Whether a frame fits ``smallFrame`` bytes, aligned to 16.
  @inlinable @inline(__always)
  var hasSmallFrame: Bool { frameSize <= CallPlan.smallFrame && frameAlignment <= 16 }

  /// The most bytes a frame may have.
  static let largestFrame = 1 << 28

  /// The most bytes that a call may put on the stack.
  ///
  /// libffi copies a large struct twice, and a thread may have a stack of few megabytes.
  static let largestStack = 1 << 20
}

/// What carries a call out.
public enum CallBackend: String, Sendable, CaseIterable {
  /// A native kernel where the platform has one for the signature, else libffi.
  case automatic
  /// A native kernel: a few instructions that load the register image and call.
  case native
  /// libffi, on any platform that it supports.
  case libffi
  /// A native kernel, then libffi with the same arguments: a test of the engine itself.
  ///
  /// The implementation is called twice, so it must allow that. The native result is returned; the process traps when
  /// the other one differs. Padding, pointers, objects and unions are not compared. Types that one of the backends
  /// cannot pass are refused.
  case shadow
}

/// The former name of ``CallBackend``.
@available(*, deprecated, renamed: "CallBackend")
public typealias CallLane = CallBackend

/// The parts of a plan that another module of this package needs to build frames and call.
///
/// It is valid as long as the signature is kept alive.
@safe
package struct CallPlanView {
  /// The slots of the arguments, followed by the slot of the result.
  package let slots: UnsafePointer<Slot>
  /// The number of arguments.
  package let count: Int
  /// The size of a frame in bytes.
  package let frameSize: Int
  /// The alignment of a frame.
  package let frameAlignment: Int
  /// The offset of the word that passes the address of a result in memory, or -1.
  package let resultAddressOffset: Int
  /// The function that calls an implementation with the arguments in a frame.
  package let kernel: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void
  /// The third argument of the kernel.
  package let context: UnsafeRawPointer?

  /// Creates a view of the plan of a signature.
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
  /// The words of a native frame that hold the arguments of a method after its target.
  ///
  /// - Parameters:
  ///   - arguments: The slots of the arguments.
  ///   - frameSize: The bytes of the frame.
  static func words(of arguments: [Slot], frameSize: Int) -> Range<Int> {
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
