#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// The dialect as a command-line option.
  enum DialectOption: String, ExpressibleByArgument, CaseIterable {
    case next, gnu

    var dialect: TypeEncoding.Dialect {
      switch self {
      case .next: .next
      case .gnu: .gnu
      }
    }
  }
#endif
