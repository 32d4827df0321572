/// The outcome of a dispatched call: the implementers that returned, and the errors of those that threw.
@safe
public struct DispatchOutcome {
  /// An implementer that threw an error.
  public struct Failure {
    /// The number of the implementer.
    public let number: Int
    /// The error that the implementer threw, or an `InvocationError` if its method has other types than the
    /// protocol's.
    public let error: any Error
  }

  /// The number of implementers that returned.
  ///
  /// It is 0 for an optional method to which no implementer responds. The result is then zero and has no meaning.
  public internal(set) var responderCount: Int = 0

  /// The implementers that threw, in the order in which they were called.
  public internal(set) var failures: [Failure] = []

  /// The results, in the order of ``responders``, if the policy is ``ReturnPolicy/all`` and the method has a result;
  /// otherwise empty.
  public internal(set) var results: [BoxedValue] = []

  /// The value of `errno` after the last call, if it is captured.
  var capturedErrno: CInt = 0

  /// An object result, retained for the caller that receives the outcome.
  var ownedResult: Unmanaged<AnyObject>?

  /// A bit for each of the first 64 responders of the entry, set if it returned.
  private var first: UInt64 = 0
  /// The numbers of the responders after the first 64 that returned.
  private var others: [Int] = []
  private let entry: MethodDispatchEntry

  init(_ entry: MethodDispatchEntry) { self.entry = entry }

  /// The numbers of the implementers that returned, in the order in which they were called.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var responders: [Int] {
    (0..<min(64, entry.count)).filter { first >> UInt64($0) & 1 != 0 }.map { entry.number(at: $0) } + others
  }

  /// Whether no implementer returned or threw.
  var isEmpty: Bool { responderCount == 0 && failures.isEmpty }

  /// Records that a responder returned.
  mutating func note(_ index: Int) {
    responderCount += 1
    if index < 64 { first |= 1 << UInt64(index) } else { others.append(entry.number(at: index)) }
  }
}
