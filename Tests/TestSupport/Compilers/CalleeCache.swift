import Foundation

/// Compiled libraries that are kept between runs, if the variable `CALLEES` names a folder for them.
///
/// The key of a library is the text of its source, the flags, and the path, size and time of change of the compiler.
/// `Scripts/test.sh` removes what is not used for days.
enum CalleeCache {
  private static let folder: URL? = ProcessInfo.processInfo.environment["CALLEES"].map { URL(fileURLWithPath: $0, isDirectory: true) }
  private static let compilers: MadeOnce<String, String> = MadeOnce()

  /// Makes a library at a path, or gets it from the folder.
  ///
  /// - Parameters:
  ///   - path: Where the library is wanted, on the folder's file system or another.
  ///   - words: The compiler's command and flags. Flags that make a module, or that name this run's folder, keep nothing.
  ///   - source: The text of its source.
  ///   - make: Compiles the library to the path.
  static func library(at path: String, _ words: [String], source: String, _ make: () throws -> Void) throws {
    // No later run has this folder's name, so none would find the library. An import needs the module's file beside it.
    let isOfThisRun = words.contains { $0 == "-emit-module" || $0.contains(TemporaryFolder.shared.url.path) }
    guard let folder, !isOfThisRun else { return try make() }
    let key = Data((words + [compilers.value(words[0], { _ in identity(of: words[0]) }), source]).joined(separator: "\0").utf8)
    let entry = folder.appendingPathComponent(hash(key), isDirectory: true)
    let (kept, keptKey) = (entry.appendingPathComponent("library"), entry.appendingPathComponent("key"))
    if (try? Data(contentsOf: keptKey)) == key, (try? FileManager.default.copyItem(atPath: kept.path, toPath: path)) != nil {
      try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: entry.path)
      return
    }
    try make()
    // The folder appears with both files at once, so that another process never sees one of them alone.
    let new = folder.appendingPathComponent(UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(at: new, withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: path, toPath: new.appendingPathComponent("library").path)
    try key.write(to: new.appendingPathComponent("key"))
    if rename(new.path, entry.path) != 0 { try? FileManager.default.removeItem(at: new) }
  }

  /// The path of a command with its size and time of change.
  private static func identity(of command: String) -> String {
    for directory in ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? [] {
      let path = URL(fileURLWithPath: "\(directory)/\(command)").resolvingSymlinksInPath().path
      guard FileManager.default.isExecutableFile(atPath: path),
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      else { continue }
      return "\(path) \(attributes[.size] ?? "") \((attributes[.modificationDate] as? Date)?.timeIntervalSince1970 ?? 0)"
    }
    return command
  }

  /// FNV-1a; the whole key is compared after it.
  private static func hash(_ bytes: Data) -> String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
