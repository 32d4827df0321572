import CDeclarations
import CFFIShim

/// The file in the user's cache folder that stores the declarations of headers.
///
/// The file is the image of the declarations, with the request, the stamps and the checksums of the files that were
/// read, and a checksum. A file whose stamp differs is compared by its contents. An image that is damaged or outdated is
/// not used, and is written again.
struct HeaderCache {
  private static let mostFiles = 64
  private static let mostBytes: UInt64 = 1 << 28

  private let request: HeaderRequest
  private let key: String
  private let folder: String
  let path: String

  /// The folder of the user's cache, or nil if the environment states none.
  static var folder: String? {
    if let chosen = HeaderRequest.environment("XDG_CACHE_HOME"), chosen.hasPrefix("/") { return chosen + "/swift-invocation/declarations" }
    guard let home = HeaderRequest.environment("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.cache/swift-invocation/declarations"
  }

  /// Creates a cache in a folder; nil without one.
  init?(_ request: HeaderRequest, folder: String?) {
    guard let folder else { return nil }
    self.request = request
    self.folder = folder
    key = request.key
    path = folder + "/" + String(Self.checksum(Array(key.utf8)), radix: 16) + ".declarations"
  }

  /// The time now, by the clock of files.
  static var now: UInt64 { cffi_file_time() }

  /// Returns the size, the times and the inode of a file, or nil if there is none.
  static func stamp(of path: String) -> [UInt64]? {
    var stamp = [UInt64](repeating: 0, count: 4)
    return unsafe cffi_file_stamp(path, &stamp) == 0 ? stamp : nil
  }

  // MARK: Reading

  /// Returns the stored declarations, or nil if there are none that are up to date.
  func stored() -> CDeclarations? {
    var bytes = unsafe cffi_bytes()
    guard unsafe cffi_read_file(path, 1 << 28, &bytes) == 0 else { return nil }
    var image = unsafe HeaderRequest.taken(bytes)
    guard image.count > 8 else { return nil }
    let stated = Self.word(image[(image.count - 8)...])
    image.removeLast(8)
    guard stated == Self.checksum(image), let attachment = CDeclarations.attachmentRange(of: image) else { return nil }
    let start = Self.now
    guard let changed = changedStamps(image[attachment]) else { return nil }
    guard !changed.isEmpty else { return CDeclarations(image: image) }
    // The contents are the same: the next time the stamps tell so, unless a file was just written.
    if changed.allSatisfy({ $0.stamp[1] < start && $0.stamp[2] < start }) {
      for (offset, stamp) in changed {
        for (index, value) in stamp.enumerated() { Self.put(value, into: &image, at: offset + 8 * index) }
      }
      write(image)
    }
    return CDeclarations(image: image)
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func put(_ value: UInt64, into bytes: inout [UInt8], at offset: Int) {
    for shift in 0..<8 { bytes[offset + shift] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift))) }
  }

  /// Returns the stamps of the files that have another one than the attachment states, and the same contents.
  ///
  /// - Returns: The offsets of the stamps in the image, and the stamps; nil if the attachment is of another request, or
  ///   if the contents of a file or a folder have changed.
  private func changedStamps(_ attachment: ArraySlice<UInt8>) -> [(offset: Int, stamp: [UInt64])]? {
    var rest = attachment
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard count >= 0, rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    func text() -> String? {
      guard let length = take(8).map(Self.word), let count = Int(exactly: length), let bytes = take(count) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    guard text() == key else { return nil }
    var changed: [(offset: Int, stamp: [UInt64])] = []
    while !rest.isEmpty {
      guard let path = text(), let stamp = Self.stamp(of: path) else { return nil }
      let offset = rest.startIndex
      var isSame = true
      for value in stamp where take(8).map(Self.word) != value { isSame = false }
      guard let contents = take(8).map(Self.word) else { return nil }
      if isSame { continue }
      guard contents != 0, Self.contents(of: path) == contents else { return nil }
      changed.append((offset, stamp))
    }
    return changed
  }

  /// The checksum of the contents of a file; 0 for a folder, whose stamp changes with its files.
  private static func contents(of path: String) -> UInt64 {
    var bytes = unsafe cffi_bytes()
    guard unsafe cffi_read_file(path, 1 << 28, &bytes) == 0 else { return 0 }
    return max(1, checksum(unsafe HeaderRequest.taken(bytes)))
  }

  // MARK: Writing

  /// Stores declarations, unless a file that they depend on has changed since a time.
  func store(_ declarations: CDeclarations, source: [UInt8], readSince start: UInt64) {
    var attachment: [UInt8] = []
    func append(_ value: UInt64) { for shift in 0..<8 { attachment.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) } }
    func append(_ text: String) {
      append(UInt64(text.utf8.count))
      attachment += Array(text.utf8)
    }
    append(key)
    var paths = Self.files(in: source) + request.include
    let compiler = request.compilerPath
    if let compiler { paths.append(compiler) }
    for path in paths {
      guard let stamp = Self.stamp(of: path), stamp[1] < start, stamp[2] < start else { return }
      append(path)
      for value in stamp { append(value) }
      // A compiler may have a hundred megabytes, and another one may write other text.
      append(path == compiler ? 0 : Self.contents(of: path))
    }
    write(declarations.image(attachment: attachment))
  }

  /// Writes an image with its checksum.
  private func write(_ image: [UInt8]) {
    let checksum = Self.checksum(image)
    var image = image
    for shift in 0..<8 { image.append(UInt8(truncatingIfNeeded: checksum >> (8 * UInt64(shift)))) }
    // A cache that cannot be written is no error: the header is read again the next time.
    let error = unsafe image.withUnsafeBufferPointer { unsafe cffi_write_file(path, $0.baseAddress.unsafelyUnwrapped, $0.count) }
    if error == 0 { unsafe cffi_trim_folder(folder, Self.mostFiles, Self.mostBytes) }
  }

  /// The files that the line markers of a preprocessor name.
  private static func files(in source: [UInt8]) -> [String] {
    var found: Set<ArraySlice<UInt8>> = []
    var paths: [String] = []
    for line in source.split(separator: 0x0A) where line.first == 0x23 && line.dropFirst().first == 0x20 {
      guard let open = line.firstIndex(of: 0x22), let close = line.lastIndex(of: 0x22), close > open + 1 else { continue }
      let name = line[(open + 1)..<close]
      guard name.first != 0x3C, !name.elementsEqual("/dev/null".utf8), found.insert(name).inserted else { continue }
      paths.append(String(decoding: name, as: UTF8.self))
    }
    return paths
  }

  /// A checksum that finds damage; it does not protect from an attacker, who can write the whole file.
  ///
  /// Four sums of every fourth word do not wait for each other.
  static func checksum(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
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
}
