import CallFrames
public import DynamicInvocation
import Synchronization

/// An object that Objective-C calls by protocols, and that passes each message on: a delegate for several objects.
///
///     let receiver = try ObjectiveCReceiver(["UITableViewDelegate"], implementers: [controller, analytics])
///     try receiver.handle("tableView:heightForRowAtIndexPath:") { call in try call.setReturnValue(44.0) }
///     try Invocation.send(tableView, "setDelegate:", receiver.object)
///
/// The class of ``object`` is made at run time and implements the methods. `respondsToSelector:` answers true exactly as
/// long as somebody would respond: a handler, a recorder, or an implementer that is alive and responds itself. If a sender
/// asked before that changed and sends its message afterwards, the message is answered with zero.
///
/// The implementers are called as a `ProtocolDispatcher` calls them, with its rules, policies and numbers, and are not
/// retained. An implementer is an Objective-C object, or a Swift object whose class has the method in its
/// `MethodTable`. On Linux an Objective-C object counts as alive as long as the ``ObjectiveCObject`` that was added is alive.
///
/// Neither the implementers nor the senders retain a receiver; when it is released, its object answers zero.
///
/// - Complexity: A message to Objective-C implementers takes no lock and allocates nothing. Each type of method needs code
///   of its own, which all receivers share.
@safe
public final class ObjectiveCReceiver {
  /// What Objective-C calls.
  public let object: ObjectiveCObject
  /// The protocol that the implementers are called by.
  public var dispatchProtocol: DispatchProtocol { core.dispatcher.dispatchProtocol }
  private let core: ReceiverCore

  /// Creates a receiver.
  ///
  /// - Parameters:
  ///   - protocols: The names of the protocols, whose inherited protocols count too.
  ///   - implementers: The implementers in the order of their calls.
  ///   - methods: Further methods. gcc's runtime does not know the optional methods of a protocol: list them here.
  ///   - returnPolicy: The policy for the results of all methods whose return type it fits.
  ///   - onError: Called with what an implementer or a handler throws, since Objective-C cannot receive it, and with a
  ///     `typeMismatch` for a result that is no Objective-C object; the result is then zero. The default traps.
  /// - Throws: `InvocationError` `symbolNotFound` for an unknown protocol, `typeMismatch` for an implementer that has a
  ///   method with other types, and `unsupportedType` for a method that cannot be received.
  /// - Complexity: The first receiver of these protocols makes a class, which is never disposed of.
  public init(
    _ protocols: [String], implementers: [AnyObject?] = [], methods: [DispatchProtocol.Method] = [],
    returnPolicy: ReturnPolicy<BoxedValue> = .last,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("a message of Objective-C ended with an error: \($0)") }
  ) throws(InvocationError) {
    let made = try ReceiverClasses.find(protocols, methods)
    let dispatcher = try ProtocolDispatcher(made.dispatchProtocol, implementers: implementers, returnPolicy: returnPolicy)
    core = ReceiverCore(dispatcher, onError)
    core.update()
    object = ReceiverClass.makeObject(made.type, core)
  }

  deinit { core.close() }
}

extension ObjectiveCReceiver: ImplementerDispatcher {
  /// The implementers.
  public var implementerList: ImplementerList<AnyObject> { core.dispatcher.implementerList }
}

/// What answers besides the implementers.
extension ObjectiveCReceiver {
  /// Answers the messages of a method with a closure, instead of the implementers; nil removes the closure.
  ///
  /// - Parameters:
  ///   - selector: A method of the protocols, by Objective-C's name or by the Swift name.
  ///   - handler: Reads the arguments and sets the result, which is zero otherwise.
  /// - Throws: `InvocationError` `unrecognizedSelector` if the protocols do not have the method.
  public func handle(
    _ selector: MethodSelector, _ handler: (@Sendable (inout IncomingCall) throws -> Void)?
  ) throws(InvocationError) {
    guard let entry = core.entry(named: SwiftNames.selector(selector.name)) else { throw unrecognized(selector) }
    entry.handler.set(handler)
    core.update()
  }

  /// Records each message before it is passed on; nil removes the recorder.
  ///
  /// With a recorder the object responds to all methods of the protocols.
  ///
  /// - Parameter recorder: Called on the thread of the message with an invocation that retains its arguments.
  public func record(_ recorder: (@Sendable (Invocation) -> Void)?) {
    core.recorder.set(recorder)
    core.update()
  }

  /// Sets the policy for the results of a method; nil for the policy of all methods.
  ///
  /// - Throws: `InvocationError` as `ProtocolDispatcher.setReturnPolicy(_:for:)` does.
  public func setReturnPolicy(_ policy: ReturnPolicy<BoxedValue>?, for selector: MethodSelector) throws(InvocationError) {
    try core.dispatcher.setReturnPolicy(policy, for: MethodSelector(SwiftNames.selector(selector.name)))
    core.update()
  }

  private func unrecognized(_ selector: MethodSelector) -> InvocationError {
    selector.unrecognized("\(dispatchProtocol.name) has no method", among: dispatchProtocol.methods.map(\.selector.name))
  }
}

extension ObjectiveCReceiver: CustomStringConvertible {
  /// The protocols and the number of listed implementers: `receiver of TableDelegate to 2 implementers`.
  public var description: String { "receiver of \(dispatchProtocol.name) to \(implementers.count) implementers" }
}

/// What the object of a receiver passes its messages to.
@safe
final class ReceiverCore: MessageReceiver, @unchecked Sendable {
  // Unchecked Sendable: the dispatcher may be used on any thread, and the other members are locked or atomic.

  /// One method.
  final class Entry: Sendable {
    let selector: MethodSelector
    let handler: Mutex<(@Sendable (inout IncomingCall) throws -> Void)?> = Mutex(nil)
    /// Whether implementers that are Objective-C objects are simply called.
    let isPlain: Atomic<Bool> = Atomic(false)

    init(_ selector: MethodSelector) { self.selector = selector }
  }

  let dispatcher: ProtocolDispatcher
  let recorder: Mutex<(@Sendable (Invocation) -> Void)?> = Mutex(nil)
  private let onError: @Sendable (any Error) -> Void
  /// By the identity of the selector.
  private let entries: PointerTable<Unmanaged<Entry>>
  private let all: [Entry]
  private let runtime: RuntimeFunctions
  private let isClosed: Atomic<Bool> = Atomic(false)

  init(_ dispatcher: ProtocolDispatcher, _ onError: @escaping @Sendable (any Error) -> Void) {
    self.dispatcher = dispatcher
    self.onError = onError
    runtime = RuntimeFunctions.current
    var table: PointerTable<Unmanaged<Entry>> = unsafe PointerTable()
    all = dispatcher.dispatchProtocol.methods.map { Entry($0.selector) }
    for entry in all {
      unsafe table[runtime.identity(ofSelector: runtime.selector(entry.selector.name))] = .passUnretained(entry)
    }
    unsafe entries = table
  }

  func entry(named name: String) -> Entry? {
    let selector = MethodSelector(name)
    return all.first { $0.selector == selector }
  }

  /// Notes which messages are simply passed on.
  func update() {
    let isRecorded = recorder.withLock { $0 != nil }
    for entry in all {
      var isPlain = !isRecorded && entry.handler.withLock { $0 == nil }
      if case .last = dispatcher.returnPolicy(for: entry.selector) {} else { isPlain = false }
      entry.isPlain.store(isPlain, ordering: .releasing)
    }
  }

  /// Ends the receiver: all messages are answered with zero.
  func close() {
    isClosed.store(true, ordering: .releasing)
    dispatcher.removeAll()
    for entry in all { entry.handler.set(nil) }
    recorder.set(nil)
    update()
  }

  override func receive(_ call: inout IncomingCall, _ selector: UInt, _ words: IncomingWords) throws {
    guard let entry = unsafe entries[runtime.identity(ofSelector: selector)] else { return }
    unsafe entry._withUnsafeGuaranteedRef { entry in
      // The path that combines results keeps a result that the caller releases.
      if entry.isPlain.load(ordering: .acquiring), !words.returnsRetained, pass(&call, selector) { return }
      call.answer(onError: onError) { try answer(&$0, entry) }
    }
  }

  /// Calls each implementer that responds, if all are Objective-C objects; the call returns the last one's result.
  private func pass(_ call: inout IncomingCall, _ selector: UInt) -> Bool {
    unsafe dispatcher.forEachImplementer(ifAll: { $0 == ObjectiveCObject.self || $0 is ObjectiveCObject.Type }) { reference in
      let word = FrameWords.object(UInt64(UInt(bitPattern: unsafe reference.toOpaque()))) ?? 0
      guard word != 0, runtime.responds(word, selector) else { return }
      unsafe call.forward(toForeign: UnsafeRawPointer(bitPattern: runtime.code(word, selector)).unsafelyUnwrapped, target: UInt64(word))
    }
  }

  private func answer(_ call: inout IncomingCall, _ entry: Entry) throws {
    if let recorder = recorder.withLock({ $0 }) { recorder(call.makeInvocation()) }
    if let handler = entry.handler.withLock({ $0 }) { return try handler(&call) }
    let invocation = call.makeInvocation()
    invocation.selector = entry.selector
    let outcome = try dispatcher.dispatch(invocation)
    if let failure = outcome.failures.first { throw failure.error }
    if outcome.responderCount > 0 { try call.setReturnValue(of: invocation) }
  }

  override func responds(_ selector: UInt) -> Bool? {
    guard let entry = unsafe entries[runtime.identity(ofSelector: selector)] else { return nil }
    if isClosed.load(ordering: .acquiring) { return false }
    return unsafe entry._withUnsafeGuaranteedRef { entry in
      if recorder.withLock({ $0 != nil }) || entry.handler.withLock({ $0 != nil }) { return true }
      return dispatcher.implementers.contains { implementer in
        if let object = implementer as? ObjectiveCObject { return runtime.responds(object.word, selector) }
        return MethodTable.of(type(of: implementer)).responds(to: entry.selector)
          || (implementer as? any Invocable)?.implementation(for: entry.selector) != nil
      }
    }
  }
}

extension Mutex where Value: Sendable {
  fileprivate func set(_ new: Value) {
    let former = withLock { exchange(&$0, with: new) }
    // Released without the lock, also in optimized code: objects that it keeps may use the receiver.
    withExtendedLifetime(former) {}
  }
}

/// The classes of receivers, one for each set of protocols and methods.
private enum ReceiverClasses {
  struct Key: Hashable {
    var protocols: [String]
    var methods: [DispatchProtocol.Method]
  }

  struct Made {
    var type: UInt
    var dispatchProtocol: DispatchProtocol
  }

  private static let made: Locked<[Key: Made]> = Locked([:])

  static func find(_ protocols: [String], _ methods: [DispatchProtocol.Method]) throws(InvocationError) -> Made {
    guard RuntimeFunctions.known != nil else {
      throw InvocationError(.symbolNotFound, "no runtime was named; call ObjectiveCRuntime.use(_:) first")
    }
    return try made.value(Key(protocols: protocols, methods: methods)) { number throws(InvocationError) in
      try make(protocols, methods, number: number)
    }
  }

  private static func make(_ names: [String], _ methods: [DispatchProtocol.Method], number: Int) throws(InvocationError) -> Made {
    let runtime = RuntimeFunctions.current
    var types: [(name: String, types: String)] = methods.map { method in
      (SwiftNames.selector(method.selector.name), method.methodSignature.types.text(dialect: runtime.dialect))
    }
    var all: [DispatchProtocol.Method] = []
    for method in types {
      all.append(try DispatchProtocol.Method(MethodSelector(method.name), RuntimeTypes(method.types).signature, isRequired: false))
    }
    var protocols: [UInt] = []
    for name in names {
      let found = runtime.protocolNamed(name)
      guard found != 0 else { throw InvocationError(.symbolNotFound, "there is no protocol '\(name)'") }
      protocols.append(found)
      for method in runtime.methods(ofProtocol: found) where !types.contains(where: { $0.name == method.name }) {
        types.append(method)
        all.append(try DispatchProtocol.Method(MethodSelector(method.name), RuntimeTypes(method.types).signature, isRequired: false))
      }
    }
    let title = names.isEmpty ? "methods" : names.joined(separator: ", ")
    let dispatchProtocol = try DispatchProtocol(title, methods: all)
    let type = try ReceiverClass.make("SwiftInvocationReceiver_\(names.joined(separator: "_"))_\(number)") { type throws(InvocationError) in
      for item in protocols { _ = runtime.addProtocol(type, item) }
      for method in types { try ReceiverClass.add(method.name, types: method.types, to: type) }
    }
    return Made(type: type, dispatchProtocol: dispatchProtocol)
  }
}
