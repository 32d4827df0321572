import DynamicInvocation
public import EventRouting

/// A page with a list: a controller, in it a row of a table, in that a cell with a button.
///
/// The button's events "A" and "B" start at its cell. The row takes "B" and sends it on as "C"; the controller handles "A" and "C".
public struct ListPage {
  private let controller: ListController
  private let cell: CollectionCell

  /// Creates a page whose row is the 40th.
  ///
  /// - Throws: ``InvocationError`` when a handler cannot be registered.
  public init() throws {
    controller = try ListController()
    let row = try TableCell(firstRow: 40)
    cell = CollectionCell(Button(tag: 2, frame: Geometry.Rect(x: 0, y: 0, width: 80, height: 24)))
    controller.addChild(row)
    row.addChild(cell)
  }

  /// Sends one of the button's events, and reports its way.
  public func send(_ key: EventKey) -> DispatchReport { cell.report(key, arguments: cell.arguments) }

  /// Tells the way that an event would take.
  public func dryRun(_ key: EventKey) -> DispatchReport { cell.dryRun(key) }

  /// What the controller's methods were called with, in order.
  public var calls: [String] { controller.calls }
}
