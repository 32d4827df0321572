extension Slot {
  /// Copies the value from one frame to another of the same plan.
  @inline(__always)
  func copy(from source: UnsafeRawPointer, to frame: UnsafeMutableRawPointer) {
    if storage.rawValue <= Storage.floating.rawValue {
      unsafe write(word: word(of: source), to: frame)
    } else {
      unsafe withValue(in: source) { unsafe write(from: $0, to: frame) }
    }
  }
}
