import EventRouting
import TestSupport
import Testing

@Suite(.measured) struct EventKeyTests {
  @Test("Equal names are the same key (E1.1)") func equalNamesAreTheSameKey() {
    let literal: EventKey = "row.tapped"
    #expect(literal == EventKey(["row", "tapped"].joined(separator: ".")))
    #expect(literal != "row.Tapped")
    #expect(Set<EventKey>(["a", "b", "a"]).count == 2)
  }

  @Test func aKeyGivesItsName() {
    #expect(EventKey("größer").name == "größer")
    #expect("\(EventKey(""))" == "")
  }
}
