import CallFrames
public import DynamicInvocation

/// An object that takes any message that the instances of a class take, as an invocation: NSProxy.
///
///     let proxy = try ObjectiveCProxy(of: pageClass) { invocation in
///       log.append(invocation.description)
///       try invocation.invoke(with: page)
///     }
///     try Invocation.send(controller, "setPage:", proxy.object)
///
/// The class of ``object`` gets each method when the first message of the method comes. The proxy does not pass on what the
/// root class itself implements, such as `description` and `isEqual:`.
@safe
public final class ObjectiveCProxy {
  /// What Objective-C calls; it keeps the handler alive.
  public let object: ObjectiveCObject

  /// Creates a proxy.
  ///
  /// - Parameters:
  ///   - type: The class.
  ///   - onError: Called with what the handler throws, and with a `typeMismatch` for a result that is no Objective-C object; the
  ///     result is then zero. The default traps.
  ///   - handler: Called on the thread of each message, with an invocation that retains its arguments. The result that the
  ///     invocation has afterwards is returned, or zero.
  /// - Throws: `InvocationError` `duplicateMethod` if the class of the proxy cannot be made.
  public init(
    of type: ObjectiveCObject, onError: @escaping @Sendable (any Error) -> Void = { fatalError("a proxy threw an error: \($0)") },
    _ handler: @escaping @Sendable (Invocation) throws -> Void
  ) throws(InvocationError) {
    object = ReceiverClass.makeObject(try ProxyClasses.find(type.word), ProxyReceiver(type.word, handler, onError))
  }
}

extension ObjectiveCProxy: CustomStringConvertible {
  /// The class of the object: `proxy <SwiftInvocationProxy_Page: 0x55d0c8a0>`.
  public var description: String { "proxy \(object)" }
}

private final class ProxyReceiver: MessageReceiver, @unchecked Sendable {
  // Unchecked Sendable: it is immutable.

  /// The class whose messages it takes.
  private let type: UInt
  private let handler: @Sendable (Invocation) throws -> Void
  private let onError: @Sendable (any Error) -> Void

  init(_ type: UInt, _ handler: @escaping @Sendable (Invocation) throws -> Void, _ onError: @escaping @Sendable (any Error) -> Void) {
    self.type = type
    self.handler = handler
    self.onError = onError
  }

  override func responds(_ selector: UInt) -> Bool? { RuntimeFunctions.current.instanceMethod(type, selector) != 0 ? true : nil }

  override func receive(_ call: inout IncomingCall, _ selector: UInt, _ words: IncomingWords) throws {
    let invocation = call.makeInvocation()
    call.answer(onError: onError) { call in
      try handler(invocation)
      if invocation.hasReturnValue { try call.setReturnValue(of: invocation) }
    }
  }
}

/// The classes of proxies, one for each class.
private enum ProxyClasses {
  private static let made: Locked<[UInt: UInt]> = Locked([:])

  static func find(_ type: UInt) throws(InvocationError) -> UInt {
    try made.value(type) { _ throws(InvocationError) in try make(type) }
  }

  private static func make(_ type: UInt) throws(InvocationError) -> UInt {
    let runtime = RuntimeFunctions.current
    let root = runtime.type(named: ReceiverClass.rootName)
    let resolve = runtime.selector("resolveInstanceMethod:")
    // The same types in all runtimes: a BOOL, in a byte.
    let types = runtime.kind == .gcc ? "C24@0:8:16" : "B24@0:8:16"
    return try ReceiverClass.make("SwiftInvocationProxy_\(runtime.name(ofClass: type))") { proxy throws(InvocationError) in
      try ReceiverClass.addOwn(resolve, types, to: runtime.type(of: proxy)) { proxy, selector in
        guard runtime.instanceMethod(root, selector) == 0, let types = runtime.types(ofMethod: runtime.instanceMethod(type, selector)),
          (try? ReceiverClass.add(runtime.name(ofSelector: selector), types: types, to: proxy, like: type)) != nil
        else { return 0 }
        return 1
      }
      // The root class would not find a method that was not added yet.
      try ReceiverClass.addOwn(runtime.selector("methodSignatureForSelector:"), "@24@0:8:16", to: proxy) { _, selector in
        runtime.send(type, runtime.selector("instanceMethodSignatureForSelector:"), selector)
      }
    }
  }
}
