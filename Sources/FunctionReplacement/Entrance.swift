internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// A way by which calls get to a function, and the code there that decides who answers each call.
@safe
final class Entrance: @unchecked Sendable {
  // Unchecked Sendable: all but the code is constant, and the code is set before the entrance is used.

  /// The image that calls the function through its table.
  struct Caller {
    /// Its path; empty for the program.
    let path: String
    /// Whether it is the program, or its file is in the program's folder or below.
    let isNear: Bool
  }

  let function: ReplacedFunction
  /// The image whose calls get here; nil if the calls of all images do.
  let caller: Caller?
  /// The variable of a function that was compiled with the flag.
  private let variable: UnsafeMutableRawPointer?
  /// The function itself: its code, or its async function pointer.
  private let original: UnsafeRawPointer
  /// The code that calls get to, or its async function pointer.
  private(set) var code: UnsafeRawPointer
  /// The code that calls get to, also of an asynchronous function.
  private(set) var entryPoint: UnsafeRawPointer

  /// Makes the entrance of a function with a variable, whose first word is the code that calls go through, or its async function pointer.
  @unsafe
  init(of function: ReplacedFunction, variable: UnsafeMutableRawPointer) throws(InvocationError) {
    self.function = function
    caller = nil
    unsafe self.variable = unsafe variable
    guard let code = unsafe variable.load(as: UnsafeRawPointer?.self) else {
      throw InvocationError(.unsupportedType, "its variable is empty").about(function.types.name)
    }
    unsafe original = unsafe code
    unsafe (self.code, entryPoint) = unsafe (code, code)
    try makeStub()
  }

  /// Makes the entrance of a function of another library.
  @unsafe
  init(of function: ReplacedFunction, original: UnsafeRawPointer, from caller: Caller?) throws(InvocationError) {
    self.function = function
    self.caller = caller
    unsafe variable = nil
    unsafe self.original = unsafe original
    unsafe (code, entryPoint) = unsafe (original, original)
    try makeStub()
  }

  /// Makes the code that calls get to.
  private func makeStub() throws(InvocationError) {
    let (types, isImported) = (function.types, unsafe variable == nil)
    guard let entry = unsafe types.isAsync ? creplace_async_entry(isImported) : creplace_entry() else {
      throw InvocationError(.unsupportedType, "this processor has no entry for it").about(types.name)
    }
    let enter = unsafe types.isAsync ? Self.enterAsynchronously : Self.enter
    let stub = try unsafe ClosureBank.shared.open(
      entry: entry, code: unsafeBitCast(enter, to: UnsafeRawPointer.self), context: nil, body: self)
    unsafe (code, entryPoint) = unsafe (stub.code, stub.code)
    guard types.isAsync else { return }
    // A caller that has read this size of the context may still get to the function itself.
    let size = unsafe isImported ? original.load(fromByteOffset: 4, as: UInt32.self) : UInt32(CREPLACE_ASYNC_SIZE)
    unsafe code = stub.asyncFunctionPointer(contextSize: size)
  }

  /// Lets the calls through the variable get here, for good.
  func open() { if let variable = unsafe variable { unsafe creplace_store(variable, code) } }

  /// What a call enters when a spy passes it on: a function with a variable finds who is next in the variable.
  var next: UnsafeRawPointer { unsafe variable == nil ? code : original }

  // MARK: Calls

  private typealias Enter = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> UnsafeRawPointer?

  /// Answers a call of a synchronous function, or returns the code that answers it.
  private static let enter: Enter = { frame, body in
    let entrance = unsafe Unmanaged<Entrance>.fromOpaque(body).takeUnretainedValue()
    guard let (replacement, call) = unsafe entrance.answered(frame) else { return unsafe entrance.enterOriginal() }
    replacement.answer(call)
    return nil
  }

  /// Returns the async function pointer that answers a call of an asynchronous function.
  private static let enterAsynchronously: Enter = { frame, body in
    let entrance = unsafe Unmanaged<Entrance>.fromOpaque(body).takeUnretainedValue()
    guard let (replacement, entered) = unsafe entrance.answered(frame) else { return unsafe entrance.enterOriginal() }
    let call = AsynchronousCall(replacement, entered)
    unsafe frame.storeBytes(
      of: Unmanaged.passRetained(call).toOpaque(), toByteOffset: Int(CREPLACE_ASYNC_CALL), as: UnsafeMutableRawPointer.self)
    // The arguments were read: now the frame is the only argument.
    let takesIsolation = replacement.plan.takesIsolation
    let (code, context) =
      unsafe takesIsolation
      ? unsafeBitCast(isolatedAnswer, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
      : unsafeBitCast(answer, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    unsafe frame.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
    unsafe frame.storeBytes(
      of: frame, toByteOffset: SwiftKernel.entryFrame.argumentOffset(of: .general(takesIsolation ? 2 : 0)),
      as: UnsafeMutableRawPointer.self)
    return unsafe code
  }

  private final class AsynchronousCall: Sendable {
    let replacement: Replacement
    let call: EnteredCall

    init(_ replacement: Replacement, _ call: EnteredCall) {
      self.replacement = replacement
      self.call = call
    }
  }

  /// A function value as the compiler stores it in a struct: the async function pointer and the context.
  @safe
  private struct StoredFunction {
    let function: @concurrent @Sendable (UnsafeMutableRawPointer) async -> Void
  }

  /// The same for a function that is `nonisolated(nonsending)`: it returns on the actor of its caller, who does not change to it again.
  ///
  /// The first two words of the frame are the actor.
  @safe
  private struct StoredIsolatedFunction {
    let function: nonisolated(nonsending) @Sendable (UnsafeMutableRawPointer) async -> Void
  }

  private static let answer = unsafe StoredFunction { frame in
    let call = unsafe takeCall(frame)
    await call.replacement.answerAsynchronously(call.call)
  }

  private static let isolatedAnswer = unsafe StoredIsolatedFunction { frame in
    let call = unsafe takeCall(frame)
    await call.replacement.answerAsynchronously(call.call)
  }

  @unsafe
  private static func takeCall(_ frame: UnsafeMutableRawPointer) -> AsynchronousCall {
    let word = unsafe frame.load(fromByteOffset: Int(CREPLACE_ASYNC_CALL), as: UnsafeRawPointer.self)
    return unsafe Unmanaged<AsynchronousCall>.fromOpaque(word).takeRetainedValue()
  }

  /// The replacement that answers a call; nil if the function itself does.
  ///
  /// The image that contains this library is a caller, too: the function itself answers calls that this decision makes.
  @unsafe
  private func answered(_ frame: UnsafeMutableRawPointer) -> (Replacement, EnteredCall)? {
    let isImported = unsafe variable == nil
    guard !isImported || creplace_go_inside() else { return nil }
    defer { if isImported { creplace_go_outside() } }
    let found = Replacement.answering(function) { replacement in
      unsafe replacement.plan.callers.contain(caller) && replacement.plan.matches(frame)
    }
    return found.map { ($0, unsafe EnteredCall($0.plan, frame: frame, next: next)) }
  }

  /// Returns the function itself, which must be entered at once.
  @unsafe
  private func enterOriginal() -> UnsafeRawPointer {
    if let variable = unsafe variable { unsafe creplace_enter_original(variable) }
    return unsafe original
  }
}
