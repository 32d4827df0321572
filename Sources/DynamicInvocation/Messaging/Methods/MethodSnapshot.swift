/// The methods of one class at one time, never changed, found by the address of the selector.
final class MethodSnapshot: Sendable {
  /// The methods in the order in which they were added.
  let methods: [Method]
  /// The same, each at the place that its selector hashes to or at the next free one; at least half of the places are free.
  private let places: [Method?]
  /// The number of bits of a place.
  private let bits: Int

  init(_ methods: [Method]) {
    var bits = 1
    while 1 << bits < 2 * methods.count { bits += 1 }
    var places: [Method?] = Array(repeating: nil, count: 1 << bits)
    for method in methods {
      var place = Self.place(of: method.selector, bits)
      while places[place] != nil { place = (place + 1) & (places.count - 1) }
      places[place] = method
    }
    self.methods = methods
    self.places = places
    self.bits = bits
  }

  /// The method of a selector.
  func method(for selector: Selector) -> Method? {
    var place = Self.place(of: selector, bits)
    while let method = places[place] {
      if method.selector == selector { return method }
      place = (place + 1) & (places.count - 1)
    }
    return nil
  }

  private static func place(of selector: Selector, _ bits: Int) -> Int {
    PointerHash.place(of: UInt(bitPattern: unsafe selector.pointer), bits: bits)
  }
}
