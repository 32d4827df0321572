import InvocationMacros
import Testing

package struct TableRefusal: Error, Equatable {
  var number: Int
}

package enum Mode: Equatable { case quiet, loud(Int) }

@Dispatchable package protocol TableDelegate: AnyObject {
  @DispatchDefault(-1) func rowCount() -> Int
  func selected(_ row: Int) throws
  func check(_ row: Int) throws(TableRefusal)
  @DispatchDefault("nobody") var title: String { get }
  @DispatchDefault(Mode.quiet) @DispatchPolicy(.first) var mode: Mode { get set }
  func `repeat`(in text: String, then body: (String) -> Void)
  func grow(by step: Int, _ total: inout [Int])
  func later(_ value: @autoclosure () -> Int, `inout` body: @escaping () -> Void)
  @DispatchPolicy(.firstNonNil) func tip(at row: Int) -> String?
  func note() -> String!
  @DispatchPolicy(.anyTrue) func isKnown(_ name: String) -> Bool
  @DispatchPolicy(.allTrue) func shouldSelect(_ row: Int) -> Bool
  @DispatchPolicy(.reduce({ (sum: Int?, next: Int) in next < 0 ? .end(-100) : .next((sum ?? 0) + next) })) @DispatchDefault(0)
  func sum(_ row: Int) -> Int
  @DispatchPolicy(.first) func touch()
  @DispatchDefault(0) subscript(row: Int) -> Int { get set }
  @DispatchDefault("") subscript(at row: Int) -> String { get }
  @DispatchDefault({ 0 }) func maker() -> () -> Int
  func load(_ row: Int) async throws -> Int
  @DispatchDefault(0) var size: Int { get async }
  @DispatchRequired func required() -> Int
  #if os(Windows)
    @DispatchRequired func neverHere() -> Missing
  #else
    @discardableResult func here() throws -> (Int, String)
  #endif
}

private final class Delegate: TableDelegate {
  let number: Int
  var calls: [String] = []
  var mode: Mode
  var whenSelected: () -> Void = {}
  var items: [Int: Int] = [:]
  init(_ number: Int) {
    self.number = number
    mode = .loud(number)
  }

  func rowCount() -> Int { number * 10 }
  func selected(_ row: Int) throws {
    calls.append("selected \(row)")
    whenSelected()
    if row == number || row < 0 { throw TableRefusal(number: number) }
  }
  func check(_ row: Int) throws(TableRefusal) {
    calls.append("check \(row)")
    if row >= 0 { throw TableRefusal(number: number + row) }
  }
  var title: String { "title \(number)" }
  func `repeat`(in text: String, then body: (String) -> Void) { body(text + "\(number)") }
  func grow(by step: Int, _ total: inout [Int]) { total.append((total.last ?? 0) + step * number) }
  func later(_ value: @autoclosure () -> Int, `inout` body: @escaping () -> Void) {
    calls.append("later \(value())")
    body()
  }
  func tip(at row: Int) -> String? {
    calls.append("tip")
    return row == number ? "tip of \(number)" : nil
  }
  func note() -> String! { number == 2 ? nil : "note" }
  func isKnown(_ name: String) -> Bool {
    calls.append("known")
    return name == "\(number)"
  }
  func shouldSelect(_ row: Int) -> Bool {
    calls.append("should")
    return row != number
  }
  func sum(_ row: Int) -> Int {
    calls.append("sum")
    return row < 0 && number == 2 ? -1 : number
  }
  func touch() { calls.append("touch") }
  subscript(row: Int) -> Int {
    get { items[row] ?? 0 }
    set { items[row] = newValue * number }
  }
  subscript(at row: Int) -> String { "\(number) at \(row)" }
  func maker() -> () -> Int { { self.number } }
  func load(_ row: Int) async throws -> Int {
    await Task.yield()
    calls.append("load")
    if row == number { throw TableRefusal(number: row) }
    return number
  }
  var size: Int { get async { number } }
  func required() -> Int { number }
  @discardableResult func here() throws -> (Int, String) { (number, "here") }
}

@Suite struct DispatchableTests {
  private let one = Delegate(1)
  private let two = Delegate(2)
  private let three = Delegate(3)

  private func heard() -> [[String]] { [one, two, three].map(\.calls) }

  @Test("All implementers are called in order, and the last result counts (D2.1, D2.2)") func lastOfAll() throws {
    let dispatcher = TableDelegateDispatcher(one, nil, two, three)
    let delegate: any TableDelegate = dispatcher
    #expect(delegate.rowCount() == 30 && delegate.title == "title 3" && delegate[at: 4] == "3 at 4" && delegate.maker()() == 3)
    #expect(delegate.required() == 3 && delegate.note() == "note")
    #expect(try delegate.here() == (3, "here"))
    var texts: [String] = []
    delegate.repeat(in: "x") { texts.append($0) }
    #expect(texts == ["x1", "x2", "x3"])
    var total = 0
    var count = 0
    let box = Box()
    delegate.later(
      {
        count += 1; return count
      }(), `inout`: { box.number += 1 })
    total = box.number
    #expect(total == 3 && heard().map(\.last) == ["later 1", "later 2", "later 3"])
    #expect(dispatcher.numbers == [0, 2, 3] && dispatcher.implementers.map(\.title) == ["title 1", "title 2", "title 3"])
  }

  @Test("An inout argument goes from one implementer to the next (D2.11)") func threadedThrough() {
    let delegate: any TableDelegate = TableDelegateDispatcher(three, one)
    var total = [100]
    delegate.grow(by: 10, &total)
    #expect(total == [100, 130, 140])
  }

  @Test("Each policy chooses who is called and what the result is (D2.3, D2.4, D2.6, D2.7)")
  func policies() {
    let delegate: any TableDelegate = TableDelegateDispatcher(one, two, three)
    #expect(delegate.tip(at: 2) == "tip of 2" && delegate.tip(at: 9) == nil)
    #expect(heard().map(\.count) == [2, 2, 1])
    #expect(delegate.isKnown("2") && !delegate.isKnown("7"))
    #expect(heard().map(\.count) == [4, 4, 2])
    #expect(delegate.shouldSelect(7) && !delegate.shouldSelect(1))
    #expect(heard().map(\.count) == [6, 5, 3])
    #expect(delegate.sum(1) == 6 && delegate.sum(-1) == -100)
    #expect(heard().map(\.count) == [8, 7, 4])
    delegate.touch()
    #expect(heard().map(\.last) == ["touch", "sum", "sum"])
    #expect(delegate.mode == .loud(1))
  }

  @Test func settersReachAllUnlessThePolicySaysOne() {
    let delegate: any TableDelegate = TableDelegateDispatcher(one, two, three)
    delegate.mode = .quiet
    #expect([one, two, three].map(\.mode) == [.quiet, .loud(2), .loud(3)])
    delegate[5] = 7
    #expect([one, two, three].map(\.items) == [[5: 7], [5: 14], [5: 21]] && delegate[5] == 21)
  }

  @Test("The first error is thrown after all were called (D5.1)")
  func theFirstErrorIsThrownAfterAllWereCalled() throws {
    let delegate: any TableDelegate = TableDelegateDispatcher(one, two, three)
    #expect(throws: TableRefusal(number: 2)) { try delegate.selected(2) }
    #expect(throws: TableRefusal(number: 1)) { try delegate.selected(-1) }
    try delegate.selected(9)
    #expect(heard().allSatisfy { $0 == ["selected 2", "selected -1", "selected 9"] })
    do throws(TableRefusal) {
      try delegate.check(5)
      Issue.record("nothing was thrown")
    } catch {
      #expect(error.number == 6)
    }
    try delegate.check(-1)
  }

  @Test("When nobody is there, the result is the default, or an error (D3.3)") func nobody() async throws {
    let delegate: any TableDelegate = TableDelegateDispatcher()
    #expect(delegate.rowCount() == -1 && delegate.title == "nobody" && delegate.mode == .quiet && delegate.maker()() == 0)
    #expect(delegate.tip(at: 1) == nil && delegate.note() == nil && !delegate.isKnown("1") && delegate.shouldSelect(1))
    #expect(delegate[3] == 0 && delegate.sum(1) == 0)
    try delegate.selected(1)
    delegate.touch()
    #expect(code { try delegate.here() } == .unrecognizedSelector)
    let error = await #expect(throws: InvocationError.self) { try await TableDelegateDispatcher().load(1) }
    #expect(error?.code == .unrecognizedSelector && error?.reason == "nobody is there to answer 'TableDelegate.load(_:)'")
  }

  @Test("When nobody is there, a requirement without a default ends the program (D3.3)")
  func nobodyWhereSomebodyIsRequired() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = TableDelegateDispatcher().required()
    }
    let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) }
    #expect(text?.contains("nobody is there to answer 'TableDelegate.required()'") == true)
  }

  @Test("Implementers are not kept alive (D4.1)") func weak() {
    var short: Delegate? = Delegate(9)
    weak let observed = short
    let delegate = TableDelegateDispatcher(one, short)
    #expect(delegate.rowCount() == 90)
    short = nil
    #expect(observed == nil && delegate.rowCount() == 10 && delegate.numbers == [0])
  }

  @Test("An implementer added within a call waits, and one removed is not called (D4.10)")
  func changesWithinACall() throws {
    let dispatcher = TableDelegateDispatcher(one, two)
    one.whenSelected = { [dispatcher, two, three] in
      dispatcher.remove(two)
      _ = try? dispatcher.append(three)
    }
    try dispatcher.selected(9)
    #expect(heard() == [["selected 9"], [], []])
    try dispatcher.selected(8)
    #expect(heard() == [["selected 9", "selected 8"], [], ["selected 8"]])
    // A call within a call.
    one.whenSelected = { [unowned one] in
      one.whenSelected = {}
      try? dispatcher.selected(7)
    }
    try dispatcher.selected(6)
    #expect(heard() == [["selected 9", "selected 8", "selected 6", "selected 7"], [], ["selected 8", "selected 7", "selected 6"]])
  }

  @Test func theListIsChanged() throws {
    let dispatcher = TableDelegateDispatcher()
    #expect(try dispatcher.append(two) == 0 && dispatcher.insert(one, at: 0) == 1 && dispatcher.append(two) == 0)
    #expect(dispatcher.sum(0) == 3)
    #expect(try dispatcher.append(two, allowsDuplicates: true) == 2)
    #expect(dispatcher.sum(0) == 5 && dispatcher.numbers == [1, 0, 2])
    #expect(code { try dispatcher.insert(three, at: -1) } == .indexOutOfRange)
    #expect(dispatcher.remove(two) && !dispatcher.remove(two) && dispatcher.remove(number: 1) && dispatcher.implementers.isEmpty)
    try dispatcher.append(three)
    dispatcher.removeAll()
    #expect(dispatcher.rowCount() == -1)
  }

  @Test("A dispatcher may be an implementer of another, but not of itself (D4.11)")
  func dispatchersOfDispatchers() throws {
    let inner = TableDelegateDispatcher(two, three)
    let outer = TableDelegateDispatcher(one, inner)
    #expect(outer.sum(1) == 6 && outer.rowCount() == 30)
    #expect(throws: TableRefusal(number: 2)) { try outer.selected(2) }
    #expect(code { try inner.append(outer) } == .dispatchCycle)
    #expect(code { try inner.insert(inner, at: 0) } == .dispatchCycle)
    #expect(inner.implementers.count == 2)
  }

  @Test func asynchronousRequirementsWaitForEachOther() async throws {
    #expect(try await loaded(5) == 30)
    await #expect(throws: TableRefusal(number: 1)) { try await loaded(1) }
  }

  private nonisolated func loaded(_ row: Int) async throws -> Int {
    let (first, second) = (Delegate(1), Delegate(3))
    let dispatcher = TableDelegateDispatcher(first, second)
    defer { withExtendedLifetime((first, second)) {} }
    let last = try await dispatcher.load(row)
    #expect(first.calls == ["load"] && second.calls == ["load"])
    return await last * 10 * (dispatcher.size == 3 ? 1 : 0)
  }
}

private final class Box { var number = 0 }

// MARK: Other protocols

@MainActor @Dispatchable package protocol ScreenDelegate: AnyObject {
  @DispatchDefault(0) func width() -> Int
}

@MainActor @Dispatchable package protocol NamedScreen: AnyObject, Sendable {
  func show()
  @DispatchDefault("") nonisolated var name: String { get }
}

@MainActor private final class Screen: ScreenDelegate, NamedScreen {
  var isShown = false
  func width() -> Int { 80 }
  func show() { isShown = true }
  nonisolated var name: String { "screen" }
}

@Dispatchable package protocol Shared: AnyObject, Sendable {
  func add(_ number: Int) async -> Int?
}

private actor Counter: Shared {
  var total = 0
  func add(_ number: Int) -> Int? {
    total += number
    return total
  }
}

package protocol Scrolling: AnyObject { func didScroll(_ offset: Double) }

@Dispatchable(repeatsInherited: true) package protocol GridDelegate: AnyObject, Scrolling {
  func didScroll(_ offset: Double)
  func use(_ memory: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>?
}

private final class Grid: GridDelegate {
  var offset = 0.0
  func didScroll(_ offset: Double) { self.offset = offset }
  func use(_ memory: UnsafeMutablePointer<Int>) -> UnsafeMutablePointer<Int>? {
    unsafe memory.pointee += 1
    return unsafe memory
  }
}

/// A protocol that others see.
public enum Enclosing {
  /// In another type.
  @Dispatchable public protocol Inner: AnyObject {
    /// Says something.
    func say(_ text: String)
  }
}

@Suite struct DispatchableProtocolTests {
  @MainActor @Test func ofTheMainActor() {
    let screen = Screen()
    let dispatcher = ScreenDelegateDispatcher()
    #expect(throws: Never.self) { try dispatcher.append(screen) }
    let delegate: any ScreenDelegate = dispatcher
    #expect(delegate.width() == 80 && dispatcher.implementers.count == 1)
    #expect(code { try dispatcher.append(ScreenDelegateDispatcher(dispatcher)) } == .dispatchCycle)
    let named: any NamedScreen = NamedScreenDispatcher(screen)
    named.show()
    #expect(named.name == "screen" && screen.isShown)
  }

  @Test func sendable() async {
    let (first, second) = (Counter(), Counter())
    let dispatcher = SharedDispatcher(first, second)
    let task = Task.detached { await dispatcher.add(3) }
    #expect(await task.value == 3)
    #expect(await dispatcher.add(4) == 7)
    #expect(await first.total == 7)
  }

  @Test func inheritedRequirementsAreRepeated() {
    let (left, right) = (Grid(), Grid())
    let scrolling: any Scrolling = GridDelegateDispatcher(left, right)
    scrolling.didScroll(4)
    #expect(left.offset == 4 && right.offset == 4)
    var number = 5
    unsafe withUnsafeMutablePointer(to: &number) { pointer in
      #expect(unsafe GridDelegateDispatcher(left, right).use(pointer) == pointer)
    }
    #expect(number == 7)
  }

  @Test func inAnotherType() {
    final class Speaker: Enclosing.Inner {
      var said: [String] = []
      func say(_ text: String) { said.append(text) }
    }
    let speaker = Speaker()
    let dispatcher: any Enclosing.Inner = Enclosing.InnerDispatcher(speaker)
    dispatcher.say("hello")
    #expect(speaker.said == ["hello"])
  }
}
