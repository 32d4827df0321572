import Foundation
import TestSupport

/// The memory that the process takes.
enum ResidentMemory {
  /// Whether the size can be read, and falls when memory is freed.
  static let isTelling: Bool = Platform.hasProcessFiles && Sanitizer.givesMemoryBack

  /// The bytes in physical memory.
  static var size: Int {
    get throws {
      let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
      return Int(fields[1]).map { $0 * Int(sysconf(Int32(_SC_PAGESIZE))) } ?? 0
    }
  }
}
