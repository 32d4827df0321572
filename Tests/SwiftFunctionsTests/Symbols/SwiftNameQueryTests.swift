import SwiftSymbols
import TestSupport
import Testing

/// Names by which functions are looked up.
@Suite(.measured) struct SwiftNameQueryTests {
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

  @Test func backticksHideMarksAndAreLeftOut() {
    let raw = SwiftNameQuery("Raw.`My Type`.`a.b(c:)`(`my label`:`x, y`:)")
    #expect(raw.base == "Raw.`My Type`.`a.b(c:)`" && raw.labels == ["my label", "x, y"] && raw.types == nil)
    // A mangled name has U+00A0 where the source has a space.
    #expect(SwiftNameQuery("`My\u{A0}Type`.f").base == "`My Type`.f")
    #expect(SwiftNameQuery("Plug.`class`(`for`:)").base == "Plug.class" && SwiftNameQuery("`class`(`for`:)").labels == ["for"])
    #expect(SwiftNameQuery("`1st`").base == "`1st`" && SwiftNameQuery("`größe`").base == "größe")
    // A method of this name is no initializer.
    #expect(SwiftNameQuery("T.`init`()").base == "T.`init`" && SwiftNameQuery("T.init()").base == "T.init")
    let typed = SwiftNameQuery("f(_: Raw.`My Type`, `1st`: [String: `a, b`]) -> `c d`")
    #expect(typed.labels == ["_", "1st"] && typed.types == ["Raw.`My Type`", "[String: `a, b`]"] && typed.result == " `c d`")
    for text in ["`a", "a`", "`", "``", "a.`b(_:)", "", ".", "a.", "(", "a b(_:)", ":", "a.(_:)", "((", "a.b.`", "<", "a<b"] {
      let query = SwiftNameQuery(text)
      #expect(query.labels == nil || !query.base.isEmpty || text.hasPrefix("("), "\(text)")
    }
  }

  @Test func declarationsAreNames() {
    let setter = SwiftNameQuery("Plug.Rect.width.setter : Swift.Double")
    #expect(setter.base == "Plug.Rect.width.setter" && setter.labels == nil && setter.accessor == .setter)
    #expect(setter.storage == "Plug.Rect.width" && setter.result == "Swift.Double")
    let item = SwiftNameQuery("static Plug.Row.subscript.getter : (key: Swift.String) -> Swift.Int?")
    #expect(item.isStatic && item.accessor == .getter && item.labels == ["key"] && item.types == ["Swift.String"])
    let made = SwiftNameQuery("Plug.Shape.__allocating_init(name: Swift.String) -> Plug.Shape")
    #expect(made.base == "Plug.Shape.init" && made.labels == ["name"])
    let less = SwiftNameQuery("static (extension in Plug):Swift.Comparable..< infix<A where A: Plug.P>(A, (A) -> A) -> Swift.Bool")
    #expect(less.isStatic && less.base == "Swift.Comparable..<" && less.labels == ["_", "_"] && less.types == ["A", "(A) -> A"])
    #expect(SwiftNameQuery("static Plug.Rect.- prefix(Plug.Rect) -> Plug.Rect").base == "Plug.Rect.-")
    let each = SwiftNameQuery("Plug.Box.each<A, each B where A == (Swift.Int) -> Swift.Int>(repeat B) -> ()")
    #expect(each.base == "Plug.Box.each" && each.types == ["repeat B"])
    #expect(SwiftNameQuery("prefix(_:)").base == "prefix" && SwiftNameQuery("static prefix -(_:)").base == "-")
  }

  @Test func typesAgreeWithoutTheirModules() {
    for row in TextTable.symbols.rows("written types that a symbol has") { expect(SwiftNameQuery.matches(row[0], row[1]), row[0]) }
    for row in TextTable.symbols.rows("written types that are not") { expect(!SwiftNameQuery.matches(row[0], row[1]), row[0]) }
    expect(SwiftNameQuery.matches("[`My Type`]", "[Raw.`My\u{A0}Type`]"))
  }
}
