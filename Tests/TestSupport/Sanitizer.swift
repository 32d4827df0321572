import DynamicInvocation

/// A sanitizer that the tests were built with, for what cannot be tested under it.
///
/// The undefined-behaviour sanitizer is none of these: nothing that a test looks at differs under it.
public enum Sanitizer: String, CaseIterable, Sendable {
  /// Memory is not used after its end, nor beyond it, and none is lost.
  case address
  /// No two threads use the same memory unordered.
  case thread

  /// The sanitizer of this process, or nil.
  ///
  /// Asked of the process, since Swift has no compile-time condition for it.
  public static let current: Sanitizer? = allCases.first { (try? DynamicLibrary.process.symbol($0.entry)) != nil }

  /// Whether what is freed is given back, so that the memory a process takes says what it has in use.
  ///
  /// A sanitizer keeps freed memory for a while, and memory of its own for all that is allocated.
  public static var givesMemoryBack: Bool { current == nil }

  /// What its runtime library begins with.
  private var entry: String {
    switch self {
    case .address: "__asan_init"
    case .thread: "__tsan_init"
    }
  }
}
