#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// The calling convention to explain, as a command-line option.
  enum ABIOption: String, ExpressibleByArgument, CaseIterable {
    case sysv, aapcs64, libffi

    var abi: CallExplanation.ABI {
      switch self {
      case .sysv: .sysv
      case .aapcs64: .aapcs64
      case .libffi: .libffi
      }
    }
  }
#endif
