internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// What replaces a function: it answers the calls of it.
protocol ReplacementBody: Sendable {
  /// Answers a call of a synchronous function.
  func run(_ call: EnteredCall, for replacement: Replacement)
  /// Answers a call of an asynchronous function.
  ///
  /// It returns on the actor that it was called on.
  nonisolated(nonsending) func runAsynchronously(_ call: EnteredCall, for replacement: Replacement) async
}

/// The types of closures that replace functions.
enum ClosureTypes {
  /// Reads the types of a closure.
  ///
  /// - Throws: `InvocationError` `unsupportedType` if it is no closure of Swift whose values can be passed.
  static func signature(of type: Any.Type) throws(InvocationError) -> SwiftFunctionType {
    guard let signature = SwiftMetadata(type).swiftFunction else {
      throw InvocationError(.typeMismatch, "a function is replaced by a closure, not by a value of type \(type)")
    }
    // The ownership of a parameter stays with the caller here.
    let isConsuming = signature.parameters.contains { $0.isConsuming }
    let isUnknown = signature.hasGlobalActor && signature.globalActor == nil
    if let reason = signature.refusal
      ?? (isConsuming ? "a parameter of it is consuming" : isUnknown ? "its global actor is not known" : nil)
    {
      throw InvocationError(.unsupportedType, "the closure \(type) cannot be called: \(reason)")
    }
    return signature
  }

  /// Compares the types of a closure with a function's.
  static func compare(
    _ signature: SwiftFunctionType, _ type: Any.Type, with types: SwiftFunctionSignature, _ plan: EntryPlan
  ) throws(InvocationError) {
    guard signature.parameters.count == plan.arguments.count else {
      let target = types.passesSelf ? ", with its target" : ""
      throw InvocationError(
        .countMismatch,
        "it has \(plan.arguments.count) arguments\(target), and the closure \(type) takes \(signature.parameters.count)")
    }
    for (index, (given, argument)) in zip(signature.parameters, plan.arguments).enumerated() {
      let (own, stated) = (text(argument.type, argument.isInOut), text(given.type, given.isInOut))
      guard given.type == argument.type, given.isInOut == argument.isInOut else {
        throw InvocationError(.typeMismatch, "its type is \(own), and the closure takes \(stated)", argument: .index(index))
      }
    }
    guard signature.result == plan.result else {
      throw InvocationError(
        .typeMismatch, "its type is \(plan.result.name), and the closure returns \(signature.result.name)", argument: .result)
    }
    if signature.isAsync, !types.isAsync { throw InvocationError(.typeMismatch, "it is synchronous, and the closure is asynchronous") }
    let isAccessor = types.kind != .function && types.kind != .initializer
    if signature.isThrowing, !types.isThrowing, !isAccessor {
      throw InvocationError(.typeMismatch, "it does not throw, and the closure does")
    }
  }

  private static func text(_ type: SwiftMetadata, _ isInOut: Bool) -> String { (isInOut ? "inout " : "") + type.name }
}

/// A closure that replaces a function, and is called as generic code calls it: with the address of each argument.
@safe
struct ReplacementClosure<Function>: ReplacementBody {
  /// Makes the closure anew for each call: the closure is not `Sendable`, but all that it is made of is.
  private let make: @Sendable () -> Function
  private let signature: SwiftFunctionType
  private let map: SwiftFrameMap
  /// The words with the address of each argument.
  private let words: [Int]

  /// Compares the types of the closure with a function's.
  ///
  /// - Throws: `InvocationError` `typeMismatch` with the argument, `countMismatch`, and `unsupportedType` for what no closure
  ///   can replace.
  init(_ make: @escaping @Sendable () -> Function, for types: SwiftFunctionSignature, _ plan: EntryPlan) throws(InvocationError) {
    let convention = try EntryPlan.convention()
    let signature = try ClosureTypes.signature(of: Function.self)
    self.make = make
    self.signature = signature
    do {
      try ClosureTypes.compare(signature, Function.self, with: types, plan)
    } catch {
      throw error.about(types.name)
    }
    let layout = convention.layout(of: signature.typesByAddress)
    map = SwiftFrameMap(layout, in: SwiftKernel(for: layout, by: convention, isAsync: signature.isAsync), isAsync: signature.isAsync)
    words = map.arguments.map { $0[0].word }
    guard !signature.isAsync || layout.stackSize == 0 else {
      throw InvocationError(.unsupportedType, "an asynchronous closure has at most five parameters here").about(types.name)
    }
  }

  /// Whether the closure changes the target of a method: its first parameter is `inout`.
  static func changesTarget(_ types: SwiftFunctionSignature) throws(InvocationError) -> Bool {
    guard types.selfKind == .value else { return false }
    return try ClosureTypes.signature(of: Function.self).parameters.first?.isInOut ?? false
  }

  func run(_ call: EnteredCall, for replacement: Replacement) {
    if let actor = signature.globalActor { requireActor(actor, replacement) }
    enter(call, for: replacement)
  }

  private func enter(_ call: EnteredCall, for replacement: Replacement) {
    let running = RunningClosure(replacement)
    let error = ReplacementState.$current.withValue(ReplacementState.changed { $0.running = running }) {
      let closure = make()
      // Not on the stack, which nested calls use up.
      let frame = UnsafeMutableRawPointer.allocate(byteCount: map.size, alignment: 16)
      defer {
        unsafe frame.deallocate()
        withExtendedLifetime(closure) {}
      }
      unsafe map.call(write(call, closure, to: frame), frame)
      return unsafe takeError(frame)
    }
    running.end()
    finish(call, error)
  }

  nonisolated(nonsending) func runAsynchronously(_ call: EnteredCall, for replacement: Replacement) async {
    guard signature.isAsync else {
      guard let actor = signature.globalActor else { return run(call, for: replacement) }
      return await enter(on: Self.shared(actor), call, for: replacement)
    }
    // An asynchronous closure of a global actor changes to it by itself.
    let running = RunningClosure(replacement)
    let frame = SwiftAsyncFrame(size: map.size, alignment: 16)
    await ReplacementState.$current.withValue(ReplacementState.changed { $0.running = running }) {
      let closure = make()
      await unsafe frame.call(write(call, closure, to: frame.frame))
      withExtendedLifetime(closure) {}
    }
    running.end()
    finish(call, unsafe takeError(frame.frame))
  }

  // MARK: Global actors

  /// Traps unless the actor of the closure is running: a synchronous function cannot change to it.
  private func requireActor(_ type: any GlobalActor.Type, _ replacement: Replacement) {
    let actor = Self.shared(type)
    // The first of the two words of an executor identifies it. The runtime of Swift 6.3 traps without a text of ours.
    let executor = unsafe unsafeBitCast(actor.unownedExecutor, to: (UnsafeRawPointer?, UInt).self).0
    let isMain = actor === MainActor.shared
    guard unsafe executor != ThreadState.currentExecutor, !isMain || !ThreadState.isMainThread else { return }
    // Only a custom executor itself knows what it runs.
    let isOwn = UInt(bitPattern: executor) == UInt(bitPattern: ObjectIdentifier(actor))
    guard isMain || isOwn else { return actor.preconditionIsolated() }
    fatalError("'\(replacement.name)' was called elsewhere, and the closure that replaces it is isolated to \(type)")
  }

  private static func shared<Global: GlobalActor>(_: Global.Type) -> any Actor { Global.shared }

  private func enter(on _: isolated any Actor, _ call: EnteredCall, for replacement: Replacement) {
    enter(call, for: replacement)
  }

  /// Writes the addresses of the arguments and the context of the closure to a frame, and returns the code of the closure.
  @unsafe
  private func write(_ call: EnteredCall, _ closure: Function, to frame: UnsafeMutableRawPointer) -> UnsafeRawPointer {
    for (index, word) in words.enumerated() {
      unsafe frame.storeBytes(of: call.arguments[index], toByteOffset: word, as: UnsafeMutableRawPointer.self)
    }
    unsafe frame.storeBytes(of: call.result, toByteOffset: map.resultElements[0].word, as: UnsafeMutableRawPointer.self)
    let (code, context) = unsafe unsafeBitCast(closure, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    unsafe frame.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
    return unsafe code
  }

  /// The error of a call; the register of a closure that does not throw has another value.
  @unsafe
  private func takeError(_ frame: UnsafeMutableRawPointer) -> (any Error)? {
    guard signature.isThrowing, unsafe SwiftFrameError.isThrown(frame) else { return nil }
    return unsafe map.error.take(from: frame, at: frame)
  }

  private func finish(_ call: EnteredCall, _ error: (any Error)?) {
    if let error { call.fail(error) } else { call.finish() }
  }
}
