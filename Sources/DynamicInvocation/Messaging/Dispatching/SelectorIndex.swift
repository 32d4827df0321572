/// The places of selectors in a list, found by their addresses.
struct SelectorIndex: Sendable {
  private let selectors: [Selector]
  /// For each place that a selector hashes to, or the next free one, its place in the list, or -1; at least half are free.
  private let places: [Int]
  /// 64 less the number of bits of a place.
  private let shift: UInt64

  /// - Parameter selectors: The selectors, each once.
  init(_ selectors: [Selector]) {
    var bits = 1
    while 1 << bits < 2 * selectors.count { bits += 1 }
    let shift = UInt64(64 - bits)
    var places = Array(repeating: -1, count: 1 << bits)
    for (index, selector) in selectors.enumerated() {
      var place = Self.hash(of: selector, shift)
      while places[place] >= 0 { place = (place + 1) & (places.count - 1) }
      places[place] = index
    }
    self.selectors = selectors
    self.places = places
    self.shift = shift
  }

  /// The place of a selector in the list.
  @inline(__always)
  func place(of selector: Selector) -> Int? {
    var place = Self.hash(of: selector, shift)
    while places[place] >= 0 {
      if selectors[places[place]] == selector { return places[place] }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  /// The upper bits of a product depend on all bits of the address.
  @inline(__always)
  private static func hash(of selector: Selector, _ shift: UInt64) -> Int {
    let product = UInt64(UInt(bitPattern: unsafe selector.pointer)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: product >> shift)
  }
}
