#if Tools
  import ArgumentParser
  import Foundation

  /// When colors are printed, as a command-line option.
  enum ColorOption: String, ExpressibleByArgument, CaseIterable {
    case always, never, auto

    /// Whether standard output gets colors.
    ///
    /// `auto` is a terminal, unless the variable `NO_COLOR` is set and not empty or `TERM` is `dumb`.
    var isOn: Bool {
      switch self {
      case .always: return true
      case .never: return false
      case .auto:
        let environment = ProcessInfo.processInfo.environment
        guard environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else { return false }
        return FileOutput.standardOutput.isTerminal
      }
    }
  }
#endif
