/// The bytes of a stored image, which are read in parts.
package protocol DeclarationImage: Sendable {
  /// The number of bytes.
  var count: Int { get }

  /// The bytes of a range within the image.
  func bytes(in range: Range<Int>) -> [UInt8]

  /// The checksum of a range within the image.
  func checksum(of range: Range<Int>) -> UInt64
}

/// The form of an image: the source, the entries, their names, a hash table of the entries, an attachment, the checksums
/// of the pages of all of that, and a footer.
///
/// Numbers are little-endian. A page is verified when it is first read, so that opening an image and finding a name do not
/// read all of it.
enum ImageFormat {
  static let magic: UInt64 = 0x3530_4C43_4544_4343  // CCDECL05
  static let pageSize = 4_096
  static let entrySize = 32
  /// The words of the footer: the magic number, the length of the image, the offset and the number of entries, the offset
  /// and the number of slots, the start and the end of the attachment, and the checksum of the footer and of the
  /// checksums of the pages.
  static let footerSize = 72

  static func pageCount(_ length: Int) -> Int { (length + pageSize - 1) / pageSize }

  /// The hash of a name of a kind.
  static func hash(_ kind: DeclarationIndex.Kind, _ name: some Sequence<UInt8>) -> UInt32 {
    var hash: UInt32 = 2_166_136_261 ^ UInt32(kind.rawValue)
    for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
    return hash ^ hash >> 15
  }

  static func half(_ bytes: [UInt8], _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
  }

  static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    UInt64(half(bytes, offset)) | UInt64(half(bytes, offset + 4)) << 32
  }
}

/// Writes an image.
struct DeclarationImageWriter {
  private var entries: [UInt8] = []
  private var names: [UInt8] = []
  private var nameEnds: [Int] = []
  private var hashes: [UInt32] = []

  private static func append(_ value: UInt32, to bytes: inout [UInt8]) {
    bytes.append(UInt8(truncatingIfNeeded: value))
    bytes.append(UInt8(truncatingIfNeeded: value >> 8))
    bytes.append(UInt8(truncatingIfNeeded: value >> 16))
    bytes.append(UInt8(truncatingIfNeeded: value >> 24))
  }

  private static func append(_ value: Int, to bytes: inout [UInt8]) {
    append(UInt32(truncatingIfNeeded: value), to: &bytes)
    append(UInt32(truncatingIfNeeded: value >> 32), to: &bytes)
  }

  /// Adds what is stored about a name.
  mutating func add(_ name: ArraySlice<UInt8>, _ entry: DeclarationIndex.Entry) {
    let hash = ImageFormat.hash(entry.kind, name)
    hashes.append(hash)
    // Relative to the first name, until the number of entries is known.
    Self.append(UInt32(truncatingIfNeeded: names.count), to: &entries)
    Self.append(UInt32(truncatingIfNeeded: name.count), to: &entries)
    entries.append(entry.kind.rawValue)
    entries.append(entry.symbol.rawValue)
    entries.append(UInt8(truncatingIfNeeded: entry.packing))
    entries.append((entry.isSkipped ? 1 : 0) | entry.pragmas.rawValue << 1)
    for offset in [entry.range.lowerBound, entry.range.upperBound, entry.parameters?.lowerBound ?? 0, entry.parameters?.upperBound ?? 0] {
      Self.append(UInt32(truncatingIfNeeded: offset), to: &entries)
    }
    Self.append(hash, to: &entries)
    names += name
  }

  /// Returns the image of a source with the entries.
  func image(_ source: [UInt8], attachment: [UInt8], checksum: ([UInt8], Range<Int>) -> UInt64) -> [UInt8] {
    // The table has free slots, so that a search for an absent name ends soon.
    var capacity = 16
    while capacity < 2 * hashes.count { capacity *= 2 }
    var slots = [UInt32](repeating: 0, count: capacity)
    for (index, hash) in hashes.enumerated() {
      var slot = Int(hash) & (capacity - 1)
      while slots[slot] != 0 { slot = (slot + 1) & (capacity - 1) }
      slots[slot] = UInt32(index + 1)
    }
    var image: [UInt8] = []
    image.reserveCapacity(source.count + entries.count + names.count + 4 * capacity + attachment.count + source.count / 256 + 4_096)
    image += source
    let entryStart = image.count
    image += entries
    image += names
    let slotStart = image.count
    for slot in slots { Self.append(slot, to: &image) }
    let start = image.count
    image += attachment
    Self.seal(&image, [entryStart, hashes.count, slotStart, capacity, start], checksum)
    return image
  }

  /// Appends the checksums of the pages and the footer.
  static func seal(_ image: inout [UInt8], _ words: [Int], _ checksum: ([UInt8], Range<Int>) -> UInt64) {
    let end = image.count
    for page in 0..<ImageFormat.pageCount(end) {
      let start = page * ImageFormat.pageSize
      append(Int(truncatingIfNeeded: checksum(image, start..<min(start + ImageFormat.pageSize, end))), to: &image)
    }
    let length = image.count + ImageFormat.footerSize
    for word in [Int(truncatingIfNeeded: ImageFormat.magic), length] + words + [end] { append(word, to: &image) }
    append(Int(truncatingIfNeeded: checksum(image, end..<image.count)), to: &image)
  }
}
