import DynamicInvocation

/// A sanitizer that the tests were built with, for tests that cannot run with it.
///
/// The undefined-behavior sanitizer is not included: it does not change anything that a test observes.
public enum Sanitizer: String, CaseIterable, Sendable {
  /// AddressSanitizer: detects uses of memory after its deallocation or out of its bounds, and leaks.
  case address
  /// ThreadSanitizer: detects unsynchronized accesses of two threads to the same memory.
  case thread

  /// The sanitizer of this process, or nil.
  ///
  /// It is determined at run time, because Swift has no compile-time condition for it.
  public static let current: Sanitizer? = allCases.first { (try? DynamicLibrary.process.symbol($0.entry)) != nil }

  /// Whether freed memory is returned to the system, so that the memory of the process corresponds to the memory in
  /// use.
  ///
  /// A sanitizer retains freed memory for a while, and needs additional memory for each allocation.
  public static var givesMemoryBack: Bool { current == nil }

  /// The name of a symbol of its runtime library.
  private var entry: String {
    switch self {
    case .address: "__asan_init"
    case .thread: "__tsan_init"
    }
  }
}
