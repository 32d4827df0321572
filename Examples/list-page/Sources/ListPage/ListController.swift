import DynamicInvocation
import EventRouting

/// The node at the top: methods handle "A" and "C", and it never hears of "B".
final class ListController: ResponderNode {
  /// What its methods were called with, in order.
  private(set) var calls: [String] = []

  init() throws {
    super.init("controller")
    terminality = .forOwnKeys
    try proxy.register("A", target: self, ListController.selected)
    try proxy.register("C", target: self) {
      (controller: ListController, source: CollectionCell?, button: Button, tag: Int, frame: Geometry.Rect, other: Button?) in
      controller.opened(source, button, tag, frame, other)
    }
  }

  func selected(_ source: CollectionCell?, _ button: Button, _ tag: Int, _ frame: Geometry.Rect, _ other: Button?) {
    note("selected", source, button, tag, frame, other)
  }

  func opened(_ source: CollectionCell?, _ button: Button, _ tag: Int, _ frame: Geometry.Rect, _ other: Button?) {
    note("opened", source, button, tag, frame, other)
  }

  private func note(_ name: String, _ source: CollectionCell?, _ button: Button, _ tag: Int, _ frame: Geometry.Rect, _ other: Button?) {
    let sender = source.map { $0.button === button ? "its cell" : "another cell" } ?? "nobody"
    calls.append("\(name)(from \(sender), tag \(tag), width \(frame.size.width), other \(other.map { "\($0.tag)" } ?? "nil"))")
  }
}
