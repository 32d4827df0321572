import DynamicInvocation

/// What a table asks its one delegate.
protocol TableDelegate: AnyObject {
  func height(ofRow row: Int) -> Double
  func shouldSelect(_ row: Int) -> Bool
  func icon(ofRow row: Int) -> Icon?
  func didSelect(_ row: Int)
}

/// A result that may be nil.
final class Icon: EncodedObject, CustomStringConvertible {
  let name: String

  init(_ name: String) { self.name = name }

  var description: String { name }
}

/// Rows of 20 points with an icon, where row 0 is the header and cannot be selected.
final class Controller: TableDelegate {
  func height(ofRow row: Int) -> Double { 20 }
  func shouldSelect(_ row: Int) -> Bool { row > 0 }
  func icon(ofRow row: Int) -> Icon? { Icon("controller's icon") }
  func didSelect(_ row: Int) { print("  controller: row \(row) selected") }
}

/// Odd rows are locked: they are higher, have an icon of their own and cannot be selected.
final class RowLock: TableDelegate {
  func height(ofRow row: Int) -> Double { row.isMultiple(of: 2) ? 10 : 30 }
  func shouldSelect(_ row: Int) -> Bool { row.isMultiple(of: 2) }
  func icon(ofRow row: Int) -> Icon? { row.isMultiple(of: 2) ? nil : Icon("lock") }
  func didSelect(_ row: Int) { print("  lock: row \(row) selected") }
}
