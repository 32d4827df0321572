import DynamicInvocation

/// An argument of an ``InvocationRecord``.
enum RecordedValue: Sendable {
  /// The bytes of a value that contains no references.
  case bytes([UInt8])
  /// A C string, or null.
  case text(String?)
  /// A selector, or null.
  case selector(MethodSelector?)

  /// Reads an argument of an invocation.
  ///
  /// - Throws: `InvocationError` with the argument.
  init(_ invocation: Invocation, _ index: Int) throws(InvocationError) {
    let type = invocation.methodSignature.types.arguments[index]
    try Self.require(type, index)
    switch type.kind {
    case .cString, .atom:
      guard let address: UnsafePointer<CChar> = unsafe try invocation.argument(at: index, as: UnsafePointer<CChar>?.self) else {
        self = .text(nil)
        return
      }
      guard let text = unsafe String(validatingCString: address) else {
        throw InvocationError(.malformedEncoding, "the text is no UTF-8", argument: .index(index), encoding: type.description)
      }
      self = .text(text)
    case .selector: self = .selector(try invocation.argument(at: index, as: MethodSelector?.self))
    default:
      var bytes: [UInt8] = Array(repeating: 0, count: Self.byteCount(type))
      var failure: InvocationError?
      unsafe bytes.withUnsafeMutableBytes { bytes in
        do throws(InvocationError) { try unsafe invocation.getArgument(into: bytes.baseAddress.unsafelyUnwrapped, at: index) } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      self = .bytes(bytes)
    }
  }

  /// Sets an argument of an invocation.
  func set(_ index: Int, of invocation: Invocation) throws(InvocationError) {
    switch self {
    case .text(let text): try invocation.setArgument(text, at: index)
    case .selector(let selector): try invocation.setArgument(selector, at: index)
    case .bytes(let bytes):
      let slotFailure = unsafe bytes.withUnsafeBytes { bytes -> InvocationError? in
        do throws(InvocationError) {
          try unsafe invocation.setArgument(from: bytes.baseAddress.unsafelyUnwrapped, at: index)
          return nil
        } catch {
          return error
        }
      }
      if let slotFailure { throw slotFailure }
    }
  }

  /// Returns the number of bytes to store for a type.
  ///
  /// It is 1 for an empty struct, so that there is an address.
  static func byteCount(_ type: TypeEncoding) -> Int { max(type.size ?? 0, 1) }

  /// Throws unless an argument's type can be recorded.
  static func require(_ type: TypeEncoding, _ index: Int) throws(InvocationError) {
    let reason: String?
    switch type.kind {
    case .cString, .atom:
      reason = type.qualifiers.isDisjoint(with: [.out, .inout]) ? nil : "a buffer that the callee writes to is no value"
    case .selector: reason = nil
    // An array argument is passed as the address of its first element.
    case .array: reason = "a pointer is no value"
    default: reason = refusal(type)
    }
    if let reason { throw InvocationError(.unsupportedType, reason, argument: .index(index), encoding: type.description) }
    if RecordedBytes.valueCount(type) > RecordedBytes.mostValues {
      throw InvocationError(
        .limitExceeded, "it has more values than the \(RecordedBytes.mostValues) that are recorded", argument: .index(index),
        encoding: type.description)
    }
  }

  /// Returns the reason why a type cannot be recorded, or nil if it can.
  private static func refusal(_ type: TypeEncoding) -> String? {
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
}
