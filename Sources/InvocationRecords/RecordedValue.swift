import DynamicInvocation

/// A value that can be stored, and made again elsewhere: an argument of a call.
///
/// Its coded form does not state its type; the call states the type.
enum RecordedValue: Sendable, Hashable {
  /// No C string, no selector, no object.
  case null
  case text(String)
  case selector(MethodSelector)
  /// A value that contains no references: a number, a struct, a union, an array, a vector.
  case bytes(EncodedBytes)

  /// Copies a value of a type that was checked by ``requireRecordable(_:)``.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - copy: Copies the value to memory with as many bytes as the type has, and at least one.
  init<Failure>(
    _ type: TypeEncoding, _ copy: (UnsafeMutableRawPointer) throws(Failure) -> Void
  ) throws(Failure) {
    var bytes: [UInt8] = Array(repeating: 0, count: max(type.size ?? 0, 1))
    var failure: Failure?
    unsafe bytes.withUnsafeMutableBytes { bytes in
      do throws(Failure) { try unsafe copy(bytes.baseAddress.unsafelyUnwrapped) } catch { failure = error }
    }
    if let failure { throw failure }
    self.init(type, bytes)
  }

  /// Creates a value of a type that was checked by ``requireRecordable(_:)`` from at least as many bytes as it has.
  init(_ type: TypeEncoding, _ bytes: [UInt8]) {
    do {
      self = .bytes(try EncodedBytes(type, bytes: Array(bytes.prefix(type.size ?? 0))))
    } catch {
      preconditionFailure("a type that is recorded has a size and no references: \(error)")
    }
  }
}

// MARK: - What is recorded

extension RecordedValue {
  /// The maximum size in bytes of a call that is encoded and that decoded types may require.
  static let largestSize = 1 << 22

  /// Throws unless the values of a type can be recorded.
  ///
  /// - Throws: `InvocationError` without an argument: `unsupportedType`, or `limitExceeded` for more than four million
  ///   values.
  static func requireRecordable(_ type: TypeEncoding) throws(InvocationError) {
    if let reason = refusal(type) { throw InvocationError(.unsupportedType, reason, encoding: type.description) }
    if RecordedBytes.valueCount(type) > RecordedBytes.mostValues {
      throw InvocationError(
        .limitExceeded, "it has more values than the \(RecordedBytes.mostValues) that are recorded", encoding: type.description)
    }
  }

  /// Returns the reason why a type cannot be recorded, or nil if it can.
  static func refusal(_ type: TypeEncoding) -> String? {
    switch type.kind {
    case .scalar, .complex, .vector, .bitField: nil
    case .array(_, let element): refusal(element)
    case .structure(let record), .union(let record):
      record.fields.map { $0.lazy.compactMap { refusal($0.type) }.first } ?? "an incomplete type is no value"
    case .object: "an object is no value"
    case .block: "a block is no value"
    case .classObject: "a class is no value"
    case .pointer: "a pointer is no value"
    case .cString, .atom: "a C string within a struct has no owner"
    case .selector: "a selector within a struct is the address of its name"
    case .void, .unknown: "no value has this type"
    }
  }

  /// The text from which types are made again, with everything that determines how a value is laid out: the GNU form of a
  /// bit-field has more information than the other form.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for packed or over-aligned structs, which no text describes.
  static func text(of types: MethodTypes) throws(InvocationError) -> String {
    let text = types.text(dialect: .gnu)
    guard try Self.types(text) == types else {
      throw InvocationError(.unsupportedType, "its text does not tell how a struct is packed or aligned", encoding: "\(types)")
    }
    return text
  }

  /// Reads types from their text.
  static func types(_ text: String) throws(InvocationError) -> MethodTypes { try MethodTypes(text, blankIsFloat16: true) }
}

// MARK: - Coding

extension RecordedValue {
  /// Encodes the value as the next element of an array, without its type.
  func encode(to container: inout any UnkeyedEncodingContainer) throws {
    switch self {
    case .null: try container.encodeNil()
    case .text(let text): try container.encode(text)
    case .selector(let selector): try container.encode(selector.name)
    case .bytes(let bytes):
      try unsafe bytes.bytes.withUnsafeBytes { try unsafe RecordedBytes.write($0, as: bytes.encoding, to: &container) }
    }
  }

  /// Decodes the next element of an array, of a type that was checked by ``requireRecordable(_:)``, a C string or a
  /// selector.
  ///
  /// - Throws: `InvocationError` without an argument.
  init(from container: inout any UnkeyedDecodingContainer, as type: TypeEncoding) throws(InvocationError) {
    do {
      switch type.kind {
      case .cString, .atom: self = try Self.text(from: &container).map { .text($0) } ?? .null
      case .selector: self = try Self.text(from: &container).map { .selector(MethodSelector($0)) } ?? .null
      default:
        var bytes: [UInt8] = Array(repeating: 0, count: max(type.size ?? 0, 1))
        try unsafe bytes.withUnsafeMutableBytes { try unsafe RecordedBytes.read(from: &container, as: type, into: $0) }
        self.init(type, bytes)
      }
    } catch let error as DecodingError {
      throw error.invocationError
    } catch let error as InvocationError {
      throw error
    } catch {
      // A decoder may throw errors of its own, which it converts later: JSONDecoder does for a number that does not
      // fit.
      throw InvocationError(.outOfRange, "the decoder refuses it: \(error)")
    }
  }

  private static func text(from container: inout any UnkeyedDecodingContainer) throws -> String? {
    if try container.decodeNil() { return nil }
    let text = try container.decode(String.self)
    guard !text.utf8.contains(0) else {
      throw InvocationError(.typeMismatch, "the text contains a zero, which would end the C string")
    }
    return text
  }
}

extension DecodingError {
  /// The error as an `InvocationError`, without an argument.
  fileprivate var invocationError: InvocationError {
    switch self {
    case .typeMismatch(_, let context): InvocationError(.typeMismatch, context.debugDescription)
    case .valueNotFound(_, let context): InvocationError(.nullNotAllowed, context.debugDescription)
    case .dataCorrupted(let context): InvocationError(.outOfRange, context.debugDescription)
    case .keyNotFound(_, let context): InvocationError(.typeMismatch, context.debugDescription)
    @unknown default: InvocationError(.typeMismatch, "\(self)")
    }
  }
}
