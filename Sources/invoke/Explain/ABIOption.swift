#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// What to tell the places of, as an option of the command line.
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
