import EventRouting
import TestSupport
import Testing

@Suite(.measured) struct EventKeyTests {
  @Test("Equal names are the same key (E1.1)") func equalNamesAreTheSameKey() {
    let literal: EventKey = "row.tapped"
    expectEqual(literal, EventKey(["row", "tapped"].joined(separator: ".")))
    expect(literal != "row.Tapped")
    expectEqual(Set<EventKey>(["a", "b", "a"]).count, 2)
  }

  @Test func aKeyGivesItsName() {
    expectEqual(EventKey("größer").name, "größer")
    expectEqual("\(EventKey(""))", "")
  }
}
