/// The methods of a dispatcher as C functions, in a block of memory that a C library takes for its struct of callbacks.
///
///     // struct callbacks { int (*opened)(void *user, int file); void (*closed)(void *user, int file); };
///     let methods: [DispatchProtocol.Method] = try [.required("opened(_:)", types: "i@:i"), .required("closed(_:)", types: "v@:i")]
///     let dispatcher = try ProtocolDispatcher(DispatchProtocol("Callbacks", methods: methods), implementers: [cache, log])
///     let table = try dispatcher.functionTable(.userDataFirst)
///     library_register(table.pointer, nil)
///
/// The block holds one function pointer for each method, in the order of ``DispatchProtocol/methods``. Each function
/// dispatches its arguments to the implementers and returns the result that the policy chose.
///
/// The functions are good as long as the table lives, which keeps the dispatcher. C may call them on any thread, which
/// the implementers must be ready for. The rules of ``Closure`` hold for calls that run while the table goes, and for
/// objects: one that is returned is the caller's to release.
///
/// - Complexity: Making one allocates a closure for each method. A call allocates nothing, save for frames of more than
///   a kilobyte.
@safe
public final class FunctionTable {
  /// The arguments of the C functions before those of the method.
  public enum Form: Sendable {
    /// Those of the method itself, a target and a selector; what C passes for them does not matter.
    case message
    /// A pointer, often called `self` or `userdata`; what C passes does not matter.
    case userDataFirst
    /// None, and such a pointer after the last argument.
    case userDataLast
    /// None.
    case plain
  }

  /// The dispatcher.
  public let dispatcher: ProtocolDispatcher

  /// The form of the functions.
  public let form: Form

  /// The address of the block: as many function pointers as the protocol has methods.
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

  /// Returns the function of a method; nil for no method of the protocol, and for an optional one that was left out.
  public func function(for selector: Selector) -> UnsafeRawPointer? {
    unsafe dispatcher.dispatchProtocol.index(of: selector).flatMap { unsafe closures[$0]?.pointer }
  }

  /// Returns the types of the function of a method, or nil as ``function(for:)`` does.
  public func methodSignature(for selector: Selector) -> MethodSignature? {
    dispatcher.dispatchProtocol.index(of: selector).flatMap { closures[$0]?.methodSignature }
  }
}

extension FunctionTable.Form {
  /// The types of the function for a method.
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

  /// The index among the function's arguments of the method's first one after the selector.
  var firstArgument: Int {
    switch self {
    case .message: 2
    case .userDataFirst: 1
    case .userDataLast, .plain: 0
    }
  }
}
