import DynamicInvocation
import TestSupport

/// A calling convention, and the target of clang that implements it.
enum ProvenABI: String, CaseIterable, Sendable {
  case sysv, aapcs64, apple

  /// The target for clang.
  var target: String {
    switch self {
    case .sysv: "x86_64-unknown-linux-gnu"
    case .aapcs64: "aarch64-unknown-linux-gnu"
    case .apple: "arm64-apple-macosx"
    }
  }

  /// The engine's convention.
  var convention: any CallingConvention {
    switch self {
    case .sysv: SystemV()
    case .aapcs64: AAPCS64()
    case .apple: AppleAAPCS64()
    }
  }

  /// The number of general-purpose argument registers.
  var generalRegisters: Int { self == .sysv ? 6 : 8 }

  /// The number of vector argument registers.
  var vectorRegisters: Int { 8 }

  /// The structs.
  var records: EnumeratedRecords { EnumeratedRecords(self == .apple ? EnumeratedRecords.scalarsOfApple : EnumeratedRecords.scalars) }

  /// All states of the argument registers before a value, and those with one word on the stack, which shows how a value
  /// is aligned there.
  var states: [RegisterState] {
    (0...generalRegisters + 1).flatMap { general in (0...vectorRegisters).map { RegisterState(general: general, vector: $0) } }
  }
}

/// The numbers of integers and of floating-point numbers before a value, each in a register as long as there is one.
struct RegisterState: Sendable, Hashable {
  var general: Int
  var vector: Int
}

/// A function with one struct, as an argument or as the result.
///
/// Before it are as many `long` and `double` arguments as the state says, after it an `int` and a `double`, which show
/// which registers are left.
struct ProvenFunction: Sendable, Hashable {
  enum Role: String, Sendable, CaseIterable { case argument, result }

  var role: Role
  var state: RegisterState
}
