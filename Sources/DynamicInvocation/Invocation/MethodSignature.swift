/// The types of a method or function and the plan for calling it, immutable and shared.
///
/// Signatures are interned: while one is in use, creating it again from the same types returns the same object, on
/// every thread. The first texts that a process looks up are found without a lock, and their signatures are never
/// deallocated.
///
/// For a method, index 0 is the target and index 1 the selector, as in NSMethodSignature. For a plain function, index 0
/// is its first argument.
///
/// - Complexity: One word. Creating a signature takes O(bytes of the text) and a few allocations. Finding an existing
///   one takes a few loads for a text of at most 15 bytes that was looked up recently, otherwise one hash of the text.
public struct MethodSignature: Sendable {
  @usableFromInline package let storage: PlannedSignature

  package init(storage: PlannedSignature) { self.storage = storage }

  /// Creates or finds the signature that a text encodes.
  ///
  /// - Parameters:
  ///   - types: The return type and the argument types, with or without frame offsets:
  ///     `d@:q{Rect={Point=dd}{Size=dd}}`, `ddd`.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis. The encoding does
  ///     not contain it.
  ///   - backend: The backend that executes the call. Signatures of different backends are equal when their types are.
  /// - Throws: `InvocationError`: `malformedEncoding` with the byte offset, `limitExceeded`, `outOfRange` for a fixed
  ///   count greater than the number of arguments, and `unsupportedType` for a type that cannot be passed correctly on
  ///   this platform or a variadic type that C promotes.
  public init(
    types: String, dialect: TypeEncoding.Dialect = .next, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, dialect: dialect, fixedCount: fixedArgumentCount, backend: backend)
  }

  /// Creates or finds the signature of existing types.
  ///
  /// Use this for packed or over-aligned structs, whose layout cannot be written in a type encoding.
  ///
  /// - Throws: `InvocationError` as ``init(types:dialect:fixedArgumentCount:backend:)`` does, except for malformed
  ///   text.
  public init(
    _ types: MethodTypes, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, fixedCount: fixedArgumentCount, backend: backend)
  }

  /// The types.
  public var types: MethodTypes { storage.types }

  /// The number of arguments; for a method, including the target and the selector.
  public var numberOfArguments: Int { storage.types.arguments.count }

  /// The return type.
  public var returnType: TypeEncoding { storage.types.result }

  /// The size of the return value in bytes; 0 for void.
  public var returnLength: Int { storage.types.result.size ?? 0 }

  /// The size of a frame in bytes: the memory for the arguments and the result of one call.
  ///
  /// The number depends on the platform and the backend, as on Apple's platforms.
  public var frameLength: Int { storage.plan.frameSize }

  /// Whether the caller does not wait for the result: the return type has the qualifier `V`.
  public var isOneway: Bool { storage.types.isOneway }

  /// Whether the first two arguments are a target and a selector.
  public var isMethod: Bool { storage.plan.isMethod }

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public var fixedArgumentCount: Int? { storage.fixedCount }

  /// Returns the type of an argument.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func argumentType(at index: Int) throws(InvocationError) -> TypeEncoding {
    guard index >= 0, index < numberOfArguments else { throw indexOutOfRange(index) }
    return storage.types.arguments[index]
  }
}

extension MethodSignature: Hashable, CustomStringConvertible {
  /// Returns whether two signatures have equal types and, if variadic, the same number of fixed arguments.
  ///
  /// Class names, qualifiers and frame offsets are not compared; struct names and members are.
  public static func == (left: MethodSignature, right: MethodSignature) -> Bool {
    left.storage === right.storage || left.storage.identity == right.storage.identity
  }

  /// Hashes the text that equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.identity) }

  /// The types as text, without frame offsets.
  ///
  /// The code of `_Float16` is a blank, which `MethodTypes` reads with `blankIsFloat16: true` only.
  public var description: String { types.text() }
}

extension PlannedSignature {
  /// Returns whether a Swift type matches an argument or the result.
  ///
  /// The index is an argument's, or the number of arguments for the result.
  @inlinable @inline(__always)
  func accepts<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    unsafe Value.matches(plan.slots, at: index, pointsRight(type, at: index))
  }
}

// MARK: - Literals

/// Literals: Swift types an integer literal as `Int` and a floating-point literal as `Double`, whatever the parameter.
///
/// Like the literals themselves, an `Int` becomes any integer or floating-point type, and a `Double` any floating-point
/// type, when the value fits. Values of other types are not converted: their type was declared, so a mismatch is a
/// mistake.
extension MethodSignature {
  /// Writes a literal as a value of an argument's type.
  ///
  /// - Throws: `InvocationError` `typeMismatch` for a value that is not a literal of the type, `outOfRange` and
  ///   `inexact` for one that does not fit.
  func adapt(_ value: Literal, at index: Int, of frame: UnsafeMutableRawPointer) throws(InvocationError) {
    // The frame owns neither kind of literal.
    _ = unsafe try literal(value, at: index).store(in: storage.plan.slots[index], of: frame, keeping: false)
  }

  /// Converts a literal to the type of an argument, or of the result if the index is the number of arguments.
  ///
  /// - Throws: `InvocationError` as ``adapt(_:at:of:)`` does.
  package func literal(_ value: Literal, at index: Int) throws(InvocationError) -> BoxedValue.Converted {
    let isResult = index == numberOfArguments
    let (type, place) = isResult ? (returnType, InvocationError.Argument.result) : (types.arguments[index], .index(index))
    guard case .scalar(let scalar) = type.kind, scalar != .bool else { throw mismatch(value.type, place) }
    do throws(InvocationError) {
      switch value {
      case .integer(let number): return try BoxedValue.int(number).converted(to: type, [])
      case .double(let number) where !scalar.isInteger:
        return try BoxedValue.double(number).converted(to: type, scalar.holdsDigits(of: number) ? .truncating : [])
      case .double: break
      }
    } catch {
      guard error.code == .inexact else { throw error.placed(place, type) }
      guard scalar.canRound(value) else { throw InvocationError(.outOfRange, "\(value) does not fit").placed(place, type) }
      let advice = "; write \(scalar.swiftName)(\(value)) to round it"
      throw InvocationError(.inexact, error.reason + advice).placed(place, type)
    }
    throw mismatch(value.type, place)
  }
}

/// A value of the type that Swift gives a literal.
///
/// It is passed in registers.
@usableFromInline
package enum Literal: CustomStringConvertible {
  case integer(Int)
  case double(Double)

  /// Creates a literal from an `Int` or a `Double`; nil for any other type.
  ///
  /// The check is resolved at compile time.
  @inlinable @inline(__always)
  package init?<Value>(_ value: Value) {
    if Value.self == Int.self {
      self = unsafe .integer(unsafeBitCast(value, to: Int.self))
    } else if Value.self == Double.self {
      self = unsafe .double(unsafeBitCast(value, to: Double.self))
    } else {
      return nil
    }
  }

  var type: Any.Type {
    switch self {
    case .integer: Int.self
    case .double: Double.self
    }
  }

  @usableFromInline package var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    }
  }
}

extension TypeEncoding.Scalar {
  /// Whether a literal that is not exact has a nearest number of this type that is neither infinite nor zero.
  fileprivate func canRound(_ value: Literal) -> Bool {
    func isInRange<Number: ScalarFloatingPoint>(_: Number.Type) -> Bool {
      let number =
        switch value {
        case .integer(let number): Number(Double(number))
        case .double(let number): Number(number)
        }
      return number.isFinite && !number.isZero
    }
    guard case .floatingPoint(let type) = numbers else { return true }
    return isInRange(type)
  }

  /// Whether a `Double` has the same decimal digits as the nearest number of this type.
  ///
  /// This holds for 0.1, though neither type represents it exactly: the literal means the same in a program of either
  /// type. It does not hold for one third: a `Double` has more of its digits.
  fileprivate func holdsDigits(of number: Double) -> Bool {
    func holds<Number: ScalarFloatingPoint>(_: Number.Type) -> Bool { Double("\(Number(number))") == number }
    // A double is exact, so its digits need not be compared.
    guard case .floatingPoint(let type) = numbers, size < MemoryLayout<Double>.size else { return false }
    return holds(type)
  }
}

// MARK: - Errors

extension MethodSignature {
  /// Returns whether an argument, or the result if the index is the number of arguments, has a Swift type.
  package func takes<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    storage.accepts(type, at: index)
  }

  /// Returns whether the result is a pointer to bytes, and a type that the caller states is a text.
  ///
  /// Asking for the text states that the bytes end with a zero.
  @inline(never) @usableFromInline
  func returnsText<Value: EncodedValue>(_ type: Value.Type) -> Bool { type.copiesText && returnType.isBytePointer }

  /// Returns the error for an argument index that is out of range.
  @usableFromInline
  func indexOutOfRange(_ index: Int) -> InvocationError {
    InvocationError(
      .indexOutOfRange,
      numberOfArguments == 0 ? "the signature has no arguments" : "the signature has arguments 0 to \(numberOfArguments - 1)",
      argument: .index(index))
  }

  /// Returns the error for a wrong number of arguments.
  func countMismatch(_ given: Int, of wanted: Int) -> InvocationError {
    InvocationError(.countMismatch, "\(given) argument\(given == 1 ? "" : "s") given, the signature '\(self)' takes \(wanted)")
  }

  /// Returns the error for a null where the type has no null.
  func nullNotAllowed(_ index: Int) -> InvocationError {
    let type = types.arguments[index]
    return InvocationError(.nullNotAllowed, "null is not \(type.swiftTypeName)").placed(.index(index), type)
  }

  /// Returns the error for an argument that is needed by a call and was not set.
  func notSet(_ index: Int) -> InvocationError {
    InvocationError(
      .argumentNotSet, index == 1 && isMethod ? "the selector was never set" : "it was never set", argument: .index(index),
      encoding: types.arguments[index].description)
  }

  /// Returns the error for reading a result before there is one.
  @usableFromInline
  func noResult() -> InvocationError {
    InvocationError(.noReturnValue, "there is none before the call", argument: .result, encoding: returnType.description)
  }

  /// Returns the error for a Swift type that does not match the signature.
  @usableFromInline
  package func mismatch<Value>(_ type: Value.Type, _ place: InvocationError.Argument) -> InvocationError {
    let encoding =
      switch place {
      case .index(let index): types.arguments[index]
      case .result: returnType
      }
    var reason = "\(GeometryStructs.name(of: type)) is not \(encoding.swiftTypeName(unlike: type))"
    // A type whose declared encoding differs from its layout has the kind `unknown`, and matches no type.
    if let type = type as? any EncodedValue.Type, type.valueKind == .unknown {
      let declared = type.typeEncoding
      if let layout = declared.node.layout,
        layout.size != MemoryLayout<Value>.stride || layout.alignment != MemoryLayout<Value>.alignment
      {
        reason =
          "\(type) declares \(declared), \(layout.size) bytes aligned to \(layout.alignment), "
          + "but Swift gives it \(MemoryLayout<Value>.stride) aligned to \(MemoryLayout<Value>.alignment)"
      } else if let refusal = declared.refusal(of: type) {
        reason = refusal
      }
    }
    return InvocationError(.typeMismatch, reason, argument: place, encoding: encoding.description)
  }

  /// Returns the error for a Swift type that the result of a call cannot be read as, with the types that it can.
  @inline(never) @usableFromInline
  func resultMismatch<Value>(_ type: Value.Type) -> InvocationError {
    let error = mismatch(type, .result)
    let names: String? =
      switch returnType.kind {
      case .scalar(let scalar): WiderNumber.names(scalar)
      case .structure, .union, .complex, .vector: "EncodedBytes for its members"
      default: nil
      }
    guard let names, error.reason.utf8.count < 200 else { return error }
    return InvocationError(error.code, error.reason + "; ask for " + names, argument: .result, encoding: error.encoding)
  }
}

extension TypeEncoding {
  /// The Swift type to use instead of another, which may be a pointer to something else.
  fileprivate func swiftTypeName(unlike type: Any.Type) -> String {
    if case .pointer(let target) = kind, type == [String].self || type == [String?].self {
      switch target.kind {
      case .cString, .pointer: return "a pointer: pass an array of pointers, [UnsafeMutablePointer<CChar>?]"
      default: break
      }
    }
    guard case .pointer(let target) = kind, let pointee = (type as? any EncodedValue.Type)?.valueTraits.pointeeType else {
      return swiftTypeName
    }
    let isHandle = pointee == PointeeComparison.Opaque.self
    return "a pointer to \(target.swiftTypeName)" + (isHandle ? ": pass the address of a variable, &variable" : "")
  }

  /// The Swift type to use for a value of this type, for messages.
  var swiftTypeName: String {
    switch kind {
    case .void: "Void"
    case .scalar(let scalar): scalar.swiftName
    case .cString, .atom: "String or UnsafePointer<CChar>"
    case .object: "an object"
    case .block, .pointer, .array: "a pointer"
    case .classObject: "a class"
    case .selector: "MethodSelector"
    case .structure, .union, .complex, .vector: "a value of \(size ?? 0) bytes with this layout"
    case .unknown, .bitField: "a type with a size"
    }
  }
}

// MARK: - Matching

extension MethodSelector {
  /// The number of arguments after the target and the selector that the name specifies, or nil if it specifies no
  /// number.
  ///
  /// `area(_:in:)` and `area:in:` specify two, `reload()` zero. `area` specifies no number, like the names of C
  /// functions and of events.
  package var argumentCount: Int? {
    let text = name.utf8
    if text.last == UInt8(ascii: ")"), let open = text.firstIndex(of: UInt8(ascii: "(")) {
      let labels = text[text.index(after: open)..<text.index(before: text.endIndex)]
      return Self.count(labels)
    }
    guard text.last == UInt8(ascii: ":") else { return nil }
    return Self.count(text[...])
  }

  /// Returns the number of labels that end with a colon, or nil for other text.
  private static func count(_ labels: Substring.UTF8View) -> Int? {
    var count = 0
    for byte in labels {
      switch byte {
      case UInt8(ascii: ":"): count += 1
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "."): return nil
      default: continue
      }
    }
    return labels.isEmpty || labels.last == UInt8(ascii: ":") ? count : nil
  }
}

extension MethodSignature {
  /// Throws unless a method of these types has the number of arguments that its selector specifies, if it specifies
  /// one.
  package func requireArgumentCount(of selector: MethodSelector) throws(InvocationError) {
    guard isMethod, let count = selector.argumentCount, count != numberOfArguments - 2 else { return }
    let own = numberOfArguments - 2
    throw InvocationError(
      .countMismatch,
      "the selector '\(selector)' is one of \(count) argument\(count == 1 ? "" : "s"), the method takes \(own)", encoding: "\(self)")
  }

  /// Returns whether a call of these types can be executed by code of the types `other`.
  ///
  /// Names of structs and the pointee types of pointers are ignored, because a method created from Swift types does not
  /// specify them.
  package func carries(_ other: MethodSignature) -> Bool {
    if storage === other.storage { return true }
    let (count, slots, otherSlots) = unsafe (storage.plan.count, storage.plan.slots, other.storage.plan.slots)
    return other.storage.plan.count == count && fixedArgumentCount == other.fixedArgumentCount
      && (0...count).allSatisfy { unsafe slots[$0].kind == otherSlots[$0].kind }
  }

  /// Throws unless a method has these types.
  ///
  /// Names of structs and the pointee types of pointers are ignored, because a method created from Swift types does not
  /// specify them.
  func require(_ own: MethodSignature, of type: AnyClass, _ selector: MethodSelector) throws(InvocationError) {
    if carries(own) { return }
    throw InvocationError(.typeMismatch, "\(type) implements '\(selector)' with the types '\(own)', the invocation has '\(self)'")
  }
}

// MARK: - Message

extension MethodSignature {
  /// Finds the types of a message to an object, in the order of ``Invocation/invoke()``.
  ///
  /// Returns nil if the object does not specify any.
  ///
  /// The first of these states the types: the method of the object's class, a method resolved now, the implementation of
  /// an ``Invocable``, the method of the forwarding target, ``Forwarding/methodSignature(for:)``. No message is sent.
  ///
  /// - Complexity: As looking up the method. Allocates nothing, except what the object allocates.
  public init?(of selector: MethodSelector, to target: AnyObject) {
    if let own = MethodTableRegistry.shared.methodSignature(of: type(of: target), for: selector) {
      self = own
      return
    }
    // If the forwarding targets form a cycle, the message has no types.
    var next: AnyObject? = target
    for _ in 0...ForwardingChain.largestCount {
      guard let object = next else { return nil }
      do {
        if let own = try MethodTable.implementation(of: object, for: selector) {
          guard let types = own.methodSignature else { return nil }
          self = types
          return
        }
      } catch {
        // The message would throw this error.
        return nil
      }
      guard let forwarder = unsafe MethodTable.of(type(of: object)).forwarder else { return nil }
      next = unsafe forwarder._withUnsafeGuaranteedRef { $0.target(of: object, for: selector) }
      guard next == nil else { continue }
      guard let signature = unsafe Self.answer(of: object, forwarder, selector) else { return nil }
      self = signature
      return
    }
    return nil
  }

  /// Asks an object for the types of a message; the object may ask another object for them.
  ///
  /// Returns nil if too many objects ask each other: two proxies may name each other.
  private static func answer(of object: AnyObject, _ forwarder: Unmanaged<Forwarder>, _ selector: MethodSelector) -> MethodSignature? {
    let depth = ThreadState.signatureDepth
    guard depth < ForwardingChain.largestCount else { return nil }
    ThreadState.signatureDepth = depth + 1
    defer { ThreadState.signatureDepth = depth }
    return unsafe forwarder._withUnsafeGuaranteedRef { $0.methodSignature(of: object, for: selector) }
  }
}

extension Invocation {
  /// Creates the invocation of a message, with the types that the target specifies.
  ///
  /// It retains its arguments, including the target.
  ///
  /// - Parameters:
  ///   - target: The target, which is set.
  ///   - selector: The selector, which is set.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the target specifies no types for the selector, and
  ///   `typeMismatch` for the types of a function, and for the types of a message to a class if the target is not a class.
  public convenience init(target: AnyObject, selector: MethodSelector) throws(InvocationError) {
    try self.init(target: target, selector: selector, retainsArguments: true)
  }

  /// Creates the invocation of a message as the other form does; the caller may keep its arguments alive instead.
  package convenience init(target: AnyObject, selector: MethodSelector, retainsArguments: Bool) throws(InvocationError) {
    guard let signature = MethodSignature(of: selector, to: target) else {
      throw MethodTable.unrecognized(selector, by: target)
    }
    guard signature.isMethod else {
      throw InvocationError(.typeMismatch, "\(type(of: target)) gives '\(selector)' the types of a function", encoding: "\(signature)")
    }
    unsafe self.init(signature, retainsArguments: retainsArguments)
    self.selector = selector
    try setArgument(target, at: 0)
  }
}
