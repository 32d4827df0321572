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
  /// A text that the result points into is released after the next call, unless that returns a part of it again.
  package func release(_ old: UInt64, replacedIn slot: FrameSlot) {
    guard state.runningCalls > 0 || slot.kind == .cString && resultText.map({ Self.isText(at: old, around: $0) }) == true else {
      return slot.releaseOwned(word: old)
    }
    keepReplaced(old, slot)
  }

  /// Keeps what an argument referred to until the end of the next call that is not within another one.
  @inline(never)
  private func keepReplaced(_ word: UInt64, _ slot: FrameSlot) {
    let all = unsafe state.replaced ?? .passRetained(ReplacedArguments())
    unsafe state.replaced = unsafe all
    state.mayOwn = true
    state.needsRelease = true
    unsafe all._withUnsafeGuaranteedRef { $0.values.append((slot, word)) }
  }

  /// The address of a result that is a C string; nil for null and for other results.
  private var resultText: UInt64? {
    guard state.hasResult, resultSlot.kind == .cString, case let word = unsafe resultSlot.word(of: frame), word != 0 else { return nil }
    return word
  }

  /// Whether an address is in the memory of a C string that a frame owns.
  ///
  /// The text may be shorter than its memory: a callee such as `strtok` shortens it.
  fileprivate static func isText(at start: UInt64, around address: UInt64) -> Bool {
    guard address >= start, let text = unsafe UnsafeRawPointer(bitPattern: UInt(start)) else { return false }
    return unsafe address - start < CMemory.size(of: text)
  }

  /// The argument whose C string contains the result, if the frame owns the string; also an argument that was replaced.
  ///
  /// A function such as `strchr` returns a part of its argument.
  package var argumentOfResult: Int? {
    guard state.mayOwn, let address = resultText else { return nil }
    for index in 0..<count where unsafe slots[index].kind == .cString && isOwned(index) {
      if Self.isText(at: unsafe slots[index].word(of: frame), around: address) { return index }
    }
    guard let slot = unsafe state.replaced?._withUnsafeGuaranteedRef({ $0.slotOfText(around: address) }) else { return nil }
    return (0..<count).first { unsafe slots[$0].offset == slot.offset }
  }

  /// Returns the address of the part of a C string, up to its end, that is equal to a result that is a C string.
  ///
  /// Nil if the C string, or the result, is null, or if it does not end with the same text.
  package func result(in text: UnsafePointer<CChar>?) -> UInt64? {
    guard let text = unsafe text, let result = unsafe resultText.flatMap({ unsafe UnsafePointer<CChar>(bitPattern: UInt($0)) }),
      let end = unsafe CMemory.end(of: text, equalTo: result)
    else { return nil }
    return UInt64(UInt(bitPattern: end))
  }

  /// Takes over the text of a result that was copied from another frame of the plan, if that frame owns the text.
  ///
  /// The other frame may free it at any time. So the result becomes a part of this frame's own argument if that ends
  /// with the same text, and otherwise a copy that this frame owns until its next call.
  package func takeText(of other: FrameCore) {
    guard let argument = other.argumentOfResult else { return }
    let slot = unsafe slots[argument]
    if isOwned(argument), let part = unsafe other.result(in: UnsafePointer(bitPattern: UInt(slot.word(of: frame)))) {
      return unsafe resultSlot.write(word: part, to: frame)
    }
    guard unsafe resultSlot.retainReference(in: frame) else { return }
    keepReplaced(unsafe resultSlot.word(of: frame), slot)
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
    unsafe state.replaced = unsafe resultText.flatMap { address in
      unsafe all._withUnsafeGuaranteedRef { unsafe $0.takeText(around: address) }
    }
    // Last: a deinitializer that runs here may use the frame.
    unsafe all.release()
  }
}

/// The objects and C strings of arguments that were replaced while a call was running, and the C string that the result
/// points into if it is no longer that of an argument.
@usableFromInline
package final class ReplacedArguments {
  fileprivate var values: [(slot: FrameSlot, word: UInt64)] = []

  deinit {
    for (slot, word) in values { slot.releaseOwned(word: word) }
  }

  /// The slot of the argument whose C string contains an address.
  fileprivate func slotOfText(around address: UInt64) -> FrameSlot? { index(around: address).map { values[$0].slot } }

  /// Moves the C string that contains an address to an object of its own.
  fileprivate func takeText(around address: UInt64) -> Unmanaged<ReplacedArguments>? {
    guard let index = index(around: address) else { return nil }
    let taken = ReplacedArguments()
    taken.values.append(values.remove(at: index))
    return unsafe .passRetained(taken)
  }

  private func index(around address: UInt64) -> Int? {
    values.firstIndex { $0.slot.kind == .cString && FrameCore.isText(at: $0.word, around: address) }
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

  /// Retains the object that the slot refers to, or replaces its C string or the memory of its array by a copy, in a copy
  /// of a frame that owns it.
  package func retainOwned(in frame: UnsafeMutableRawPointer) -> Bool {
    guard kind != .object, let address = unsafe UnsafeMutableRawPointer(bitPattern: UInt(word(of: frame))) else {
      return unsafe retainReference(in: frame)
    }
    // All of the memory: an array of characters may contain zeros.
    let size = unsafe Int(CMemory.size(of: address))
    let copy = unsafe CMemory.allocateZeroed(size)
    unsafe copy.copyMemory(from: address, byteCount: size)
    unsafe write(word: UInt64(UInt(bitPattern: copy)), to: frame)
    return true
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
