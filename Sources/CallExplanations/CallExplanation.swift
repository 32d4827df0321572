public import CallFrames

/// A description of how the values of a call are passed: sizes, offsets, registers and stack words, and the backend
/// that executes the call.
///
/// If a convention or the host rejects a value, the explanation still contains the layout of all values and the
/// locations of the values before it.
///
/// - Complexity: Creating an explanation takes O(*n*), where *n* is the number of parts of the types, and plans the
///   call once.
public struct CallExplanation: Sendable {
  /// The types.
  public let types: MethodTypes

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public let fixedArgumentCount: Int?

  /// The rules that determine the locations.
  public let abi: ABI

  /// The result.
  public let result: Value

  /// The arguments, in order.
  public let arguments: [Value]

  /// The number of bytes that the arguments occupy on the stack in ``abi``, or nil if it rejects the signature.
  public let stackSize: Int?

  /// The size of a frame in bytes, or nil if the signature is rejected.
  ///
  /// The frame is that of this host. If ``abi`` is the convention of another processor, it is the frame of the native
  /// kernel of that processor.
  public let frameLength: Int?

  /// The native kernel that executes the call on this host, or `libffi`, or nil if the signature is rejected.
  ///
  /// If ``abi`` is the convention of another processor, it is the kernel that executes the call on that processor.
  public let backend: String?

  /// The reason why the backend was chosen, or why the signature is rejected.
  public let reason: String

  /// The error that rejects the signature, or nil if a call is possible.
  public let refusal: InvocationError?

  /// Creates the explanation of a call.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis.
  ///   - abi: The rules to explain. The default is the C convention of this host.
  public init(_ types: MethodTypes, fixedArgumentCount: Int? = nil, abi: ABI = .host) {
    self.types = types
    self.fixedArgumentCount = fixedArgumentCount
    self.abi = abi
    do throws(InvocationError) {
      let description = try BackendDescription(types, fixedCount: fixedArgumentCount, abi: abi)
      frameLength = description.frameLength
      backend = description.name
      reason = description.reason
      refusal = nil
    } catch {
      frameLength = nil
      backend = nil
      reason = error.description
      refusal = error
    }
    let places: Places =
      switch abi {
      case .sysv: Places(types, fixedCount: fixedArgumentCount, SystemV(), RegisterNames.systemV)
      case .aapcs64: Places(types, fixedCount: fixedArgumentCount, ABI.arm, RegisterNames.aapcs64)
      case .apple: Places(types, fixedCount: fixedArgumentCount, ABI.appleArm, RegisterNames.aapcs64)
      case .libffi: Places(loweringOf: types, fixedCount: fixedArgumentCount)
      }
    result = Value(types.result, index: nil, places.result)
    arguments = types.arguments.enumerated().map { Value($0.element, index: $0.offset, places.arguments[$0.offset]) }
    stackSize = places.stackSize
  }
}

extension CallExplanation {
  /// A set of rules for passing values.
  public enum ABI: String, Sendable, CaseIterable {
    /// The C convention of x86-64 Linux and macOS.
    case sysv
    /// The C convention of 64-bit Arm; on Apple's platforms, their variant of it.
    case aapcs64
    /// The variant of ``aapcs64`` of Apple's platforms, on any host.
    ///
    /// A `long double` has another size there, and is rejected on other hosts.
    case apple
    /// The types that are passed to libffi for each value on this host.
    case libffi

    /// The C convention of this host.
    public static var host: ABI {
      #if arch(arm64)
        .aapcs64
      #else
        .sysv
      #endif
    }

    /// The convention that ``aapcs64`` explains on this host.
    fileprivate static var arm: any CallingConvention {
      #if arch(arm64)
        CallPlan.convention
      #else
        AAPCS64()
      #endif
    }

    static var isAppleArm: Bool {
      #if arch(arm64) && canImport(Darwin)
        true
      #else
        false
      #endif
    }

    fileprivate static var appleArm: any CallingConvention { isAppleArm ? AppleAAPCS64() : AppleElsewhere() }
  }
}
