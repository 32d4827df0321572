import DynamicInvocation

let lock = RowLock()
let controller = Controller()

print("One value of the protocol, two delegates:")
let delegate: any TableDelegate = TableDelegates(lock, controller)
for row in 0...2 {
  print("row \(row): height \(delegate.height(ofRow: row)), icon \(delegate.icon(ofRow: row)?.name ?? "nil")")
  if delegate.shouldSelect(row) { delegate.didSelect(row) }
}

print("\nThe calls as messages, with policies that are set at run time:")
try TableMessages.addMethods(of: RowLock.self)
try TableMessages.addMethods(of: Controller.self)
let dispatcher = try ProtocolDispatcher(TableMessages.dispatchProtocol(), implementers: [lock, controller])
for row in 1...2 {
  try show(dispatcher, "height(ofRow:)", row, ["last": .last, "first": .first, "reduce": .reduce(sum)])
  try show(dispatcher, "shouldSelect(_:)", row, ["anyTrue": .anyTrue, "allTrue": .allTrue])
  try show(dispatcher, "icon(ofRow:)", row, ["firstNonNil": .firstNonNil])
}

print("\nThe delegates that returned:")
let message = try Invocation(target: dispatcher, selector: "height(ofRow:)")
try message.setArgument(1, at: 2)
let outcome = try dispatcher.dispatch(message)
print("  \(outcome.responders)")

print("\nA message without a result, after one delegate was removed:")
dispatcher.remove(lock)
try dispatcher.send("didSelect(_:)", [2])

/// Sends a message once under each policy, and prints the results.
func show(
  _ dispatcher: ProtocolDispatcher, _ selector: MethodSelector, _ row: Int, _ policies: KeyValuePairs<String, ReturnPolicy<BoxedValue>>
) throws {
  let results = try policies.map { name, policy in
    try dispatcher.setReturnPolicy(policy, for: selector)
    let result = try dispatcher.send(selector, [.int(row)])
    if case .object(let icon as Icon)? = result { return "\(name) \(icon)" }
    return "\(name) \(result ?? .null)"
  }
  print("  \(selector) of row \(row): \(results.joined(separator: ", "))")
}

/// The closure of a policy that adds all results.
@Sendable func sum(_ soFar: BoxedValue?, _ next: BoxedValue) -> ReturnPolicy<BoxedValue>.Reduction {
  guard case .double(let value) = next, case .double(let total)? = soFar else { return .next(next) }
  return .next(.double(total + value))
}
