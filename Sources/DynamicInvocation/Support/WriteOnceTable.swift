import Synchronization

/// A hash table of addresses, read without a lock.
///
/// The memory at the addresses is never changed or freed.
///
/// The table uses open addressing with linear probing, and is at most half full. An entry is written once, after the
/// memory at its address. Growing the table copies the entries to larger memory and publishes that. The smaller memory
/// is never freed, since a thread may still be reading it.
@safe
final class WriteOnceTable: Sendable {
  /// The entries for one capacity.
  ///
  /// The only change is that free entries become addresses.
  @safe
  private struct Entries {
    let mask: Int
    /// 64 minus the binary logarithm of the capacity: the upper bits of a hash are the index where a search starts.
    let shift: UInt
    let first: UnsafeMutablePointer<Atomic<UInt>>
    /// The previously published entries, referenced here so that the leak detector finds them.
    let former: UnsafePointer<Entries>?

    /// Creates entries in memory that is never freed.
    static func make(capacity: Int, after former: UnsafePointer<Entries>?) -> UnsafePointer<Entries> {
      let first = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: capacity)
      for index in 0..<capacity { unsafe (first + index).initialize(to: Atomic(0)) }
      let memory = UnsafeMutablePointer<Entries>.allocate(capacity: 1)
      unsafe memory.initialize(
        to: Entries(mask: capacity - 1, shift: UInt(64 - capacity.trailingZeroBitCount), first: first, former: former))
      return unsafe UnsafePointer(memory)
    }

    /// Adds an address.
    ///
    /// The caller ensures that no other thread does at the same time.
    func add(_ address: UInt, _ hash: UInt) {
      var index = Int(bitPattern: hash &>> shift)
      while unsafe first[index].load(ordering: .relaxed) != 0 { index = (index &+ 1) & mask }
      unsafe first[index].store(address, ordering: .releasing)
    }
  }

  /// The address of the entries.
  private let entries: Atomic<UInt>
  private let number: Atomic<Int> = Atomic(0)

  /// Creates an empty table for half as many addresses as its capacity, a power of two.
  init(capacity: Int) { entries = Atomic(UInt(bitPattern: unsafe Entries.make(capacity: capacity, after: nil))) }

  /// The number of addresses.
  var count: Int { number.load(ordering: .relaxed) }

  private var current: UnsafePointer<Entries> {
    // The address is set by the initializer.
    unsafe UnsafePointer<Entries>(bitPattern: entries.load(ordering: .acquiring)).unsafelyUnwrapped
  }

  /// Returns the address with a hash that satisfies a predicate, or nil if there is no such address.
  ///
  /// - Parameter hash: A hash whose upper bits are distributed well.
  @inline(__always)
  func find(_ hash: UInt, _ isWanted: (UInt) -> Bool) -> UInt? {
    let entries = unsafe current
    let mask = unsafe entries.pointee.mask
    var index = unsafe Int(bitPattern: hash &>> entries.pointee.shift)
    while true {
      // The memory at an address was initialized before the address was stored.
      let address = unsafe entries.pointee.first[index].load(ordering: .acquiring)
      if address == 0 { return nil }
      if isWanted(address) { return address }
      index = (index &+ 1) & mask
    }
  }

  /// Adds an address.
  ///
  /// The owner of the table must hold a lock.
  ///
  /// - Parameters:
  ///   - address: The address, not zero.
  ///   - hash: Returns the hash of an address that is in the table.
  func insert(_ address: UInt, _ hash: (UInt) -> UInt) {
    var entries = unsafe current
    let count = number.add(1, ordering: .relaxed).newValue
    let capacity = unsafe entries.pointee.mask + 1
    if 2 * count > capacity {
      let larger = unsafe Entries.make(capacity: 2 * capacity, after: entries)
      for index in 0..<capacity {
        let former = unsafe entries.pointee.first[index].load(ordering: .relaxed)
        if former != 0 { unsafe larger.pointee.add(former, hash(former)) }
      }
      self.entries.store(UInt(bitPattern: larger), ordering: .releasing)
      unsafe entries = larger
    }
    unsafe entries.pointee.add(address, hash(address))
  }
}
