extension MethodSelector {
  /// The number of arguments after the target and the selector that the name specifies, or nil if it specifies no
  /// number.
  ///
  /// `area(_:in:)` and `area:in:` specify two, `reload()` zero. `area` specifies no number, like the names of C
  /// functions and of events.
  package var argumentCount: Int? {
    let text = name.utf8
    if text.last == UInt8(ascii: ")"), let open = text.firstIndex(of: UInt8(ascii: "(")) {
      let labels = text[text.index(after: open)..<text.index(before: text.endIndex)]
      return Self.count(labels)
    }
    guard text.last == UInt8(ascii: ":") else { return nil }
    return Self.count(text[...])
  }

  /// Returns the number of labels, each of which ends with a colon, or nil for other text.
  private static func count(_ labels: Substring.UTF8View) -> Int? {
    var count = 0
    for byte in labels {
      switch byte {
      case UInt8(ascii: ":"): count += 1
      case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "."): return nil
      default: continue
      }
    }
    return labels.isEmpty || labels.last == UInt8(ascii: ":") ? count : nil
  }
}

extension MethodSignature {
  /// Throws unless a method of these types has the number of arguments that its selector specifies, if it specifies
  /// one.
  package func requireArgumentCount(of selector: MethodSelector) throws(InvocationError) {
    guard isMethod, let count = selector.argumentCount, count != numberOfArguments - 2 else { return }
    let own = numberOfArguments - 2
    throw InvocationError(
      .countMismatch,
      "the selector '\(selector)' is one of \(count) argument\(count == 1 ? "" : "s"), the method takes \(own)", encoding: "\(self)")
  }

  /// Returns whether a call of these types can be executed by code of the types `other`.
  ///
  /// Names of structs and the pointee types of pointers are ignored, because a method created from Swift types does not
  /// specify them.
  package func carries(_ other: MethodSignature) -> Bool {
    if storage === other.storage { return true }
    let (count, slots, otherSlots) = unsafe (storage.plan.count, storage.plan.slots, other.storage.plan.slots)
    return other.storage.plan.count == count && fixedArgumentCount == other.fixedArgumentCount
      && (0...count).allSatisfy { unsafe slots[$0].kind == otherSlots[$0].kind }
  }

  /// Throws unless a method has these types.
  ///
  /// Names of structs and the pointee types of pointers are ignored, because a method created from Swift types does not
  /// specify them.
  func require(_ own: MethodSignature, of type: AnyClass, _ selector: MethodSelector) throws(InvocationError) {
    if carries(own) { return }
    throw InvocationError(.typeMismatch, "\(type) implements '\(selector)' with the types '\(own)', the invocation has '\(self)'")
  }
}
