import TypeEncodings

/// The declarations of a source by name, in a stored image.
///
/// A name is found in a hash table. Opening an image and finding a name read a few pages of it, and each page is verified
/// when it is first read.
struct DeclarationIndex: Sendable {
  enum Kind: UInt8, Sendable {
    case symbol, tag, macro, skipped
    /// A name whose symbol `#pragma redefine_extname` states, with the range of the symbol.
    case renamed
  }

  /// What is stored about a name.
  struct Entry: Sendable {
    var kind: Kind
    /// The kind of a symbol, which for a tag tells the keyword.
    ///
    /// A typedef stands for a struct, a function for a union, an enumerator for an enum.
    var symbol: Symbol.Kind = .variable
    var packing = 0
    var pragmas: PragmaEffects = []
    /// The declaration, or the body of a macro, in the source of the image.
    var range: Range<Int>
    /// The parameters of a macro.
    var parameters: Range<Int>?
    /// Whether the declaration cannot be read to its end.
    var isSkipped = false
  }

  private let image: any DeclarationImage
  private let entryStart: Int
  private let count: Int
  private let slotStart: Int
  private let slotCount: Int
  /// The bytes that were stored with the declarations.
  let attachmentRange: Range<Int>
  private var isVerified: [Bool]
  /// Whether bytes that were read are not those that were written.
  private(set) var isDamaged = false
  /// The declarations that were read, by their first byte.
  var readDeclarations: Set<Int> = []

  // MARK: Opening

  /// Opens an image; nil if it is not one, or if its footer or the checksums of its pages are damaged.
  ///
  /// - Complexity: O(pages), eight bytes of each.
  init?(_ image: any DeclarationImage) {
    let footer = image.count - ImageFormat.footerSize
    guard footer >= 0 else { return nil }
    let bytes = image.bytes(in: footer..<image.count)
    let words = (0..<9).map { Int(truncatingIfNeeded: ImageFormat.word(bytes, 8 * $0)) }
    let end = words[7]
    guard ImageFormat.word(bytes, 0) == ImageFormat.magic, words[1] == image.count, end >= 0, end <= footer,
      footer - end == 8 * ImageFormat.pageCount(end),
      image.checksum(of: end..<(image.count - 8)) == UInt64(truncatingIfNeeded: words[8])
    else { return nil }
    (entryStart, count, slotStart, slotCount) = (words[2], words[3], words[4], words[5])
    let start = words[6]
    // The order of the parts, which no sum overflows.
    guard entryStart >= 0, count >= 0, entryStart <= end, count <= (end - entryStart) / ImageFormat.entrySize,
      slotStart >= entryStart + count * ImageFormat.entrySize, slotStart <= end, slotCount > 0, slotCount & (slotCount - 1) == 0,
      slotCount <= (end - slotStart) / 4, start >= slotStart + 4 * slotCount, start <= end
    else { return nil }
    attachmentRange = start..<end
    isVerified = Array(repeating: false, count: ImageFormat.pageCount(end))
    self.image = image
  }

  // MARK: Reading

  /// Returns the bytes of a range, or nil if they are damaged.
  mutating func read(_ range: Range<Int>) -> [UInt8]? {
    guard !range.isEmpty else { return [] }
    let end = attachmentRange.upperBound
    guard range.lowerBound >= 0, range.upperBound <= end else {
      isDamaged = true
      return nil
    }
    for page in (range.lowerBound / ImageFormat.pageSize)...((range.upperBound - 1) / ImageFormat.pageSize) where !isVerified[page] {
      let start = page * ImageFormat.pageSize
      let stated = ImageFormat.word(image.bytes(in: (end + 8 * page)..<(end + 8 * page + 8)), 0)
      guard image.checksum(of: start..<min(start + ImageFormat.pageSize, end)) == stated else {
        isDamaged = true
        return nil
      }
      isVerified[page] = true
    }
    return image.bytes(in: range)
  }

  /// Reads an entry from its bytes; nil for bytes that no entry has.
  private func entry(_ bytes: [UInt8], at offset: Int) -> (entry: Entry, name: Range<Int>, hash: UInt32)? {
    func number(_ position: Int) -> Int { Int(ImageFormat.half(bytes, offset + position)) }
    let (name, length, start, end, first, last) = (number(0), number(4), number(12), number(16), number(20), number(24))
    let names = entryStart + count * ImageFormat.entrySize
    guard let kind = Kind(rawValue: bytes[offset + 8]), let symbol = Symbol.Kind(rawValue: bytes[offset + 9]), start <= end,
      end <= entryStart, first <= last, last <= entryStart, names + name + length <= slotStart
    else { return nil }
    let entry = Entry(
      kind: kind, symbol: symbol, packing: Int(bytes[offset + 10]), pragmas: PragmaEffects(rawValue: bytes[offset + 11] >> 1),
      range: start..<end, parameters: first == 0 ? nil : first..<last, isSkipped: bytes[offset + 11] & 1 != 0)
    return (entry, (names + name)..<(names + name + length), ImageFormat.half(bytes, offset + 28))
  }

  /// Returns the entry of a name.
  ///
  /// - Complexity: O(1), and that of verifying the pages that contain the entry and its name.
  mutating func find(_ kind: Kind, _ text: String) -> Entry? {
    let name = Array(text.utf8)
    let hash = ImageFormat.hash(kind, name)
    for distance in 0..<slotCount {
      let slot = slotStart + 4 * ((Int(hash) + distance) & (slotCount - 1))
      guard let bytes = read(slot..<(slot + 4)) else { return nil }
      let number = Int(ImageFormat.half(bytes, 0))
      guard number > 0 else { return nil }
      let start = entryStart + (number - 1) * ImageFormat.entrySize
      guard number <= count, let bytes = read(start..<(start + ImageFormat.entrySize)), let found = entry(bytes, at: 0) else {
        isDamaged = true
        return nil
      }
      if found.hash == hash, found.entry.kind == kind, found.name.count == name.count, read(found.name) == name { return found.entry }
    }
    return nil
  }

  /// The entries of a kind with their names, in the order of their declarations.
  ///
  /// - Complexity: O(bytes of all entries).
  mutating func entries(_ kind: Kind) -> [(name: String, entry: Entry)] {
    guard let bytes = read(entryStart..<slotStart) else { return [] }
    var result: [(name: String, entry: Entry)] = []
    for index in 0..<count where bytes[index * ImageFormat.entrySize + 8] == kind.rawValue {
      guard let (entry, name, _) = entry(bytes, at: index * ImageFormat.entrySize) else {
        isDamaged = true
        return []
      }
      let text = bytes[(name.lowerBound - entryStart)..<(name.upperBound - entryStart)]
      result.append((String(decoding: text, as: UTF8.self), entry))
    }
    return result
  }

  /// Returns the image with another attachment; nil if it is damaged.
  mutating func image(attachment: [UInt8], checksum: ([UInt8], Range<Int>) -> UInt64) -> [UInt8]? {
    guard var image = read(0..<attachmentRange.lowerBound) else { return nil }
    let start = image.count
    image += attachment
    DeclarationImageWriter.seal(&image, [entryStart, count, slotStart, slotCount, start], checksum)
    return image
  }

  /// Returns the symbol that a pragma states for a name; nil if none does.
  mutating func symbolByPragma(_ name: String) -> [UInt8]? { find(.renamed, name).flatMap { read($0.range) } }

  /// Takes over that a copy found damage.
  mutating func formDamage(_ other: DeclarationIndex?) { isDamaged = isDamaged || other?.isDamaged == true }
}
