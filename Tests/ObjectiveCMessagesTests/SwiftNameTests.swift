import DynamicInvocation
import ObjectiveCMessages
import TestSupport
import Testing

@Suite struct SwiftNameTests {
  @Test("Swift names of @objc methods have the selectors of swiftc")
  func names() {
    let table: [(String, Bool, String)] = [
      ("reload()", false, "reload"), ("area(_:)", false, "area:"), ("area(_:_:)", false, "area::"),
      ("area(of:scale:)", false, "areaOf:scale:"),
      ("move(x:y:)", false, "moveWithX:y:"), ("move(toX:y:)", false, "moveToX:y:"), ("moveTo(x:y:)", false, "moveToX:y:"),
      ("init(title:)", false, "initWithTitle:"), ("init(for:)", false, "initFor:"), ("init()", false, "init"),
      ("load(from:)", true, "loadFrom:error:"), ("load()", true, "loadAndReturnError:"), ("load(_:)", true, "load:error:"),
      ("insert(_:at:)", false, "insert:at:"), ("perform(with:)", false, "performWith:"), ("open(url:)", false, "openWithUrl:"),
      ("send(URL:)", false, "sendWithURL:"), ("areaOf:scale:", false, "areaOf:scale:"), ("title", false, "title"),
      ("value(forKey:)", false, "valueForKey:"), ("format(information:)", false, "formatWithInformation:"),
      ("add(into:)", false, "addInto:"), ("show(inView:)", false, "showInView:"), ("handle(input:)", false, "handleWithInput:"),
    ]
    for (name, isThrowing, selector) in table {
      expectEqual(MethodSelector(objectiveC: name, throws: isThrowing).name, selector, name)
    }
    expectEqual(MethodSelector(setterOf: "title").name, "setTitle:")
  }

  @Test("A message by its Swift name finds the method", .enabled(if: Fixtures.isAvailable, "GNUstep is missing"))
  func messages() throws {
    try Fixtures.run {
      let object = try Fixtures.make()
      expectEqual(try Invocation.send(object, "area(of:scale:)", 2.0, 3.0) as Double, 6)
      expectEqual(try Invocation.send(object, "move(toX:y:)", 4, 2) as Int32, 42)
      let error = ObjectiveCReference()
      expectEqual(try Invocation.send(object, MethodSelector(objectiveC: "load()", throws: true), error) as UInt8, 0)
      expect(error.object != nil)
      _ = try Invocation.send(object, MethodSelector(setterOf: "number"), 6)
      expectEqual(try Invocation.send(object, "number") as Int32, 6)
    }
  }
}
