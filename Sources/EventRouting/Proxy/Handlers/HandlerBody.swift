public import DynamicInvocation

/// The Swift code of a handler.
@usableFromInline
@safe
class HandlerBody {
  /// Runs the code with arguments from a frame.
  @usableFromInline typealias Run = (_ target: ObjectAddress, _ source: ObjectAddress, _ arguments: FrameArguments) throws -> EventReply?

  /// The types of the arguments as one tuple.
  @usableFromInline let argumentTypes: ObjectIdentifier
  /// The types of the arguments.
  @usableFromInline let parameters: [any _BoxConvertible.Type]
  @usableFromInline let run: Run
  /// Whether the result is an answer for a sender that asks.
  let answers: Bool

  /// - Parameter result: The type of the result of the user's code.
  @usableFromInline
  init(
    _ argumentTypes: ObjectIdentifier, _ parameters: [any _BoxConvertible.Type], _ result: Any.Type = Void.self, _ run: @escaping Run
  ) {
    self.argumentTypes = argumentTypes
    answers = result != Void.self && result != EventReply.self && result != EventReply?.self
    self.parameters = parameters
    self.run = run
  }

  /// Whether a frame can hold all arguments.
  ///
  /// It cannot hold an optional of a number, which has no null in C.
  var fitsFrame: Bool { parameters.allSatisfy { $0 is any EncodedValue.Type } }

  /// Runs the code with boxes, for a handler that has no frame.
  @usableFromInline
  func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    preconditionFailure("each kind of handler overrides it")
  }
}

/// The code of a synchronous handler that takes an event boxed.
@safe
final class InterceptorBody: HandlerBody {
  private let intercept: (_ source: AnyObject?, _ arguments: [BoxedValue]) throws -> EventReply

  init(_ intercept: @escaping (_ source: AnyObject?, _ arguments: [BoxedValue]) throws -> EventReply) {
    self.intercept = intercept
    super.init(ObjectIdentifier(InterceptorBody.self), []) { _, _, _ in preconditionFailure("an interceptor has no frame") }
  }

  override func run(_ target: ObjectAddress, source: AnyObject?, boxed: [BoxedValue]) throws -> EventReply? {
    try intercept(source, boxed)
  }
}

/// Read access to the arguments in a handler's frame.
@usableFromInline
@safe
struct FrameArguments {
  @usableFromInline let parameters: UnsafePointer<BoxedParameter>
  @usableFromInline let frame: UnsafeMutableRawPointer

  @usableFromInline
  init(parameters: UnsafePointer<BoxedParameter>, frame: UnsafeMutableRawPointer) {
    unsafe self.parameters = parameters
    unsafe self.frame = frame
  }

  /// Reads an argument whose kind was checked before.
  ///
  /// - Throws: ``DeliveryFailure`` for a null where the type has none, an object of another class, and a number that is
  ///   not a case of an enum.
  @inlinable @inline(__always)
  func read<Value: _BoxConvertible>(_ index: Int) throws -> Value {
    guard let value = unsafe Value.load(from: parameters[index].slot, of: UnsafeRawPointer(frame)) else {
      throw unreadable(index, Value.self)
    }
    return value
  }

  @usableFromInline
  func unreadable(_ index: Int, _ type: any _BoxConvertible.Type) -> any Error {
    let slot = unsafe parameters[index].slot
    let word = unsafe frame.load(fromByteOffset: Int(slot.offset), as: UInt.self)
    let encoding = type.encodedType.typeEncoding.description
    guard slot.kind == .object || slot.kind.isAddress else {
      return DeliveryFailure(
        reason: InvocationError(.typeMismatch, "the value is no \(type)", argument: .index(index + 1), encoding: encoding))
    }
    guard let address = unsafe UnsafeRawPointer(bitPattern: word), slot.kind == .object else {
      return DeliveryFailure(
        reason: InvocationError(.nullNotAllowed, "null is no \(type)", argument: .index(index + 1), encoding: encoding))
    }
    let found: AnyClass = Swift.type(of: unsafe Unmanaged<AnyObject>.fromOpaque(address).takeUnretainedValue())
    return DeliveryFailure(
      reason: InvocationError(
        .typeMismatch, "an object of the class \(found) is no \(type)", argument: .index(index + 1), encoding: encoding))
  }
}

/// Read access to the arguments of an event for a handler that has no frame.
struct BoxArguments {
  private let boxes: [BoxedValue]

  /// - Throws: ``DeliveryFailure`` when the handler takes another number of arguments.
  init(_ boxes: [BoxedValue], count: Int) throws {
    guard boxes.count == count else { throw DeliveryFailure(reason: .eventCount(boxes.count, wanted: count)) }
    self.boxes = boxes
  }

  /// Reads an argument, converted exactly.
  ///
  /// - Throws: ``DeliveryFailure`` when the conversion fails.
  func read<Value: _BoxConvertible>(_ index: Int) throws -> Value {
    do throws(InvocationError) {
      return try boxes[index].value(as: Value.self)
    } catch {
      throw DeliveryFailure(reason: error.placed(.index(index + 1), Value.encodedType.typeEncoding))
    }
  }
}

extension InvocationError {
  /// The error of an event with another number of arguments than the handler takes.
  static func eventCount(_ given: Int, wanted: Int) -> InvocationError {
    InvocationError(.countMismatch, "the event has \(given == 1 ? "1 argument" : "\(given) arguments"), the handler takes \(wanted)")
  }
}

/// Writes the arguments of an event into a handler's frame, in order, and checks each against its parameter.
@usableFromInline
@safe
struct ArgumentWriter {
  @usableFromInline let parameters: UnsafePointer<BoxedParameter>
  @usableFromInline let frame: UnsafeMutableRawPointer
  @usableFromInline let handler: HandlerCall
  @usableFromInline var index = 0
  /// A bit for each argument whose value the frame owns.
  @usableFromInline var owned: UInt64 = 0

  @inlinable @inline(__always)
  init(_ frame: UnsafeMutableRawPointer, _ handler: HandlerCall) {
    unsafe parameters = handler.record.pointee.layout.parameters.unsafelyUnwrapped
    unsafe self.frame = frame
    self.handler = handler
  }

  /// Writes a typed value: directly when the parameter has its type, otherwise as a box that is converted.
  @inlinable @inline(__always)
  mutating func write<Value: _BoxConvertible>(_ value: Value) throws {
    let slot = unsafe parameters[index].slot
    if Value.accepts(slot.kind) {
      if Value.hasPointee { try checkPointee(of: Value.self) }
      if unsafe value.store(in: slot, of: frame, keeping: false) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
      index &+= 1
    } else {
      try write(try BoxedValue(copying: value))
    }
  }

  /// Compares what a pointer points to with what the parameter points to.
  ///
  /// - Throws: ``DeliveryFailure`` if they differ.
  @usableFromInline @inline(never)
  func checkPointee<Value: _BoxConvertible>(of value: Value.Type) throws {
    guard let pointee = value.encodedType.valueTraits.pointeeType else { return }
    let type = handler.registration.argumentTypes[index]
    let parameter = handler.parameterType(index)
    // The encoding of a Swift closure's parameter does not state what it points to.
    let matches = (parameter?.encodedType.valueTraits.pointeeType).map { $0 == pointee } ?? PointeeComparison.matches(pointee, type)
    guard !matches else { return }
    let reason = "\(value) is not \(parameter.map { "\($0)" } ?? "a pointer to what the parameter points to")"
    throw DeliveryFailure(reason: InvocationError(.typeMismatch, reason).placed(.index(index + 1), type))
  }

  /// Writes a boxed value, converted exactly.
  @usableFromInline
  mutating func write(_ box: BoxedValue) throws {
    if try unsafe handler.store(box, index, in: frame) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
    index &+= 1
  }

  /// Writes a box that needs the engine's conversion.
  @inline(never)
  mutating func convert(_ box: UnsafePointer<BoxedValue>, _ index: Int) throws {
    if try unsafe handler.store(box.pointee, index, in: frame) { owned |= 1 << UInt64(truncatingIfNeeded: index) }
  }

  /// Releases the values that the frame owns.
  @inlinable @inline(__always)
  func release() {
    if owned != 0 { releaseOwned() }
  }

  @usableFromInline
  func releaseOwned() { unsafe Self.release(owned, parameters, in: frame) }

  /// Releases the values of the arguments whose bits are set.
  @inline(never) @usableFromInline
  static func release(_ owned: UInt64, _ parameters: UnsafePointer<BoxedParameter>, in frame: UnsafeRawPointer) {
    var rest = owned
    while rest != 0 {
      let slot = unsafe parameters[rest.trailingZeroBitCount].slot
      slot.releaseOwned(word: unsafe frame.load(fromByteOffset: Int(slot.offset), as: UInt64.self))
      rest &= rest - 1
    }
  }
}

extension _BoxConvertible {
  /// Whether the type is a pointer whose pointee has a type.
  @inlinable @inline(__always)
  static var hasPointee: Bool { encodedType.valueTraits.pointeeType != nil }
}
