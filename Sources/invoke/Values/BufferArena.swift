import DynamicInvocation
import Foundation

/// Owns the memory of one call: argument values, buffers and strings.
///
/// All of it is freed when the answer is made.
final class BufferArena {
  /// The maximum number of bytes of one call.
  ///
  /// A few characters of JSON may request more: a union of a byte and an array of two billion bytes.
  private static let largest = 1 << 29

  private var blocks: [UnsafeMutableRawPointer] = []
  private var total = 0

  deinit { freeAll() }

  /// Frees the memory before the object is.
  func freeAll() {
    for block in blocks { free(block) }
    blocks.removeAll(keepingCapacity: true)
    total = 0
  }

  /// Returns zeroed memory at a unique address, even for zero bytes.
  func allocate(byteCount: Int, alignment: Int = 16) throws(InvocationError) -> UnsafeMutableRawPointer {
    let size = max(byteCount, 1)
    guard byteCount >= 0, size <= Self.largest - total else { throw Self.tooLarge }
    let memory: UnsafeMutableRawPointer?
    if alignment <= 16 {
      // The system zeroes large allocations lazily.
      memory = calloc(size, 1)
    } else {
      var aligned: UnsafeMutableRawPointer?
      guard posix_memalign(&aligned, alignment, size) == 0 else { throw Self.tooLarge }
      aligned?.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      memory = aligned
    }
    guard let memory else { throw Self.tooLarge }
    total += size
    blocks.append(memory)
    return memory
  }

  /// Copies a text and terminates it with a zero byte.
  func copy(_ text: String) throws(InvocationError) -> UnsafeMutableRawPointer {
    let bytes = Array(text.utf8)
    let memory = try allocate(byteCount: bytes.count + 1)
    memory.copyMemory(from: bytes, byteCount: bytes.count)
    return memory
  }

  private static var tooLarge: InvocationError {
    InvocationError(.limitExceeded, "the arguments need more than \(largest) bytes")
  }
}
