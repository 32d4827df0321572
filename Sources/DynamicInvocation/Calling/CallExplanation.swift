/// How the values of a call are passed: sizes, offsets, registers and stack words, and the backend that carries the
/// call out.
///
/// When a convention or the host refuses one value, the layout of all values and the places of those before it are
/// still explained.
///
/// - Complexity: Making one costs O(parts of the types), and planning the call once.
public struct CallExplanation: Sendable {
  /// The types.
  public let types: MethodTypes

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public let fixedArgumentCount: Int?

  /// The rules that the places follow.
  public let abi: ABI

  /// The result.
  public let result: Value

  /// The arguments, in order.
  public let arguments: [Value]

  /// The bytes of stack that the arguments take in ``abi``, or nil when it refuses the signature.
  public let stackSize: Int?

  /// The bytes of a frame, or nil when the signature is refused.
  ///
  /// It is that of this host, or, when ``abi`` is the convention of another processor, that of its native kernel.
  public let frameLength: Int?

  /// The native kernel that carries the call out on this host, or `libffi`, or nil when it refuses the signature.
  ///
  /// When ``abi`` is the convention of another processor, it is the kernel that carries the call out there.
  public let backend: String?

  /// The former name of ``backend``.
  @available(*, deprecated, renamed: "backend")
  public var lane: String? { backend }

  /// Why that backend was chosen, or why there is none.
  public let reason: String

  /// Why the signature is refused, or nil when a call is possible.
  public let refusal: InvocationError?

  /// Explains a call.
  ///
  /// - Parameters:
  ///   - types: The types.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis.
  ///   - abi: The rules to explain; by default the C convention of this host.
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
      case .sysv: Places(types, SystemV(), RegisterNames.systemV)
      case .aapcs64: Places(types, AAPCS64(), RegisterNames.aapcs64)
      case .libffi: Places(loweringOf: types, fixedCount: fixedArgumentCount)
      }
    result = Value(types.result, index: nil, places.result)
    arguments = types.arguments.enumerated().map { Value($0.element, index: $0.offset, places.arguments[$0.offset]) }
    stackSize = places.stackSize
  }
}

extension CallExplanation {
  /// A set of rules that values travel by.
  public enum ABI: String, Sendable, CaseIterable {
    /// The C convention of x86-64 Linux and macOS.
    case sysv
    /// The C convention of 64-bit Arm.
    case aapcs64
    /// What libffi is told of each value on this host.
    case libffi

    /// The C convention of this host.
    public static var host: ABI { CallPlan.convention.name == AAPCS64().name ? .aapcs64 : .sysv }
  }
}
