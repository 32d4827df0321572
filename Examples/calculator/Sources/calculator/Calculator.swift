import DynamicInvocation
import Foundation
import InvocationRecords

/// Calls functions of libm by name, and keeps a history of the calls.
struct Calculator {
  private let library: MathLibrary
  private let history: History
  private let undoStack = InvocationUndoStack()

  init() throws {
    try History.addMethods()
    library = try MathLibrary()
    history = History(undoStack: undoStack)
  }

  /// The calculations that are not undone.
  var calculations: [Calculation] { history.calculations }

  /// Calls a function.
  ///
  /// Each argument is converted to its type in the function, and is an error if it does not fit.
  func call(_ name: String, _ arguments: [BoxedValue]) throws -> Calculation {
    let invocation = try library.function(name).makeInvocation()
    try invocation.setArguments(boxed: arguments)
    return try perform(name, invocation)
  }

  /// Makes a saved call again.
  ///
  /// A file may contain any types: only the function's types are accepted.
  func call(_ saved: NamedCall) throws -> Calculation {
    let function = try library.function(saved.function)
    guard saved.call.methodSignature == function.methodSignature else {
      throw CalculatorError("the saved call of \(saved.function) has other types than '\(function.methodSignature)'")
    }
    let invocation = try saved.call.makeInvocation()
    invocation.implementation = function.implementation
    return try perform(saved.function, invocation)
  }

  private func perform(_ name: String, _ invocation: Invocation) throws -> Calculation {
    try invocation.invoke()
    let calculation = try Calculation(name, invocation)
    try history.append(calculation)
    return calculation
  }

  /// Undoes the last calculation.
  ///
  /// Returns its description, or nil if there is none.
  func undo() throws -> String? {
    let name = undoStack.undoActionName
    return try undoStack.undo() ? name : nil
  }

  /// Redoes the calculation that was undone last.
  ///
  /// Returns its description, or nil if there is none.
  func redo() throws -> String? {
    let name = undoStack.redoActionName
    return try undoStack.redo() ? name : nil
  }

  /// Writes the calls as JSON.
  func save(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(calculations.map(\.call)).write(to: URL(fileURLWithPath: path))
  }

  /// Makes the calls of a file again.
  func replay(_ path: String) throws -> [Calculation] {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    return try JSONDecoder().decode([NamedCall].self, from: data).map(call)
  }
}
