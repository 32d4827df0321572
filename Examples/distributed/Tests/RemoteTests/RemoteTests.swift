import Distributed
import DynamicInvocation
import EventRouting
import Foundation
import InvocationRecords
import Remote
import Synchronization
import Testing

final class Account: EncodedObject {
  private var balance: Int64 = 100
  func withdraw(_ amount: Int64) -> Int64 {
    balance -= amount
    return balance
  }

  func close() {}

  static let registered = Result {
    try MethodTable.of(Account.self).add("withdraw(_:)", Account.withdraw)
    try MethodTable.of(Account.self).add("owner()") { (account: Account) -> Account in account }
    try MethodTable.of(Account.self).add("close()") { (account: Account) in account.close() }
  }
}

/// What the handler got.
final class Shown: Sendable {
  private let indices = Mutex<[Int]>([])
  var all: [Int] { indices.withLock { $0 } }
  func append(_ index: Int) { indices.withLock { $0.append(index) } }
}

/// The host of each test.
func makeHost(_ shown: Shown = Shown()) throws -> RemoteHost<LocalTestingDistributedActorSystem> {
  try RemoteHost(actorSystem: LocalTestingDistributedActorSystem()) {
    try Account.registered.get()
    let page = ResponderNode("page")
    try page.proxy.register("row.tapped") { (_: AnyObject?, index: Int) in shown.append(index) }
    return HostContents(
      targets: ["savings": Account()], responder: page, selectors: ["withdraw(_:)", "owner()"], keys: ["row.tapped", "row.gone"])
  }
}

/// The record as another process gets it: encoded, and decoded again.
func sent(_ selector: MethodSelector, _ argument: Int64? = nil) throws -> InvocationRecord {
  let types = argument == nil ? "@@:" : "q@:q"
  let invocation = Invocation(try MethodSignature(types: types))
  invocation.selector = selector
  if let argument { try invocation.setArgument(argument, at: 2) }
  return try JSONDecoder().decode(InvocationRecord.self, from: JSONEncoder().encode(InvocationRecord(invocation)))
}

@Test func aCallIsMadeByTheHost() async throws {
  let host = try makeHost()
  #expect(try await host.invoke(sent("withdraw(_:)", 30), on: "savings") == .integer(70))
  #expect(try await host.invoke(sent("withdraw(_:)", 30), on: "savings") == .integer(40))
}

@Test func whatIsNotOnTheListIsRefused() async throws {
  let shown = Shown()
  let host = try makeHost(shown)
  await #expect(throws: RemoteError.notAccepted("close()")) { try await host.invoke(sent("close()"), on: "savings") }
  await #expect(throws: RemoteError.noTarget("other")) { try await host.invoke(sent("withdraw(_:)", 1), on: "other") }
  await #expect(throws: RemoteError.notAccepted("row.removed")) { try await host.send("row.removed", []) }
  // An object stays where it is.
  await #expect(throws: RemoteError.self) { try await host.invoke(sent("owner()"), on: "savings") }
  #expect(shown.all == [])
}

@Test func anEventReachesTheHostsHandlers() async throws {
  let shown = Shown()
  let host = try makeHost(shown)
  let arguments = try JSONDecoder().decode([RemoteValue].self, from: JSONEncoder().encode([RemoteValue.integer(4)]))
  #expect(try await host.send("row.tapped", arguments))
  #expect(try await !host.send("row.gone", arguments))
  #expect(shown.all == [4])
}
