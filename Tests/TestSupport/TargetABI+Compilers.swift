package import TypeEncodings

extension TargetABI {
  /// The target as clang names it; nothing of its system is needed to lay out types.
  package var triple: String {
    switch self {
    case .x86_64: "x86_64-linux-gnu"
    case .aarch64: "aarch64-linux-gnu"
    case .appleX86_64: "x86_64-apple-macosx15.0"
    case .appleAArch64: "arm64-apple-macosx15.0"
    }
  }

  /// The gcc that compiles for the target, if Debian has one.
  package var gcc: String? {
    switch self {
    case .x86_64: "x86_64-linux-gnu-gcc"
    case .aarch64: "aarch64-linux-gnu-gcc"
    case .appleX86_64, .appleAArch64: nil
    }
  }
}
