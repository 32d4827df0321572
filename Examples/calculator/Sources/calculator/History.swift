import DynamicInvocation
import InvocationRecords

/// The calculations that were made.
///
/// Each method that changes them registers the message that undoes the change.
final class History {
  private(set) var calculations: [Calculation] = []
  /// Unowned because the stack retains the targets of its messages, and this object is one.
  private unowned let undoStack: InvocationUndoStack

  init(undoStack: InvocationUndoStack) { self.undoStack = undoStack }

  /// Adds the methods to the class's table, where messages find them.
  static func addMethods() throws {
    let table = MethodTable.of(History.self)
    try table.add("append(_:)", History.append)
    try table.add("removeLast()", History.removeLast)
  }

  /// Adds a calculation; undone by `removeLast()`.
  func append(_ calculation: Calculation) throws {
    try Invocation.send(undoStack.prepare(withInvocationTarget: self), "removeLast()")
    undoStack.setActionName(calculation.description)
    calculations.append(calculation)
  }

  /// Removes the last calculation; undone by `append(_:)`.
  func removeLast() throws {
    guard let last = calculations.popLast() else { return }
    try Invocation.send(undoStack.prepare(withInvocationTarget: self), "append(_:)", last)
  }
}
