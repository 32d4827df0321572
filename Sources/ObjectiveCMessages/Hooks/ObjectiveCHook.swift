import CallFrames
public import DynamicInvocation
import Synchronization

/// A closure that runs before, after or instead of an Objective-C method, until it is cancelled.
///
/// `hook(insteadOf:)` of a class, and its forms before and after, make one. Several hooks of one method are nested, the
/// newest outermost, and are cancelled in any order. A hook stays until it is cancelled, also when this object is released.
///
/// The types are the method's: none need be stated.
@safe
public final class ObjectiveCHook: @unchecked Sendable {
  // Unchecked Sendable: all but the atomic member is immutable, and only the table and the words of the method are used.

  /// The closure of a hook.
  public typealias Body = @Sendable (_ call: inout IncomingCall, _ original: Implementation) throws -> Void

  /// The selector of the method.
  public var selector: MethodSelector { method.selector }

  fileprivate let body: Body
  /// The only object whose messages run the hook, retained until it is cancelled; 0 for all objects of the class.
  private let object: Atomic<UInt>
  /// The word of the object, also after it is released; 0 for all objects of the class.
  fileprivate let filter: UInt
  fileprivate let number: Int
  private let method: HookedMethod
  /// What the hook wraps.
  fileprivate let original: Implementation
  private static let numbers: Atomic<Int> = Atomic(0)

  fileprivate init(_ method: HookedMethod, _ object: ObjectiveCObject?, _ body: @escaping Body) throws(InvocationError) {
    self.method = method
    filter = object?.word ?? 0
    self.body = body
    number = Self.numbers.add(1, ordering: .relaxed).newValue
    original = Implementation(try OriginalCode.make(method, behind: number))
    self.object = Atomic(filter)
    if filter != 0 { RuntimeFunctions.current.retain(filter) }
  }

  /// Ends the hook.
  ///
  /// A call that is running goes on, also to what the hook wraps. Cancelling the hook again has no effect.
  public func cancel() {
    method.remove(self)
    let object = object.exchange(0, ordering: .acquiringAndReleasing)
    if object != 0 { RuntimeFunctions.current.release(object) }
  }
}

extension ObjectiveCHook: CustomStringConvertible {
  /// The selector and the class: `hook of 'area' of Page`.
  public var description: String { "hook of '\(selector)' of \(RuntimeFunctions.current.name(ofClass: method.type))" }
}

/// Hooks of methods.
///
/// Hooks of a class apply to its instances, and to instances of subclasses that inherit the method. They do not apply to instances of
/// the superclass.
/// Hooks of any other object apply to this object only. The object's class does not change, so that its observers work.
extension ObjectiveCObject {
  /// Runs a closure instead of a method.
  ///
  ///     let hook = try page.hook(insteadOf: "areaOf:scale:") { call, original in
  ///       try call.forward(to: original)
  ///       let area: Double = try call.returnValue()
  ///       try call.setReturnValue(area * 2)
  ///     }
  ///
  /// The closure reads the arguments, and sets the result or forwards to the original: the next older hook, or the method.
  /// To change arguments, make an invocation of the call, invoke it with the original, and return its result.
  ///
  /// - Parameters:
  ///   - selector: The name of a method that the class has or inherits.
  ///   - onError: Called with what the closure throws, since Objective-C cannot receive it, and with a `typeMismatch` for a
  ///     result that is no Objective-C object; the result is then zero. The default traps.
  ///   - body: The closure. It runs on the thread of the message.
  /// - Returns: The hook. A hook of a single object retains the object until the hook is cancelled.
  /// - Throws: `InvocationError` `unrecognizedSelector` if there is no such method, `unsupportedType` if its types cannot be
  ///   received.
  /// - Complexity: The first hook of a method makes code for it. That code is kept: others may have saved its address.
  @discardableResult
  public func hook(
    insteadOf selector: MethodSelector,
    onError: @escaping @Sendable (any Error) -> Void = { fatalError("a hook threw an error: \($0)") },
    _ body: @escaping ObjectiveCHook.Body
  ) throws(InvocationError) -> ObjectiveCHook {
    let method = try hookedMethod(selector)
    let guarded: ObjectiveCHook.Body = { call, original in call.answer(onError: onError) { try body(&$0, original) } }
    let hook = try ObjectiveCHook(method, RuntimeFunctions.current.isClass(word) ? nil : self, guarded)
    method.add(hook)
    return hook
  }

  /// Runs a closure before a method.
  ///
  ///     try page.hook(before: "saveTo:") { (page: ObjectiveCObject, path: ObjectiveCObject) in log.append(path) }
  ///
  /// - Parameters:
  ///   - selector: The name of a method that the class has or inherits.
  ///   - body: The closure, whose parameters are the receiver and the first arguments, or all.
  /// - Returns: The hook.
  /// - Throws: `InvocationError` as ``hook(insteadOf:onError:_:)`` does; `countMismatch` and `typeMismatch` if the
  ///   parameters are not the method's.
  @discardableResult
  public func hook<each Argument: EncodedValue>(
    before selector: MethodSelector, _ body: @escaping @Sendable (ObjectiveCObject, repeat each Argument) -> Void
  ) throws(InvocationError) -> ObjectiveCHook {
    try hookedMethod(selector).words.methodSignature.requireParameters(ofHook: selector, repeat (each Argument).self)
    return try hook(insteadOf: selector) { call, original in
      try call.withArguments(body)
      try call.forward(to: original)
    }
  }

  /// Runs a closure after a method.
  ///
  /// - Parameters:
  ///   - selector: The name of a method that the class has or inherits.
  ///   - body: The closure, as for ``hook(before:_:)``.
  /// - Returns: The hook.
  /// - Throws: `InvocationError` as ``hook(before:_:)`` does; `unsupportedType` for `dealloc`, `release` and others that may free the
  ///   receiver.
  @discardableResult
  public func hook<each Argument: EncodedValue>(
    after selector: MethodSelector, _ body: @escaping @Sendable (ObjectiveCObject, repeat each Argument) -> Void
  ) throws(InvocationError) -> ObjectiveCHook {
    let words = try hookedMethod(selector).words
    try words.methodSignature.requireParameters(ofHook: selector, repeat (each Argument).self)
    guard !words.countsReferences else {
      throw InvocationError(.unsupportedType, "after '\(selector)' there may be no receiver: hook before it")
    }
    return try hook(insteadOf: selector) { call, original in
      try call.forward(to: original)
      try call.withArguments(body)
    }
  }

  private func hookedMethod(_ selector: MethodSelector) throws(InvocationError) -> HookedMethod {
    let runtime = RuntimeFunctions.current
    let type = runtime.isClass(word) ? word : runtime.type(of: word)
    if let method = try HookedMethod.of(type, SwiftNames.selector(selector.name)) { return method }
    throw selector.unrecognized("\(runtime.name(ofClass: type)) has no method", among: runtime.methodNames(of: type))
  }
}

/// A method of a class with hooks: its code runs them.
private final class HookedMethod: @unchecked Sendable {
  // Unchecked Sendable: all except the locked and atomic members is immutable after `init`.

  let type: UInt
  let selector: MethodSelector
  let words: IncomingWords
  private let runtimeSelector: UInt
  /// The newest first.
  private let hooks: Mutex<[ObjectiveCHook]> = Mutex([])
  /// The number of the oldest hook, which wraps the method.
  private let oldest: Atomic<Int> = Atomic(.max)
  /// The method's own code; 0 while the class inherits the method.
  private let own: Atomic<UInt> = Atomic(0)
  private let isInstalled: Atomic<Bool> = Atomic(false)
  private let typeText: String
  private var entry: Closure?

  private struct Key: Hashable {
    var type: UInt
    var name: String
  }

  private static let all: Locked<[Key: HookedMethod]> = Locked([:])

  /// Returns the method of a class, or nil if there is none.
  static func of(_ type: UInt, _ name: String) throws(InvocationError) -> HookedMethod? {
    let runtime = RuntimeFunctions.current
    let method = runtime.instanceMethod(type, runtime.selector(name))
    guard method != 0, let types = runtime.types(ofMethod: method) else { return nil }
    return try all.value(Key(type: type, name: name)) { _ throws(InvocationError) in try HookedMethod(type, name, types) }
  }

  private init(_ type: UInt, _ name: String, _ types: String) throws(InvocationError) {
    self.type = type
    selector = MethodSelector(name)
    let read = try RuntimeTypes(types)
    let ownership = MethodOwnership.of(name, type, returnsObject: read.signature.returnType.valueKind == .object)
    words = IncomingWords(read, ownership, name: name)
    runtimeSelector = RuntimeFunctions.current.selector(name, types: types)
    typeText = types
    // Not retained: the table keeps this object for ever, and a strong reference would be retained in each call.
    let method = unsafe Unmanaged.passUnretained(self)
    entry = try Closure(words, onError: { fatalError("a hook threw an error: \($0)") }) { call in
      try unsafe method._withUnsafeGuaranteedRef { try $0.run(&call, behind: .max) }
    }
  }

  /// Runs the newest hook that is older than a number, or the method's own code.
  func run(_ call: inout IncomingCall, behind number: Int) throws {
    // A hook may read the arguments after it has passed the call on.
    let keepsArguments = number < .max && !words.countsReferences
    guard oldest.load(ordering: .acquiring) < number else {
      return unsafe call.forward(toForeign: code, keepsArguments: keepsArguments)
    }
    let next = unsafe hooks.withLock { hooks in
      unsafe hooks.first { $0.number < number && ($0.filter == 0 || $0.filter == UInt(call.foreignWord(at: 0))) }.map {
        unsafe Unmanaged.passRetained($0)
      }
    }
    guard let next = unsafe next else { return unsafe call.forward(toForeign: code, keepsArguments: keepsArguments) }
    defer { unsafe next.release() }
    try unsafe next._withUnsafeGuaranteedRef { try $0.body(&call, $0.original) }
  }

  /// The method's own code, or the superclass's.
  private var code: UnsafeRawPointer {
    if let own = unsafe UnsafeRawPointer(bitPattern: own.load(ordering: .acquiring)) { return unsafe own }
    let runtime = RuntimeFunctions.current
    return unsafe UnsafeRawPointer(bitPattern: runtime.classCode(runtime.superclass(type), runtimeSelector)).unsafelyUnwrapped
  }

  /// The code that runs the hooks.
  private var entryCode: UInt { UInt(bitPattern: unsafe entry?.pointer) }

  func add(_ hook: ObjectiveCHook) {
    hooks.withLock { hooks in
      hooks.insert(hook, at: hooks.firstIndex { $0.number < hook.number } ?? hooks.count)
      oldest.store(hooks.last?.number ?? .max, ordering: .releasing)
    }
    Self.installing.withLock { _ in install() }
  }

  private static let installing: Lock = Lock(LockToken())

  /// Puts the code that runs the hooks in the method's place.
  private func install() {
    guard !isInstalled.load(ordering: .acquiring) else { return }
    isInstalled.store(true, ordering: .releasing)
    let runtime = RuntimeFunctions.current
    // Added to a class that inherits the method, so that its superclass keeps its own.
    guard !runtime.addMethod(type, runtimeSelector, entryCode, types: typeText) else { return }
    let method = runtime.instanceMethod(type, runtimeSelector)
    let former = runtime.methodCode(method)
    guard former != entryCode else { return }
    own.store(former, ordering: .releasing)
    _ = runtime.setMethodCode(method, entryCode)
  }

  func remove(_ hook: ObjectiveCHook) {
    hooks.withLock { hooks in
      hooks.removeAll { $0 === hook }
      oldest.store(hooks.last?.number ?? .max, ordering: .releasing)
    }
    Self.installing.withLock { _ in
      // Another thread may have added a hook meanwhile, which found the code installed.
      guard oldest.load(ordering: .acquiring) == .max else { return }
      let runtime = RuntimeFunctions.current
      let method = runtime.instanceMethod(type, runtimeSelector)
      let former = own.load(ordering: .acquiring)
      // The method gets its own code back, unless other code replaced the hooks' code.
      guard former != 0, runtime.methodCode(method) == entryCode else { return }
      _ = runtime.setMethodCode(method, former)
      isInstalled.store(false, ordering: .releasing)
    }
  }
}

/// What a hook wraps, as code for the words of a frame and for calls of the runtime.
@safe
private final class OriginalCode: ForeignCode {
  /// Not retained: a method with hooks is never deallocated.
  private let method: Unmanaged<HookedMethod>
  private let number: Int
  private let words: RuntimeCall
  /// The code that the runtime calls, for an invocation of the original.
  private let entry: Closure

  private init(_ method: HookedMethod, _ number: Int) throws(InvocationError) {
    let unmanaged = unsafe Unmanaged.passUnretained(method)
    unsafe self.method = unmanaged
    self.number = number
    words = RuntimeCall(method.words.types, method.words.ownership)
    entry = try Closure(method.words, onError: { fatalError("a hook threw an error: \($0)") }) { call in
      try unsafe unmanaged._withUnsafeGuaranteedRef { try $0.run(&call, behind: number) }
    }
  }

  static func make(_ method: HookedMethod, behind number: Int) throws(InvocationError) -> ForeignMessage {
    let original = try OriginalCode(method, number)
    let closure = try Closure(rethrowing: method.words.methodSignature) { call in try call.forward(to: original) }
    return ForeignMessage(closure, original)
  }

  func answers(_ call: inout IncomingCall) throws -> Bool {
    try unsafe method._withUnsafeGuaranteedRef { try $0.run(&call, behind: number) }
    return true
  }

  func call(_ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?) throws(InvocationError) -> Bool {
    try unsafe words.call(entry.pointer, frame, kernel, context)
    return true
  }
}
