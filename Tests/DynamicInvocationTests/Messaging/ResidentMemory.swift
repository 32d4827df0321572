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

  /// The memory map of the process.
  static func mappings() throws -> [(addresses: Range<UInt>, permissions: String)] {
    // In pieces until the end: a read of this file gives a page of text at most.
    let file = try require(FileHandle(forReadingAtPath: "/proc/self/maps"))
    var text = Data()
    while let piece = try file.read(upToCount: 4_096), !piece.isEmpty { text += piece }
    return try String(decoding: text, as: UTF8.self).split(separator: "\n").map { line in
      let fields = line.split(separator: " ")
      let bounds = try fields[0].split(separator: "-").map { try require(UInt($0, radix: 16)) }
      return (bounds[0]..<bounds[1], String(fields[1]))
    }
  }
}
