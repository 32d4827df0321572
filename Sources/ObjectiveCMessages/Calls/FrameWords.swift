import CallFrames
import DynamicInvocation

/// The words of a frame, which are Swift objects and the engine's selectors, and the runtime's words for them.
///
/// On Apple's platforms an object is the same word in both.
enum FrameWords {
  /// Returns the object of a message's target: of any target, or, with a superclass, of a target for the methods of that class.
  @inline(__always)
  static func target(_ word: UInt64, above superclass: UInt?) -> UInt? {
    guard let superclass else { return object(word) }
    return target(ofSuper: word, superclass)
  }

  private static func target(ofSuper word: UInt64, _ superclass: UInt) -> UInt? {
    guard let target = swiftObject(word) as? ObjectiveCSuper, target.superclass == superclass else { return nil }
    return target.word
  }

  static func className(_ word: UInt64) -> String { swiftObject(word).map { "\(type(of: $0))" } ?? "nil" }

  private static func swiftObject(_ word: UInt64) -> AnyObject? {
    unsafe UnsafeRawPointer(bitPattern: UInt(word)).map { unsafe Unmanaged<AnyObject>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Returns the runtime's word for an object of a frame: 0 for null, nil for a Swift object that stands for none.
  @inline(__always)
  static func object(_ word: UInt64) -> UInt? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return 0 }
    #if !canImport(ObjectiveC)
      let object = unsafe Unmanaged<AnyObject>.fromOpaque(address)
      if unsafe object._withUnsafeGuaranteedRef({ type(of: $0) == ObjectiveCObject.self }) {
        return unsafe Unmanaged<ObjectiveCObject>.fromOpaque(address)._withUnsafeGuaranteedRef { $0.word }
      }
    #endif
    return otherObject(word)
  }

  private static func otherObject(_ word: UInt64) -> UInt? {
    if let block = swiftObject(word) as? ObjectiveCBlock { return block.word }
    #if canImport(ObjectiveC)
      return UInt(word)
    #else
      return nil
    #endif
  }

  /// Returns the word of a frame for an object of the runtime, retained for the frame.
  static func adopt(_ word: UInt, isRetained: Bool, isBlock: Bool) -> UInt64 {
    if isBlock { return ObjectiveCBlock.adopt(word, isRetained: isRetained) }
    #if canImport(ObjectiveC)
      if word != 0, !isRetained { RuntimeFunctions.current.retain(word) }
      return UInt64(word)
    #else
      guard let object = ObjectiveCObject.adopting(word, isRetained: isRetained) else { return 0 }
      return UInt64(UInt(bitPattern: unsafe Unmanaged.passRetained(object).toOpaque()))
    #endif
  }

  /// Returns the runtime's word for an object of a frame, retained for the caller, and releases the frame's word.
  static func passRetained(_ word: UInt64, isBlock: Bool) -> UInt {
    guard let address = unsafe UnsafeRawPointer(bitPattern: UInt(word)) else { return 0 }
    var object = object(word) ?? 0
    if isBlock { object = ObjectiveCBlock.copy(object) } else if object != 0 { RuntimeFunctions.current.retain(object) }
    unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    return object
  }

  /// Returns the runtime's selector for a selector of the engine; another word is returned unchanged.
  static func runtimeSelector(_ word: UInt64) -> UInt {
    guard let selector = MethodSelector.known(at: UInt(word)) else { return UInt(word) }
    return RuntimeFunctions.current.registerName(UInt(bitPattern: unsafe selector.pointer))
  }

  /// Returns the engine's selector of the runtime's.
  static func selector(_ word: UInt) -> UInt64 {
    guard word != 0, MethodSelector.known(at: word) == nil else { return UInt64(word) }
    return UInt64(UInt(bitPattern: unsafe MethodSelector(RuntimeFunctions.current.name(ofSelector: word)).pointer))
  }
}

/// How the words of a frame become the runtime's for a call of the runtime's code, and the result becomes the engine's.
struct RuntimeCall: @unchecked Sendable {
  // Unchecked Sendable: a slot is a place and a kind.

  /// The arguments that are objects or selectors.
  private let replaced: [(index: Int, slot: FrameSlot)]
  /// The objects that the code takes over: a method of the family init consumes its receiver.
  private let consumed: [FrameSlot]
  private let result: FrameSlot
  private let returnsBlock: Bool
  private let returnsRetained: Bool

  /// - Parameter first: The index of the first argument whose word is the engine's.
  init(_ types: RuntimeTypes, from first: Int = 0, _ ownership: MethodOwnership) {
    let plan = types.signature.storage.plan
    consumed = types.consumed(by: ownership).map { unsafe plan.slots[$0] }
    replaced = (first..<plan.count).compactMap { index in
      let slot = unsafe plan.slots[index]
      return slot.kind == .object || slot.kind == .selector ? (index, slot) : nil
    }
    result = plan.result
    returnsBlock = types.returnsBlock
    returnsRetained = ownership.returnsRetained
  }

  /// - Throws: `InvocationError` `typeMismatch` for an object that is not the runtime's.
  @inline(__always)
  func replaceArguments(of frame: UnsafeMutableRawPointer) throws(InvocationError) {
    if !replaced.isEmpty { try unsafe replaceAll(frame) }
    if !consumed.isEmpty { unsafe retainConsumed(frame) }
  }

  private func retainConsumed(_ frame: UnsafeMutableRawPointer) {
    for slot in consumed {
      let word = unsafe UInt(slot.word(of: frame))
      if word != 0 { RuntimeFunctions.current.retain(word) }
    }
  }

  private func replaceAll(_ frame: UnsafeMutableRawPointer) throws(InvocationError) {
    for (index, slot) in replaced {
      let word = unsafe slot.word(of: frame)
      guard let own = slot.kind == .selector ? FrameWords.runtimeSelector(word) : FrameWords.object(word) else {
        throw InvocationError(
          .typeMismatch, "\(FrameWords.className(word)) is no Objective-C object", argument: .index(index), encoding: "@")
      }
      unsafe slot.write(word: UInt64(own), to: frame)
    }
  }

  /// Leaves an object result retained.
  @inline(__always)
  func replaceResult(of frame: UnsafeMutableRawPointer) {
    if result.kind == .object || result.kind == .selector { unsafe replaceWord(frame) }
  }

  private func replaceWord(_ frame: UnsafeMutableRawPointer) {
    let word = unsafe UInt(result.word(of: frame))
    unsafe result.write(
      word: result.kind == .object
        ? FrameWords.adopt(word, isRetained: returnsRetained, isBlock: returnsBlock) : FrameWords.selector(word), to: frame)
  }

  /// Calls code of the runtime with a frame.
  func call(
    _ code: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer, _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) throws(InvocationError) {
    try unsafe replaceArguments(of: frame)
    unsafe kernel(frame, code, context)
    unsafe replaceResult(of: frame)
  }
}
