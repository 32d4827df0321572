import CDeclarations
import CFFIShim

/// The file in the user's cache folder that stores the declarations of headers.
///
/// The file is the image of the declarations, with the request and the stamps of the files that were read, and a
/// checksum. A file that is damaged or outdated is not used, and is written again.
struct HeaderCache {
  /// A file or folder that the declarations depend on.
  struct Dependency {
    var path: String
    var stamp: [UInt64]
  }

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
    guard stated == Self.checksum(image), let attachment = CDeclarations.attachment(of: image), isCurrent(attachment) else { return nil }
    return CDeclarations(image: image)
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Whether the attachment is of this request, and no file has changed since.
  private func isCurrent(_ attachment: [UInt8]) -> Bool {
    var rest = attachment[...]
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard rest.count >= count else { return nil }
      defer { rest = rest.dropFirst(count) }
      return rest.prefix(count)
    }
    func text() -> String? {
      guard let length = take(8).map(Self.word), let count = Int(exactly: length), let bytes = take(count) else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
    guard text() == key else { return false }
    while !rest.isEmpty {
      guard let path = text(), let now = Self.stamp(of: path) else { return false }
      for value in now where take(8).map(Self.word) != value { return false }
    }
    return true
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
    if let compiler = request.compilerPath { paths.append(compiler) }
    for path in paths {
      guard let stamp = Self.stamp(of: path), stamp[1] < start, stamp[2] < start else { return }
      append(path)
      for value in stamp { append(value) }
    }
    var image = declarations.image(attachment: attachment)
    let checksum = Self.checksum(image)
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
  private static func checksum(_ bytes: [UInt8]) -> UInt64 {
    unsafe bytes.withUnsafeBytes { bytes in
      var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
      var offset = 0
      while offset + 8 <= bytes.count {
        hash = unsafe (hash ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        offset += 8
      }
      while offset < bytes.count {
        hash = unsafe (hash ^ UInt64(bytes[offset])) &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        offset += 1
      }
      return hash
    }
  }
}
