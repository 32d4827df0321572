#if Tools
  import Foundation

  /// Writes pictures to files.
  enum PictureFile {
    /// Writes a text to a file, or to standard output for the path `-`.
    static func write(_ text: String, to path: String) throws {
      if path == "-" { return try FileOutput.standardOutput.write(Array(text.utf8)) }
      do {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
      } catch let error as CocoaError {
        let number = (error.underlying as? POSIXError)?.code.rawValue
        throw ReportedError.report("\(path) cannot be written: \(number.map(systemMessage) ?? error.localizedDescription)")
      }
    }
  }
#endif
