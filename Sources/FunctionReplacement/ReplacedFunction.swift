internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// A function that can be replaced: its variable, and the code that decides for each call who answers it.
///
/// The code in the variable is exchanged once, and stays: a call without a replacement goes on to the function itself, as
/// it was called. So no call is lost or entered half when replacements come and go on other threads.
@safe
final class ReplacedFunction: @unchecked Sendable {
  // Unchecked Sendable: the variable is written to under a lock, and atomically.

  /// Its types.
  ///
  /// For a generic function the first closure's.
  let types: SwiftFunctionSignature
  /// The variable, whose first word is the code that calls go through, or the async function pointer of it.
  let variable: UnsafeMutableRawPointer
  /// What the variable contained: the function itself.
  let original: UnsafeRawPointer
  /// The library of the function, which stays loaded.
  private let library: DynamicLibrary

  @safe
  private struct Known {
    var symbols: [UnsafeMutableRawPointer: SwiftLibrarySymbols] = unsafe [:]
    var functions: [UnsafeRawPointer: ReplacedFunction] = unsafe [:]
  }

  private static let known = Locked(Known())

  private init(_ types: SwiftFunctionSignature, _ library: DynamicLibrary) throws(InvocationError) {
    self.types = types
    self.library = library
    unsafe variable = UnsafeMutableRawPointer(mutating: types.address)
    guard let code = unsafe variable.load(as: UnsafeRawPointer?.self) else {
      throw InvocationError(.unsupportedType, "its variable is empty").about(types.name)
    }
    unsafe original = unsafe code
  }

  /// Finds a function by the name that it has in its source.
  ///
  /// - Parameter closure: The types of the closure that replaces it. They fix the types of a generic function.
  /// - Returns: The function, its types, and its generic parameters.
  /// - Throws: `InvocationError` `symbolNotFound`, `libraryNotFound` and `unsupportedType`, each with the reason.
  static func find(
    _ name: String, in library: DynamicLibrary, for closure: SwiftFunctionType? = nil
  ) throws(InvocationError) -> (ReplacedFunction, SwiftFunctionSignature, GenericTypes?) {
    let symbols = try symbols(of: library)
    var generic: GenericTypes?
    func bind(
      _ symbol: SwiftSymbol, _ tree: SymbolTree, _ owner: SwiftGenericOwner?
    ) throws(InvocationError) -> [Any.Type] {
      guard let closure, let types = try GenericTypes(symbol, in: tree, owner, closure) else { return [] }
      generic = types
      return types.all
    }
    let types = closure == nil ? try symbols.function(name) : try symbols.function(name, binding: bind)
    return (try find(types, in: library), types, generic)
  }

  /// Finds the functions of a type, or of a module without a type, with the name of each within it.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if no type or several have the name, and `libraryNotFound`.
  static func all(
    of context: String, in library: DynamicLibrary
  ) throws(InvocationError) -> [(name: String, function: Result<ReplacedFunction, InvocationError>)] {
    try symbols(of: library).functions(of: context).map { name, types in
      (name, types.flatMap { types in Result { () throws(InvocationError) in try find(types, in: library) } })
    }
  }

  private static func symbols(of library: DynamicLibrary) throws(InvocationError) -> SwiftLibrarySymbols {
    _ = try EntryPlan.convention()
    return known.withLock { known in
      if let symbols = unsafe known.symbols[library.handle] { return symbols }
      let symbols = SwiftLibrarySymbols(library, .replaceable)
      unsafe known.symbols[library.handle] = symbols
      return symbols
    }
  }

  private static func find(_ types: SwiftFunctionSignature, in library: DynamicLibrary) throws(InvocationError) -> ReplacedFunction {
    if let function = known.withLock({ unsafe $0.functions[types.address] }) { return function }
    let function = try ReplacedFunction(types, library)
    let entry = try unsafe function.entry()
    return try known.withLock { (known) throws(InvocationError) in
      // Another thread may have been faster; the stub of this one is never entered then.
      if let function = unsafe known.functions[types.address] { return function }
      unsafe known.functions[types.address] = function
      unsafe creplace_store(function.variable, entry)
      return function
    }
  }

  /// Makes the code for the variable.
  private func entry() throws(InvocationError) -> UnsafeRawPointer {
    func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason).about(types.name) }
    guard types.isAsync else {
      guard let entry = unsafe creplace_entry() else { throw refused("this processor has no entry for it") }
      let code = unsafe unsafeBitCast(Self.enter, to: UnsafeRawPointer.self)
      return try unsafe ClosureBank.shared.open(entry: entry, code: code, context: nil, body: self).code
    }
    guard let entry = unsafe creplace_async_entry() else { throw refused("this processor has no entry for asynchronous functions") }
    let code = unsafe unsafeBitCast(Self.enterAsynchronously, to: UnsafeRawPointer.self)
    let stub = try unsafe ClosureBank.shared.open(entry: entry, code: code, context: nil, body: self)
    return unsafe stub.asyncFunctionPointer(contextSize: UInt32(CREPLACE_ASYNC_SIZE))
  }

  // MARK: Calls

  private typealias Enter = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> UnsafeRawPointer?

  /// Answers a call of a synchronous function, or returns the code that does.
  private static let enter: Enter = { frame, body in
    let function = unsafe Unmanaged<ReplacedFunction>.fromOpaque(body).takeUnretainedValue()
    guard let replacement = unsafe function.replacement(frame) else { return unsafe function.enterOriginal() }
    replacement.answer(unsafe EnteredCall(replacement.plan, frame: frame))
    return nil
  }

  /// Returns the async function pointer that answers a call of an asynchronous function.
  private static let enterAsynchronously: Enter = { frame, body in
    let function = unsafe Unmanaged<ReplacedFunction>.fromOpaque(body).takeUnretainedValue()
    guard let replacement = unsafe function.replacement(frame) else { return unsafe function.enterOriginal() }
    let call = AsynchronousCall(replacement, unsafe EnteredCall(replacement.plan, frame: frame))
    unsafe frame.storeBytes(
      of: Unmanaged.passRetained(call).toOpaque(), toByteOffset: Int(CREPLACE_ASYNC_CALL), as: UnsafeMutableRawPointer.self)
    // The arguments were read: now the frame is the only one.
    let (code, context) = unsafe unsafeBitCast(answer, to: (UnsafeRawPointer, UnsafeRawPointer?).self)
    unsafe frame.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
    unsafe frame.storeBytes(
      of: frame, toByteOffset: SwiftKernel.entryFrame.argumentOffset(of: .general(0)), as: UnsafeMutableRawPointer.self)
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

  private static let answer = unsafe StoredFunction { frame in
    let word = unsafe frame.load(fromByteOffset: Int(CREPLACE_ASYNC_CALL), as: UnsafeRawPointer.self)
    let call = unsafe Unmanaged<AsynchronousCall>.fromOpaque(word).takeRetainedValue()
    await call.replacement.answerAsynchronously(call.call)
  }

  /// The replacement that answers a call; nil if the function does itself.
  @unsafe
  private func replacement(_ frame: UnsafeMutableRawPointer) -> Replacement? {
    Replacement.answering(self) { unsafe $0.plan.matches(frame) }
  }

  /// Returns the function itself, which must be entered at once.
  @unsafe
  private func enterOriginal() -> UnsafeRawPointer {
    unsafe creplace_enter_original(variable)
    return unsafe original
  }
}
