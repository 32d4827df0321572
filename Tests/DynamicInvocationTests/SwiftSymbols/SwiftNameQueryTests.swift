import SwiftSymbols
import Testing

/// Names by which functions are looked up.
@Suite struct SwiftNameQueryTests {
  @Test func namesHaveABaseLabelsAndTypes() {
    let plain = SwiftNameQuery("Plugin.area")
    #expect(plain.base == "Plugin.area" && plain.labels == nil && plain.types == nil)
    let labels = SwiftNameQuery("Plugin.area(of:scale:)")
    #expect(labels.base == "Plugin.area" && labels.labels == ["of", "scale"] && labels.types == nil)
    #expect(SwiftNameQuery("run()").labels == [])
    #expect(SwiftNameQuery("f(_:)").labels == ["_"])
    let typed = SwiftNameQuery("area(of: Rect, scale: [String : (Int, Int)]) -> Double")
    #expect(typed.labels == ["of", "scale"])
    #expect(typed.types == ["Rect", "[String : (Int, Int)]"])
    #expect(typed.result == " Double")
    #expect(SwiftNameQuery("+(Rect, Rect)").labels == ["_", "_"])
    #expect(SwiftNameQuery("f(_: (Int) -> Int, x: Int)").types == ["(Int) -> Int", "Int"])
  }

  @Test func typesAgreeWithoutTheirModules() {
    #expect(SwiftNameQuery.matches("Rect", "Plugin.Rect"))
    #expect(SwiftNameQuery.matches("Plugin.Rect", "Plugin.Rect"))
    #expect(SwiftNameQuery.matches("Corner", "Plugin.Rect.Corner"))
    #expect(SwiftNameQuery.matches("[String: Int]?", "[Swift.String : Swift.Int]?"))
    #expect(SwiftNameQuery.matches("String", "__owned Swift.String"))
    #expect(SwiftNameQuery.matches("any Error", "Swift.Error"))
    #expect(SwiftNameQuery.matches("Void", "()"))
    #expect(!SwiftNameQuery.matches("Rect", "Plugin.SubRect"))
    #expect(!SwiftNameQuery.matches("Int", "Swift.Int?"))
    #expect(!SwiftNameQuery.matches("Other.Rect", "Plugin.Rect"))
    #expect(!SwiftNameQuery.matches("", "Swift.Int"))
  }
}
