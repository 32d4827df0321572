/// Who answered a call that was dispatched, and what went wrong.
@safe
public struct DispatchOutcome {
  /// An implementer that threw an error.
  public struct Failure {
    /// The number of the implementer.
    public let number: Int
    /// The error: what the implementer threw, or an ``InvocationError`` for one whose method has other types than the
    /// protocol's.
    public let error: any Error
  }

  /// How many implementers returned.
  ///
  /// 0 for an optional method that nobody responds to: the result is then zero, and says nothing.
  public internal(set) var responderCount: Int = 0

  /// The implementers that threw, in the order in which they were called.
  public internal(set) var failures: [Failure] = []

  /// The results, in the order of ``responders``, if the policy is ``ReturnPolicy/all`` and the method has a result;
  /// else none.
  public internal(set) var results: [BoxedValue] = []

  /// What the callee left in `errno`, if it is captured.
  var capturedErrno: CInt = 0

  /// An object result, retained for whoever takes the outcome.
  var ownedResult: Unmanaged<AnyObject>?

  /// A bit for each of the first 64 responders of the entry: whether it returned.
  private var first: UInt64 = 0
  /// The numbers of those after them.
  private var others: [Int] = []
  private let entry: MethodDispatchEntry

  init(_ entry: MethodDispatchEntry) { self.entry = entry }

  /// The numbers of the implementers that returned, in the order in which they were called.
  ///
  /// - Complexity: O(*n*); allocates the array.
  public var responders: [Int] {
    (0..<min(64, entry.count)).filter { first >> UInt64($0) & 1 != 0 }.map { entry.number(at: $0) } + others
  }

  /// Whether nobody responded, and nobody tried to.
  var isEmpty: Bool { responderCount == 0 && failures.isEmpty }

  /// Notes that a responder returned.
  mutating func note(_ index: Int) {
    responderCount += 1
    if index < 64 { first |= 1 << UInt64(index) } else { others.append(entry.number(at: index)) }
  }
}
