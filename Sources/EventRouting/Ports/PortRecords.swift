/// Events of any types in chunks of memory that are never moved, as a list.
@safe
struct PortRecords: ~Copyable {
  /// Delivers the event at an address to a node and deinitializes it; without a node, only deinitializes it.
  typealias Run = (UnsafeMutableRawPointer, PortNode?) -> Void

  /// What stands before an event.
  @safe
  private struct Header {
    let run: Run
    /// The number of bytes from the header to the event.
    let offset: Int
    var next: UnsafeMutablePointer<Header>?
  }

  /// An event that was taken from the list; its memory is that of the records.
  @safe
  struct Taken {
    private let address: UnsafeMutableRawPointer

    fileprivate init(at address: UnsafeMutableRawPointer) { unsafe self.address = unsafe address }

    /// Delivers the event to a node if there is one, and ends it.
    func deliver(to node: PortNode?) {
      let header = unsafe address.assumingMemoryBound(to: Header.self)
      unsafe header.pointee.run(address + header.pointee.offset, node)
      unsafe header.deinitialize(count: 1)
    }
  }

  @safe
  fileprivate struct Chunk {
    let base: UnsafeMutableRawPointer
    let capacity: Int
  }

  /// The size of most chunks in bytes.
  private static let chunkSize = 1 << 16
  /// The maximum number of chunks that are kept for the next events.
  private static let mostKept = 4

  private var chunks: [Chunk] = []
  /// The number of chunks that are in use.
  private var used: Int = 0
  /// The rest of a chunk that is in use.
  @safe private var free: UnsafeMutableRawPointer?
  private var freeSize: Int = 0
  @safe private var first: UnsafeMutablePointer<Header>?
  @safe private var last: UnsafeMutablePointer<Header>?
  private(set) var count: Int = 0

  init() {}

  deinit {
    var next = first
    while let header = unsafe next {
      unsafe next = unsafe header.pointee.next
      unsafe Taken(at: UnsafeMutableRawPointer(header)).deliver(to: nil)
    }
    for chunk in chunks { unsafe chunk.base.deallocate() }
  }

  /// Appends an event, which a closure initializes.
  @inline(__always)
  mutating func append(size: Int, alignment: Int, _ run: @escaping Run, _ initialize: (UnsafeMutableRawPointer) -> Void) {
    let alignment = max(16, alignment)
    let offset = (MemoryLayout<Header>.size + alignment - 1) & ~(alignment - 1)
    let stride = (offset + size + 15) & ~15
    let place: UnsafeMutableRawPointer
    if let free, stride <= freeSize, alignment == 16 {
      unsafe place = free
      self.free = unsafe free + stride
      freeSize -= stride
    } else {
      unsafe place = unsafe reserve(stride, alignment)
    }
    let header = unsafe place.bindMemory(to: Header.self, capacity: 1)
    unsafe header.initialize(to: Header(run: run, offset: offset, next: nil))
    unsafe initialize(place + offset)
    if let last { unsafe last.pointee.next = header } else { first = unsafe header }
    last = unsafe header
    count += 1
  }

  /// Reserves memory in the next chunk.
  @inline(never)
  private mutating func reserve(_ size: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
    if alignment > 16 || size > Self.chunkSize {
      // It has a chunk of its own; the rest of the one before stays free.
      let base = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: alignment)
      unsafe chunks.insert(Chunk(base: base, capacity: size), at: used)
      used += 1
      return unsafe base
    }
    if used == chunks.count {
      unsafe chunks.append(Chunk(base: .allocate(byteCount: Self.chunkSize, alignment: 16), capacity: Self.chunkSize))
    }
    let base = unsafe chunks[used].base
    used += 1
    free = unsafe base + size
    freeSize = Self.chunkSize - size
    return unsafe base
  }

  /// Takes the first event, which is not part of the list any more.
  @inline(__always)
  mutating func takeFirst() -> Taken? {
    guard let header = first else { return nil }
    first = unsafe header.pointee.next
    if unsafe first == nil { last = nil }
    count -= 1
    return unsafe Taken(at: UnsafeMutableRawPointer(header))
  }

  /// The memory of a list, without the events in it.
  @safe
  struct Memory {
    fileprivate let chunks: [Chunk]
    fileprivate let used: Int
    @safe fileprivate let free: UnsafeMutableRawPointer?
    fileprivate let freeSize: Int
  }

  /// Takes the memory from the list, which still has the events in it, until ``attach(_:)``.
  mutating func detachMemory() -> Memory {
    let memory = unsafe Memory(chunks: chunks, used: used, free: free, freeSize: freeSize)
    (chunks, used, free, freeSize) = ([], 0, nil, 0)
    return memory
  }

  /// Gives the memory back, in place of that of events which have ended.
  mutating func attach(_ memory: Memory) {
    for chunk in chunks { unsafe chunk.base.deallocate() }
    (chunks, used, free, freeSize) = (memory.chunks, memory.used, memory.free, memory.freeSize)
  }

  /// Keeps some chunks for the next events, after the last one has ended.
  mutating func reset() {
    var kept = 0
    chunks.removeAll { chunk in
      if chunk.capacity == Self.chunkSize, kept < Self.mostKept {
        kept += 1
        return false
      }
      unsafe chunk.base.deallocate()
      return true
    }
    (used, free, freeSize) = (0, nil, 0)
  }
}
