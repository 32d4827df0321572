import DynamicInvocation
import InvocationRecords
import TestSupport

/// The class whose methods are called; all threads share its table.
class Account: EncodedObject {
  /// What an account that is opened or asked to fail throws.
  struct Refusal: Error {
    let number: Int
  }

  let tracked: LifetimeTracked
  let counter: CallCounter
  /// The value that the undo stack takes back.
  var balance = 0
  var undoStack: InvocationUndoStack?

  required init(_ tracker: LifetimeTracker, _ counter: CallCounter) {
    tracked = tracker.object()
    self.counter = counter
  }

  private static let add: @convention(c) (UnsafeRawPointer, UnsafeRawPointer, Int, Int) -> Int = { target, _, a, b in
    Unmanaged<Account>.fromOpaque(target).takeUnretainedValue().counter.receive()
    return a + b
  }

  /// Gives the class its methods.
  static func addMethods() throws {
    let table = MethodTable.of(Account.self)
    try table.replace("add(_:_:)", Implementation(function: add, methodSignature: MethodSignature(types: "q@:qq")))
    try table.add("area(of:)") { (account: Account, rect: Geometry.Rect) -> Double in
      account.counter.receive()
      return rect.size.width * rect.size.height
    }
    try table.add("echo(_:)") { (account: Account, other: Account?) -> Account? in
      account.counter.receive()
      return other
    }
    try table.add("length(_:)") { (account: Account, text: String) -> Int in
      account.counter.receive()
      return text.utf8.count
    }
    try table.add("refuse(_:)") { (account: Account, number: Int) throws -> Int in
      account.counter.receive()
      if number % 2 == 1 { throw Refusal(number: number) }
      return number
    }
    try table.add("setBalance(_:)") { (account: Account, balance: Int) throws -> Void in try account.set(balance) }
  }

  private func set(_ balance: Int) throws {
    counter.receive()
    if let undoStack {
      let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setBalance(_:)")
      try message.setArgument(self.balance, at: 2)
      try message.invoke()
    }
    self.balance = balance
  }

  // MARK: Methods that come and go

  private static let extras = 24

  /// One of the selectors whose methods come and go.
  static func extra(using generator: inout SeededGenerator) -> MethodSelector {
    MethodSelector("extra\(Int.random(in: 0..<extras, using: &generator))(_:)")
  }

  /// Takes away the methods that threads have added.
  static func removeExtras() {
    for number in 0..<extras {
      for type in [Account.self, SavingsAccount.self] { MethodTable.of(type).remove(MethodSelector("extra\(number)(_:)")) }
    }
  }
}

/// A class that inherits all methods.
final class SavingsAccount: Account {}
