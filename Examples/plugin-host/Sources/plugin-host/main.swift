import Foundation

// plugin-host LIBRARY          lists the plugin and the functions of a library
// plugin-host LIBRARY FILE     takes the steps of a JSON file

let words = CommandLine.arguments.dropFirst()
do {
  guard let library = words.first else { throw HostError("usage: plugin-host LIBRARY [FILE]") }
  let host = try PluginHost(library)
  if words.count > 1, let path = words.last {
    for step in try JSONDecoder().decode([Step].self, from: Data(contentsOf: URL(fileURLWithPath: path))) {
      // After an error, the next step is taken.
      do { try host.take(step) } catch { print("error: \(error)") }
    }
  } else {
    try host.list()
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}
