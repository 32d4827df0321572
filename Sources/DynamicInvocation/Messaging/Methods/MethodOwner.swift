/// The class of the targets that an implementation takes, which trusts that they are of it.
class MethodOwner: @unchecked Sendable {
  // Sendable by hand: a class is immutable.

  final let targetType: AnyClass

  init(targetType: AnyClass) {
    self.targetType = targetType
  }
}
