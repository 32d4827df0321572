import DynamicInvocation
import EventRouting

/// A row of the list: a label and a button.
///
/// It handles nothing. It sends the clicks of its button up the tree.
@MainActor
final class Row: ResponderNode {
  let title: String
  let widget: GTKObject
  let button: GTKObject

  init(_ index: Int, _ title: String, _ gtk: GTK) throws {
    self.title = title
    widget = try gtk.newBox(0, 12)  // GTK_ORIENTATION_HORIZONTAL
    button = try gtk.newButton("Choose")
    super.init("row \(index)")
    let label: GTKObject = try gtk.newLabel(title)
    try gtk.setProperties(label, "hexpand", 1, "halign", 1, "margin-start", 12, "margin-end", 12, GTKObject?.none)
    try gtk.setProperties(button, "valign", 3, "margin-end", 12, "margin-top", 6, "margin-bottom", 6, GTKObject?.none)
    try gtk.append(widget, label)
    try gtk.append(widget, button)
    try gtk.connect(button, "clicked") { [unowned self] in
      // A handler that throws is an error of the outcome.
      if let error = send("row.tapped", arguments: [.int(index)]).firstError { throw error }
    }
  }
}
