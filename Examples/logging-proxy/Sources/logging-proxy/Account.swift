import DynamicInvocation

/// A class whose methods can be called by selector.
final class Account: EncodedObject {
  struct Overdrawn: Error {}

  private(set) var balance: Int

  init(balance: Int) { self.balance = balance }

  func deposit(_ amount: Int) -> Int {
    balance += amount
    return balance
  }

  func transfer(_ amount: Int, to other: Account) throws {
    guard amount <= balance else { throw Overdrawn() }
    balance -= amount
    other.balance += amount
  }

  /// Adds the methods to the class's table; their parameters specify the types.
  static func addMethods() throws {
    let table = MethodTable.of(Account.self)
    try table.add("deposit(_:)", Account.deposit)
    try table.add("transfer(_:to:)", Account.transfer)
  }
}
