import Synchronization

/// Addresses of things that are never changed or freed, by hash, found without a lock.
///
/// Open addressing with linear probing, at most half full. A place is written once; what grows is made anew and the smaller ones are kept, in which a thread
/// may still be looking.
@safe
final class WriteOnceTable: Sendable {
  @safe
  private struct Places {
    let mask: Int
    let first: UnsafeMutablePointer<Atomic<UInt>>
    let former: UnsafePointer<Places>?

    init(capacity: Int, after former: UnsafePointer<Places>?) {
      mask = capacity - 1
      unsafe first = .allocate(capacity: capacity)
      for place in 0..<capacity { unsafe (first + place).initialize(to: Atomic(0)) }
      unsafe self.former = unsafe former
    }

    /// The same in memory that is never freed.
    var kept: UnsafePointer<Places> {
      let memory = UnsafeMutablePointer<Places>.allocate(capacity: 1)
      unsafe memory.initialize(to: self)
      return unsafe UnsafePointer(memory)
    }
  }

  /// The address of the places.
  private let places: Atomic<UInt>

  init() { places = Atomic(UInt(bitPattern: unsafe Places(capacity: 1_024, after: nil).kept)) }

  private var current: UnsafePointer<Places> {
    // It is set from the start.
    unsafe UnsafePointer<Places>(bitPattern: places.load(ordering: .acquiring)).unsafelyUnwrapped
  }

  /// Returns the first address with a hash of which something holds, nil when there is none.
  @inline(__always)
  func find(_ hash: Int, _ isWanted: (UInt) -> Bool) -> UInt? {
    let places = unsafe current
    let mask = unsafe places.pointee.mask
    var place = hash & mask
    while true {
      // What lies there was whole before its address was written.
      let address = unsafe places.pointee.first[place].load(ordering: .acquiring)
      if address == 0 { return nil }
      if isWanted(address) { return address }
      place = (place &+ 1) & mask
    }
  }

  /// Adds an address, the last one of a number; under a lock of the owner.
  ///
  /// - Parameters:
  ///   - address: The address, not zero.
  ///   - count: How many there are with it.
  ///   - hash: Gives the hash of an address that is in the table.
  func insert(_ address: UInt, count: Int, _ hash: (UInt) -> Int) {
    var places = unsafe current
    let capacity = unsafe places.pointee.mask + 1
    if 2 * count > capacity {
      let larger = unsafe Places(capacity: 2 * capacity, after: places).kept
      for place in 0..<capacity {
        let former = unsafe places.pointee.first[place].load(ordering: .relaxed)
        if former != 0 { unsafe Self.write(former, hash(former), to: larger) }
      }
      self.places.store(UInt(bitPattern: larger), ordering: .releasing)
      unsafe places = larger
    }
    unsafe Self.write(address, hash(address), to: places)
  }

  private static func write(_ address: UInt, _ hash: Int, to places: UnsafePointer<Places>) {
    let mask = unsafe places.pointee.mask
    var place = hash & mask
    while unsafe places.pointee.first[place].load(ordering: .relaxed) != 0 { place = (place &+ 1) & mask }
    unsafe places.pointee.first[place].store(address, ordering: .releasing)
  }
}
