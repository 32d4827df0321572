import DynamicInvocation

/// Several delegates as one: the policy for each result is a line of Swift.
///
/// The list does not retain the delegates.
final class TableDelegates: TableDelegate, ImplementerDispatcher {
  let implementerList: ImplementerList<any TableDelegate>

  init(_ delegates: any TableDelegate...) { implementerList = ImplementerList(objects: delegates) }

  /// The largest height.
  func height(ofRow row: Int) -> Double {
    implementerList.inTurn.map { $0.implementer.height(ofRow: row) }.max() ?? 0
  }

  /// Until one returns false.
  func shouldSelect(_ row: Int) -> Bool {
    implementerList.inTurn.allSatisfy { $0.implementer.shouldSelect(row) }
  }

  /// Until one returns an icon.
  func icon(ofRow row: Int) -> Icon? {
    for (delegate, _) in implementerList.inTurn {
      if let icon = delegate.icon(ofRow: row) { return icon }
    }
    return nil
  }

  /// All of them.
  func didSelect(_ row: Int) {
    for (delegate, _) in implementerList.inTurn { delegate.didSelect(row) }
  }
}
