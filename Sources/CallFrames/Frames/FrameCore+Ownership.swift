// Which objects and C strings a frame owns, and when it releases them.
extension FrameCore {
  /// Whether the frame retains the object or copies the C string that is set at an index.
  ///
  /// It does not copy the buffer of an output argument.
  @usableFromInline
  package func keeps(_ kind: ValueKind, _ index: Int) -> Bool {
    guard kind == .object ? state.retainsObjects : state.copiesStrings else { return false }
    return unsafe state.signature._withUnsafeGuaranteedRef { $0.types.arguments[index].qualifiers.isDisjoint(with: [.out, .inout]) }
  }

  /// Writes a slot, then releases what it owned before.
  ///
  /// The order matters: the new value may be a part of the old one.
  ///
  /// - Parameter write: Writes the slot, and returns whether the frame then owns what the slot refers to.
  @usableFromInline
  package func replace(_ index: Int, _ write: (FrameSlot) -> Bool) {
    let slot = unsafe slots[index]
    let old = unsafe isOwned(index) ? slot.word(of: frame) : nil
    markOwned(index, write(slot))
    if let old { release(old, replacedIn: slot) }
  }

  /// Releases what a slot owned before: now, or when no call is running, since closures borrow the objects of their
  /// arguments.
  ///
  /// A text that the result points into is released after the next call.
  package func release(_ old: UInt64, replacedIn slot: FrameSlot) {
    guard state.runningCalls > 0 || slot.kind == .cString && resultText.map({ Self.isText(at: old, around: $0) }) == true else {
      return slot.releaseOwned(word: old)
    }
    let all = unsafe state.replaced ?? .passRetained(ReplacedArguments())
    unsafe state.replaced = unsafe all
    state.needsRelease = true
    unsafe all._withUnsafeGuaranteedRef { $0.values.append((slot, old)) }
  }

  /// The address of a result that is a C string; nil for null and for other results.
  private var resultText: UInt64? {
    guard state.hasResult, resultSlot.kind == .cString, case let word = unsafe resultSlot.word(of: frame), word != 0 else { return nil }
    return word
  }

  /// Whether an address is in a C string, or that of its end.
  private static func isText(at start: UInt64, around address: UInt64) -> Bool {
    guard address >= start, let text = unsafe UnsafePointer<CChar>(bitPattern: UInt(start)) else { return false }
    return unsafe address - start <= CMemory.length(of: text)
  }

  /// Returns the argument whose own copy of a C string contains the result, and the result's offset in it.
  ///
  /// A function such as `strchr` returns a part of its argument.
  package var resultPlace: (argument: Int, offset: UInt64)? {
    guard state.mayOwn, let address = resultText else { return nil }
    for index in 0..<count where unsafe slots[index].kind == .cString && isOwned(index) {
      let start = unsafe slots[index].word(of: frame)
      if Self.isText(at: start, around: address) { return (index, address - start) }
    }
    return nil
  }

  /// Retains the object or copies the C string that a slot refers to, if the frame does so for the argument.
  ///
  /// Returns whether it did.
  package func keepReference(in slot: FrameSlot, _ index: Int) -> Bool {
    guard keeps(slot.kind, index) else { return false }
    return unsafe slot.retainReference(in: frame)
  }

  /// Retains every object and copies every C string set so far, and those set from now on.
  package func retainArguments() {
    guard !state.retainsObjects else { return }
    state.retainsObjects = true
    state.copiesStrings = true
    for index in 0..<count where isSet(index) && !isOwned(index) {
      markOwned(index, unsafe keepReference(in: slots[index], index))
    }
  }

  /// Begins a call: what the arguments own stays alive until it ends.
  @inlinable @inline(__always)
  package func beginCall() { state.runningCalls &+= 1 }

  /// Ends a call.
  @inlinable @inline(__always)
  package func endCall() {
    state.runningCalls &-= 1
    if unsafe state.replaced != nil { releaseReplaced() }
  }

  @inline(never) @usableFromInline
  package func releaseReplaced() {
    guard state.runningCalls == 0, let all = unsafe state.replaced else { return }
    unsafe state.replaced = nil
    // Last: a deinitializer that runs here may use the frame.
    unsafe all.release()
  }
}

/// The objects and C strings of arguments that were replaced while a call was running.
@usableFromInline
package final class ReplacedArguments {
  fileprivate var values: [(slot: FrameSlot, word: UInt64)] = []

  deinit {
    for (slot, word) in values { slot.releaseOwned(word: word) }
  }
}

extension FrameSlot {
  /// Releases what the frame owns through this slot: an object, or the copy of a C string.
  @usableFromInline
  package func releaseOwned(of frame: UnsafeRawPointer) { unsafe releaseOwned(word: word(of: frame)) }

  /// Releases what a word from the slot refers to.
  @usableFromInline
  package func releaseOwned(word: UInt64) {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word)) else { return }
    if kind == .object {
      unsafe Unmanaged<AnyObject>.fromOpaque(address).release()
    } else {
      unsafe CMemory.free(address)
    }
  }

  /// Retains the object that the slot refers to, or replaces its C string by a copy.
  ///
  /// Returns false for null and for other kinds.
  package func retainReference(in frame: UnsafeMutableRawPointer) -> Bool {
    guard let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word(of: frame))) else { return false }
    if kind == .object {
      _ = unsafe Unmanaged<AnyObject>.fromOpaque(address).retain()
    } else if kind == .cString {
      let copy = unsafe CMemory.copy(address.assumingMemoryBound(to: CChar.self))
      unsafe write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    } else {
      return false
    }
    return true
  }
}
