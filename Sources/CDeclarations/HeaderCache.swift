import DeclarationReading
import CFFIShim
import TypeEncodings

/// The file in the user's cache folder that stores the declarations of headers.
///
/// The file is the image of the declarations, with the request, and the stamps and the checksums of the files that were
/// read attached. It is read into memory, as a mapped file that another program shortens would end this one by a signal; only
/// the pages with the attachment and with the names that are used are verified and converted. A file whose stamp differs is compared by its contents. An image that is damaged or outdated is not used, and is written
/// again, also when the damage is found later.
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
    path = folder + "/" + String(ImageChecksum.of(Array(key.utf8)), radix: 16) + ".declarations"
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
    guard let image = Self.bytes(of: path), let declarations = CDeclarations(image: image, reload: { try? self.read() }),
      var attachment = declarations.attachment
    else { return nil }
    let start = Self.now
    guard let changed = changedStamps(attachment) else { return nil }
    // The contents are the same: the next time the stamps tell so, unless a file was just written.
    if !changed.isEmpty, changed.allSatisfy({ $0.stamp[1] < start && $0.stamp[2] < start }) {
      for (offset, stamp) in changed {
        for (index, value) in stamp.enumerated() { Self.put(value, into: &attachment, at: offset + 8 * index) }
      }
      write(declarations.image(attachment: attachment))
    }
    return declarations
  }

  private static func put(_ value: UInt64, into bytes: inout [UInt8], at offset: Int) {
    for shift in 0..<8 { bytes[offset + shift] = UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift))) }
  }

  /// Returns the stamps of the files that have another one than the attachment states, and the same contents.
  ///
  /// The attachment contains the request, and for each file its path, its stamp and the checksum of its contents. A text
  /// follows its length and ends with a null character, so that it is passed to the system as it is.
  ///
  /// - Returns: The offsets of the stamps in the attachment, and the stamps; nil if the attachment is of another request, or
  ///   if the contents of a file or a folder have changed.
  /// - Complexity: O(files), one system call for each, and two for each folder.
  private func changedStamps(_ attachment: [UInt8]) -> [(offset: Int, stamp: [UInt64])]? {
    let key = Array(self.key.utf8)
    return unsafe attachment.withUnsafeBytes { bytes in
      var position = 0
      func word(_ offset: Int) -> UInt64 { unsafe bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) }
      func text() -> Range<Int>? {
        let start = position + 8
        guard start <= bytes.count, let length = Int(exactly: word(position)), length < bytes.count - start else { return nil }
        position = start + length + 1
        return unsafe bytes[start + length] == 0 ? start..<(start + length) : nil
      }
      guard let stated = text(), unsafe bytes[stated].elementsEqual(key) else { return nil }
      var changed: [(offset: Int, stamp: [UInt64])] = []
      var stamp: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
      var folder = unsafe cffi_folder()
      defer { unsafe cffi_close_folder(&folder) }
      while position < bytes.count {
        guard let path = text(), bytes.count - position >= 40 else { return nil }
        let offset = position
        position += 40
        let name = unsafe UnsafeRawBufferPointer(rebasing: bytes[path.lowerBound...]).bindMemory(to: CChar.self)
        let error = unsafe withUnsafeMutableBytes(of: &stamp) { stamp in
          unsafe cffi_file_stamp_in(
            &folder, name.baseAddress.unsafelyUnwrapped, stamp.bindMemory(to: UInt64.self).baseAddress.unsafelyUnwrapped)
        }
        guard error == 0 else { return nil }
        if stamp == (word(offset), word(offset + 8), word(offset + 16), word(offset + 24)) { continue }
        let contents = word(offset + 32)
        guard contents != 0, Self.contents(of: unsafe String(decoding: bytes[path], as: UTF8.self)) == contents else { return nil }
        changed.append((offset, [stamp.0, stamp.1, stamp.2, stamp.3]))
      }
      return changed
    }
  }

  /// The checksum of the contents of a file; 0 for a folder, whose stamp changes with its files.
  private static func contents(of path: String) -> UInt64 {
    bytes(of: path).map { max(1, ImageChecksum.of($0)) } ?? 0
  }

  /// The bytes of a regular file, or nil.
  private static func bytes(of path: String) -> [UInt8]? {
    var bytes = unsafe cffi_bytes()
    return unsafe cffi_read_file(path, 1 << 28, &bytes) == 0 ? HeaderRequest.taken(bytes) : nil
  }

  // MARK: Writing

  /// Reads the headers, and stores the declarations unless a file that they depend on has changed meanwhile.
  ///
  /// - Returns: The declarations of the image, which say the same whether they were just read or stored before.
  func read() throws(InvocationError) -> CDeclarations {
    let start = Self.now
    return store(try CDeclarations(source: request.preprocessed(), skipsFailures: true), readSince: start)
  }

  /// Stores declarations that were read since a time.
  func store(_ declarations: CDeclarations, readSince start: UInt64) -> CDeclarations {
    let attachment = attachment(declarations.files, readSince: start)
    let image = declarations.image(attachment: attachment ?? [])
    if attachment != nil { write(image) }
    return CDeclarations(image: image) ?? declarations
  }

  /// Returns the request with the stamps and the checksums of files; nil if one of them has changed since a time.
  private func attachment(_ files: [String], readSince start: UInt64) -> [UInt8]? {
    var attachment: [UInt8] = []
    func append(_ value: UInt64) { for shift in 0..<8 { attachment.append(UInt8(truncatingIfNeeded: value >> (8 * UInt64(shift)))) } }
    func append(_ text: String) {
      append(UInt64(text.utf8.count))
      attachment += Array(text.utf8) + [0]
    }
    append(key)
    var paths = files + request.include
    let compiler = request.compilerPath
    if let compiler { paths.append(compiler) }
    // In this order, the files of a folder are looked at one after another.
    for path in paths.sorted() {
      guard let stamp = Self.stamp(of: path), stamp[1] < start, stamp[2] < start else { return nil }
      append(path)
      for value in stamp { append(value) }
      // A compiler may have a hundred megabytes, and another one may write other text.
      append(path == compiler ? 0 : Self.contents(of: path))
    }
    return attachment
  }

  /// Writes an image.
  ///
  /// A cache that cannot be written is no error: the header is read again the next time.
  private func write(_ image: [UInt8]) {
    guard !image.isEmpty else { return }
    let error = unsafe image.withUnsafeBufferPointer { unsafe cffi_write_file(path, $0.baseAddress.unsafelyUnwrapped, $0.count) }
    if error == 0 { unsafe cffi_trim_folder(folder, Self.mostFiles, Self.mostBytes) }
  }
}
