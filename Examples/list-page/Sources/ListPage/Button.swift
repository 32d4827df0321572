import DynamicInvocation

/// A button with a tag and a frame: what its cell sends about it.
final class Button: EncodedObject {
  let tag: Int
  let frame: Rect

  init(tag: Int, frame: Rect) {
    self.tag = tag
    self.frame = frame
  }
}
