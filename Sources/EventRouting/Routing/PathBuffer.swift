/// A node in the path of a pass.
///
/// Its size is two words when a link is one word.
struct PathEntry<Link> {
  let link: Link
  /// The depth in the upper 27 bits, and five flags below it.
  private var bits: UInt32
  /// The minimum depth of the nodes passed since the previous entry, and of this one.
  ///
  /// An entry is in the subtree of an earlier one if each lowest depth since then is greater than the depth of the earlier
  /// one.
  let lowestDepth: Int32

  init(_ link: Link, depth: Int = 0, lowestDepth: Int = 0, isListener: Bool) {
    self.link = link
    self.lowestDepth = Int32(truncatingIfNeeded: lowestDepth)
    bits = UInt32(truncatingIfNeeded: depth) &<< 5 | (isListener ? 1 : 0)
  }

  /// The depth below the start of a pass down.
  var depth: Int { Int(bits &>> 5) }

  /// Whether it handled the key when the path was collected.
  var isListener: Bool {
    get { bits & 1 != 0 }
    set { bits = newValue ? bits | 1 : bits & ~1 }
  }

  var wasVisited: Bool {
    get { bits & 2 != 0 }
    set { bits = newValue ? bits | 2 : bits & ~2 }
  }

  /// Whether its nexts did not lead to the start when the path was collected; so they cannot show whether it was removed.
  var wasUnlinked: Bool {
    get { bits & 4 != 0 }
    set { bits = newValue ? bits | 4 : bits & ~4 }
  }

  /// Whether it had a next when the path up was collected; if it has none now, it has been removed since.
  var hadNext: Bool {
    get { bits & 8 != 0 }
    set { bits = newValue ? bits | 8 : bits & ~8 }
  }

  /// Whether the event was stopped for it, and only handlers that also receive such events are called.
  var isStopped: Bool {
    get { bits & 16 != 0 }
    set { bits = newValue ? bits | 16 : bits & ~16 }
  }
}

/// The nodes in the path of a pass.
///
/// A short path is stored on the stack.
@safe
struct PathBuffer<Tree: Topology>: ~Copyable {
  typealias Entry = PathEntry<Tree.Link>

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var isOnHeap: Bool = false
  private(set) var count: Int = 0
  /// If the path is a cycle, the name of the node that follows its last one.
  var cycleStart: String?

  /// How many nodes fit on the stack: 64 records, within the 1,024 bytes that a temporary allocation may take there.
  static var stackCapacity: Int { 1_024 / MemoryLayout<Entry>.stride }

  /// Creates a buffer in memory that must outlive it.
  init(_ memory: UnsafeMutableBufferPointer<Entry>) {
    guard let base = memory.baseAddress else { preconditionFailure("temporary memory has an address") }
    unsafe entries = base
    capacity = memory.count
  }

  /// Creates a buffer that allocates its memory.
  init() {
    capacity = Self.stackCapacity
    unsafe entries = .allocate(capacity: capacity)
    isOnHeap = true
  }

  /// Unpins the nodes, and frees memory that the buffer allocated.
  ///
  /// The creator of the buffer must call this last.
  ///
  /// This is not a deinit: Swift 6.3 without optimization ran the deinit with the initial state of the value, so that
  /// grown memory was never freed. The fault is gone when the address sanitizer finds no leak in debug tests with a deinit.
  mutating func end() {
    truncate(to: 0)
    if isOnHeap { unsafe entries.deallocate() }
  }

  /// Removes all entries, and frees memory beyond the size of a new buffer.
  mutating func reset() {
    truncate(to: 0)
    cycleStart = nil
    guard capacity > Self.stackCapacity else { return }
    end()
    self = PathBuffer()
  }

  subscript(index: Int) -> Entry {
    unsafeAddress { unsafe UnsafePointer(entries + index) }
    unsafeMutableAddress { unsafe entries + index }
  }

  mutating func append(_ entry: Entry) {
    if count == capacity { grow() }
    unsafe (entries + count).initialize(to: entry)
    count &+= 1
    Tree.pin(entry.link)
  }

  /// Removes the last entries.
  mutating func truncate(to newCount: Int) {
    while count > newCount {
      count -= 1
      let last = unsafe (entries + count).move()
      Tree.unpin(last.link)
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: capacity * 4)
    unsafe larger.moveInitialize(from: entries, count: count)
    if isOnHeap { unsafe entries.deallocate() }
    unsafe entries = larger
    capacity *= 4
    isOnHeap = true
  }
}
