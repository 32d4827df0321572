import CallFrames
import DynamicInvocation
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
  /// The arguments after the selector that are objects or selectors, and those that the method consumes.
  private let replaced: [(slot: FrameSlot, isConsumed: Bool)]
  private let isReplacing: Bool
  private let ownership: MethodOwnership
  private let isConsuming: Bool
  private let returnsBlock: Bool
  private let result: ValueKind

  init(
    _ closure: Closure, _ type: UInt, isSuper: Bool, _ selector: MethodSelector, _ runtimeSelector: UInt, _ ownership: MethodOwnership,
    returnsBlock: Bool
  ) {
    let types = closure.methodSignature
    self.closure = closure
    runtime = RuntimeFunctions.current
    self.types = types
    unsafe slots = types.storage.plan.slots
    self.type = type
    self.isSuper = isSuper
    self.selector = selector
    self.runtimeSelector = runtimeSelector
    self.ownership = ownership
    isConsuming = !ownership.consumedArguments.isEmpty
    self.returnsBlock = returnsBlock
    replaced = (2..<types.numberOfArguments).compactMap { index in
      let slot = unsafe types.storage.plan.slots[index]
      return slot.kind == .object || slot.kind == .selector ? (slot, ownership.consumedArguments.contains(index)) : nil
    }
    isReplacing = !replaced.isEmpty
    result = types.storage.plan.result.kind
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
      guard let other = FrameWords.message(of: target, for: selector), other.types.storage === types.storage else { return false }
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
    if isReplacing { try unsafe replaceArguments(frame) }
    // A method of the family init consumes its receiver.
    if isConsuming { unsafe consume(object, frame) }
    let code = isSuper ? runtime.classCode(type, runtimeSelector) : runtime.code(object, runtimeSelector)
    unsafe kernel(frame, UnsafeRawPointer(bitPattern: code).unsafelyUnwrapped, context)
    if result == .object || result == .selector { unsafe replaceResult(frame) }
  }

  private func replaceArguments(_ frame: UnsafeMutableRawPointer) throws(InvocationError) {
    for (slot, _) in replaced {
      let word = unsafe slot.word(of: frame)
      if slot.kind == .selector {
        unsafe slot.write(word: UInt64(FrameWords.runtimeSelector(word)), to: frame)
        continue
      }
      guard let object = FrameWords.object(word) else { throw wrongArgument(slot, word) }
      unsafe slot.write(word: UInt64(object), to: frame)
    }
  }

  private func consume(_ object: UInt, _ frame: UnsafeMutableRawPointer) {
    if ownership.consumedArguments.contains(0) { runtime.retain(object) }
    for (slot, isConsumed) in replaced where isConsumed && slot.kind == .object {
      let word = unsafe UInt(slot.word(of: frame))
      if word != 0 { runtime.retain(word) }
    }
  }

  private func replaceResult(_ frame: UnsafeMutableRawPointer) {
    let slot = types.storage.plan.result
    let word = unsafe UInt(slot.word(of: frame))
    unsafe slot.write(
      word: result == .object
        ? FrameWords.adopt(word, isRetained: ownership.returnsRetained, isBlock: returnsBlock) : FrameWords.selector(word), to: frame)
  }

  private func wrongArgument(_ slot: FrameSlot, _ word: UInt64) -> InvocationError {
    let index = (2..<types.numberOfArguments).first { unsafe slots[$0].offset == slot.offset }
    return InvocationError(
      .typeMismatch, "\(FrameWords.className(word)) is no Objective-C object", argument: .index(index ?? 2), encoding: "@")
  }
}

/// The messages of the classes that were asked, and the code of each type of message.
enum MessageTable {
  private struct Key: Hashable {
    var type: UInt
    var selector: MethodSelector
    var isSuper: Bool
  }

  private static let messages: Locked<[Key: ObjectiveCMessage]> = Locked([:])
  private static let closures: Locked<[MethodSignature: Closure]> = Locked([:])

  static func removeAll() {
    // Released after the lock is released.
    let former = messages.withLock { messages in
      let former = Array(messages.values)
      messages.removeAll()
      return former
    }
    withExtendedLifetime(former) {}
  }

  /// Returns the message of a selector to the objects of a class, or nil if they have no such method.
  static func message(_ type: UInt, _ selector: MethodSelector, isSuper: Bool = false) -> ObjectiveCMessage? {
    let key = Key(type: type, selector: selector, isSuper: isSuper)
    if let known = messages.withLock({ $0[key] }) { return known }
    let runtime = RuntimeFunctions.current
    let name = SwiftNames.selector(selector.name)
    let method = runtime.instanceMethod(type, runtime.selector(name))
    guard method != 0, let types = runtime.types(ofMethod: method),
      let message = make(type, selector, name, types: types, isSuper: isSuper)
    else { return nil }
    messages.withLock { $0[key] = message }
    return message
  }

  /// Makes the message of a selector; nil if the engine cannot pass its types.
  static func make(
    _ type: UInt, _ selector: MethodSelector, _ name: String, types: String, isSuper: Bool = false
  ) -> ObjectiveCMessage? {
    guard let read = try? RuntimeTypes(types), read.signature.isMethod, let closure = try? closure(read.signature) else { return nil }
    let ownership = MethodOwnership.of(name, type, returnsObject: read.signature.returnType.valueKind == .object)
    return ObjectiveCMessage(
      closure, type, isSuper: isSuper, selector, RuntimeFunctions.current.selector(name, types: types), ownership,
      returnsBlock: read.returnsBlock)
  }

  /// Returns the code that sends messages of a type: to the object, with the selector, that a frame has.
  private static func closure(_ signature: MethodSignature) throws(InvocationError) -> Closure {
    try closures.withLock { closures throws(InvocationError) in
      if let known = closures[signature] { return known }
      let closure = try Closure(rethrowing: signature) { call in
        guard let target = try call.objectArgument(at: 0) else { return call.clearResult() }
        let selector = try call.argument(at: 1, as: MethodSelector.self)
        guard let message = (target as? any MessageTarget)?.message(for: selector) else {
          throw (target as? any ForeignTarget)?.unrecognized(selector)
            ?? InvocationError(.typeMismatch, "\(type(of: target)) is no Objective-C object", argument: .index(0))
        }
        try call.forward(to: message)
      }
      closures[signature] = closure
      return closure
    }
  }
}

/// The types of a method or a block, as a frame has them and as the runtime has them.
struct RuntimeTypes: Hashable, Sendable {
  /// The types of a frame: classes and blocks are objects in it, and a pointer to an object is one to a pointer.
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

/// The types that an object that forwards gives a message, by its `methodSignatureForSelector:`.
enum ForwardedTypes {
  static func types(of name: String, to object: UInt) -> String? {
    let runtime = RuntimeFunctions.current
    let ask = runtime.selector("methodSignatureForSelector:")
    guard runtime.instanceMethod(runtime.type(of: object), ask) != 0 else { return nil }
    let signature = runtime.send(object, ask, runtime.selector(SwiftNames.selector(name)))
    guard signature != 0 else { return nil }
    func text(_ address: UInt) -> String { RuntimeFunctions.text(address) ?? "" }
    let count = runtime.send(signature, runtime.selector("numberOfArguments"))
    let argument = runtime.selector("getArgumentTypeAtIndex:")
    return text(runtime.send(signature, runtime.selector("methodReturnType")))
      + (0..<count).map { text(runtime.send(signature, argument, $0)) }.joined()
  }
}
