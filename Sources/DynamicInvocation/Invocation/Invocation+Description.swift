extension Invocation: CustomStringConvertible {
  /// The call with its values: `-[Controller area(_:in:)](7, (1.0, 2.0, 3.0, 4.0)) -> 19.0`.
  ///
  /// Arguments that are not set are shown as `unset`. If the invocation retains its objects and copies its C strings,
  /// objects are shown by their type and C strings by their text. Otherwise they may have been deallocated, so they are
  /// shown as addresses, as any pointer is.
  ///
  /// - Complexity: O(bytes of the text), at most about 4,000.
  public var description: String {
    defer { keepAlive() }
    let isMethod = methodSignature.isMethod
    var text = ValueText()
    if isMethod {
      text.append("-[")
      unsafe text.write(target: slots[0], of: frame, isOwned: core.isOwned(0))
      text.append(" ")
      if core.isSet(1) {
        unsafe text.write(slots[1], of: frame, as: methodSignature.types.arguments[1], isOwned: false)
      } else {
        text.append("unset")
      }
      text.append("]")
    } else {
      text.append(methodSignature.types.shortText)
    }
    text.append("(")
    let first = isMethod ? 2 : 0
    for index in first..<max(first, count) where !text.isFull {
      if index > first { text.append(", ") }
      if core.isSet(index) {
        unsafe text.write(slots[index], of: frame, as: methodSignature.types.arguments[index], isOwned: core.isOwned(index))
      } else {
        text.append("unset")
      }
    }
    text.append(")")
    if hasReturnValue, plan.result.kind != .void {
      text.append(" -> ")
      // The callee owns a C string that it returned, unless it is a part of an argument.
      let isOwned = unsafe core.state.resultObject != nil || core.argumentOfResult != nil
      unsafe text.write(plan.result, of: frame, as: methodSignature.returnType, isOwned: isOwned)
    }
    return text.text
  }
}

extension ValueText {
  /// Writes the class of a message's target.
  fileprivate mutating func write(target slot: FrameSlot, of frame: UnsafeRawPointer, isOwned: Bool) {
    let word = unsafe slot.word(of: frame)
    if word == 0 {
      append("nil")
    } else if slot.kind == .classObject, let type = ClassReference.type(word) {
      append("\(type)")
    } else if slot.kind == .object, isOwned, let object = unsafe ObjectReference.object(in: slot, of: frame) {
      append("\((object as? AnyClass) ?? type(of: object))")
    } else {
      append("0x" + String(word, radix: 16))
    }
  }
}

// Short descriptions of what is called.

extension CallFrame {
  /// The types of the frame: `frame of 'ddd'`.
  public var description: String { "frame of '\(methodSignature.types.shortText.escaped)'" }
}

extension ForeignFunction: CustomStringConvertible {
  /// The symbol, if it is known, and the types: `function pow 'ddd'`, `function 'ddd'`.
  public var description: String {
    "function " + (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "'\(methodSignature.types.shortText.escaped)'"
  }
}
