import EventRoutingMacros
import Testing

private class Row: EncodedObject {}
private final class Header: EncodedObject {}

private struct Refusal: Error, Equatable {}

private let rowScrolled: TypedEventKey<(Double, String)> = "row.scrolled"

@EventHandling private class Controller {
  var calls: [String] = []

  @EventHandler("row.tapped") func tapped(_ row: Row?, index: Int) { calls.append("tapped \(row == nil ? "nil" : "row") \(index)") }
  @EventHandler("row.moved", "row.dropped") func moved(_ row: Row) throws { calls.append("moved") }
  @EventHandler(rowScrolled) func scrolled(_ row: Row!, by offset: Double, `in` place: String) -> EventReply {
    calls.append("scrolled \(offset) \(place)")
    return .handled
  }
  @EventHandler("row.first") @EventHandler("row.last") private func end(of row: AnyObject?) -> Int {
    calls.append("end")
    return 1
  }
  @EventHandler("row.refused") func refused(_ row: Row?) throws { throw Refusal() }
  @EventHandler("row.many") func many(_ row: Row?, _ a: Int, _ b: Int, _ c: Int, _ d: Double) { calls.append("many \(a + b + c) \(d)") }
  @EventHandler("row.memory") func memory(_ row: Row?, _ pointer: UnsafeMutablePointer<Int>) { unsafe pointer.pointee += 1 }
  #if os(Windows)
    @EventHandler("row.elsewhere") func elsewhere(_ row: Row?) {}
  #endif
  func notMarked() {}
}

@EventHandling private final class Derived: Controller {
  override func tapped(_ row: Row?, index: Int) { calls.append("derived \(index)") }
  @EventHandler("header.tapped") func headerTapped(_ header: Header?) { calls.append("header") }
}

@MainActor @EventHandling private final class Screen {
  var taps = 0
  @EventHandler("tapped") func tapped(_ row: Row?, _ count: Int) { taps += count }
}

@EventHandling private final class Empty {}

/// A class that others see.
@EventHandling public class PublicController {
  /// Creates one.
  public init() {}
  @EventHandler("tapped") func tapped(_ source: AnyObject?) {}
}

@Suite struct EventHandlingTests {
  @Test func eachMarkedMethodIsRegistered() throws {
    let (proxy, controller, row) = (EventProxy(), Controller(), Row())
    let registrations = try controller.registerEventHandlers(on: proxy)
    #expect(
      registrations.map(\.key.name) == [
        "row.tapped", "row.moved", "row.dropped", "row.scrolled", "row.first", "row.last", "row.refused", "row.many", "row.memory",
      ])
    proxy.send("row.tapped", source: row, 3)
    proxy.send("row.dropped", source: row)
    proxy.send(rowScrolled, source: row, 2.5, "list")
    proxy.send("row.last", source: row)
    proxy.send("row.many", source: row, 5, 6, 7, 0.5)
    #expect(controller.calls == ["tapped row 3", "moved", "scrolled 2.5 list", "end", "many 18 0.5"])
    #expect(proxy.send("row.refused", source: row).errors.first as? Refusal == Refusal())
    registrations[0].cancel()
    #expect(!registrations[0].isActive && registrations[1].isActive)
  }

  @Test func theTargetIsHeldAsTheOptionsSay() throws {
    let proxy = EventProxy()
    var controller: Controller? = Controller()
    weak let observed = controller
    try controller?.registerEventHandlers(on: proxy)
    controller = nil
    #expect(observed == nil)
    var kept: Controller? = Controller()
    weak let second = kept
    do {
      let options = HandlerOptions(holding: .strong, duplicates: .replace)
      let registrations = try #require(try kept?.registerEventHandlers(on: proxy, options: options))
      kept = nil
      #expect(second != nil)
      for registration in registrations { registration.cancel() }
    }
    #expect(second == nil)
  }

  @Test func aTakenKeyKeepsNoOtherFromItsHandler() throws {
    let (proxy, controller, row) = (EventProxy(), Controller(), Row())
    let former = [
      try proxy.register("row.refused") { (row: Row?) in },
      try proxy.register("row.dropped") { (row: Row) in },
    ]
    let error = #expect(throws: InvocationError.self) { try controller.registerEventHandlers(on: proxy) }
    #expect(error?.code == .duplicateHandler)
    #expect(
      error?.reason
        == "2 handlers were not registered: the key 'row.dropped' has a handler already: closure; the option duplicates: .append keeps both, .replace the new one; "
        + "the key 'row.refused' has a handler already: closure; the option duplicates: .append keeps both, .replace the new one")
    #expect(former.allSatisfy(\.isActive) && proxy.registrations.count == 9)
    proxy.send("row.tapped", source: row, 1)
    proxy.send("row.many", source: row, 5, 6, 7, 0.5)
    #expect(controller.calls == ["tapped row 1", "many 18 0.5"])
  }

  @Test func aSubclassRegistersItsOwnWhenItsSuperclassFails() throws {
    let (proxy, derived) = (EventProxy(), Derived())
    try proxy.register("row.tapped") { (row: Row?, index: Int) in }
    #expect(code { try derived.registerEventHandlers(on: proxy) } == .duplicateHandler)
    #expect(proxy.registrations.count == 10)
    proxy.send("header.tapped", source: Header())
    #expect(derived.calls == ["header"])
    let other = EventProxy()
    let header = try other.register("header.tapped") { (header: Header?) in }
    let error = #expect(throws: InvocationError.self) { try derived.registerEventHandlers(on: other) }
    // The error of a single one is its own.
    #expect(
      error?.reason
        == "the key 'header.tapped' has a handler already: closure; the option duplicates: .append keeps both, .replace the new one")
    #expect(header.isActive && other.registrations.count == 10)
  }

  @Test func aSubclassRegistersItsOwnToo() throws {
    let (proxy, row, header) = (EventProxy(), Row(), Header())
    let derived = Derived()
    let handling: any EventHandling = derived
    let registrations = try handling.registerEventHandlers(on: proxy, options: HandlerOptions())
    #expect(registrations.count == 10 && registrations.last?.key == "header.tapped")
    proxy.send("row.tapped", source: row, 4)
    proxy.send("header.tapped", source: header)
    #expect(derived.calls == ["derived 4", "header"])
    #expect(try Empty().registerEventHandlers(on: proxy).isEmpty)
  }

  @MainActor @Test func onTheMainActor() throws {
    let (proxy, screen) = (EventProxy(), Screen())
    try screen.registerEventHandlers(on: proxy)
    proxy.send("tapped", source: Row(), 2)
    #expect(screen.taps == 2)
  }
}
