import DynamicInvocation
import EventRouting

/// The innermost node: it handles nothing and sends what happens to its button.
final class CollectionCell: ResponderNode {
  let button: Button

  init(_ button: Button) {
    self.button = button
    super.init("collection cell")
  }

  /// The arguments of every event of the button: itself, its tag, its frame, and no other button.
  var arguments: [BoxedValue] { [.object(button), .int(button.tag), .rect(button.frame), .null] }
}
