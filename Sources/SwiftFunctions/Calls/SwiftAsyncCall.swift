internal import CallFrames
internal import TypeEncodings

/// One call of an asynchronous Swift function: its frame, its arguments and its async context, on the heap.
///
/// The call is a function value of the type `@concurrent () async -> Void`, whose context is this object and whose code is
/// an entry in assembly. The entry reads the first field of the object. It calls the function and continues the caller
/// when the function returns, on whatever thread.
@safe
final class SwiftAsyncCall: @unchecked Sendable {
  // Unchecked Sendable: one task at a time uses it, before and after the call.

  /// The frame, in the first field, which the entry reads.
  private let frame: UnsafeMutableRawPointer
  private let plan: SwiftCallPlan
  private let function: AsyncSwiftFunction
  private let values: SwiftArgumentValues

  /// Checks and stores the arguments.
  ///
  /// - Parameter result: The type that is requested, or nil for that of the function.
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`.
  init(_ function: AsyncSwiftFunction, _ arguments: [Any], result: Any.Type?) throws(InvocationError) {
    let plan = function.plan
    if let result, result != plan.result.type { throw plan.mismatch(.result, given: result, expected: plan.result.type) }
    values = try SwiftArgumentValues.converting(arguments, for: plan)
    self.function = function
    self.plan = plan
    unsafe frame = UnsafeMutableRawPointer.allocate(byteCount: plan.frameSize, alignment: plan.frameAlignment)
    unsafe frame.initializeMemory(as: UInt8.self, repeating: 0, count: plan.frameSize)
    // A call that was created is run: it gives away the copies that are made here, or destroys them.
    for index in unsafe values.addresses.indices { unsafe plan.writeParts(UnsafeRawPointer(values.addresses[index]), index, frame) }
  }

  deinit {
    unsafe frame.deallocate()
  }

  /// A function value as the compiler stores it in a struct: the async function pointer and the context.
  private struct Entry {
    let function: @concurrent () async -> Void
  }

  /// Calls the function, whose result or error is in the frame then.
  func run() async {
    let context = unsafe start()
    let entry = unsafe unsafeBitCast((SwiftKernel.asyncEntry.unsafelyUnwrapped, self), to: Entry.self)
    await entry.function()
    unsafe context.deallocate()
  }

  /// Sets the words of the frame that are not arguments, and returns the memory of the function's async context.
  private func start() -> UnsafeMutableRawPointer {
    let first = unsafe Unmanaged.passUnretained(self).toOpaque().load(fromByteOffset: 16, as: UnsafeMutableRawPointer.self)
    precondition(unsafe first == frame, "the frame is the first field of a call")
    if plan.needsPreparation { unsafe plan.prepare(frame) }
    // The method table of a class, too, has the addresses of async function pointers: the code, relative to the pointer,
    // and the size of the context.
    let pointer = unsafe plan.code(in: frame)
    let code = unsafe pointer + Int(pointer.load(as: Int32.self))
    let size = unsafe Int(pointer.load(fromByteOffset: 4, as: UInt32.self))
    let context = UnsafeMutableRawPointer.allocate(byteCount: max(size, 16), alignment: 16)
    unsafe frame.storeBytes(of: context, toByteOffset: SwiftKernel.asyncContext, as: UnsafeMutableRawPointer.self)
    unsafe frame.storeBytes(of: code, toByteOffset: SwiftKernel.asyncCode, as: UnsafeRawPointer.self)
    return unsafe context
  }

  /// Takes the result out of the frame, once.
  ///
  /// - Throws: What the function threw.
  func finish<Result>(as type: Result.Type) throws -> Result {
    if plan.destroysCopy { unsafe plan.destroyCopies(frame) }
    // A function that does not throw leaves the register for the error undefined.
    if plan.types.isThrowing, unsafe frame.load(fromByteOffset: SwiftKernel.error, as: UInt.self) != 0 { throw unsafe plan.error(frame) }
    if plan.collectsResult { unsafe plan.collect(frame) }
    return unsafe plan.takeResult(frame, as: type)
  }
}
