import CallFrames
import DynamicInvocation

/// The words of the calls of one type that the runtime makes.
final class IncomingWords: ForeignWords {
  let types: RuntimeTypes
  let ownership: MethodOwnership
  let consumedArguments: [Int]
  /// Whether the method may free its receiver or count its references, so that nothing else may during the call.
  let countsReferences: Bool

  init(_ types: RuntimeTypes, _ ownership: MethodOwnership = MethodOwnership(), name: String = "") {
    self.types = types
    self.ownership = ownership
    consumedArguments = types.consumed(by: ownership)
    countsReferences = ["dealloc", "finalize", "retain", "release", "autorelease", "retainCount", ".cxx_destruct"].contains(name)
  }

  var methodSignature: MethodSignature { types.signature }
  /// Whether the caller releases an object result.
  var returnsRetained: Bool { ownership.returnsRetained }

  func adopt(_ word: UInt64, _ kind: ValueKind, at index: Int) -> UInt64 {
    guard kind == .object else { return FrameWords.selector(UInt(word)) }
    return FrameWords.adopt(UInt(word), isRetained: false, isBlock: types.blocks.contains(index))
  }

  func adoptResult(_ word: UInt64, _ kind: ValueKind) -> UInt64 {
    guard kind == .object else { return FrameWords.selector(UInt(word)) }
    return FrameWords.adopt(UInt(word), isRetained: returnsRetained, isBlock: types.returnsBlock)
  }

  func passResult(_ word: UInt64, _ kind: ValueKind) -> UInt64 {
    guard kind == .object else { return UInt64(FrameWords.runtimeSelector(word)) }
    let object = FrameWords.passRetained(word, isBlock: types.returnsBlock)
    // Not every runtime counts a block as an object: without an autorelease, the caller gets it for ever.
    if object != 0, !returnsRetained, !types.returnsBlock || RuntimeFunctions.current.kind != .gcc {
      RuntimeFunctions.current.autorelease(object)
    }
    return UInt64(object)
  }

  func retain(_ word: UInt64, at index: Int) { count(UInt(word), at: index, isRetained: true) }

  func release(_ word: UInt64, at index: Int) { count(UInt(word), at: index, isRetained: false) }

  private func count(_ word: UInt, at index: Int, isRetained: Bool) {
    guard word != 0 else { return }
    if types.blocks.contains(index) { return ObjectiveCBlock.count(word, isRetained: isRetained) }
    if isRetained { RuntimeFunctions.current.retain(word) } else { RuntimeFunctions.current.release(word) }
  }
}

extension IncomingCall {
  /// Runs the code that answers a call; its error, or the error of its result, goes to `onError`, and the result is then zero.
  mutating func answer(onError: (any Error) -> Void, _ body: (inout IncomingCall) throws -> Void) {
    do {
      try body(&self)
      try checkResult()
    } catch {
      clearResult()
      onError(error)
    }
  }

  /// Checks the result that was set.
  ///
  /// - Throws: `InvocationError` `typeMismatch` for an object that is not the runtime's.
  func checkResult() throws(InvocationError) {
    let word = objectResultWord
    guard FrameWords.object(word) == nil else { return }
    throw InvocationError(
      .typeMismatch, "\(FrameWords.className(word)) is no Objective-C object", argument: .result, encoding: "@")
  }
}

/// Code of the engine that the runtime calls as a method: one for each type of method.
enum MethodEntries {
  private struct Key: Hashable {
    var types: RuntimeTypes
    var ownership: MethodOwnership
  }

  private static let closures: Locked<[Key: Closure]> = Locked([:])

  /// The number of types of methods that have code.
  static var count: Int { closures.withLock { $0.count } }

  /// Returns the code that passes a message to the receiver of an object.
  static func code(_ types: RuntimeTypes, _ ownership: MethodOwnership) throws(InvocationError) -> UInt {
    let closure = try closures.value(Key(types: types, ownership: ownership)) { _ throws(InvocationError) in
      let words = IncomingWords(types, ownership)
      // Without a receiver, the result is zero. A receiver has reported its errors.
      return try Closure(words, onError: { fatalError("a receiver threw an error: \($0)") }) { call in
        guard let receiver = ReceiverClass.receiver(of: UInt(call.foreignWord(at: 0))) else { return }
        try receiver.receive(&call, UInt(call.foreignWord(at: 1)), words)
      }
    }
    return UInt(bitPattern: unsafe closure.pointer)
  }
}

/// What an object passes its messages to; the object is made for it.
class MessageReceiver: @unchecked Sendable {
  // Unchecked Sendable: a subclass states it for its own.

  /// Handles a message.
  func receive(_ call: inout IncomingCall, _ selector: UInt, _ words: IncomingWords) throws {}

  /// Returns whether a message would be handled; nil if the object's class decides.
  func responds(_ selector: UInt) -> Bool? { nil }
}

/// The classes of the objects that pass their messages to a receiver.
enum ReceiverClass {
  /// The class with the memory for the receiver, and the offset of it.
  private static let made: Result<(type: UInt, offset: Int), InvocationError> = {
    do throws(InvocationError) { return .success(try makeBase()) } catch { return .failure(error) }
  }()

  static let rootName = "NSObject"

  /// Returns the receiver of an object; nil while the object is made or deallocated.
  @inline(__always)
  static func receiver(of object: UInt) -> MessageReceiver? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: RuntimeFunctions.load(object + UInt(offset))) else { return nil }
    return unsafe Unmanaged<MessageReceiver>.fromOpaque(address).takeUnretainedValue()
  }

  private static let offset: Int = (try? made.get().offset) ?? 0

  /// Makes an object of a class, which retains a receiver.
  static func makeObject(_ type: UInt, _ receiver: MessageReceiver) -> ObjectiveCObject {
    let runtime = RuntimeFunctions.current
    let object = runtime.send(runtime.send(type, runtime.selector("alloc")), runtime.selector("init"))
    let retained = UInt(bitPattern: unsafe Unmanaged.passRetained(receiver).toOpaque())
    unsafe UnsafeMutablePointer<UInt>(bitPattern: object + UInt(offset)).unsafelyUnwrapped.pointee = retained
    guard let made = ObjectiveCObject.adopting(object, isRetained: true) else { preconditionFailure("a class makes objects") }
    return made
  }

  /// Makes a subclass of the base class.
  ///
  /// - Parameter fill: Adds methods before the class is registered.
  static func make(_ name: String, _ fill: (UInt) throws(InvocationError) -> Void) throws(InvocationError) -> UInt {
    let (runtime, base) = (RuntimeFunctions.current, try made.get())
    let type = RuntimeFunctions.withText(name) { runtime.allocateClass(base.type, $0, 0) }
    guard type != 0 else { throw InvocationError(.duplicateMethod, "there is a class '\(name)' already") }
    try fill(type)
    runtime.registerClass(type)
    return type
  }

  /// Adds a method whose messages the receiver gets.
  ///
  /// - Parameter model: The class whose method it stands for; nil for a method of a protocol.
  static func add(_ name: String, types: String, to type: UInt, like model: UInt? = nil) throws(InvocationError) {
    let runtime = RuntimeFunctions.current
    let read = try RuntimeTypes(types)
    let owner: UInt
    if let model { owner = model } else { owner = try made.get().type }
    let ownership = MethodOwnership.of(name, owner, returnsObject: read.signature.returnType.valueKind == .object)
    let code = try MethodEntries.code(read, ownership)
    runtime.addMethod(type, runtime.selector(name, types: types), code, types: types)
  }

  private static func makeBase() throws(InvocationError) -> (type: UInt, offset: Int) {
    let runtime = RuntimeFunctions.current
    let root = runtime.type(named: rootName)
    guard root != 0 else { throw InvocationError(.symbolNotFound, "there is no class '\(rootName)'") }
    let name = "SwiftInvocationReceiver"
    let type = RuntimeFunctions.withText(name) { runtime.allocateClass(root, $0, 0) }
    func withVariable(_ body: (UInt) -> UInt) -> UInt { RuntimeFunctions.withText("_receiver", body) }
    let isAdded = withVariable { name in RuntimeFunctions.withText("^v") { UInt(runtime.addVariable(type, name, 8, 3, $0)) } }
    guard type != 0, isAdded != 0 else { throw InvocationError(.duplicateMethod, "there is a class '\(name)' already") }
    // gcc's runtime gives the class a superclass, and the variable an offset, when it is registered.
    runtime.registerClass(type)
    let offset = runtime.variableOffset(withVariable { runtime.variable(type, $0) })
    let deallocate = runtime.selector("dealloc")
    try addOwn(deallocate, "v16@0:8", to: type) { object, _ in
      let place = unsafe UnsafeMutablePointer<UInt>(bitPattern: object + UInt(offset)).unsafelyUnwrapped
      let receiver = unsafe UnsafeRawPointer(bitPattern: place.pointee)
      unsafe place.pointee = 0
      _ = unsafe unsafeBitCast(runtime.classCode(root, deallocate), to: RuntimeFunctions.Word2.self)(object, deallocate)
      if let receiver = unsafe receiver { unsafe Unmanaged<MessageReceiver>.fromOpaque(receiver).release() }
      return 0
    }
    let responds = runtime.selector("respondsToSelector:")
    guard let types = runtime.types(ofMethod: runtime.instanceMethod(root, responds)) else {
      throw InvocationError(.unrecognizedSelector, "\(rootName) does not respond to 'respondsToSelector:'")
    }
    try addOwn(responds, types, to: type) { object, asked in
      let answer = receiver(of: object)?.responds(asked)
      return answer ?? (runtime.respondsInClass(runtime.type(of: object), asked) != 0) ? 1 : 0
    }
    return (type, offset)
  }

  /// Adds a method that takes the object's address and a word, and returns a word or nothing; the word may be an object.
  static func addOwn(
    _ selector: UInt, _ types: String, to type: UInt, _ body: @escaping @Sendable (UInt, UInt) -> UInt
  ) throws(InvocationError) {
    let words = IncomingWords(try RuntimeTypes(types.first == "@" ? "^v" + types.dropFirst() : types))
    let hasArgument = words.methodSignature.numberOfArguments > 2
    let closure = try Closure(words, onError: { _ in }) { call in
      let answer = body(UInt(call.foreignWord(at: 0)), hasArgument ? UInt(call.foreignWord(at: 2)) : 0)
      guard words.methodSignature.returnLength > 0 else { return }
      var bytes = answer
      unsafe withUnsafeBytes(of: &bytes) { unsafe call.setReturnValue(from: $0.baseAddress.unsafelyUnwrapped) }
    }
    let code = UInt(bitPattern: unsafe closure.pointer)
    // The class is never disposed of.
    _ = unsafe Unmanaged.passRetained(closure)
    RuntimeFunctions.current.addMethod(type, selector, code, types: types)
  }
}
