import InvocationMacros
import Testing

private class View: EncodedObject {
  let name: String
  init(_ name: String = "view") { self.name = name }
}
private final class Button: View {}

private struct Refusal: Error, Equatable {
  var number: Int
}

@Invocable private final class Controller {
  var taps: [String] = []

  func tapped(_ source: View?, tag: Int, frame: Geometry.Rect) -> Bool {
    taps.append("\(source?.name ?? "nil") \(tag) \(frame.size.width)")
    return tag > 0
  }
  func reset() { taps = [] }
  func half(_ number: Int) throws -> Int {
    guard number % 2 == 0 else { throw Refusal(number: number) }
    return number / 2
  }
  func check(_ number: Int) throws(Refusal) {
    guard number % 2 == 0 else { throw Refusal(number: number) }
  }
  func frame(_ number: Int) throws -> Geometry.Rect {
    guard number % 2 == 0 else { throw Refusal(number: number) }
    return Geometry.Rect(x: 1, y: 2, width: 3, height: Double(number))
  }
  func show(_ view: View, in button: Button?) -> Int { view.name.count + (button == nil ? 0 : 100) }
  func `repeat`(`in` text: String, times count: Int = 2) -> Int { text.count * count }
  func itself() -> Self { self }

  @NotInvocable func sort(by areInOrder: (Int, Int) -> Bool) -> Bool { areInOrder(1, 2) }
  @NotInvocable func increment(_ number: inout Int) { number += 1 }
  static func make() -> Controller { Controller() }
  private func hidden() {}
}
extension Controller: EncodedObject {}
extension Controller {
  func outside() {}
}

@Suite struct ControllerTests {
  @Test func nothingIsRegisteredByHand() throws {
    let controller = Controller()
    let invocation = Invocation(try MethodSignature(types: "B@:@q{Rect={Point=dd}{Size=dd}}"))
    invocation.target = controller
    invocation.selector = "tapped(_:tag:frame:)"
    try invocation.setArgument(Button("ok"), at: 2)
    try invocation.setArgument(7, at: 3)
    try invocation.setArgument(Geometry.Rect(x: 0, y: 0, width: 3, height: 4), at: 4)
    for _ in 0..<3 {
      try invocation.invoke()
      #expect(try invocation.returnValue(as: Bool.self))
    }
    try invocation.setArgument(nil, at: 2)
    try invocation.setArgument(0, at: 3)
    try invocation.invoke()
    #expect(try !invocation.returnValue(as: Bool.self))
    #expect(controller.taps == ["ok 7 3.0", "ok 7 3.0", "ok 7 3.0", "nil 0 3.0"])
    try send("reset()", to: controller)
    #expect(controller.taps.isEmpty)
  }

  @Test func theTableHasWhatTheMacroSees() {
    let table = MethodTable.of(Controller.self)
    #expect(
      table.selectors.map(\.name) == [
        "tapped(_:tag:frame:)", "reset()", "half(_:)", "check(_:)", "frame(_:)", "show(_:in:)", "repeat(in:times:)", "itself()",
      ])
    #expect(table.methodSignature(for: "show(_:in:)")?.description == "q@:@@")
    for selector in ["sort(by:)", "increment(_:)", "make()", "hidden()", "outside()"] as [MethodSelector] {
      #expect(!table.responds(to: selector))
    }
    // Excluded from messages only.
    let controller = Controller()
    var number = 1
    controller.increment(&number)
    #expect(number == 2 && controller.sort { $0 < $1 })
  }

  @Test(arguments: 0..<6) func errorsComeOut(number: Int) throws {
    let controller = Controller()
    if number % 2 == 0 {
      #expect(try send("half(_:)", to: controller, number).returnValue(as: Int.self) == number / 2)
      #expect(try send("frame(_:)", to: controller, number).returnValue(as: Geometry.Rect.self).size.height == Double(number))
      try send("check(_:)", to: controller, number)
    } else {
      for selector in ["half(_:)", "check(_:)", "frame(_:)"] as [MethodSelector] {
        #expect(throws: Refusal(number: number)) { try send(selector, to: controller, number) }
      }
    }
  }

  @Test func whatDoesNotFitIsAnError() throws {
    let controller = Controller()
    #expect(try send("show(_:in:)", to: controller, View("abc"), Button?.none).returnValue(as: Int.self) == 3)
    #expect(try send("show(_:in:)", to: controller, View("abc"), Button()).returnValue(as: Int.self) == 103)
    #expect(code { try send("show(_:in:)", to: controller, View?.none, Button()) } == .nullNotAllowed)
    #expect(code { try send("show(_:in:)", to: controller, Button(), View()) } == .typeMismatch)
    #expect(code { try send("show(_:in:)", to: controller, controller, Button?.none) } == .typeMismatch)
  }

  @Test func labelsAreTheFullName() throws {
    let controller = Controller()
    #expect(try send("repeat(in:times:)", to: controller, "Grüße", 3).returnValue(as: Int.self) == 15)
    #expect(try send("itself()", to: controller).returnValue(as: Controller.self) === controller)
  }

  @Test func aMethodIsReplacedAndRemoved() throws {
    let table = MethodTable.of(Replaced.self)
    #expect(code { try table.add("number()", #require(table.implementation(for: "number()"))) } == .duplicateMethod)
    let target = Replaced()
    #expect(try send("number()", to: target).returnValue(as: Int.self) == 1)
    let own = try table.replace("number()", #require(table.implementation(for: "other()")))
    #expect(try send("number()", to: target).returnValue(as: Int.self) == 2)
    try table.replace("number()", #require(own))
    #expect(try send("number()", to: target).returnValue(as: Int.self) == 1)
    table.remove("number()")
    #expect(!table.responds(to: "number()"))
  }
}

@Invocable private final class Replaced {
  func number() -> Int { 1 }
  func other() -> Int { 2 }
}
