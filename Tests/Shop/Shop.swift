// What the tests of FunctionReplacement replace: functions of each kind, and others that call them. It is compiled with
// `-enable-implicit-dynamic`, and has no protocol for its tests' sake.

import Dispatch
package import Synchronization

/// A value of two words, in registers.
package struct Cart: Sendable, Equatable {
  package var items: [Int]
  package var name: String

  package init(_ items: [Int], name: String = "cart") {
    self.items = items
    self.name = name
  }

  package init(checking items: [Int]) throws {
    if items.isEmpty { throw ShopError.empty }
    self.init(items)
  }

  package func total() -> Int { items.reduce(0, +) }
  package func total(plus more: Int) throws -> Int { total() + more }
  package mutating func add(_ item: Int) { items.append(item) }
  package mutating func removeLast() throws -> Int {
    if items.isEmpty { throw ShopError.empty }
    return items.removeLast()
  }
  package static func price(of item: Int) -> Int { item * 100 }

  package var count: Int { items.count }
  package static var currency: String { "EUR" }
  package var label: String {
    get { name }
    set { name = newValue }
  }
  package subscript(index: Int) -> Int {
    get { items[index] }
    set { items[index] = newValue }
  }
  package var later: Int { get async throws { items.count } }

  private func secret(_ number: Int) -> Int { number + 1 }
  package func useSecret(_ number: Int) -> Int { secret(number) }
}

package enum ShopError: Error, Equatable {
  case empty
  case refused(String)
}

/// A value in vector registers.
package struct Position: Sendable, Equatable {
  package var x: Double
  package var y: Double

  package init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  package func scaled(by factor: Double) -> Position { Position(x: x * factor, y: y * factor) }
}

/// A value that is passed and returned in memory.
package struct Report: Sendable, Equatable {
  package var lines: [String]
  package var numbers: (Int, Int, Int, Int)
  package var title: String

  package init(title: String) {
    self.title = title
    lines = []
    numbers = (1, 2, 3, 4)
  }

  package static func == (left: Report, right: Report) -> Bool {
    left.lines == right.lines && left.numbers == right.numbers && left.title == right.title
  }

  package func joined(_ other: Report) -> Report {
    var report = self
    report.lines += other.lines + [other.title]
    return report
  }
  package mutating func append(_ line: String) { lines.append(line) }
}

/// A value that is passed by address, since it has an existential.
package struct Parcel {
  package var content: Any
  package init(_ content: Any) { self.content = content }
  package func opened() -> Any { content }
}

package enum Size: Sendable {
  case small, large
  package func text() -> String { self == .small ? "S" : "L" }
}

package class Mailer {
  package let host: String
  package var sent: [String] = []

  package init(host: String) { self.host = host }
  package convenience init() { self.init(host: "localhost") }

  package func send(_ text: String, to address: String) throws -> Int {
    if text.isEmpty { throw ShopError.empty }
    sent.append("\(address): \(text)")
    return sent.count
  }
  package func prefix() -> String { "mail" }
  package class func standard() -> Mailer { Mailer(host: "standard") }
  package final func description(of number: Int) -> String { "\(host)/\(number)" }
}

package final class SecureMailer: Mailer {
  package override func prefix() -> String { "secure " + super.prefix() }
}

package actor Counter {
  var number = 0
  package init() {}
  package func next() -> Int {
    number += 1
    return number
  }
}

/// An object whose number is counted.
package final class Tracked: Sendable {
  package static let count: Atomic<Int> = Atomic(0)
  package init() { Self.count.add(1, ordering: .relaxed) }
  deinit { Self.count.subtract(1, ordering: .relaxed) }
}

package struct Box {
  package var items: [Tracked] = []
  package init() {}
  package init(owning item: Tracked) { items = [item] }
  package init(throwing item: Tracked) throws { items = [item] }
  package mutating func store(_ item: Tracked, _ list: __owned [Tracked]) { items = [item] + list }
}

package func keep(_ function: @escaping () -> Tracked) { _ = function() }
package func lend(_ function: (Tracked) -> Tracked) { _ = function(Tracked()) }
package func give() -> (Tracked) -> Tracked { { $0 } }

package func area(_ width: Double, _ height: Double) -> Double { width * height }
package func areaOfSquare(_ width: Double) -> Double { area(width, width) }
package func factorial(_ number: Int) -> Int { number < 2 ? 1 : number * factorial(number - 1) }
package func swapped(_ left: inout Int, _ right: inout Int) { (left, right) = (right, left) }
package func pair(_ value: (Int, String)) -> (String, Int) { (value.1, value.0) }
package func anything(_ value: Any) -> Any { value }
package func sum(
  _ a: Int, _ b: Int, _ c: Int, _ d: Int, _ e: Int, _ f: Int, _ g: Int, _ h: Double, _ i: String, _ j: Int8, _ k: Bool
) -> String { "\(a + b + c + d + e + f + g) \(h) \(i) \(j) \(k)" }
package func apply(_ number: Int, _ function: (Int) -> Int) -> Int { function(number) }
package func compose(_ first: @escaping (Int) -> Int, _ second: @escaping (Int) -> String) -> (Int) -> String { { second(first($0)) } }
package func taken(_ text: consuming String, _ list: __owned [Int]) -> Int { text.count + list.count }
package func identity<Value>(_ value: Value) -> Value { value }

private func hiddenTax(_ amount: Int) -> Int { amount / 10 }
package func withTax(_ amount: Int) -> Int { amount + hiddenTax(amount) }

package func fetch(_ number: Int, from host: String) async throws -> String {
  await Task.yield()
  if number < 0 { throw ShopError.refused(host) }
  return "\(host)/\(number)"
}
package func fetchAll(_ count: Int) async throws -> [String] {
  var all: [String] = []
  for number in 0..<count { all.append(try await fetch(number, from: "shop")) }
  return all
}
package func summary(_ first: Report, _ second: Report) async -> Report { first.joined(second) }
@MainActor package func onMain(_ number: Int) -> Int { number }
package nonisolated(nonsending) func near(_ number: Int) async -> Int { number }

/// An actor that knows whether its code runs on it.
@globalActor package actor Desk {
  package static let shared = Desk()
  private final class Executor: SerialExecutor, Sendable {
    static let key = DispatchSpecificKey<Bool>()
    let queue = DispatchQueue(label: "desk")
    init() { queue.setSpecific(key: Self.key, value: true) }
    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
  }
  private static let executor = Executor()
  nonisolated package var unownedExecutor: UnownedSerialExecutor { Self.executor.asUnownedSerialExecutor() }
  /// Whether this is code of the actor.
  package static var isHere: Bool { DispatchQueue.getSpecific(key: Executor.key) ?? false }
}
/// Whether it runs where its caller does, before and after a wait.
package nonisolated(nonsending) func isNear(_ number: Int) async -> Bool {
  let isHere = Desk.isHere
  await Task.yield()
  return isHere && Desk.isHere
}
/// What is near of the actor, and whether the actor's code is on it afterwards.
@Desk package func asked(_ number: Int) async -> [Bool] { [Desk.isHere, await isNear(number), Desk.isHere] }

package func onlyGlobal(_ number: Int) -> Int { number }
package func crowded(_ number: Int) -> Int { number }

/// As ``Tracked``, for spies.
package final class Held: Sendable {
  package static let count: Atomic<Int> = Atomic(0)
  package init() { Self.count.add(1, ordering: .relaxed) }
  deinit { Self.count.subtract(1, ordering: .relaxed) }
}

package struct HeldBox {
  package var items: [Held] = []
  package init(owning item: Held) { items = [item] }
  package mutating func store(_ item: Held, _ list: __owned [Held]) { items = [item] + list }
}

package func keepHeld(_ function: @escaping () -> Held) { _ = function() }
package func lendHeld(_ function: (Held) -> Held) { _ = function(Held()) }
package func giveHeld() -> (Held) -> Held { { $0 } }

package func parse(_ text: String) throws(ShopError) -> Int {
  guard let number = Int(text) else { throw .refused(text) }
  return number
}
package func parsePair(_ text: String) throws(ShopError) -> (Report, Int) {
  if text.isEmpty { throw .empty }
  return (Report(title: text), text.count)
}
package func mixed(_ tuple: (Any, Int, any Error)) -> String { "\(tuple.0) \(tuple.1)" }
