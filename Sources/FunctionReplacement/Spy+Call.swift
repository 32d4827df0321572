internal import SwiftFunctions
internal import SwiftSymbols
internal import TypeEncodings

extension Spy {
  /// A call.
  public struct Call {
    /// How a call has ended.
    public enum Outcome {
      /// It has not.
      case running
      /// It has returned a value; `()` for none.
      case returned(Any)
      /// It has thrown an error.
      case threw(any Error)
    }

    /// The arguments, with the target of a method first, as they were when the call began; or the values that the spy keeps in their place.
    ///
    /// In the place of a closure that does not escape there is `()`, and in the place of an object that was being deallocated, or a
    /// value with one in it, the `ObjectIdentifier` of the object.
    public internal(set) var arguments: [Any]
    /// How the call has ended.
    public internal(set) var outcome: Outcome = .running
    /// The number of the call in its spy, from 0: its index in ``Spy/subscript(_:)`` when the call began.
    public internal(set) var number: Int = 0
    /// The place of the call among the calls of all spies; later calls have greater numbers.
    ///
    /// There is one sequence for the process, so that calls of spies in several scopes and of all tasks can be compared.
    public internal(set) var order: Int = 0
    private let function: ReplacedFunction
    /// Whether the arguments are the call's, and not what the spy keeps in their place.
    private let isWhole: Bool

    init(_ arguments: [Any], of function: ReplacedFunction, isWhole: Bool = true) {
      self.arguments = arguments
      self.function = function
      self.isWhole = isWhole
    }

    /// The call with other values in the place of its arguments.
    func keeping(_ values: [Any]) -> Call { Call(values, of: function, isWhole: false) }

    /// The name of the function, such as `Shop.Mailer.send(_:to:)`.
    public var name: String { function.types.name }

    /// Returns an argument; nil if there is none at the index, or it has another type.
    public func argument<Value>(_ index: Int, as _: Value.Type = Value.self) -> Value? {
      arguments.indices.contains(index) ? arguments[index] as? Value : nil
    }

    /// Returns the argument with a label; nil if there is none, or it has another type.
    ///
    ///     #expect(calls[0]["to"] == "a@example.org")
    ///
    /// The label is the one that a caller writes: the symbol of a function states no other name, so that an argument without a label has
    /// its index only. The new value of a setter is `newValue`.
    public subscript<Value>(label: String, as _: Value.Type = Value.self) -> Value? {
      labels.firstIndex(of: label).flatMap { argument($0) }
    }

    /// Returns the target of a method or accessor; nil if the function has none, or if the target has another type.
    public func target<Value>(as _: Value.Type = Value.self) -> Value? {
      isWhole && function.types.passesSelf ? argument(0) : nil
    }

    /// The labels of the arguments, nil for the target and those without.
    private var labels: [String?] {
      guard isWhole else { return [] }
      var labels: [String?] = function.types.parameters.map(\.label)
      if function.types.kind.isSetter { labels[0] = "newValue" }
      return (function.types.passesSelf ? [nil] : []) + labels
    }

    /// Returns what the call has returned; nil if it has not, or if the value has another type.
    public func result<Value>(as _: Value.Type = Value.self) -> Value? {
      if case .returned(let value) = outcome { value as? Value } else { nil }
    }

    /// The error that the call has thrown, or nil.
    public var error: (any Error)? {
      if case .threw(let error) = outcome { error } else { nil }
    }
  }
}

extension Spy.Call: CustomStringConvertible {
  /// The place of the call among all, and the call without its target: `3: Shop.Mailer.send("hello", to: "a")`.
  public var description: String { "\(order): \(text)" }

  /// The call as a source would make it.
  var text: String {
    let hasLabels = function.types.kind.hasLabels
    let base = hasLabels ? name.lastIndex(of: "(").map { String(name[..<$0]) } ?? name : name
    let first = isWhole && function.types.passesSelf ? 1 : 0
    let labels = labels
    let values = arguments.indices.dropFirst(first).map { index in
      let label = labels.indices.contains(index) ? labels[index].map { $0 + ": " } ?? "" : ""
      return label + Self.text(arguments[index])
    }
    let isEmpty = values.isEmpty && !hasLabels
    return (isEmpty ? base : base + "(" + values.joined(separator: ", ") + ")").shortened(to: 400).escaped
  }

  private static func text(_ value: Any) -> String {
    (value is String ? String(reflecting: value) : String(describing: value)).shortened(to: 100)
  }
}

/// Returns whether calls of one or several spies began in an order; false if one of them was not made.
///
///     #expect(inOrder(opened.all.first, written[0], closed.all.last))
///
/// - Parameter calls: The calls, in the order in which they must have begun.
public func inOrder(_ calls: Spy.Call?...) -> Bool {
  var last = 0
  for call in calls {
    guard let call, call.order > last else { return false }
    last = call.order
  }
  return true
}
