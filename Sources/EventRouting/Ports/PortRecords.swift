/// Events of any types, one after the other in chunks of memory that are never moved.
@safe
final class PortRecords {
  /// Delivers the event at an address to a node and deinitializes it; without a node, only deinitializes it.
  typealias Run = (UnsafeMutableRawPointer, (any Responder)?) -> Void

  /// What stands before an event.
  @safe
  private struct Header {
    let run: Run
    /// The number of bytes from the header to the event, and to the next header.
    let offset: Int32
    let stride: Int32
  }

  @safe
  private struct Chunk {
    let base: UnsafeMutableRawPointer
    let capacity: Int
    var used: Int = 0
  }

  /// The size of most chunks in bytes.
  private static let chunkSize = 1 << 16

  private var chunks: [Chunk] = []
  /// The position of the first event that was not taken.
  private var chunk: Int = 0
  private var offset: Int = 0
  private(set) var count: Int = 0

  init() {}

  deinit {
    while count > 0 { deliverFirst(to: nil) }
    for chunk in chunks { unsafe chunk.base.deallocate() }
  }

  /// Appends an event, which a closure initializes.
  func append(size: Int, alignment: Int, _ run: @escaping Run, _ initialize: (UnsafeMutableRawPointer) -> Void) {
    let alignment = max(16, alignment)
    let offset = (MemoryLayout<Header>.size + alignment - 1) & ~(alignment - 1)
    let stride = (offset + size + alignment - 1) & ~(alignment - 1)
    let place = unsafe reserve(stride, alignment)
    unsafe place.initializeMemory(as: Header.self, to: Header(run: run, offset: Int32(offset), stride: Int32(stride)))
    unsafe initialize(place + offset)
    count += 1
  }

  private func reserve(_ stride: Int, _ alignment: Int) -> UnsafeMutableRawPointer {
    if let last = chunks.indices.last, chunks[last].used + stride <= chunks[last].capacity, alignment == 16 {
      defer { chunks[last].used += stride }
      return unsafe chunks[last].base + chunks[last].used
    }
    let capacity = alignment == 16 ? max(stride, Self.chunkSize) : stride
    let base = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: alignment)
    unsafe chunks.append(Chunk(base: base, capacity: capacity, used: stride))
    return unsafe base
  }

  /// Takes the first event, and delivers it to a node if there is one.
  ///
  /// While it is delivered, it is not part of the records any more.
  func deliverFirst(to node: (any Responder)?) {
    while offset == chunks[chunk].used {
      chunk += 1
      offset = 0
    }
    let place = unsafe chunks[chunk].base + offset
    let header = unsafe place.assumingMemoryBound(to: Header.self)
    let run = unsafe header.pointee.run
    offset += unsafe Int(header.pointee.stride)
    let event = unsafe place + Int(header.pointee.offset)
    unsafe header.deinitialize(count: 1)
    count -= 1
    unsafe run(event, node)
    if count == 0 { reset() }
  }

  /// Keeps one chunk for the next events.
  private func reset() {
    for chunk in chunks.dropFirst() { unsafe chunk.base.deallocate() }
    if let first = chunks.first, first.capacity == Self.chunkSize {
      unsafe chunks = [Chunk(base: first.base, capacity: first.capacity)]
    } else {
      if let first = chunks.first { unsafe first.base.deallocate() }
      chunks = []
    }
    chunk = 0
    offset = 0
  }
}
