/// A platform whose records the model lays out.
///
/// It has the names of the engine's `TargetABI`, and none of its rules.
public enum LayoutTarget: String, Sendable, CaseIterable {
  case x86_64, aarch64, appleX86_64, appleAArch64

  /// The platform of this program.
  public static var host: LayoutTarget {
    #if arch(arm64) && canImport(Darwin)
      .appleAArch64
    #elseif arch(arm64)
      .aarch64
    #elseif canImport(Darwin)
      .appleX86_64
    #else
      .x86_64
    #endif
  }
}
