// More kinds of functions: those that are reached through tables, thunks and coroutines, and those with a convention of their
// own for a parameter.

/// A value with accessors of all kinds.
package struct Meter: Sendable, Equatable {
  package var value: Int = 0
  package private(set) var log: [String] = []

  package init(_ value: Int) { self.value = value }
  package init?(exactly text: String) {
    guard let value = Int(text) else { return nil }
    self.value = value
  }

  package var level: Int {
    get { value }
    set { value = newValue }
  }
  package var observed: Int = 0 {
    willSet { log.append("will \(newValue)") }
    didSet { log.append("did \(observed)") }
  }
  package var guarded: Int {
    get throws {
      if value < 0 { throw ShopError.empty }
      return value
    }
  }
  package var yielded: Int {
    _read { yield value }
    _modify { yield &value }
  }
  package subscript(row: Int, column column: Int) -> Int { row * 100 + column }
  package static subscript(name: String) -> String { "<" + name + ">" }
  package static func + (left: Meter, right: Meter) -> Meter { Meter(left.value + right.value) }
  package static prefix func - (meter: Meter) -> Meter { Meter(-meter.value) }
  package func sum(_ numbers: Int...) -> Int { numbers.reduce(value, +) }
  package func or(_ other: @autoclosure () -> Int) -> Int { value == 0 ? other() : value }
  package func map(_ function: (Int) throws -> Int) rethrows -> Int { try function(value) }
  package consuming func taken() -> [String] { log }
  package func callAsFunction(_ number: Int) -> Int { value * number }
  package func nested() -> Int {
    func inner(_ number: Int) -> Int { number + 1 }
    return inner(value)
  }
  package func withDefault(_ number: Int = 5) -> Int { value + number }
}

package func raise(_ meter: inout Meter) { meter.level += 1 }
package func raiseYielded(_ meter: inout Meter) { meter.yielded += 1 }
package func observe(_ meter: inout Meter, _ number: Int) { meter.observed = number }

package protocol Greeter {
  func greeting() -> String
  var tone: String { get }
}
extension Greeter {
  package func greetTwice() -> String { greeting() + greeting() }
}
package struct English: Greeter {
  package init() {}
  package func greeting() -> String { "hello" }
  package var tone: String { "calm" }
}
package func greet(_ greeter: any Greeter) -> String { greeter.greeting() + " " + greeter.tone }

/// A class whose members are reached through its table.
package class Animal {
  package var legs: Int
  package let name: String
  package required init(legs: Int) {
    self.legs = legs
    name = "animal"
  }
  package init?(name: String) {
    guard !name.isEmpty else { return nil }
    self.name = name
    legs = 4
  }
  package init(throwing name: String) throws {
    guard !name.isEmpty else { throw ShopError.empty }
    self.name = name
    legs = 4
  }
  package convenience init(asking name: String) async { self.init(legs: name.count) }
  package func sound() -> String { "..." }
  package var title: String { name.uppercased() }
  package class var kingdom: String { "animals" }
  package func copy() -> Self { Self(legs: legs) }
  deinit {}
}
package final class Cat: Animal {
  package override func sound() -> String { "meow" }
  package override var title: String { "cat " + super.title }
}
package func chorus(_ animals: [Animal]) -> String { animals.map { $0.sound() + $0.title }.joined() }

package actor Till {
  package var sum = 0
  package init() {}
  package init(sum: Int) async { self.sum = sum }
  package func add(_ number: Int) -> Int {
    sum += number
    return sum
  }
  package func addLater(_ number: Int) async throws -> Int {
    await Task.yield()
    return add(number)
  }
  package nonisolated func name() -> String { "till" }
  package var doubled: Int { sum * 2 }
}

@MainActor package func onMainNow(_ number: Int) -> Int { number }
package func sent(_ animal: sending Animal) -> Int { animal.legs }
package func isolation(_ actor: isolated (any Actor)?) -> Bool { actor == nil }
package func opaque(_ number: Int) -> some Equatable { number }
package func withC(_ function: @convention(c) (Int) -> Int) -> Int { function(3) }
package func withMetatype(_ type: Any.Type) -> String { "\(type)" }
package func never(_ number: Int) throws(Never) -> Int { number }
package func optional(_ number: Int?) -> String? { number.map { "\($0)" } }
package func dictionary(_ values: [String: [Int]], _ set: Set<String>) -> [String: Int] { values.mapValues(\.count) }
package func nothing() {}
package func greeter(_ value: any Greeter) -> any Greeter { value }

/// A value that is not copied.
package struct Ticket: ~Copyable {
  package let number: Int
  package init(_ number: Int) { self.number = number }
  package func read() -> Int { number }
}
package func check(_ ticket: borrowing Ticket) -> Int { ticket.number }
package func take(_ ticket: consuming Ticket) -> Int { ticket.number }

package enum Outer {
  package struct Inner: Sendable {
    package init() {}
    package func depth() -> Int { 2 }
  }
  package static func own() -> Int { 1 }
}

/// A number of at most ten.
@propertyWrapper package struct Clamped: Sendable {
  private var number: Int
  package init(wrappedValue: Int) { number = min(wrappedValue, 10) }
  package var wrappedValue: Int {
    get { number }
    set { number = min(newValue, 10) }
  }
  package var projectedValue: String { "at most ten" }
}

package struct Settings: Sendable {
  @Clamped package var volume = 5
  package static let shared: Settings = Settings()
  package var name = "settings"
  package lazy var later: Int = volume + 1
  package init() {}
  @inlinable package func inlined() -> Int { 1 }
}

private func hiddenRate() -> Int { 1 }
package func rate() -> Int { hiddenRate() }
