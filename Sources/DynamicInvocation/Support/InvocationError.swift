/// An error of the engine that tells what was wrong, where, and with which value.
///
/// One type serves the whole engine, so that every throwing function says `throws(InvocationError)`. Compare ``code`` to act on an
/// error; print ``description`` to understand it. Bad data throws; only misuse of an object itself traps.
///
/// - Complexity: One word. Making one allocates; throwing and catching one does not.
public struct InvocationError: Error, Sendable {
  private final class Storage: Sendable {
    let code: Code
    let reason: String
    let argument: Argument?
    let encoding: String?
    let byteOffset: Int?
    let candidates: [String]
    let callee: String?

    init(
      code: Code, reason: String, argument: Argument?, encoding: String?, byteOffset: Int?, candidates: [String], callee: String?
    ) {
      self.code = code
      self.reason = reason
      self.argument = argument
      self.encoding = encoding
      self.byteOffset = byteOffset
      self.candidates = candidates
      self.callee = callee
    }
  }

  /// The place in a call that an error is about.
  public enum Argument: Sendable, Hashable {
    /// The argument of this index, as the signature counts.
    case index(Int)
    /// The return value.
    case result
  }

  private let storage: Storage

  private static let longestReason = 4_096

  /// Creates an error.
  ///
  /// - Parameters:
  ///   - code: What kind of error it is.
  ///   - reason: The reason in words, without the position and without a full stop; one of more than 4,096 bytes is cut.
  ///   - argument: The argument or result it is about, if there is one.
  ///   - encoding: The type encoding, or fragment of one, it is about.
  ///   - byteOffset: The offset in `encoding` at which it stops making sense.
  ///   - candidates: Names close to one that was not found, nearest first.
  public init(
    _ code: Code, _ reason: String, argument: Argument? = nil, encoding: String? = nil, byteOffset: Int? = nil,
    candidates: [String] = []
  ) {
    storage = Storage(
      code: code, reason: reason.shortened(to: Self.longestReason), argument: argument, encoding: encoding, byteOffset: byteOffset,
      candidates: candidates, callee: nil)
  }

  private init(_ storage: Storage) { self.storage = storage }

  /// The error as a word that no one counts; whoever has it makes it an error again, once.
  var retainedBits: UnsafeMutableRawPointer { unsafe Unmanaged.passRetained(storage).toOpaque() }

  /// Makes an error of ``retainedBits``, which are used up.
  @unsafe
  init(retainedBits bits: UnsafeMutableRawPointer) { storage = unsafe Unmanaged<Storage>.fromOpaque(bits).takeRetainedValue() }

  /// The index of the argument that an error as ``retainedBits`` is about, without using them up.
  @unsafe
  static func place(retainedBits bits: UnsafeMutableRawPointer) -> Int? {
    if case .index(let index) = unsafe Unmanaged<Storage>.fromOpaque(bits).takeUnretainedValue().argument { index } else { nil }
  }

  /// What kind of error it is.
  public var code: Code { storage.code }

  /// The reason in words, without the position.
  public var reason: String { storage.reason }

  /// The argument or the result that the error is about.
  public var argument: Argument? { storage.argument }

  /// The type encoding, or the fragment of one, that the error is about.
  public var encoding: String? { storage.encoding }

  /// The byte offset in ``encoding`` at which it stops making sense.
  public var byteOffset: Int? { storage.byteOffset }

  /// Names close to one that was not found, nearest first.
  public var candidates: [String] { storage.candidates }

  /// The function or the method that was called: a symbol such as `pow`, or a message such as `-[Controller area(_:in:)]`.
  public var callee: String? { storage.callee }

  /// Returns the same error, about the call of a function or method, unless it names one already.
  func about(_ callee: String) -> InvocationError {
    guard self.callee == nil else { return self }
    return InvocationError(
      Storage(
        code: code, reason: reason, argument: argument, encoding: encoding, byteOffset: byteOffset, candidates: candidates, callee: callee))
  }

  /// Returns the same error, placed at an argument or the result of a call, unless it has a place already.
  public func at(_ argument: Argument) -> InvocationError {
    guard self.argument == nil else { return self }
    return InvocationError(
      Storage(
        code: code, reason: reason, argument: argument, encoding: encoding, byteOffset: byteOffset, candidates: candidates, callee: callee))
  }
}

extension InvocationError: CustomStringConvertible {
  /// The whole error in one line: the callee, the argument, the encoding, the reason, and near names.
  ///
  /// For example `labs: argument 0 (q, Int64): Double is not Int64`. What a terminal or a log would obey, in a name or an encoding of somebody else's, is
  /// written as an escape; ``reason``, ``encoding`` and ``candidates`` have it as it is.
  public var description: String {
    var text: String
    switch (argument, encoding, byteOffset) {
    case (_, let encoding?, let offset?): text = "type encoding '\(Self.abbreviated(encoding))', byte \(offset): "
    case (.index(let index)?, let encoding?, nil): text = "argument \(index) (\(Self.typed(encoding))): "
    case (.index(let index)?, nil, nil): text = "argument \(index): "
    case (.result?, let encoding?, nil): text = "return value (\(Self.typed(encoding))): "
    case (.result?, nil, nil): text = "return value: "
    case (nil, let encoding?, nil): text = "\(Self.abbreviated(encoding)): "
    default: text = ""
    }
    if let callee { text = callee + ": " + text }
    text += reason
    if !candidates.isEmpty { text += "; nearest: " + candidates.map { $0.shortened(to: 240) }.joined(separator: ", ") }
    return text.escaped
  }

  /// The encoding, of a scalar with the name of its type.
  private static func typed(_ encoding: String) -> String {
    guard encoding.utf8.count == 1, let code = encoding.utf8.first, let scalar = TypeEncoding.Scalar(rawValue: code) else {
      return abbreviated(encoding)
    }
    return "\(encoding), \(scalar.swiftName)"
  }

  /// Encodings may have thousands of characters; a message shows the first hundred or so.
  private static func abbreviated(_ encoding: String) -> String {
    encoding.utf8.count <= 120 ? encoding : String(encoding.unicodeScalars.prefix(117)) + "..."
  }
}

extension InvocationError.Argument: CustomStringConvertible {
  /// The place: `argument 3`, `return value`.
  public var description: String {
    switch self {
    case .index(let index): "argument \(index)"
    case .result: "return value"
    }
  }
}
