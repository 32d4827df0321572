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

  @usableFromInline
  init(_ argumentTypes: ObjectIdentifier, _ parameters: [any _BoxConvertible.Type], _ run: @escaping Run) {
    self.argumentTypes = argumentTypes
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
        reason: InvocationError(.typeMismatch, "the value is none of \(type)", argument: .index(index + 1), encoding: encoding))
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

  /// - Throws: ``DeliveryFailure`` when the number of arguments differs from that of the handler.
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
  /// The error of an event whose number of arguments differs from that of a handler.
  static func eventCount(_ given: Int, wanted: Int) -> InvocationError {
    InvocationError(.countMismatch, "the event has \(given == 1 ? "1 argument" : "\(given) arguments"), the handler takes \(wanted)")
  }
}
