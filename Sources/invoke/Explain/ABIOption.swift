import CallExplanations

#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// The calling convention to explain, as a command-line option.
  enum ABIOption: String, ExpressibleByArgument, CaseIterable {
    case sysv, aapcs64, apple, libffi
    /// Refused, with the reason.
    case swift

    static var allValueStrings: [String] { allCases.filter { $0.abi != nil }.map(\.rawValue) }

    /// The rules to explain, or nil if a type encoding does not state what they depend on.
    var abi: CallExplanation.ABI? {
      switch self {
      case .sysv: .sysv
      case .aapcs64: .aapcs64
      case .apple: .apple
      case .libffi: .libffi
      case .swift: nil
      }
    }
  }
#endif
