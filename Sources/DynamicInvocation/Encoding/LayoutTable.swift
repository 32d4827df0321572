/// Gives each layout its number, once for the process.
final class LayoutTable: Sendable {
  static let shared = LayoutTable()

  /// What the table keeps of a description, for the life of the process: the text of a short one, of others what stands for it.
  private enum Key: Hashable, Sendable {
    case text(String)
    /// The length and 128 bits that are hashed with the secret of the process, so that no two texts can be made to have the same.
    case digest(count: Int, low: Int, high: Int)

    private static let longest = 64

    init(_ description: String) {
      guard description.utf8.count > Self.longest else {
        self = .text(description)
        return
      }
      func hash(_ number: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(number)
        hasher.combine(description)
        return hasher.finalize()
      }
      self = .digest(count: description.utf8.count, low: hash(1), high: hash(2))
    }
  }

  private let numbers: Guarded<[Key: UInt32]> = Guarded([:], atFork: .layouts)

  func kind(of description: String) -> ValueKind {
    let key = Key(description)
    return numbers.withLock { numbers in
      if let number = numbers[key] { return ValueKind(rawValue: number) }
      let number = ValueKind.firstLayout + UInt32(numbers.count)
      numbers[key] = number
      return ValueKind(rawValue: number)
    }
  }
}
