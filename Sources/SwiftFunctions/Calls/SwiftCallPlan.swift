package import CallFrames
package import TypeEncodings

/// The part of a call of a native Swift function that is computed once: the types, the slots of a frame, the kernel.
///
/// A frame is one block of memory: the register image of the kernel, the stack words, copies of arguments that the
/// callee may change or consume, and the result and the typed error if they do not stay in the registers.
@usableFromInline
@safe
package final class SwiftCallPlan: @unchecked Sendable {
  // Unchecked Sendable: everything is written in the initializer only.

  /// The largest frame that a typed call reserves without a computation at run time.
  @usableFromInline static let smallFrame: Int = 512

  /// The types of the function.
  package let types: SwiftFunctionTypes
  /// The slots of the arguments: self if it is passed by the caller, then the parameters.
  @usableFromInline let slots: UnsafePointer<SwiftArgumentSlot>
  /// The number of arguments, or -1 if the frame is larger than ``smallFrame``.
  @usableFromInline let smallCount: Int
  /// The number of arguments.
  @usableFromInline let count: Int
  /// The type of the result.
  @usableFromInline let result: SwiftMetadata
  /// The offset of the result in a frame, after the call and ``collect(_:)``.
  @usableFromInline let resultOffset: Int
  /// How a typed call passes the arguments.
  @usableFromInline let form: Form
  /// Whether a result in a word has to be destroyed.
  @usableFromInline let destroysWord: Bool
  /// Whether a call with a frame does nothing but run the kernel, once the arguments are written.
  @usableFromInline let isPlain: Bool
  /// Whether the result has to be put together from registers.
  let collectsResult: Bool
  /// Whether words of a frame besides the arguments have to be set.
  let needsPreparation: Bool
  /// Whether an argument has to be destroyed after the call.
  let destroysCopy: Bool
  /// The code, if it does not depend on the class of self.
  @usableFromInline let address: UnsafeRawPointer
  /// The offset of the method in the metadata of the class of self, or 0 for a call of ``address``.
  @usableFromInline let methodOffset: Int
  /// The code that calls a method with words, see ``SwiftKernel/methodEntry``.
  @usableFromInline let methodEntry: UnsafeRawPointer
  /// The kernel.
  @usableFromInline let kernel: CallPlan.Kernel
  /// The number of stack words.
  @usableFromInline let stackWords: UnsafeRawPointer?
  /// The size of a frame.
  let frameSize: Int
  /// The alignment of a frame.
  let frameAlignment: Int

  /// The parts of the arguments that are not copied as a whole.
  let parts: [[SwiftArgumentPart]]
  /// The closures in each argument that are replaced in its copy.
  let closures: [[SwiftRepresentation.Closure]]
  /// The closures in the result that are replaced.
  let resultClosures: [SwiftRepresentation.Closure]
  /// The words of a frame to set: the address of an offset in the same frame.
  let addresses: [(word: Int, target: Int)]
  /// The parts of the result: copied from register to result area.
  let resultParts: [SwiftArgumentPart]
  /// The elements of a result to move within the frame, when the value has another layout than the flat result.
  let resultMoves: [SwiftArgumentPart]
  /// How the typed error is returned.
  let typedError: TypedError?
  /// What is passed as self to a static function of a class.
  let selfConstant: SwiftMetadata?

  /// How a typed error is returned.
  struct TypedError {
    let type: SwiftMetadata
    /// The offset in a frame to which ``parts`` are copied.
    let offset: Int
    let parts: [SwiftArgumentPart]
  }

  /// Plans the calls of a function.
  ///
  /// - Parameters:
  ///   - types: The types of the function.
  ///   - isVirtual: Whether an overridable method of a class is called as the object's class implements it.
  ///   - promises: What the caller states of the function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason, and with the argument if it is one.
  package convenience init(
    _ types: SwiftFunctionTypes, isVirtual: Bool = true, trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    if types.isAsync {
      throw InvocationError(.unsupportedType, "an asynchronous function cannot be called by name without await: use asyncFunction(_:)")
        .about(types.name)
    }
    try types.require(promises)
    try unsafe self.init(types, isVirtual: isVirtual, code: types.address, takesIsolation: nil, trusting: promises)
  }

  /// Plans the calls of an asynchronous function, whose ``address`` is that of its async function pointer.
  ///
  /// - Parameters:
  ///   - takesIsolation: Whether the function is `nonisolated(nonsending)`, or nil if that is not known.
  ///   - promises: What the caller states of the function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason.
  package convenience init(
    async types: SwiftFunctionTypes, takesIsolation: Bool?, trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    let code = try unsafe Self.asyncFunctionPointer(of: types)
    try types.require(promises)
    try unsafe self.init(types, isVirtual: true, code: code, takesIsolation: takesIsolation, trusting: promises)
  }

  private init(
    _ types: SwiftFunctionTypes, isVirtual: Bool, code: UnsafeRawPointer, takesIsolation: Bool?, trusting promises: SwiftLibrary.Promises
  ) throws(InvocationError) {
    guard let convention = SwiftKernel.convention else {
      throw InvocationError(.unsupportedType, "Swift functions cannot be called by name on this platform").about(types.name)
    }
    let builder = try SwiftCallPlanner(types, by: convention, takesIsolation: takesIsolation, trusting: promises)
    self.types = types
    let slots = UnsafeMutablePointer<SwiftArgumentSlot>.allocate(capacity: max(1, builder.slots.count))
    unsafe slots.initialize(from: builder.slots, count: builder.slots.count)
    unsafe self.slots = unsafe UnsafePointer(slots)
    count = builder.slots.count
    let isSmall = builder.size <= Self.smallFrame && builder.alignment <= 16
    smallCount = isSmall ? builder.slots.count : -1
    result = builder.result
    resultOffset = builder.resultOffset
    collectsResult = builder.collectsResult
    addresses = builder.addresses
    selfConstant = builder.selfConstant
    needsPreparation = !builder.addresses.isEmpty || builder.selfConstant != nil
    destroysCopy = builder.slots.contains { $0.isDestroyed }
    isPlain = !needsPreparation && !destroysCopy && !collectsResult
    form = builder.form
    destroysWord = !builder.result.isTrivial
    unsafe methodEntry = unsafe SwiftKernel.methodEntry
    unsafe address = unsafe code
    methodOffset = isVirtual ? SwiftMethodTable.offset(of: types) ?? 0 : 0
    unsafe kernel = unsafe builder.kernel.function
    unsafe stackWords = UnsafeRawPointer(bitPattern: builder.stackWords)
    frameSize = builder.size
    frameAlignment = builder.alignment
    parts = builder.parts
    closures = builder.closures
    resultClosures = builder.resultClosures
    resultParts = builder.resultParts
    resultMoves = builder.resultMoves
    typedError = builder.typedError
  }

  deinit {
    unsafe slots.deallocate()
  }
}

extension SwiftCallPlan {
  /// The async function pointer of a function that can be called.
  private static func asyncFunctionPointer(of types: SwiftFunctionTypes) throws(InvocationError) -> UnsafeRawPointer {
    func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason).about(types.name) }
    guard types.isAsync else {
      let way = types.isActorMember ? "function(_:) with the promise 'unsafe library.trusting(.isolation)'" : "function(_:)"
      throw refused("it is not asynchronous: use \(way)")
    }
    guard unsafe SwiftKernel.asyncEntry != nil else {
      throw refused("asynchronous functions are called by name on x86-64 Linux only")
    }
    guard types.kind == .function || types.kind == .initializer else {
      throw refused("it is an asynchronous accessor, and its symbol does not state whether it throws")
    }
    if types.typedError != nil { throw refused("it is asynchronous, and the type of its error is stated") }
    if let index = types.parameters.firstIndex(where: { $0.ownership == .inOut }) {
      throw refused("a variable cannot be passed to an asynchronous function").at(.index(index + (types.passesSelf ? 1 : 0)))
    }
    guard let pointer = unsafe types.asyncFunctionPointer else { throw refused("the library does not export its async function pointer") }
    return unsafe pointer
  }
}

/// An argument of a call: its type, and how it is written to a frame.
@usableFromInline
@safe
struct SwiftArgumentSlot: Sendable {
  /// The type that the caller passes: the type of the parameter, or for `inout` that of a pointer to it.
  @usableFromInline let type: SwiftMetadata
  /// The type of the parameter.
  @usableFromInline let value: SwiftMetadata
  /// The offset in a frame to which the bytes of the value are copied as a whole, or -1.
  @usableFromInline let offset: Int
  /// The offset in a frame of a copy of the value that the callee receives, or -1 for the value itself.
  let copyOffset: Int
  /// Whether the callee receives a pointer to the caller's variable.
  @usableFromInline let isInOut: Bool
  /// Whether this is self of a struct or enum, whose address is passed as well as its bytes.
  @usableFromInline let isValueSelf: Bool
  /// Whether the copy is destroyed after the call, since the callee does not consume it.
  let isDestroyed: Bool
}

/// A run of bytes that is copied between a value and a frame.
struct SwiftArgumentPart: Sendable {
  /// The offset of the source.
  var source: Int
  /// The offset of the target.
  var target: Int
  /// The number of bytes; 0 to store the address of the source instead.
  var size: Int
  /// Whether only the lowest bit is valid.
  var isBit: Bool = false
}
