extension CallPlan {
  /// The words of a frame that hold the arguments of a method after its target; of anything but a method on the native lane, all words.
  ///
  /// - Parameters:
  ///   - arguments: The slots of the arguments.
  ///   - frameSize: The bytes of the frame.
  static func words(of arguments: [Slot], frameSize: Int) -> Range<Int> {
    var (first, end) = (frameSize, 0)
    for slot in arguments.dropFirst() {
      switch slot.storage {
      case .nothing: continue
      case .scattered: return 0..<frameSize / 8
      case .split:
        first = min(first, Int(slot.offset), Int(slot.second))
        end = max(end, Int(slot.offset) + 8, Int(slot.second) + 8)
      case .signed, .unsigned, .floating, .bytes:
        first = min(first, Int(slot.offset))
        end = max(end, Int(slot.offset) + slot.extent)
      }
    }
    return first < end ? first / 8..<(end + 7) / 8 : 0..<0
  }
}
