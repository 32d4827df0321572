import CallFrames
import DynamicInvocation

/// The words of a frame, which are Swift objects and the engine's selectors, and the runtime's words for them.
///
/// On Apple's platforms an object is the same word in both.
enum FrameWords {
  /// Returns the object of a message's target: of any target, or of one that gets a superclass's methods.
  @inline(__always)
  static func target(_ word: UInt64, above superclass: UInt?) -> UInt? {
    guard let superclass else { return object(word) }
    return target(ofSuper: word, superclass)
  }

  private static func target(ofSuper word: UInt64, _ superclass: UInt) -> UInt? {
    guard let target = swiftObject(word) as? ObjectiveCSuper, target.superclass == superclass else { return nil }
    return target.word
  }

  /// Returns the message of a selector to a target.
  static func message(of target: UInt64, for selector: MethodSelector) -> ObjectiveCMessage? {
    (swiftObject(target) as? any MessageTarget)?.message(for: selector)
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

  /// Returns the runtime's selector of the engine's; a word that is none of the engine's stays.
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

extension FrameWords {
  /// Calls code of the runtime with a frame, and leaves an object result retained.
  static func call(
    _ code: UnsafeRawPointer, _ frame: UnsafeMutableRawPointer, _ types: RuntimeTypes, returnsRetained: Bool,
    _ kernel: CallPlan.Kernel, _ context: UnsafeRawPointer?
  ) throws(InvocationError) {
    let plan = types.signature.storage.plan
    for index in 0..<plan.count {
      let slot = unsafe plan.slots[index]
      let word = unsafe slot.word(of: frame)
      if slot.kind == .selector { unsafe slot.write(word: UInt64(runtimeSelector(word)), to: frame) }
      guard slot.kind == .object else { continue }
      guard let object = object(word) else {
        throw InvocationError(.typeMismatch, "\(className(word)) is no Objective-C object", argument: .index(index), encoding: "@")
      }
      unsafe slot.write(word: UInt64(object), to: frame)
    }
    unsafe kernel(frame, code, context)
    let word = unsafe UInt(plan.result.word(of: frame))
    switch plan.result.kind {
    case .object: unsafe plan.result.write(word: adopt(word, isRetained: returnsRetained, isBlock: types.returnsBlock), to: frame)
    case .selector: unsafe plan.result.write(word: selector(word), to: frame)
    default: break
    }
  }
}
