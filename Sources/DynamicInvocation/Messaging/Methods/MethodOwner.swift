/// The class of the targets that an implementation takes, which trusts that they are of it.
class MethodOwner: @unchecked Sendable {
  // Sendable by hand: a class is immutable.

  final let targetType: AnyClass
  /// What the code needs alive besides.
  private let kept: (any AnyObject & Sendable)?

  init(targetType: AnyClass, keeping kept: (any AnyObject & Sendable)? = nil) {
    self.targetType = targetType
    self.kept = kept
  }
}
