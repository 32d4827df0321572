import DynamicInvocation
import Foundation

/// What the process has of memory.
struct Heap {
  /// The bytes that `malloc` has given out; nil where nobody tells.
  let used: Int?
  /// The bytes in physical memory; nil where nobody tells.
  let resident: Int?

  /// Reads the present state.
  ///
  /// Blocks that a running thread keeps for itself count as given out, so other threads should have ended.
  init() {
    used = Self.used()
    resident = Self.resident()
  }

  private struct MallocInfo: EncodedValue, BitwiseCopyable {
    var arena: UInt = 0
    var ordinaryFree: UInt = 0
    var small: UInt = 0
    var mapped: UInt = 0
    var mappedBytes: UInt = 0
    var highest: UInt = 0
    var smallFreeBytes: UInt = 0
    var usedBytes: UInt = 0
    var freeBytes: UInt = 0
    var keepCost: UInt = 0

    static let typeEncoding: TypeEncoding = "{mallinfo2=QQQQQQQQQQ}"
  }

  private static func used() -> Int? {
    #if canImport(Glibc)
      guard let function = try? DynamicLibrary.process.function("mallinfo2", types: "{mallinfo2=QQQQQQQQQQ}"),
        let info = try? function() as MallocInfo
      else { return nil }
      return Int(info.usedBytes + info.mappedBytes)
    #else
      return nil
    #endif
  }

  private static func resident() -> Int? {
    guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return nil }
    let fields = text.split(separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } : nil
  }
}
