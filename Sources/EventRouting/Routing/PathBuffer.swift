/// A node on the way of a pass, in two words where a link to a node is one.
struct PathEntry<Link> {
  let link: Link
  /// The depth, and four flags below it.
  private var bits: UInt32
  /// The least depth of the nodes passed since the entry before, and of this one: an entry lies below another if none since was as high as that.
  let floor: Int32

  init(_ link: Link, depth: Int = 0, floor: Int = 0, isListener: Bool) {
    self.link = link
    self.floor = Int32(truncatingIfNeeded: floor)
    bits = UInt32(truncatingIfNeeded: depth) &<< 4 | (isListener ? 1 : 0)
  }

  /// How far below the start of a pass down.
  var depth: Int { Int(bits &>> 4) }

  /// Whether it handled the key when the pass set out.
  var isListener: Bool {
    get { bits & 1 != 0 }
    set { bits = newValue ? bits | 1 : bits & ~1 }
  }

  var wasAsked: Bool {
    get { bits & 2 != 0 }
    set { bits = newValue ? bits | 2 : bits & ~2 }
  }

  /// Whether its nexts did not lead to the start when the pass set out, so that they cannot tell whether it was removed.
  var isLoose: Bool {
    get { bits & 4 != 0 }
    set { bits = newValue ? bits | 4 : bits & ~4 }
  }

  /// Whether it had a next when the pass up set out, so that one without is taken out.
  var hadNext: Bool {
    get { bits & 8 != 0 }
    set { bits = newValue ? bits | 8 : bits & ~8 }
  }
}

/// The nodes on the way of a pass, on the stack while they are few.
@safe
struct PathBuffer<Tree: Topology>: ~Copyable {
  typealias Entry = PathEntry<Tree.Link>

  private var entries: UnsafeMutablePointer<Entry>
  private var capacity: Int
  private var isOnHeap: Bool = false
  private(set) var count: Int = 0
  /// The name of the node of the path that comes after its last one, when the path is a circle.
  var cycleStart: String?

  /// How many nodes fit on the stack: 64 records, in the kilobyte that a temporary allocation may take there.
  static var stackCapacity: Int { 1_024 / MemoryLayout<Entry>.stride }

  /// Creates a buffer in memory that outlives it.
  init(_ memory: UnsafeMutableBufferPointer<Entry>) {
    guard let base = memory.baseAddress else { preconditionFailure("temporary memory has an address") }
    unsafe entries = base
    capacity = memory.count
  }

  /// Lets the nodes go, and frees memory that is the buffer's own; whoever made the buffer calls this last.
  ///
  /// No deinit: Swift 6.3 without optimization ran one with the state of the beginning, so that what grew was never freed.
  mutating func end() {
    truncate(to: 0)
    if isOnHeap { unsafe entries.deallocate() }
  }

  subscript(index: Int) -> Entry {
    unsafeAddress { unsafe UnsafePointer(entries + index) }
    unsafeMutableAddress { unsafe entries + index }
  }

  mutating func append(_ entry: Entry) {
    if count == capacity { grow() }
    unsafe (entries + count).initialize(to: entry)
    count += 1
    Tree.pin(entry.link)
  }

  /// Drops the last entries.
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
