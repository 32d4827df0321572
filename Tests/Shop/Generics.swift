// Generic functions, and members of constrained extensions.

package protocol Priced {
  var price: Int { get }
}
extension Int: Priced { package var price: Int { self } }
extension String: Priced { package var price: Int { count } }
package protocol Owned: AnyObject {}
extension Animal: Owned {}

package func largest<Value: Comparable>(_ values: [Value]) -> Value? { values.max() }
package func either<First, Second>(_ first: First, _ second: Second, _ isFirst: Bool) -> (First, Second)? {
  isFirst ? (first, second) : nil
}
package func exchange<Value>(_ left: inout Value, _ right: inout Value) { (left, right) = (right, left) }
package func sumOfPrices<Item: Priced & Hashable>(_ items: Set<Item>, _ more: Int, _ factor: Double) -> Int {
  items.reduce(more) { $0 + $1.price }
}
package func decode<Value>(_ type: Value.Type, _ text: String, orElse value: Value) throws -> Value {
  if text.isEmpty { throw ShopError.empty }
  return value
}
package func many<A: Priced, B: Priced, C: Priced, D: Priced>(_ a: A, _ b: B, _ c: C, _ d: D, _ number: Int) -> Int {
  a.price + b.price + c.price + d.price + number
}
package func later<Value: Sendable>(_ value: Value) async throws -> Value { value }
package func grouped<Key: Hashable, Item>(_ items: [Item], by key: Key) -> [Key: [Item]] { [key: items] }
package func same<Value: AnyObject>(_ value: Value) -> Value { value }
package func owned<Value: Owned>(_ value: Value) -> Value { value }
package func element<List: Collection>(_ list: List) -> List.Element? { list.first }
package func mapped<Value>(_ value: Value, _ function: (Value) -> Value) -> Value { function(value) }
package struct Stack<Item> {
  package var items: [Item]
  package init(_ items: [Item]) { self.items = items }
  package func top() -> Item? { items.last }
}
package func stacked<Item>(_ stack: Stack<Item>) -> Item? { stack.top() }
extension Meter {
  package func plus<Value: Priced>(_ value: Value) -> Meter { Meter(self.value + value.price) }
  package mutating func set<Value: Priced>(_ value: Value) { self.value = value.price }
  package init<Value: Priced>(of value: Value) { self.init(value.price) }
  package static func make<Value: Priced>(_ value: Value) -> [Value] { [value] }
  package subscript<Value: Priced>(priced value: Value) -> Int { value.price }
}
extension Animal {
  package func named<Value: Priced>(_ value: Value) -> Value { value }
}
extension Array where Element == Meter {
  package func levels() -> [Int] { map(\.level) }
}
extension Optional where Wrapped == Meter {
  package func levelOrZero() -> Int { self?.level ?? 0 }
}
extension Array {
  package func second() -> Element? { count > 1 ? self[1] : nil }
  package mutating func appendTwice(_ element: Element) { self += [element, element] }
}
extension Array where Element: Equatable {
  package mutating func insertOnce(_ element: Element) { if !contains(element) { append(element) } }
}
extension Optional {
  package func or(_ other: Wrapped) -> Wrapped { self ?? other }
}
package func keepOwned<Value>(_ value: __owned Value) -> Value { value }
package func unfixed<Value>(_ number: Int) -> [Value] { [] }
package func equal<First: Sequence, Second: Sequence>(_ first: First, _ second: Second) -> Bool where First.Element == Second { true }
package func packed<each Value>(_ value: repeat each Value) -> Int { 1 }
package func sumOfAll<Value: Priced>(_ values: Value...) -> Int { values.reduce(0) { $0 + $1.price } }
extension Array {
  package static func twice(_ element: Element) -> [Element] { [element, element] }
  package init(thrice element: Element) { self = [element, element, element] }
  package var middle: Element? {
    get { isEmpty ? nil : self[count / 2] }
    set { if let newValue { append(newValue) } }
  }
  package func paired<Other>(_ other: Other) -> (Element, Other)? { first.map { ($0, other) } }
}
extension Greeter {
  package func greet<Value>(_ value: Value) -> String { greeting() + "\(value)" }
}
extension Stack {
  package func put<Other>(_ other: Other) -> Other { other }
}

/// A class whose objects tell their methods what `Item` is.
package class Repository<Item> {
  package var items: [Item] = []
  package init() {}
  package init(_ item: Item) { items = [item] }
  package func find(_ number: Int) -> Item? { number < items.count ? items[number] : nil }
  package func store(_ item: Item, _ mark: Double) throws -> Int {
    if mark < 0 { throw ShopError.empty }
    items.append(item)
    return items.count
  }
  package func marked(_ item: Item, _ mark: Int) -> [Item] { Array(repeating: item, count: mark) }
  package func later(_ item: Item) async throws -> [Item] { items + [item] }
  package func copy() -> Repository<Item>? { items.first.map { Repository($0) } }
  package class func count(_ item: Item) -> Int { 1 }
  package var last: Item? {
    get { items.last }
    set { items += newValue.map { [$0] } ?? [] }
  }
  package func mapped<Other>(_ other: Other) -> Other { other }
  package func sumOfMarks() -> Int { items.count }
}
package final class NumberRepository: Repository<Int> {}
extension Repository where Item: Equatable {
  package func has(_ item: Item) -> Bool { items.contains(item) }
}
extension Repository where Item == Int {
  package func sum() -> Int { items.reduce(0, +) }
}
package class Keyed<Key: Hashable, Value> {
  package let values: [Key: Value]
  package init(_ values: [Key: Value]) { self.values = values }
  package func value(of key: Key, or other: Value) -> Value { values[key] ?? other }
}
package class Herd<Member: AnyObject> {
  package func lead(_ member: Member) -> Member { member }
}

/// A struct whose values are passed by address where its arguments are not known.
package struct Pair<First: Hashable, Second> {
  package var first: First
  package var second: Second
  package init(_ first: First, _ second: Second) {
    self.first = first
    self.second = second
  }
  package func key() -> First { first }
  package mutating func set(_ second: Second) { self.second = second }
  package static func make(_ first: First, _ second: Second) -> Pair? { Pair(first, second) }
}
extension Stack {
  package mutating func push(_ item: Item) { items.append(item) }
  package func joined(_ other: Stack) -> Stack? { Stack(items + other.items) }
  package static func one(_ item: Item) -> Stack { Stack([item]) }
}

/// An enum in registers, whatever its arguments are, a struct with one and a closure, and a struct of five words.
package enum Loading<Value> {
  case idle
  case loaded([Value])
  package func count() -> Int { if case .loaded(let values) = self { values.count } else { 0 } }
}
package struct Job<Value> {
  package let loading: Loading<Value>
  package let number: Int
  package let make: (Value) -> Int
  package init(_ number: Int, _ make: @escaping (Value) -> Int) { (loading, self.number, self.make) = (.idle, number, make) }
  package func run(_ value: Value) -> Int { make(value) + number }
}
package struct Crate<Value> {
  package let owner: Repository<Value>
  package let numbers: (Int, Int, Int, Int)
  package func count() -> Int { owner.items.count }
}
extension Greeter {
  package func greetAll(_ names: [String], _ count: Int) -> String { greeting() + names.joined() + "\(count)" }
  package mutating func become(_ other: Self) { self = other }
  package static func standard() -> Int { 1 }
}
extension Greeter where Self: Priced {
  package func offer() -> Int { price }
}
package class German: Greeter {
  package init() {}
  package func greeting() -> String { "hallo" }
  package var tone: String { "laut" }
}
