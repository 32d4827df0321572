import TypeEncodings

/// The declarations of a source by name, in the form in which a cache stores them.
///
/// The image begins with the source. A table of entries follows, sorted by name, and the names. A name is found by
/// binary search in the bytes, so that opening an image costs nothing per declaration.
struct DeclarationIndex: Sendable {
  enum Kind: UInt8, Sendable, Comparable {
    case symbol, tag, macro, skipped

    static func < (left: Kind, right: Kind) -> Bool { left.rawValue < right.rawValue }
  }

  /// What is stored about a name.
  struct Entry: Sendable {
    var kind: Kind
    /// The kind of a symbol.
    var symbol: Symbol.Kind = .variable
    var packing = 0
    /// The declaration, or the body of a macro.
    var range: Range<Int>
    /// The parameters of a macro.
    var parameters: Range<Int>?
    /// Whether the declaration cannot be read to its end.
    var isSkipped = false
  }

  private static let entrySize = 28
  private static let footerSize = 40
  private static let magic: UInt64 = 0x3330_4C43_4544_4343  // CCDECL03

  private let bytes: [UInt8]
  private let table: Int
  private let count: Int
  /// The bytes that were stored with the declarations.
  let attachmentRange: Range<Int>
  /// The declarations that were read, by their first byte.
  var readDeclarations: Set<Int> = []

  // MARK: Reading

  /// Opens an image; nil if it is not one.
  ///
  /// The cache detects damage.
  init?(_ bytes: [UInt8]) {
    let footer = bytes.count - Self.footerSize
    guard footer >= 0, Self.word(bytes, footer) == Self.magic else { return nil }
    table = Int(truncatingIfNeeded: Self.word(bytes, footer + 8))
    count = Int(truncatingIfNeeded: Self.word(bytes, footer + 16))
    let start = Int(truncatingIfNeeded: Self.word(bytes, footer + 24))
    let end = Int(truncatingIfNeeded: Self.word(bytes, footer + 32))
    guard table >= 0, count >= 0, count <= footer / Self.entrySize, table <= footer - count * Self.entrySize, start >= 0, end >= start,
      end <= footer
    else { return nil }
    attachmentRange = start..<end
    self.bytes = bytes
  }

  private static func word(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * UInt64($1)) }
  }

  private func half(_ offset: Int) -> Int {
    Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16 | Int(bytes[offset + 3]) << 24
  }

  private func nameRange(_ index: Int) -> Range<Int> {
    let entry = table + index * Self.entrySize
    let start = half(entry)
    return start..<min(start + half(entry + 4), bytes.count)
  }

  private func kind(_ index: Int) -> Kind { Kind(rawValue: bytes[table + index * Self.entrySize + 8]) ?? .macro }

  private func entry(_ index: Int) -> Entry {
    let offset = table + index * Self.entrySize
    let (start, end, first, last) = (half(offset + 12), half(offset + 16), half(offset + 20), half(offset + 24))
    return Entry(
      kind: kind(index), symbol: Symbol.Kind(rawValue: bytes[offset + 9]) ?? .variable, packing: Int(bytes[offset + 10]),
      range: min(start, table)..<max(min(start, table), min(end, table)),
      parameters: first == 0 ? nil : min(first, table)..<max(min(first, table), min(last, table)),
      isSkipped: bytes[offset + 11] != 0)
  }

  /// Returns the entry of a name.
  ///
  /// - Complexity: O(log *n*), where *n* is the number of entries.
  func find(_ kind: Kind, _ name: String) -> Entry? {
    let name = Array(name.utf8)
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if isLess(middle, kind, name) { low = middle + 1 } else { high = middle }
    }
    guard low < count, self.kind(low) == kind, bytes[nameRange(low)].elementsEqual(name) else { return nil }
    return entry(low)
  }

  private func isLess(_ index: Int, _ kind: Kind, _ name: [UInt8]) -> Bool {
    let found = self.kind(index)
    return found == kind ? bytes[nameRange(index)].lexicographicallyPrecedes(name) : found < kind
  }

  /// The names of a kind, in the order of their declarations.
  func names(_ kind: Kind, _ symbol: Symbol.Kind? = nil) -> [String] {
    (0..<count).filter { self.kind($0) == kind && (symbol == nil || entry($0).symbol == symbol) }
      .sorted { entry($0).range.lowerBound < entry($1).range.lowerBound }
      .map { String(decoding: bytes[nameRange($0)], as: UTF8.self) }
  }

  /// The declarations that were skipped, in their order; the name of each is the reason.
  var skipped: [SkippedRange] {
    (0..<count).filter { kind($0) == .skipped }
      .map { index in
        let (entry, reason) = (entry(index), String(decoding: bytes[nameRange(index)], as: UTF8.self))
        let range = DeclarationRange(start: Int32(entry.range.lowerBound), end: Int32(entry.range.upperBound), packing: entry.packing)
        return SkippedRange(range: range, reason: reason, code: entry.symbol == .function ? .limitExceeded : .malformedDeclaration)
      }
      .sorted { $0.range.start < $1.range.start }
  }

  // MARK: Writing

  /// Returns the image of a source with its entries.
  static func image(_ source: [UInt8], _ entries: [(name: String, entry: Entry)], attachment: [UInt8]) -> [UInt8] {
    let entries = entries.map { (name: Array($0.name.utf8), entry: $0.entry) }.sorted {
      $0.entry.kind == $1.entry.kind ? $0.name.lexicographicallyPrecedes($1.name) : $0.entry.kind < $1.entry.kind
    }
    var image = source
    image.reserveCapacity(source.count + entries.count * (entrySize + 20) + attachment.count + footerSize)
    func half(_ value: Int) { for shift in 0..<4 { image.append(UInt8(truncatingIfNeeded: value >> (8 * shift))) } }
    func word(_ value: UInt64) { for shift in 0..<8 { image.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) } }
    var name = source.count + entries.count * entrySize
    for (text, entry) in entries {
      half(name)
      half(text.count)
      image += [entry.kind.rawValue, entry.symbol.rawValue, UInt8(truncatingIfNeeded: entry.packing), entry.isSkipped ? 1 : 0]
      half(entry.range.lowerBound)
      half(entry.range.upperBound)
      half(entry.parameters?.lowerBound ?? 0)
      half(entry.parameters?.upperBound ?? 0)
      name += text.count
    }
    for (text, _) in entries { image += text }
    let start = image.count
    image += attachment
    let end = image.count
    for value in [magic, UInt64(source.count), UInt64(entries.count), UInt64(start), UInt64(end)] { word(value) }
    return image
  }
}
