internal import DynamicInvocation

/// The layout of a handler's frame, and the function that is called with it.
///
/// It owns the memory that ``HandlerLayout`` and ``HandlerFunction`` point to.
@safe
final class HandlerPlan {
  /// The maximum number of arguments of an event.
  static let mostArguments = 60

  let methodSignature: MethodSignature
  let implementation: Implementation?
  let layout: HandlerLayout
  let function: UnsafePointer<HandlerFunction>?
  /// The index in the signature of the first argument that is the event's own.
  let first: Int
  private let parameters: UnsafeMutablePointer<BoxedParameter>

  /// Plans a handler that is Swift code and reads its arguments from the frame.
  convenience init(of types: [any EncodedValue.Type]) throws(InvocationError) {
    let encodings = [unsafe Unmanaged<AnyObject>.typeEncoding] + types.map { $0.typeEncoding }
    let signature = try MethodSignature(MethodTypes(result: "v", arguments: encodings))
    for (index, type) in types.enumerated() where unsafe !type.accepts(signature.storage.plan.slots[index + 1].kind) {
      throw .foreignLayout(type, argument: .index(index + 1))
    }
    try self.init(signature, nil, selector: nil)
  }

  /// Plans a handler that is an implementation.
  ///
  /// - Parameter selector: The selector of a method.
  /// - Throws: ``InvocationError`` `typeMismatch` when the first parameter (for a method, the one after the selector)
  ///   is not an object, or the known types of the implementation differ; `limitExceeded`.
  init(_ signature: MethodSignature, _ implementation: Implementation?, selector: MethodSelector?) throws(InvocationError) {
    try implementation?.requireTypes(signature, selector)
    let call = signature.storage.plan
    let source = signature.isMethod ? 2 : 0
    guard call.count > source, unsafe call.slots[source].kind == .object else {
      throw InvocationError(
        .typeMismatch, "a handler takes the source of the event first, an object", argument: .index(0), encoding: "\(signature)")
    }
    if signature.isMethod, unsafe call.slots[0].kind != .object {
      throw InvocationError(.typeMismatch, "a handler's target is an object", encoding: "\(signature)")
    }
    first = source + 1
    let count = call.count - first
    guard count <= Self.mostArguments else {
      throw InvocationError(.limitExceeded, "more than \(Self.mostArguments) arguments", encoding: "\(signature)")
    }
    unsafe parameters = .allocate(capacity: max(1, count))
    for index in 0..<count { unsafe (parameters + index).initialize(to: BoxedParameter(call.slots[first + index])) }
    methodSignature = signature
    self.implementation = implementation
    layout = unsafe HandlerLayout(
      parameters: UnsafePointer(parameters), count: count, frameSize: call.frameSize, frameAlignment: call.frameAlignment)
    guard let implementation else {
      unsafe function = nil
      return
    }
    let function = UnsafeMutablePointer<HandlerFunction>.allocate(capacity: 1)
    unsafe function.initialize(
      to: HandlerFunction(call, implementation, source: Int(call.slots[source].offset), isMethod: signature.isMethod, selector))
    unsafe self.function = UnsafePointer(function)
  }

  deinit {
    unsafe parameters.deallocate()
    unsafe function?.deallocate()
  }

  /// The types of the event's arguments.
  var argumentTypes: [TypeEncoding] { Array(methodSignature.types.arguments.dropFirst(first)) }
}

/// How the arguments of an event are written to a handler's frame.
@usableFromInline
@safe
struct HandlerLayout {
  /// The parameters after the source.
  @usableFromInline let parameters: UnsafePointer<BoxedParameter>?
  /// The number of parameters, or -1 for a handler that takes boxes.
  @usableFromInline let count: Int
  @usableFromInline let frameSize: Int
  @usableFromInline let frameAlignment: Int

  /// The layout of a handler without a frame.
  static var none: HandlerLayout { unsafe HandlerLayout(parameters: nil, count: -1, frameSize: 0, frameAlignment: 8) }

  /// The frame size in bytes that is enough for most handlers.
  @usableFromInline static var smallFrame: Int { 512 }

  @usableFromInline let isSmall: Bool

  init(parameters: UnsafePointer<BoxedParameter>?, count: Int, frameSize: Int, frameAlignment: Int) {
    unsafe self.parameters = unsafe parameters
    self.count = count
    self.frameSize = frameSize
    self.frameAlignment = frameAlignment
    isSmall = frameSize <= Self.smallFrame && frameAlignment <= 16
  }
}

/// A function that handles an event, and the frame offsets of the target, the selector, the source and the result.
@usableFromInline
@safe
struct HandlerFunction {
  @usableFromInline let kernel: @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer, UnsafeRawPointer?) -> Void
  @usableFromInline let code: UnsafeRawPointer
  @usableFromInline let context: UnsafeRawPointer?
  @usableFromInline let source: Int
  /// The offsets of the target and the selector, or -1.
  @usableFromInline let target: Int
  @usableFromInline let selector: Int
  @usableFromInline let selectorWord: UInt
  let resultAddress: Int
  let result: Int
  /// Whether the call needs no further steps: no error, no result to release, and no result address.
  let isPlain: Bool
  let mayThrow: Bool
  /// Whether the result is an object to release.
  let ownsResult: Bool

  init(_ call: CallPlan, _ implementation: Implementation, source: Int, isMethod: Bool, _ selector: MethodSelector?) {
    unsafe kernel = call.kernel
    unsafe code = implementation.pointer
    unsafe context = call.context
    self.source = source
    target = isMethod ? unsafe Int(call.slots[0].offset) : -1
    self.selector = isMethod ? unsafe Int(call.slots[1].offset) : -1
    selectorWord = selector.map { unsafe UInt(bitPattern: $0.pointer) } ?? 0
    resultAddress = call.resultAddressOffset
    result = Int(call.result.offset)
    mayThrow = implementation.mayThrow
    ownsResult = implementation.returnsRetained && call.result.kind == .object
    isPlain = !mayThrow && !ownsResult && resultAddress < 0
  }
}

extension UnsafePointer<HandlerFunction> {
  /// Calls the function with a frame that contains the event's arguments.
  @inline(__always)
  func call(_ frame: UnsafeMutableRawPointer, target: ObjectAddress, source: ObjectAddress) throws {
    if unsafe pointee.isPlain { return unsafe callPlainly(frame, target: target, source: source) }
    unsafe complete(frame, target: target, source: source)
    try unsafe callCarefully(frame)
  }

  /// Calls a function that is plain.
  @inlinable @inline(__always)
  func callPlainly(_ frame: UnsafeMutableRawPointer, target: ObjectAddress, source: ObjectAddress) {
    unsafe complete(frame, target: target, source: source)
    unsafe pointee.kernel(frame, pointee.code, pointee.context)
  }

  /// Writes the source, the target and the selector to the frame.
  @inlinable @inline(__always)
  func complete(_ frame: UnsafeMutableRawPointer, target: ObjectAddress, source: ObjectAddress) {
    unsafe frame.storeBytes(of: UInt(bitPattern: source.address), toByteOffset: pointee.source, as: UInt.self)
    if unsafe pointee.target >= 0 {
      unsafe frame.storeBytes(of: UInt(bitPattern: target.address), toByteOffset: pointee.target, as: UInt.self)
      unsafe frame.storeBytes(of: pointee.selectorWord, toByteOffset: pointee.selector, as: UInt.self)
    }
  }

  /// Calls the function, and leaves its result in the frame; the frame owns the result if `ownsResult` is true.
  func callKeeping(_ frame: UnsafeMutableRawPointer, target: ObjectAddress, source: ObjectAddress) throws {
    unsafe complete(frame, target: target, source: source)
    try unsafe callAlone(frame)
  }

  @inline(never)
  private func callCarefully(_ frame: UnsafeMutableRawPointer) throws {
    try unsafe callAlone(frame)
    unsafe releaseResult(in: frame)
  }

  private func callAlone(_ frame: UnsafeMutableRawPointer) throws {
    let function = unsafe pointee
    if function.resultAddress >= 0 {
      unsafe frame.storeBytes(of: UInt(bitPattern: frame + function.result), toByteOffset: function.resultAddress, as: UInt.self)
    }
    if function.mayThrow {
      try ErrorPlace.rethrow { unsafe function.kernel(frame, function.code, function.context) }
    } else {
      unsafe function.kernel(frame, function.code, function.context)
    }
  }

  /// Releases the result, if the frame owns it.
  func releaseResult(in frame: UnsafeMutableRawPointer) {
    let function = unsafe pointee
    if function.ownsResult, let object = unsafe UnsafeRawPointer(bitPattern: frame.load(fromByteOffset: function.result, as: UInt.self)) {
      unsafe Unmanaged<AnyObject>.fromOpaque(object).release()
    }
  }
}
