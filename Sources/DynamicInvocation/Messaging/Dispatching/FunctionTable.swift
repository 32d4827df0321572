/// The methods of a dispatcher as C functions, in a block of memory that a C library uses as its struct of callbacks.
///
///     // struct callbacks { int (*opened)(void *user, int file); void (*closed)(void *user, int file); };
///     let methods: [DispatchProtocol.Method] = try [
///       .required("opened(_:)", types: "i@:i"), .required("closed(_:)", types: "v@:i"),
///     ]
///     let dispatcher = try ProtocolDispatcher(
///       DispatchProtocol("Callbacks", methods: methods), implementers: [cache, log])
///     let table = try dispatcher.functionTable(.userDataFirst)
///     library_register(table.pointer, nil)
///
/// The block has one function pointer for each method, in the order of ``DispatchProtocol/methods``. Each function
/// dispatches its arguments to the implementers and returns the result that the policy selected.
///
/// The functions are valid as long as the table is alive; the table retains the dispatcher. C may call them on any
/// thread, so the implementers must be safe to call on these threads. The rules of ``Closure`` apply to calls that run
/// while the table is deallocated, and to objects: the caller must release an object result.
///
/// - Complexity: Creating a table allocates a closure for each method. A call allocates only for frames of more than a
///   kilobyte.
@safe
public final class FunctionTable {
  /// The arguments of the C functions in addition to those of the method.
  public enum Form: Sendable {
    /// The first two arguments of the method itself, a target and a selector. The values that C passes for them are
    /// ignored.
    case message
    /// A pointer before the arguments, often called `self` or `userdata`. Its value is ignored.
    case userDataFirst
    /// Such a pointer after the last argument.
    case userDataLast
    /// No additional arguments.
    case plain
  }

  /// The dispatcher.
  public let dispatcher: ProtocolDispatcher

  /// The form of the functions.
  public let form: Form

  /// The address of the block, which has one function pointer for each method of the protocol.
  public let pointer: UnsafeRawPointer

  /// The number of function pointers.
  public var count: Int { closures.count }

  private let closures: [Closure?]

  init(_ dispatcher: ProtocolDispatcher, _ form: Form, _ closures: [Closure?]) {
    self.dispatcher = dispatcher
    self.form = form
    self.closures = closures
    let block = UnsafeMutablePointer<UnsafeRawPointer?>.allocate(capacity: max(1, closures.count))
    for (index, closure) in closures.enumerated() { unsafe (block + index).initialize(to: closure?.pointer) }
    unsafe pointer = UnsafeRawPointer(block)
  }

  deinit { unsafe pointer.deallocate() }

  /// Returns the function of a method, or nil if the protocol does not have the method, or it is an optional one that
  /// was omitted.
  public func function(for selector: MethodSelector) -> UnsafeRawPointer? {
    unsafe dispatcher.dispatchProtocol.index(of: selector).flatMap { unsafe closures[$0]?.pointer }
  }

  /// Returns the types of the function of a method, or nil as ``function(for:)`` does.
  public func methodSignature(for selector: MethodSelector) -> MethodSignature? {
    dispatcher.dispatchProtocol.index(of: selector).flatMap { closures[$0]?.methodSignature }
  }
}

extension FunctionTable.Form {
  /// Returns the types of the function for a method.
  func types(of method: MethodSignature) -> MethodTypes {
    let userData = unsafe UnsafeRawPointer.typeEncoding
    let arguments = Array(method.types.arguments.dropFirst(2))
    let all =
      switch self {
      case .message: method.types.arguments
      case .userDataFirst: [userData] + arguments
      case .userDataLast: arguments + [userData]
      case .plain: arguments
      }
    return MethodTypes(result: method.returnType, arguments: all)
  }

  /// The index of the function's argument that corresponds to the method's first argument after the selector.
  var firstArgument: Int {
    switch self {
    case .message: 2
    case .userDataFirst: 1
    case .userDataLast, .plain: 0
    }
  }
}

// MARK: - Function table

extension ProtocolDispatcher {
  /// Creates C functions for the methods, for a library that takes a struct of callbacks.
  ///
  /// C has no errors. If an implementer throws an error, or no implementer responds to a required method, `onError` is
  /// called before the function returns. If no other implementer returned a result, the function returns zero.
  ///
  /// - Parameters:
  ///   - form: The arguments of the functions in addition to those of the method.
  ///   - omitsUnanswered: Whether the table has a null pointer for an optional method to which no implementer responds
  ///     now. The pointer stays null if an implementer responds later.
  ///   - onError: Called with the error. The default traps, with the error in the message.
  /// - Throws: `InvocationError` as creating a ``Closure`` does: `unsupportedType`, `limitExceeded`.
  /// - Complexity: O(*methods*) allocations.
  public func functionTable(
    _ form: FunctionTable.Form, omitsUnanswered: Bool = false,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("a function of a dispatcher met an error: \($0)") }
  ) throws(InvocationError) -> FunctionTable {
    var closures: [Closure?] = []
    for method in dispatchProtocol.methods {
      if omitsUnanswered, !method.isRequired, !responds(to: method.selector) {
        closures.append(nil)
        continue
      }
      let first = form.firstArgument
      // The closure is not Sendable, because the implementers need not be: the code that passes the functions to C
      // determines on which threads they are called.
      let closure = try Closure(MethodSignature(form.types(of: method.methodSignature))) { frame, body in
        do {
          try self.answer(method, frame, body, first: first).map { throw $0 }
        } catch {
          onError(error)
        }
      }
      closures.append(closure)
    }
    return FunctionTable(self, form, closures)
  }

  /// Dispatches a call from C.
  ///
  /// - Parameters:
  ///   - method: A method of the protocol.
  ///   - incoming: The frame of the call, in which the result is stored.
  ///   - body: The body of the closure that was called.
  ///   - first: The index of the call's first argument that is also an argument of the method.
  /// - Returns: The first error, or nil.
  private func answer(
    _ method: DispatchProtocol.Method, _ incoming: IncomingFrame, _ body: ClosureBody, first: Int
  ) throws -> (any Error)? {
    guard let entry = entry(of: method.selector) else { throw unrecognized(method.selector) }
    let plan = method.methodSignature.storage.plan
    return try unsafe withUnsafeTemporaryAllocation(byteCount: plan.frameSize, alignment: plan.frameAlignment) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.prepare(frame)
      unsafe plan.slots[1].write(word: UInt64(UInt(bitPattern: method.selector.pointer)), to: frame)
      for argument in 2..<plan.count {
        unsafe body.slots[argument - 2 + first].withValue(in: incoming.memory) { unsafe plan.slots[argument].write(from: $0, to: frame) }
      }
      let outcome: DispatchOutcome
      do { outcome = unsafe try entry.call(DispatchFrame(frame, plan, capturesErrno: false, sent: nil)) } catch {
        unsafe body.result.clear(in: incoming.memory)
        throw error
      }
      // An object is passed to the caller retained.
      unsafe body.result.copyResult(of: plan, from: frame, to: incoming.memory)
      if let failure = outcome.failures.first { return failure.error }
      return outcome.isEmpty && method.isRequired ? entry.nobodyResponded() : nil
    }
  }
}
