internal import CallFrames
package import TypeEncodings

/// An asynchronous native Swift function that is called with types known at run time.
///
/// It is awaited like a function. The target of a method is the first argument.
///
///     let load = try SwiftLibrary("libPlugin.so").asyncFunction("Plugin.Store.load()")
///     let text: String = try await load(store)
///
/// The call is part of the task that awaits it: cancellation, priority and task-local values are the caller's. A
/// function of an actor or of a global actor runs on that actor, as it does when compiled code calls it, so arguments and
/// results are `Sendable`. See ``SwiftFunctions``.
public struct AsyncSwiftFunction: Sendable {
  let plan: SwiftCallPlan

  /// The library of the code, which stays loaded.
  let library: DynamicLibrary?

  package init(
    _ signature: SwiftFunctionSignature, takesIsolation: Bool?, trusting promises: SwiftLibrary.Promises,
    keeping library: DynamicLibrary? = nil
  ) throws(InvocationError) {
    plan = try SwiftCallPlan(async: signature, takesIsolation: takesIsolation, trusting: promises)
    self.library = library
  }

  /// The qualified name, such as `Plugin.Store.load()`.
  public var name: String { plan.signature.name }

  /// The mangled name.
  public var symbol: String { plan.signature.symbol }

  /// The types of the arguments: the type of self for a method, then the parameters.
  public var argumentTypes: [Any.Type] { (0..<plan.count).map { unsafe plan.slots[$0].value.type } }

  /// The type of the result, `Void` for none.
  public var resultType: Any.Type { plan.result.type }

  /// Whether the function is declared with `throws`.
  public var isThrowing: Bool { plan.signature.isThrowing }

  /// Calls the function and waits for its result.
  ///
  /// Arguments are converted as by ``SwiftFunction/call(_:)``. A method of a struct or enum receives a copy of its target.
  ///
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch` with the argument and both types, and what the function
  ///   throws.
  /// - Complexity: Allocates memory for the frame, for each argument and for the async context of the function.
  @inline(never)  // swiftc 6.3.1 crashes when it optimizes some callers; gone when the tests build in release without this.
  public func callAsFunction<each Argument: Sendable, Result: Sendable>(
    _ argument: repeat each Argument, as type: Result.Type = Result.self
  ) async throws -> Result {
    var arguments: [Any] = []
    for each in repeat each argument { arguments.append(each) }
    let call = try SwiftAsyncCall(self, arguments, result: type)
    await call.run()
    return try call.finish(as: type)
  }

  /// Calls the function with arguments of any type, waits for its result and returns it.
  ///
  /// The function may run on an actor of its own. The caller must ensure that no argument and no result is used from
  /// two isolations at a time.
  ///
  /// - Throws: As ``callAsFunction(_:as:)``.
  @unsafe @inline(never)
  public nonisolated(nonsending) func call(_ arguments: [Any]) async throws -> Any {
    let call = try SwiftAsyncCall(self, arguments, result: nil)
    await call.run()
    func finish<T>(_ type: T.Type) throws -> Any { try call.finish(as: type) }
    return try _openExistential(resultType, do: finish)
  }
}

extension AsyncSwiftFunction: CustomStringConvertible {
  /// The name and the types: `Plugin.load(_:): (Swift.String) async throws -> Swift.Int`.
  public var description: String { "\(name): \(plan.typeText)" }
}

extension SwiftLibrary {
  /// Returns an asynchronous function, method or initializer, ready to be awaited.
  ///
  /// The symbol does not state whether a function is `nonisolated(nonsending)`. Such a function takes two words more, so
  /// this method returns only functions that are called in the same way in both cases: those that take and return
  /// nothing in general registers besides their target, such as `store.load()`. For others, state it:
  /// ``asyncFunction(_:isNonsending:)``.
  ///
  /// - Parameter name: As for ``function(_:isVirtual:)``.
  /// - Throws: As ``function(_:isVirtual:)``; `unsupportedType` also for functions that throw an error of a stated type,
  ///   for accessors, for `inout` parameters, and on platforms other than Linux.
  public func asyncFunction(_ name: String) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(symbols.function(name), takesIsolation: nil, trusting: promises, keeping: library)
  }

  /// Returns an asynchronous function whose isolation the caller states.
  ///
  /// - Parameters:
  ///   - name: As for ``function(_:isVirtual:)``.
  ///   - isNonsending: Whether the function is `nonisolated(nonsending)`: it is declared so, or it is nonisolated and
  ///     not `@concurrent`, and its module is compiled with the feature `NonisolatedNonsendingByDefault`. A member of
  ///     an actor and a function of a global actor are not. A nonsending function is called without isolation.
  /// - Throws: As ``asyncFunction(_:)``.
  @unsafe
  public func asyncFunction(_ name: String, isNonsending: Bool) throws(InvocationError) -> AsyncSwiftFunction {
    try AsyncSwiftFunction(symbols.function(name), takesIsolation: isNonsending, trusting: promises, keeping: library)
  }
}

/// A frame of an asynchronous Swift function, on the heap.
///
/// A call is a function value of the type `@concurrent () async -> Void`, whose context is this object and whose code is
/// an entry in assembly. The entry reads the first field of the object. It calls the function and continues the caller
/// when the function returns, on whatever thread.
@safe
package final class SwiftAsyncFrame: @unchecked Sendable {
  // Unchecked Sendable: one task at a time uses it, before and after the call.

  /// The frame, in the first field, which the entry reads.
  package let frame: UnsafeMutableRawPointer

  /// Allocates a frame, which contains zeros.
  package init(size: Int, alignment: Int) {
    unsafe frame = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
    unsafe frame.initializeMemory(as: UInt8.self, repeating: 0, count: size)
  }

  deinit {
    unsafe frame.deallocate()
  }

  /// A function value as the compiler stores it in a struct: the async function pointer and the context.
  private struct Entry {
    let function: @concurrent () async -> Void
  }

  /// Calls the function of an async function pointer; its result or error is then in the frame.
  ///
  /// The pointer is the distance of the code from it and the size of the function's async context.
  package nonisolated(nonsending) func call(_ pointer: UnsafeRawPointer) async {
    let context = unsafe start(pointer)
    let entry = unsafe unsafeBitCast((SwiftKernel.asyncEntry.unsafelyUnwrapped, self), to: Entry.self)
    await entry.function()
    unsafe context.deallocate()
  }

  /// Sets the words of the frame for the entry, and returns the memory of the function's async context.
  private func start(_ pointer: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let first = unsafe Unmanaged.passUnretained(self).toOpaque().load(fromByteOffset: 16, as: UnsafeMutableRawPointer.self)
    precondition(unsafe first == frame, "the frame is the first field of a call")
    let code = unsafe pointer + Int(pointer.load(as: Int32.self))
    let size = unsafe Int(pointer.load(fromByteOffset: 4, as: UInt32.self))
    let context = UnsafeMutableRawPointer.allocate(byteCount: max(size, 16), alignment: 16)
    unsafe frame.storeBytes(of: context, toByteOffset: SwiftKernel.asyncContext, as: UnsafeMutableRawPointer.self)
    unsafe frame.storeBytes(of: code, toByteOffset: SwiftKernel.asyncCode, as: UnsafeRawPointer.self)
    return unsafe context
  }
}

/// One call of an asynchronous Swift function: its frame, and its arguments.
struct SwiftAsyncCall: ~Copyable, @unchecked Sendable {
  // Unchecked Sendable: one task at a time uses it, before and after the call.

  private let frame: SwiftAsyncFrame
  private let plan: SwiftCallPlan
  private let function: AsyncSwiftFunction
  private let values: SwiftCallValues

  /// Checks and stores the arguments.
  ///
  /// - Parameter result: The type that is requested, or nil for the function's.
  /// - Throws: `InvocationError` `countMismatch` and `typeMismatch`.
  init(_ function: AsyncSwiftFunction, _ arguments: [Any], result: Any.Type?) throws(InvocationError) {
    let plan = function.plan
    if let result, result != plan.result.type { throw plan.mismatch(.result, given: result, expected: plan.result.type) }
    values = try SwiftCallValues.converting(arguments, for: plan)
    self.function = function
    self.plan = plan
    frame = SwiftAsyncFrame(size: plan.layout.size, alignment: plan.layout.alignment)
    // Each call that is created is run: it gives away or destroys the copies that are made here.
    for index in 0..<plan.count { unsafe plan.writeParts(UnsafeRawPointer(values.address(index)), index, frame.frame) }
  }

  /// Calls the function; its result or error is then in the frame.
  func run() async {
    if plan.needsPreparation { unsafe plan.prepare(frame.frame) }
    // The method table of a class, too, has the addresses of async function pointers.
    await unsafe frame.call(plan.code(in: frame.frame))
  }

  /// Takes the result out of the frame, once.
  ///
  /// - Throws: What the function threw.
  func finish<Result>(as type: Result.Type) throws -> Result {
    if plan.destroysCopy { unsafe plan.destroyCopies(frame.frame) }
    // A function that does not throw leaves the register for the error undefined.
    if plan.signature.isThrowing, unsafe frame.frame.load(fromByteOffset: SwiftKernel.error, as: UInt.self) != 0 {
      throw unsafe plan.error(frame.frame)
    }
    if plan.layout.collectsResult { unsafe plan.collect(frame.frame) }
    return unsafe plan.takeResult(frame.frame, as: type)
  }
}
