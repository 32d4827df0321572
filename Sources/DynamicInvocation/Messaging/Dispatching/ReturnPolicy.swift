/// How the results of several implementers are combined into the result of one call.
///
/// - `Value`: The type of the results, ``BoxedValue`` for a ``ProtocolDispatcher``.
public enum ReturnPolicy<Value> {
  /// All implementers are called. The last one that returned gives the result.
  case last
  /// Only the first implementer that responds is called.
  case first
  /// Implementers are called in order until one returns a value other than nil. The result is that value, or nil if
  /// there is none.
  case firstNonNil
  /// Implementers are called in order until one returns true, which is the result. Otherwise the result is false.
  case anyTrue
  /// Implementers are called in order until one returns false, which is the result. Otherwise the result is true.
  case allTrue
  /// Implementers are called in order as long as the closure returns `next`. The result is the closure's last value.
  ///
  /// The closure receives its previous value, initially nil, and the next result.
  case reduce(@Sendable (_ soFar: Value?, _ next: Value) throws -> Reduction)

  /// The value that a closure of ``reduce(_:)`` returns for a result.
  public enum Reduction {
    /// The value so far; the next implementer is called.
    case next(Value)
    /// The final value; no other implementer is called.
    case end(Value)
  }
}

extension ReturnPolicy.Reduction: Sendable where Value: Sendable {}
extension ReturnPolicy: Sendable {}

extension ReturnPolicy: CustomStringConvertible {
  /// The name of the policy: `last`, `allTrue`.
  public var description: String {
    switch self {
    case .last: "last"
    case .first: "first"
    case .firstNonNil: "firstNonNil"
    case .anyTrue: "anyTrue"
    case .allTrue: "allTrue"
    case .reduce: "reduce"
    }
  }
}

extension ReturnPolicy {
  /// Returns whether the policy can be used for a method of these types.
  func fits(_ types: MethodSignature) -> Bool {
    let kind = types.storage.plan.result.kind
    return switch self {
    case .last, .first: true
    case .firstNonNil: kind.hasNull
    case .anyTrue, .allTrue: kind.isTruthValue
    case .reduce: kind != .void && kind != .unknown
    }
  }
}

extension ValueKind {
  /// Whether a value is a truth value: a bool, or a char, which represents a bool in older encodings.
  fileprivate var isTruthValue: Bool {
    [ValueKind(.bool), ValueKind(.int8), ValueKind(.uint8)].contains(self)
  }
}

/// Reduces the results of the implementers to one result, by a policy.
@safe
struct ResultReducer {
  /// An error of the reduction itself.
  ///
  /// Unlike an error of an implementer, it ends the call.
  struct Failure: Error {
    let error: any Error
  }

  private let entry: MethodDispatchEntry
  private let frame: DispatchFrame
  private let slot: FrameSlot
  /// Memory for the currently selected result.
  private let kept: UnsafeMutableRawPointer
  private var isKept = false
  /// The object of the selected result, retained.
  private var object: Unmanaged<AnyObject>?
  /// The value that a reduction has so far.
  private var soFar: BoxedValue?

  init(_ entry: MethodDispatchEntry, _ frame: DispatchFrame, kept: UnsafeMutableRawPointer) {
    self.entry = entry
    self.frame = frame
    slot = frame.result
    unsafe self.kept = unsafe kept
  }

  private var returnType: TypeEncoding { entry.method.methodSignature.returnType }

  /// Processes the result in the frame.
  ///
  /// - Parameter isRetained: Whether the caller must release an object result.
  /// - Returns: Whether to call the next implementer.
  /// - Throws: ``Failure`` if the closure of a reduction throws.
  mutating func take(isRetained: Bool) throws -> Bool {
    let fresh = unsafe slot.kind == .object ? UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame.memory))) : nil
    let owned = unsafe fresh.map { address in
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(address)
      return unsafe isRetained ? object : object.retain()
    }
    guard case .reduce(let combine) = entry.policy else {
      unsafe keep(owned)
      return switch entry.policy {
      case .last, .reduce: true
      case .first: false
      case .firstNonNil: unsafe slot.word(of: frame.memory) == 0
      case .anyTrue: !isTrue
      case .allTrue: isTrue
      }
    }
    defer { unsafe owned?.release() }
    do {
      switch try combine(soFar, frame.boxedResult(as: returnType)) {
      case .next(let value):
        soFar = value
        return true
      case .end(let value):
        soFar = value
        return false
      }
    } catch {
      throw Failure(error: error)
    }
  }

  /// Writes the selected result to the frame.
  ///
  /// An object is passed to the caller in the outcome, retained.
  ///
  /// - Throws: ``Failure`` if the value of a reduction cannot be converted to the method's return type.
  mutating func finish(_ outcome: inout DispatchOutcome) throws {
    if let soFar {
      do {
        let converted = try soFar.converted(toResult: returnType, [])
        guard unsafe converted.store(in: slot, of: frame.memory, keeping: true) else { return }
        unsafe outcome.ownedResult = UnsafeRawPointer(bitPattern: UInt(slot.word(of: frame.memory))).map { unsafe .fromOpaque($0) }
      } catch {
        throw Failure(error: error)
      }
    } else if isKept {
      unsafe slot.write(from: kept, to: frame.memory)
      unsafe outcome.ownedResult = unsafe object
    } else {
      frame.clearResult()
    }
  }

  /// Discards the selected result.
  func abandon() {
    frame.clearResult()
    unsafe object?.release()
  }

  private var isTrue: Bool { unsafe slot.withValue(in: frame.memory) { unsafe $0.load(as: UInt8.self) } != 0 }

  private mutating func keep(_ owned: Unmanaged<AnyObject>?) {
    let former = unsafe object
    if slot.storage != .nothing { unsafe slot.read(from: frame.memory, to: kept) }
    isKept = true
    unsafe object = unsafe owned
    unsafe former?.release()
  }
}

/// The outcome of a dispatched call: the implementers that returned, and the errors of those that threw.
@safe
public struct DispatchOutcome: CustomStringConvertible {
  /// An implementer that threw an error.
  public struct Failure: CustomStringConvertible {
    /// The number of the implementer.
    public let number: Int
    /// The error that the implementer threw, or an `InvocationError` if its method has other types than the
    /// protocol's.
    public let error: any Error

    /// The number of the implementer and the error: `implementer 3: ...`.
    public var description: String { "implementer \(number): " + "\(error)".shortened(to: 4_096).escaped }
  }

  /// The number of implementers that returned.
  ///
  /// It is 0 for an optional method to which no implementer responds. The result is then zero and has no meaning.
  public internal(set) var responderCount: Int = 0

  /// The implementers that threw, in the order in which they were called.
  public internal(set) var failures: [Failure] = []

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

  /// The numbers of implementers that returned and that failed: `2 responders, 1 failure`.
  public var description: String { responderCount.counted("responder") + ", " + failures.count.counted("failure") }
}
