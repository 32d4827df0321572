import Synchronization

/// A closure that runs before, after or instead of a method, until it is removed.
///
/// ``MethodTable/hook(insteadOf:_:)`` and its forms before and after make one. Several hooks of one method are nested,
/// the newest outermost, and are removed in any order: the others and the method stay. A class that inherits the method
/// inherits its hooks. A subclass with a method of its own has none of them, unless that method calls the superclass's.
///
/// A hook stays until it is removed, also when this object is released.
public final class MethodHook: Sendable, CustomStringConvertible {
  /// The selector of the method.
  public let selector: MethodSelector

  /// What a sender calls: code that runs the closure.
  let implementation: Implementation
  /// Newer hooks have greater numbers.
  let number: Int
  private let table: MethodTable
  private static let numbers: Atomic<Int> = Atomic(0)

  /// Makes a hook that no table has yet.
  ///
  /// - Parameter method: The method that it is for, of the class or of a superclass.
  init(
    _ table: MethodTable, _ method: Method, _ body: @escaping @Sendable (inout IncomingCall, Implementation) throws -> Void
  ) throws(InvocationError) {
    let (_, number) = Self.numbers.add(1, ordering: .relaxed)
    let selector = method.selector
    let closure = try Closure(rethrowing: method.methodSignature) { call in
      guard let next = table.implementation(of: selector, behind: number) else { throw table.unrecognized(selector) }
      try body(&call, next)
      if call.lacksReturnValue { throw InvocationError(.noReturnValue, "the hook of '\(selector)' set none", argument: .result) }
    }
    let known = method.implementation.owner as? MethodOwner
    self.selector = selector
    self.table = table
    self.number = number
    unsafe implementation = Implementation(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: true, isMethod: true,
      keeping: MethodOwner(
        targetType: table.type, keeping: closure, parameters: known?.parameters ?? [], valueTypes: known?.valueTypes ?? []))
  }

  /// Removes the hook.
  ///
  /// A running call of the hook continues, also to what the hook wraps. Removing the hook again has no effect.
  ///
  /// - Complexity: O(methods of the class), under a lock.
  public func cancel() { table.remove(self) }

  /// Removes the hook.
  @available(*, deprecated, renamed: "cancel()")
  public func remove() { cancel() }

  /// The selector and the class: `hook of 'save(_:)' of Page`.
  public var description: String { "hook of '\(selector)' of \(table.type)" }
}

/// The hooks of a method, and what they wrap.
struct MethodHooks: Sendable {
  /// The newest first; never empty.
  var hooks: [MethodHook]
  /// The class's own implementation; nil if it inherits the method.
  var original: Implementation?

  /// The index of the newest hook that is older than a number; their count if there is none.
  func index(behind number: Int) -> Int {
    var (low, high) = (0, hooks.count)
    while low < high {
      let middle = (low + high) / 2
      if hooks[middle].number < number { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The method as senders find it.
  func method(_ signature: MethodSignature) -> Method { Method(hooks[0].selector, hooks[0].implementation, signature, self) }
}

extension MethodTable {
  /// Runs a closure instead of a method of the class and of the subclasses that inherit it.
  ///
  ///     let hook = try MethodTable.of(Page.self).hook(insteadOf: "area(_:in:)") { call, original in
  ///       try call.forward(to: original)
  ///       let area: Double = try call.returnValue()
  ///       try call.setReturnValue(area * 2)
  ///     }
  ///
  /// The closure reads the arguments of the call, and sets its result or forwards to the original: the next older hook, or
  /// the method. To change arguments, make an invocation of the call, invoke it with the original, and return its result.
  ///
  /// Every message runs the closure, also from threads and dispatchers that have called the method before. What a class
  /// gets later by `add` or ``replace(_:_:)`` is wrapped as well. A call in Swift is not a message and does not run the
  /// closure. C code that calls the method's pointer ends the program if the closure throws.
  ///
  /// - Parameters:
  ///   - selector: The selector of a method that the class has or inherits.
  ///   - body: The closure. The sender of the message receives what it throws.
  /// - Returns: The hook, which removes itself.
  /// - Throws: `InvocationError` `unrecognizedSelector` if there is no such method, and `unsupportedType` and
  ///   `limitExceeded` as making a ``Closure`` does.
  /// - Complexity: O(methods of the class), under a lock. A call of a hook allocates nothing and takes no lock.
  @discardableResult
  public func hook(
    insteadOf selector: MethodSelector, _ body: @escaping @Sendable (_ call: inout IncomingCall, _ original: Implementation) throws -> Void
  ) throws(InvocationError) -> MethodHook {
    guard let method = method(for: selector) else { throw unrecognized(selector) }
    let hook = try MethodHook(self, method, body)
    try change { methods throws(InvocationError) in
      guard let index = methods.firstIndex(where: { $0.selector == selector }) else {
        methods.append(MethodHooks(hooks: [hook], original: nil).method(method.methodSignature))
        return
      }
      // The method may have been replaced meanwhile.
      let own = methods[index]
      try own.methodSignature.require(method.methodSignature, of: type, selector)
      var hooks = own.hooks ?? MethodHooks(hooks: [], original: own.implementation)
      hooks.hooks.insert(hook, at: hooks.index(behind: hook.number))
      methods[index] = hooks.method(own.methodSignature)
    }
    return hook
  }

  /// Runs a closure before a method of the class and of the subclasses that inherit it.
  ///
  ///     try MethodTable.of(Page.self).hook(before: "save(_:)") { (page: Page, id: Int) in log.append(id) }
  ///
  /// - Parameters:
  ///   - selector: The selector of a method that the class has or inherits.
  ///   - body: The closure, whose parameters are the target and the first arguments, or all. If it throws, the method does
  ///     not run, and the sender receives the error.
  /// - Throws: `InvocationError` as ``hook(insteadOf:_:)`` does; `countMismatch` and `typeMismatch` if the parameters are
  ///   not the method's.
  @discardableResult
  public func hook<Target: AnyObject, each Argument: EncodedValue>(
    before selector: MethodSelector, _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) throws(InvocationError) -> MethodHook {
    try requireParameters(selector, Target.self, repeat (each Argument).self)
    return try hook(insteadOf: selector) { call, original in
      try call.withArguments(body)
      try call.forward(to: original)
    }
  }

  /// Runs a closure after a method, as ``hook(before:_:)`` runs one before, unless the method throws.
  ///
  /// If the closure throws, the sender receives the error instead of the result.
  @discardableResult
  public func hook<Target: AnyObject, each Argument: EncodedValue>(
    after selector: MethodSelector, _ body: @escaping @Sendable (Target, repeat each Argument) throws -> Void
  ) throws(InvocationError) -> MethodHook {
    try requireParameters(selector, Target.self, repeat (each Argument).self)
    return try hook(insteadOf: selector) { call, original in
      try call.forward(to: original)
      try call.withArguments(body)
    }
  }

  /// Throws unless a closure of a target and arguments can be called with the first arguments of a method.
  private func requireParameters<each Argument: EncodedValue>(
    _ selector: MethodSelector, _ target: AnyClass, _ arguments: repeat (each Argument).Type
  ) throws(InvocationError) {
    guard let signature = methodSignature(for: selector) else { throw unrecognized(selector) }
    guard isSubclass(of: target) else {
      throw InvocationError(.typeMismatch, "the hook of '\(selector)' takes a target of the class \(target), not \(type)")
    }
    try signature.requireParameters(ofHook: selector, repeat (each Argument).self)
  }

  /// Returns what a hook wraps: the next older hook, the class's own method, or the superclass's.
  fileprivate func implementation(of selector: MethodSelector, behind number: Int) -> Implementation? {
    if let method = ownMethod(for: selector) {
      guard let hooks = method.hooks else { return method.implementation }
      let next = hooks.index(behind: number)
      if next < hooks.hooks.count { return hooks.hooks[next].implementation }
      if let original = hooks.original { return original }
    }
    return superclassTable?.implementation(for: selector)
  }

  fileprivate func remove(_ hook: MethodHook) {
    change { methods in
      guard let index = methods.firstIndex(where: { $0.selector == hook.selector }), var hooks = methods[index].hooks else { return }
      hooks.hooks.removeAll { $0 === hook }
      if !hooks.hooks.isEmpty {
        methods[index] = hooks.method(methods[index].methodSignature)
      } else if let original = hooks.original {
        methods[index] = Method(hook.selector, original, original.methodSignature ?? methods[index].methodSignature)
      } else {
        methods.remove(at: index)
      }
    }
  }
}

extension IncomingCall {
  /// Calls a closure with the target and the arguments after the selector.
  package func withArguments<Target: AnyObject, each Argument: EncodedValue>(
    _ body: (Target, repeat each Argument) throws -> Void
  ) throws {
    // The class was compared when the hook was made.
    guard let target = try objectArgument(at: 0) as? Target else { throw methodSignature.mismatch(Target.self, .index(0)) }
    var index = 1
    func next<Value: EncodedValue>(_ type: Value.Type) throws -> Value {
      index += 1
      return try argument(at: index, as: type)
    }
    try body(target, repeat try next((each Argument).self))
  }
}

extension MethodSignature {
  /// Throws unless a closure of a target and arguments can be called with the first arguments of a method.
  package func requireParameters<each Argument: EncodedValue>(
    ofHook selector: MethodSelector, _ arguments: repeat (each Argument).Type
  ) throws(InvocationError) {
    var types: [any EncodedValue.Type] = []
    repeat types.append((each Argument).self)
    guard types.count + 2 <= numberOfArguments else {
      throw InvocationError(
        .countMismatch, "the hook of '\(selector)' takes \(types.count.counted("argument")), the method \(numberOfArguments - 2)")
    }
    for (index, type) in types.enumerated() where !takes(type, at: index + 2) { throw mismatch(type, .index(index + 2)) }
  }
}
