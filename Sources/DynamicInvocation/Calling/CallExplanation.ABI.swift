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
