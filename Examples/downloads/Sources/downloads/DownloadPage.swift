import EventRouting

/// A page of the main actor, with a row for each file.
@MainActor
final class DownloadPage {
  let root = ResponderNode("page")
  private var percents: [String: [Int]] = [:]
  private let archive: Archive

  init(_ archive: Archive) throws {
    self.archive = archive
    // Events that are posted arrive here one after the other, on the main actor.
    try root.proxy.register("progress", target: self, DownloadPage.note)
    // An asynchronous handler: it waits for another actor, and continues on the main actor.
    try root.proxy.register("finished") { [weak self] (row: ResponderNode?, size: Int) async in
      guard let self else { return }
      let total = await archive.add(size)
      print("\(row?.responderName ?? "?"): \(percents[row?.responderName ?? "?"] ?? []), \(total) bytes in the archive")
    }
  }

  private func note(_ row: ResponderNode?, _ percent: Int) {
    percents[row?.responderName ?? "?", default: []].append(percent)
  }

  /// Adds a row, and returns the way into it for the task that downloads the file.
  func addRow(_ file: String) -> EventPort {
    let row = ResponderNode(file)
    root.addChild(row)
    return row.port()
  }

  /// Tells the page that a file is complete, and waits until it is in the archive.
  func finish(_ file: String, size: Int) async {
    guard let row = root.children.first(where: { $0.responderName == file }) else { return }
    let outcome = await row.sendAwaiting("finished", size)
    print("  \(outcome)")
  }
}

/// The sizes of the files that are complete.
actor Archive {
  private var total = 0

  func add(_ size: Int) -> Int {
    total += size
    return total
  }
}
