import DynamicInvocation

/// The protocol's methods as messages.
enum TableMessages {
  static func dispatchProtocol() throws -> DispatchProtocol {
    try DispatchProtocol(
      "TableDelegate",
      methods: [
        .required("height(ofRow:)", types: "d@:q"),
        .required("shouldSelect(_:)", types: "B@:q"),
        .optional("icon(ofRow:)", types: "@@:q"),
        .optional("didSelect(_:)", types: "v@:q"),
      ])
  }

  /// Adds the methods of a class that conforms to the protocol to its table.
  static func addMethods<Delegate: TableDelegate & SendableMetatype>(of type: Delegate.Type) throws {
    let table = MethodTable.of(type)
    try table.add("height(ofRow:)") { (delegate: Delegate, row: Int) in delegate.height(ofRow: row) }
    try table.add("shouldSelect(_:)") { (delegate: Delegate, row: Int) in delegate.shouldSelect(row) }
    try table.add("icon(ofRow:)") { (delegate: Delegate, row: Int) in delegate.icon(ofRow: row) }
    try table.add("didSelect(_:)") { (delegate: Delegate, row: Int) in delegate.didSelect(row) }
  }
}
