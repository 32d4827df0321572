extension CallPlan {
  /// The words of a frame that hold the arguments of a method after its target; of another lane than the native one all words.
  var argumentWords: Range<Int> {
    let all = 0..<frameSize / 8
    guard case .native = backend else { return all }
    var (first, end) = (frameSize, 0)
    for index in 1..<count {
      let slot = unsafe slots[index]
      switch slot.storage {
      case .nothing: continue
      case .scattered: return all
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
