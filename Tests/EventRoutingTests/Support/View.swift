import EventRouting

/// A class hierarchy as a user has one: views in views, windows, and controllers beside them.
class View {
  let name: String
  weak var superview: View?
  var subviews: [View] = []
  weak var controller: ViewController?
  let state = ResponderState()
  /// How often it was asked for its children.
  var childQueries = 0

  init(_ name: String) { self.name = name }

  func addSubview(_ view: View) {
    view.superview = self
    subviews.append(view)
  }

  func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }
}

final class Window: View {
  override init(_ name: String) {
    super.init(name)
    state.isBoundary = true
  }
}

extension View: Responder {
  var nextResponder: (any Responder)? { controller ?? superview }
  var childResponders: [any Responder] {
    childQueries += 1
    return subviews
  }
  var responderState: ResponderState? { state }
  var responderName: String { name }
}

/// A controller: its children, then its view, which is made only when somebody wants it.
final class ViewController: Responder {
  let name: String
  weak var parent: ViewController?
  var children: [ViewController] = []
  private(set) var loadedView: View?
  let state = ResponderState()

  init(_ name: String) {
    self.name = name
    state.terminality = .forOwnKeys
  }

  var view: View {
    if let loadedView { return loadedView }
    let view = View("\(name)v")
    view.controller = self
    loadedView = view
    return view
  }

  func addChild(_ child: ViewController) {
    child.parent = self
    children.append(child)
  }

  var nextResponder: (any Responder)? { loadedView?.superview ?? parent }
  var childResponders: [any Responder] { children as [any Responder] + (loadedView.map { [$0] } ?? []) }
  var responderState: ResponderState? { state }
  var responderName: String { name }
}

/// A class that takes part with two lines.
final class Cell {
  var above: Cell?
  var below: [any Responder] = []
  let handlers = EventProxy()
}

extension Cell: Responder {
  var nextResponder: (any Responder)? { above }
  var childResponders: [any Responder] { below }
  var eventProxy: EventProxy? { handlers }
}
