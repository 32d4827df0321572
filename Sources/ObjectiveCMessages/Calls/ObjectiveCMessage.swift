import CallFrames
import DynamicInvocation
import Synchronization
import TypeEncodings

/// The message of a selector to the objects of a class, or to objects of another class whose method has the same types.
@safe
final class ObjectiveCMessage: ForeignCode, @unchecked Sendable {
  // Unchecked Sendable: it is immutable.

  private let runtime: RuntimeFunctions
  private let closure: Closure
  let types: MethodSignature
  private let slots: UnsafePointer<FrameSlot>
  /// The class of the objects.
  private let type: UInt
  /// Whether the class's own code runs, whatever the class of the target is.
  private let isSuper: Bool
  private let selector: MethodSelector
  /// The selector of the runtime.
  private let runtimeSelector: UInt
  private let words: RuntimeCall
  let ownership: MethodOwnership

  init(
    _ closure: Closure, _ types: RuntimeTypes, _ type: UInt, isSuper: Bool, _ selector: MethodSelector, _ runtimeSelector: UInt,
    _ ownership: MethodOwnership
  ) {
    self.closure = closure
    runtime = RuntimeFunctions.current
    self.types = types.signature
    unsafe slots = types.signature.storage.plan.slots
    self.type = type
    self.isSuper = isSuper
    self.selector = selector
    self.runtimeSelector = runtimeSelector
    words = RuntimeCall(types, from: 2, ownership)
    self.ownership = ownership
  }

  /// The message as an implementation.
  var implementation: Implementation { Implementation(ForeignMessage(closure, self)) }

  func call(
    _ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) throws(InvocationError) -> Bool {
    guard unsafe slots[1].word(of: frame) == UInt64(UInt(bitPattern: selector.pointer)) else { return false }
    let target = unsafe slots[0].word(of: frame)
    guard let object = FrameWords.target(target, above: isSuper ? type : nil) else { return false }
    if !isSuper, runtime.type(of: object) != type {
      guard let other = MessageTable.message(to: object, selector), other.types.storage === types.storage else { return false }
      try unsafe other.send(object, frame, kernel, context)
      return true
    }
    try unsafe send(object, frame, kernel, context)
    return true
  }

  @inline(__always)
  private func send(
    _ object: UInt, _ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) throws(InvocationError) {
    unsafe slots[0].write(word: UInt64(object), to: frame)
    unsafe slots[1].write(word: UInt64(runtimeSelector), to: frame)
    try unsafe words.replaceArguments(of: frame)
    let code = isSuper ? runtime.classCode(type, runtimeSelector) : runtime.code(object, runtimeSelector)
    unsafe kernel(frame, UnsafeRawPointer(bitPattern: code).unsafelyUnwrapped, context)
    unsafe words.replaceResult(of: frame)
  }

  /// Whether it is the message of a selector to the objects of a class.
  func isMessage(_ type: UInt, _ selector: MethodSelector, isSuper: Bool) -> Bool {
    self.type == type && self.selector == selector && self.isSuper == isSuper
  }
}

/// The messages of the classes that were asked, and the code of each type of message.
enum MessageTable {
  private struct Key: Hashable {
    var type: UInt
    var selector: MethodSelector
    var isSuper: Bool
  }

  /// What a message is made of, beside its class and selector.
  private struct Content: Hashable {
    var key: Key
    var types: String
    var ownership: MethodOwnership
  }

  private static let messages: Locked<[Key: ObjectiveCMessage]> = Locked([:])
  /// Never released, since a message may be found without a lock: one message for each content, however often all are removed.
  private static let made: Locked<[Content: ObjectiveCMessage]> = Locked([:])
  private static let closures: Locked<[MethodSignature: Closure]> = Locked([:])

  /// The messages that were found last, each at a place by its class and selector: finding one again takes no lock.
  nonisolated(unsafe) private static let recent: UnsafeMutablePointer<Atomic<UInt>> = {
    let places = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: recentCount)
    for index in 0..<recentCount { unsafe (places + index).initialize(to: Atomic(0)) }
    return unsafe places
  }()

  private static let recentCount = 256

  static func removeAll() {
    messages.withLock { $0.removeAll() }
    for index in 0..<recentCount { unsafe recent[index].store(0, ordering: .releasing) }
  }

  /// Returns the message of a selector to an object, or nil if it does not respond.
  static func message(to object: UInt, _ selector: MethodSelector) -> ObjectiveCMessage? {
    let runtime = RuntimeFunctions.current
    let type = runtime.type(of: object)
    if let message = message(type, selector) { return message }
    // If the class has the method, the engine cannot pass its types, and does not ask: GNUstep ends the process at types that it does
    // not know.
    guard runtime.instanceMethod(type, runtime.selector(SwiftNames.selector(selector.name))) == 0 else { return nil }
    let name = SwiftNames.selector(selector.name)
    return ForwardedTypes.types(of: name, to: object).flatMap { make(type, selector, name, types: $0) }
  }

  /// Returns the message of a selector to the objects of a class, or nil if they have no such method.
  static func message(_ type: UInt, _ selector: MethodSelector, isSuper: Bool = false) -> ObjectiveCMessage? {
    // The upper bits of a hash are the index.
    let place = unsafe recent + Int(PointerHash.hash(type ^ UInt(bitPattern: selector.pointer) &* 3) &>> 56)
    if let address = unsafe UnsafeRawPointer(bitPattern: place.pointee.load(ordering: .acquiring)) {
      let message = unsafe Unmanaged<ObjectiveCMessage>.fromOpaque(address)
      if unsafe message._withUnsafeGuaranteedRef({ $0.isMessage(type, selector, isSuper: isSuper) }) {
        return unsafe message.takeUnretainedValue()
      }
    }
    guard let message = find(Key(type: type, selector: selector, isSuper: isSuper)) else { return nil }
    unsafe place.pointee.store(UInt(bitPattern: Unmanaged.passUnretained(message).toOpaque()), ordering: .releasing)
    return message
  }

  private static func find(_ key: Key) -> ObjectiveCMessage? {
    if let known = messages.withLock({ $0[key] }) { return known }
    let runtime = RuntimeFunctions.current
    let name = SwiftNames.selector(key.selector.name)
    let method = runtime.instanceMethod(key.type, runtime.selector(name))
    guard method != 0, let types = runtime.types(ofMethod: method),
      let message = make(key.type, key.selector, name, types: types, isSuper: key.isSuper)
    else { return nil }
    let content = Content(key: key, types: types, ownership: message.ownership)
    let kept = made.withLock { made in
      let kept = made[content] ?? message
      made[content] = kept
      return kept
    }
    messages.withLock { $0[key] = kept }
    return kept
  }

  /// Makes the message of a selector; nil if the engine cannot pass its types.
  static func make(
    _ type: UInt, _ selector: MethodSelector, _ name: String, types: String, isSuper: Bool = false
  ) -> ObjectiveCMessage? {
    guard let read = try? RuntimeTypes(types), read.signature.isMethod, let closure = try? closure(read.signature) else { return nil }
    let ownership = MethodOwnership.of(name, type, returnsObject: read.signature.returnType.valueKind == .object)
    return ObjectiveCMessage(
      closure, read, type, isSuper: isSuper, selector, RuntimeFunctions.current.selector(name, types: types), ownership)
  }

  /// Returns the code that sends messages of a type, with the object and the selector that a frame has.
  private static func closure(_ signature: MethodSignature) throws(InvocationError) -> Closure {
    try closures.value(signature) { _ throws(InvocationError) in
      try Closure(rethrowing: signature) { call in
        guard let target = try call.objectArgument(at: 0) else { return call.clearResult() }
        let selector = try call.argument(at: 1, as: MethodSelector.self)
        guard let message = (target as? any MessageTarget)?.message(for: selector) else {
          throw (target as? any ForeignTarget)?.unrecognized(selector)
            ?? InvocationError(.typeMismatch, "\(type(of: target)) is no Objective-C object", argument: .index(0))
        }
        try call.forward(to: message)
      }
    }
  }
}

/// The types of a method or a block, as a frame has them and as the runtime has them.
struct RuntimeTypes: Hashable, Sendable {
  /// The types of a frame: classes and blocks are objects in it, and a pointer to an object is a pointer to a pointer.
  let signature: MethodSignature
  /// The indices of the arguments that are blocks, which not all runtimes count as objects; the number of arguments for
  /// the result.
  let blocks: [Int]

  /// Reads an encoding.
  init(_ text: String) throws(InvocationError) {
    let types = try MethodTypes(text, dialect: RuntimeFunctions.current.dialect)
    signature = try MethodSignature(MethodTypes(result: types.result.asObject, arguments: types.arguments.map(\.asObject)))
    blocks = (types.arguments + [types.result]).enumerated().filter { $0.element.isBlock }.map(\.offset)
  }

  /// Whether the result is a block.
  var returnsBlock: Bool { blocks.last == signature.numberOfArguments }

  /// The indices of the arguments that are objects and that a method takes over.
  func consumed(by ownership: MethodOwnership) -> [Int] {
    let plan = signature.storage.plan
    return (0..<plan.count).filter { unsafe plan.slots[$0].kind == .object && ownership.consumedArguments.contains($0) }
  }
}

extension TypeEncoding {
  fileprivate var isBlock: Bool {
    if case .block = kind { true } else { false }
  }

  fileprivate var asObject: TypeEncoding {
    switch kind {
    case .classObject, .block: return TypeEncoding(.object(annotation: nil), qualifiers: qualifiers)
    case .pointer(let target):
      switch target.kind {
      case .object, .classObject, .block: return "^^v"
      default: return self
      }
    default: return self
    }
  }
}

/// The types of a message by the `methodSignatureForSelector:` of an object that forwards it.
enum ForwardedTypes {
  static func types(of name: String, to object: UInt) -> String? {
    let runtime = RuntimeFunctions.current
    let ask = runtime.selector("methodSignatureForSelector:")
    guard runtime.instanceMethod(runtime.type(of: object), ask) != 0 else { return nil }
    let signature = runtime.send(object, ask, runtime.selector(name))
    guard signature != 0 else { return nil }
    func text(_ address: UInt) -> String { RuntimeFunctions.text(address) ?? "" }
    let count = runtime.send(signature, runtime.selector("numberOfArguments"))
    let argument = runtime.selector("getArgumentTypeAtIndex:")
    return text(runtime.send(signature, runtime.selector("methodReturnType")))
      + (0..<count).map { text(runtime.send(signature, argument, $0)) }.joined()
  }
}
