package import DeclarationReading

/// The bytes of an image in memory.
package struct MemoryImage: DeclarationImage {
  private let stored: [UInt8]

  package init(_ bytes: [UInt8]) { stored = bytes }

  package var count: Int { stored.count }

  package func bytes(in range: Range<Int>) -> [UInt8] { Array(stored[range]) }

  package func checksum(of range: Range<Int>) -> UInt64 { ImageChecksum.of(stored, range) }
}

extension CDeclarations {
  /// Opens declarations that ``image(attachment:)`` wrote; nil for other bytes.
  package init?(image: [UInt8], reload: @escaping @Sendable () -> CDeclarations? = { nil }) {
    self.init(image: MemoryImage(image), reload: reload)
  }

  /// Returns the declarations as bytes that are opened without reading them again, with other bytes attached.
  package func image(attachment: [UInt8]) -> [UInt8] { image(attachment: attachment, checksum: ImageChecksum.of) }
}

/// A checksum that finds damage; it does not protect from an attacker, who can write the whole file.
enum ImageChecksum {
  static func of(_ bytes: [UInt8]) -> UInt64 { of(bytes, 0..<bytes.count) }

  static func of(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
    unsafe bytes.withUnsafeBytes { unsafe of(UnsafeRawBufferPointer(rebasing: $0[range])) }
  }

  /// Four sums of every fourth word do not wait for each other.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
      let product = (hash ^ word) &* 0xD6E8_FEB8_6659_FD93
      return product ^ product >> 32
    }
    func word(_ offset: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
    let seed = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
    var (first, second, third, fourth) = (seed, seed &+ 1, seed &+ 2, seed &+ 3)
    var offset = 0
    while offset + 32 <= bytes.count {
      first = mixed(first, word(offset))
      second = mixed(second, word(offset + 8))
      third = mixed(third, word(offset + 16))
      fourth = mixed(fourth, word(offset + 24))
      offset += 32
    }
    var hash = mixed(mixed(mixed(mixed(seed, first), second), third), fourth)
    while offset < bytes.count {
      hash = unsafe mixed(hash, UInt64(bytes[offset]))
      offset += 1
    }
    return hash
  }
}
