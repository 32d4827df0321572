/// Gives each layout its number, once for the process.
final class LayoutTable: Sendable {
  static let shared = LayoutTable()

  private let numbers: Guarded<[String: UInt32]> = Guarded([:])

  func kind(of description: String) -> ValueKind {
    numbers.withLock { numbers in
      if let number = numbers[description] { return ValueKind(rawValue: number) }
      let number = ValueKind.firstLayout + UInt32(numbers.count)
      numbers[description] = number
      return ValueKind(rawValue: number)
    }
  }
}
