import DynamicInvocation
import EventRouting

/// A source of a script's events that is not a node.
class ScriptSource: EncodedObject {
  let label: String
  init(_ label: String) { self.label = label }
}
final class SpecialSource: ScriptSource {}

/// A node of the engine's own class.
final class ScriptNode: ResponderNode {}

/// A node of a foreign class: a view that contains views.
final class ForeignNode: Responder {
  let responderName: String
  let state = ResponderState()
  private(set) weak var superview: ForeignNode?
  private(set) var subviews: [ForeignNode] = []
  var guests: [any Responder] = []

  init(_ name: String) { responderName = name }

  var nextResponder: (any Responder)? { superview }
  var childResponders: [any Responder] { subviews as [any Responder] + guests }
  var responderState: ResponderState? { state }

  func removeFromSuperview() {
    superview?.subviews.removeAll { $0 === self }
    superview = nil
  }

  func canAdopt(_ child: ForeignNode) -> Bool {
    var here: ForeignNode? = self
    while let node = here {
      if node === child { return false }
      here = node.superview
    }
    return true
  }

  func insert(_ child: ForeignNode, at index: Int) {
    subviews.insert(child, at: index)
    child.superview = self
  }
}

/// The target of handlers.
final class ScriptTarget {
  let number: Int
  private unowned let run: ScriptRun
  /// The registration of the handler that it was created for.
  var registration = -1

  init(_ number: Int, _ run: ScriptRun) {
    self.number = number
    self.run = run
  }

  deinit { run.noteDeath(ofTarget: number) }

  func handle(_ source: Unmanaged<AnyObject>?, _ arguments: String) throws { _ = try call(source, arguments) }

  func handleWithoutFailing(_ source: Unmanaged<AnyObject>?, _ arguments: String) { _ = try? call(source, arguments) }

  private func call(_ source: Unmanaged<AnyObject>?, _ arguments: String) throws -> EventReply {
    try run.handle(registration, source?.takeUnretainedValue(), arguments)
  }
}

/// A weak reference.
struct WeakReference {
  weak var object: AnyObject?
}
