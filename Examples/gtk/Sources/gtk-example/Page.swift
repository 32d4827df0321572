import DynamicInvocation
import EventRouting
import Glibc

/// The page: a window with a list of rows and a line of text.
///
/// It handles the events of its rows. The tree of responders mirrors the widgets: the rows are in the list, the
/// list is in the page.
@MainActor
final class Page: ResponderNode {
  private let gtk: GTK
  private let window: GTKObject
  private let status: GTKObject

  init(_ titles: [String], _ gtk: GTK) throws {
    self.gtk = gtk
    window = try gtk.newWindow()
    status = try gtk.newLabel("Nothing is chosen.")
    super.init("page")

    let listBox: GTKObject = try gtk.newList()
    try gtk.setSelectionMode(listBox, 0)  // GTK_SELECTION_NONE
    let list = ResponderNode("list")
    addChild(list)
    let rows = try titles.enumerated().map { try Row($0, $1, gtk) }
    for row in rows {
      try gtk.appendRow(listBox, row.widget)
      list.addChild(row)
    }
    // A closure, as an initializer of a class of the main actor whose superclass is of none cannot pass itself on.
    try proxy.register("row.tapped") { [weak self] (row: Row, index: Int) in try self?.tapped(row, index) }
    try show(listBox, rows)
  }

  /// Handles "row.tapped".
  private func tapped(_ row: Row, _ index: Int) throws {
    try gtk.setTitle(window, row.title)
    try gtk.setText(status, "Row \(index) is chosen: \(row.title).")
    log("row.tapped: index \(index), source \(row.responderName)")
  }

  private func show(_ listBox: GTKObject, _ rows: [Row]) throws {
    let box: GTKObject = try gtk.newBox(1, 0)  // GTK_ORIENTATION_VERTICAL
    try gtk.append(box, listBox)
    try gtk.append(box, status)
    try gtk.setProperties(status, "vexpand", 1, "valign", 3, "margin-top", 12, "margin-bottom", 12, GTKObject?.none)
    try gtk.setTitleBar(window, gtk.newHeaderBar(as: GTKObject.self))
    try gtk.setTitle(window, "GTK example")
    try gtk.setDefaultSize(window, 360, 240)
    try gtk.setChild(window, box)

    try gtk.connect(window, "destroy") { [unowned self] in try gtk.quit() }
    try gtk.onUnixSignal(SIGTERM) { [unowned self] in try gtk.close(window) }
    // For Scripts/gtk-example.sh, which clicks there.
    try gtk.onFrame(of: window) { [unowned self] in
      let centers = try rows.compactMap { try gtk.center(of: $0.button, in: window) }
      guard centers.count == rows.count else { return true }
      for (row, center) in zip(rows, centers) { log("button of \(row.responderName): \(center.x) \(center.y)") }
      return false
    }
    try gtk.present(window)
  }

  /// Prints a line at once, also into a file or a pipe.
  private func log(_ line: String) {
    print(line)
    fflush(nil)
  }
}
