import Foundation

extension BenchmarkRun {
  /// Writes the report and its plots.
  ///
  /// A plot that an earlier run wrote, and of which this run has no rows, is removed.
  package func write(_ legend: Legend, output: String, plots folder: String) throws {
    let files = FileManager.default
    let page = URL(fileURLWithPath: output).standardized
    let plotFolder = URL(fileURLWithPath: folder, isDirectory: true).standardized
    try files.createDirectory(at: page.deletingLastPathComponent(), withIntermediateDirectories: true)
    try files.createDirectory(at: plotFolder, withIntermediateDirectories: true)
    for name in [Self.overviewName, Self.growthName] + legend.suites.keys {
      let plot = plotFolder.appendingPathComponent(name + ".svg")
      if files.fileExists(atPath: plot.path) { try files.removeItem(at: plot) }
    }
    for (name, svg) in plots(legend) {
      try svg.write(to: plotFolder.appendingPathComponent(name + ".svg"), atomically: true, encoding: .utf8)
    }
    let path = Self.relativePath(of: plotFolder, from: page.deletingLastPathComponent())
    try markdown(legend, plots: path).write(to: page, atomically: true, encoding: .utf8)
  }

  /// Returns the path of a folder relative to another.
  static func relativePath(of target: URL, from folder: URL) -> String {
    let (to, from) = (target.standardized.pathComponents, folder.standardized.pathComponents)
    let common = zip(to, from).prefix { $0 == $1 }.count
    let parts = Array(repeating: "..", count: from.count - common) + to[common...]
    return parts.isEmpty ? "." : parts.joined(separator: "/")
  }
}
