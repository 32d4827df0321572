import DynamicInvocation

/// A button with a tag and a frame: what its cell sends about it.
final class Button: EncodedObject {
  let tag: Int
  let frame: Geometry.Rect

  init(tag: Int, frame: Geometry.Rect) {
    self.tag = tag
    self.frame = frame
  }
}
