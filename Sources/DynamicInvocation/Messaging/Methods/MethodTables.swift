import Synchronization

/// The method tables of all classes, found without a lock.
///
/// They lie in a hash table of atomic places. A place once filled is never changed; when half of the places are filled all tables move to twice
/// as many, and the old places stay for readers that still look at them.
@safe
final class MethodTables: @unchecked Sendable {
  // Sendable by hand: the places are atomic.

  static let shared = MethodTables()

  private typealias Places = UnsafeMutablePointer<Atomic<UInt>>

  /// The address of the present places; the first holds their number, a power of two, the others the address of a table each, or 0.
  private let places: Atomic<UInt>
  /// The lock orders those who add a table.
  private let state: Guarded<State> = Guarded(State(), atFork: .classes)

  private struct State {
    /// The number of tables.
    var count = 0
    /// The addresses of the places that readers may still look at.
    var past: [UInt] = []
  }

  private init() {
    unsafe places = Atomic(UInt(bitPattern: Self.makePlaces(64)))
  }

  deinit { preconditionFailure("the tables are for ever") }

  /// The table of a class, made when there is none.
  func table(of type: AnyClass) -> MethodTable {
    if let table = find(type) { return table }
    let superclass = _getSuperclass(type).map { table(of: $0) }
    // Before the lock, as it runs code of the class.
    let methods = InvocableMethods.declared(by: type)
    return state.withLock { state in
      // Another thread may have been quicker.
      if let table = find(type) { return table }
      let table = MethodTable(methods, superclass: superclass)
      add(table, &state)
      return table
    }
  }

  private func find(_ type: AnyClass) -> MethodTable? {
    let (places, capacity) = unsafe present
    var place = Self.place(of: type, capacity)
    while let table = unsafe Self.table(at: place, of: places) {
      if table.type == type { return table }
      place = Self.next(place, capacity)
    }
    return nil
  }

  private func add(_ table: MethodTable, _ state: inout State) {
    state.count += 1
    var (places, capacity) = unsafe present
    let isCrowded = 2 * state.count > capacity
    if isCrowded {
      let old = unsafe places
      let oldCapacity = capacity
      capacity *= 2
      unsafe places = Self.makePlaces(capacity)
      for place in 1...oldCapacity {
        if let moved = unsafe Self.table(at: place, of: old) { unsafe Self.fill(places, capacity, moved) }
      }
    }
    // For ever.
    unsafe Self.fill(places, capacity, Unmanaged.passRetained(table).takeUnretainedValue())
    guard isCrowded else { return }
    let past = self.places.exchange(UInt(bitPattern: places), ordering: .acquiringAndReleasing)
    state.past.append(past)
  }

  private var present: (places: Places, capacity: Int) {
    let places = unsafe Places(bitPattern: places.load(ordering: .acquiring)).unsafelyUnwrapped
    return unsafe (places, Int(places[0].load(ordering: .relaxed)))
  }

  private static func makePlaces(_ capacity: Int) -> Places {
    let places = Places.allocate(capacity: capacity + 1)
    unsafe places.initialize(to: Atomic(UInt(capacity)))
    for place in 1...capacity { unsafe (places + place).initialize(to: Atomic(0)) }
    return unsafe places
  }

  private static func fill(_ places: Places, _ capacity: Int, _ table: MethodTable) {
    var place = place(of: table.type, capacity)
    while unsafe places[place].load(ordering: .relaxed) != 0 { place = next(place, capacity) }
    unsafe places[place].store(UInt(bitPattern: Unmanaged.passUnretained(table).toOpaque()), ordering: .releasing)
  }

  private static func table(at place: Int, of places: Places) -> MethodTable? {
    unsafe UnsafeRawPointer(bitPattern: places[place].load(ordering: .acquiring)).map { address in
      unsafe Unmanaged<MethodTable>.fromOpaque(address).takeUnretainedValue()
    }
  }

  private static func place(of type: AnyClass, _ capacity: Int) -> Int {
    1 + PointerHash.place(of: UInt(bitPattern: ObjectIdentifier(type)), bits: capacity.trailingZeroBitCount)
  }

  private static func next(_ place: Int, _ capacity: Int) -> Int { place == capacity ? 1 : place + 1 }
}
