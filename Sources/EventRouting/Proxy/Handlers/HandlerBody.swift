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
  @usableFromInline let parameters: [any EncodedValue.Type]
  @usableFromInline let run: Run

  @usableFromInline
  init(_ argumentTypes: ObjectIdentifier, _ parameters: [any EncodedValue.Type], _ run: @escaping Run) {
    self.argumentTypes = argumentTypes
    self.parameters = parameters
    self.run = run
  }
}

/// The code of a handler that takes an event boxed.
@safe
final class InterceptorBody: HandlerBody {
  let intercept: (_ source: AnyObject?, _ arguments: [BoxedValue]) throws -> EventReply

  init(_ intercept: @escaping (_ source: AnyObject?, _ arguments: [BoxedValue]) throws -> EventReply) {
    self.intercept = intercept
    super.init(ObjectIdentifier(InterceptorBody.self), []) { _, _, _ in preconditionFailure("an interceptor has no frame") }
  }
}

/// The arguments in a handler's frame, to read.
@usableFromInline
@safe
struct FrameArguments {
  @usableFromInline let parameters: UnsafePointer<Parameter>
  @usableFromInline let frame: UnsafeMutableRawPointer

  @usableFromInline
  init(parameters: UnsafePointer<Parameter>, frame: UnsafeMutableRawPointer) {
    unsafe self.parameters = parameters
    unsafe self.frame = frame
  }

  /// Reads an argument, whose kind was checked.
  ///
  /// - Throws: ``DeliveryFailure`` for a null where the type has none, and an object of another class.
  @inlinable @inline(__always)
  func read<Value: EncodedValue>(_ index: Int) throws -> Value {
    guard let value = unsafe Value.load(from: parameters[index].slot, of: UnsafeRawPointer(frame)) else {
      throw unreadable(index, Value.self)
    }
    return value
  }

  @usableFromInline
  func unreadable(_ index: Int, _ type: any EncodedValue.Type) -> any Error {
    let slot = unsafe parameters[index].slot
    let word = unsafe frame.load(fromByteOffset: Int(slot.offset), as: UInt.self)
    let encoding = type.typeEncoding.description
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
