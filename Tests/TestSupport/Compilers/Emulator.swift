import Foundation
public import Testing

/// The emulator that runs the tests for another processor, qemu in user mode.
public enum Emulator {
  /// Whether it runs this process.
  public static let isActive: Bool = ProcessInfo.processInfo.environment["QEMU_LD_PREFIX"] != nil

  /// Why a test of a program that cannot be started is left out: the emulator starts in the program's place, and succeeds.
  public static let startsPrograms: Comment = "the emulator starts in place of the program"

  /// Removes the lines that the emulator itself writes to the standard error of a program.
  public static func withoutReports(_ text: String) -> String {
    guard isActive else { return text }
    return text.split(separator: "\n", omittingEmptySubsequences: false).filter { !$0.hasPrefix("qemu: ") }.joined(separator: "\n")
  }
}
