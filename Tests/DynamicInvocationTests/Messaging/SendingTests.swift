import DynamicInvocation
import TestSupport
import Testing

/// Messages in one line.
@Suite(.measured) struct SendingTests {
  private final class Label: EncodedObject {
    let text: String
    init(_ text: String) { self.text = text }
  }

  private final class Page {
    var calls: [String] = []
  }

  /// Answers nothing itself.
  private final class Front: Forwarding {
    let page: Page
    init(_ page: Page) { self.page = page }
    func forwardingTarget(for selector: MethodSelector) -> AnyObject? { page }
  }

  /// The methods, added once for all tests.
  private static let methods: Result<Void, any Error> = Result {
    let table = MethodTable.of(Page.self)
    try table.add("area(_:in:)") { (page: Page, tag: Int, frame: Geometry.Rect) -> Double in
      page.calls.append("area \(tag)")
      return Double(tag) + frame.size.width * frame.size.height
    }
    try table.add("show(_:scale:)") { (page: Page, label: Label?, scale: Float) in page.calls.append("\(label?.text ?? "nil") \(scale)") }
    try table.add("label(_:)") { (_: Page, index: Int16) -> Label in Label("\(index)") }
    try table.add("fail") { (_: Page) in throw Refusal() }
    try table.add("length(_:)") { (_: Page, text: String?) -> Int in text?.count ?? -1 }
  }

  init() throws { try Self.methods.get() }

  @Test("A message is one line") func oneLine() throws {
    let page = Page()
    let frame = Geometry.Rect(x: 0, y: 0, width: 3, height: 4)
    let area: Double = try Invocation.send(page, "area(_:in:)", 7, frame)
    let boxed: Double = try Invocation.send(page, "area(_:in:)", 8, .rect(frame))
    expect(area == 19 && boxed == 20)
    let mixed: Double = try Invocation.send(page, "area(_:in:)", BoxedValue.int(9), frame)
    expectEqual(mixed, 21)
    guard case .double(let box) = try Invocation.send(page, "area(_:in:)", 1, frame) as BoxedValue else {
      Issue.record("no double")
      return
    }
    expectEqual(box, 13)
    try Invocation.send(page, "show(_:scale:)", Label("a"), 0.5)
    try Invocation.send(page, "show(_:scale:)", nil, 2)
    try Invocation.send(page, "show(_:scale:)", .object(Label("b")), 1)
    expectEqual(page.calls, ["area 7", "area 8", "area 9", "area 1", "a 0.5", "nil 2.0", "b 1.0"])
    try expectEqual(Invocation.send(page, "label(_:)", 12, as: Label.self).text, "12")
    try expectEqual(Invocation.send(page, "length(_:)", "four", as: Int.self), 4)
    try expectEqual(Invocation.send(page, "length(_:)", nil, as: Int.self), -1)
  }

  @Test func forwarded() throws {
    let page = Page()
    let area: Double = try Invocation.send(Front(page), "area(_:in:)", 7, Geometry.Rect(x: 0, y: 0, width: 1, height: 1))
    expect(area == 8 && page.calls == ["area 7"])
  }

  @Test func errorsNameSelectorAndClass() throws {
    let page = Page()
    expectThrows(Refusal.self) { try Invocation.send(page, "fail") }
    let sends: [(InvocationError.Code, () throws -> Void)] = [
      (.countMismatch, { try Invocation.send(page, "area(_:in:)", 7) }),
      (.typeMismatch, { try Invocation.send(page, "area(_:in:)", "7", 1) }),
      (.outOfRange, { try Invocation.send(page, "label(_:)", 70_000) }),
      (.typeMismatch, { _ = try Invocation.send(page, "label(_:)", 7, as: Int.self) }),
      (.nullNotAllowed, { try Invocation.send(page, "label(_:)", nil) }),
    ]
    for (code, send) in sends {
      let error = try #require(throws: InvocationError.self, performing: send)
      expect(error.code == code && "\(error)".hasPrefix("-[Page "), "\(error)")
    }
    let unknown = try requireThrows(InvocationError.self) { try Invocation.send(page, "area(_:on:)", 7) }
    expect(unknown.code == .unrecognizedSelector && "\(unknown)".contains("Page") && unknown.candidates.contains("area(_:in:)"))
    expect(page.calls.isEmpty)
  }

  private final class Badge: EncodedObject {}
  private enum Key: String, EncodedValue {
    case alpha
  }

  @Test("An argument that the method refuses is named with the message, and null only if it is null") func refusedArguments() throws {
    let table = MethodTable.of(Page.self)
    try table.replace("key(_:)", Implementation { (_: Page, _: Key) in })
    try table.replace("needs(_:)", Implementation { (_: Page, _: Label) in })
    func error(_ selector: MethodSelector, _ argument: (any _CallArgument)?) -> InvocationError? {
      do { try Invocation.send(Page(), selector, argument) } catch { return error as? InvocationError }
      return nil
    }
    let noCase = error("key(_:)", "beta")
    expect(noCase?.code == .typeMismatch && noCase?.reason.contains("null") == false)
    let null = error("needs(_:)", nil)
    expectEqual(null?.code, .nullNotAllowed)
    let otherClass = error("needs(_:)", Badge())
    expectEqual(otherClass?.code, .typeMismatch)
    for (error, name) in [(noCase, "key(_:)"), (null, "needs(_:)"), (otherClass, "needs(_:)")] {
      expect(error?.callee?.contains("Page \(name)]") == true && error?.encoding != nil, "\(error.map { "\($0)" } ?? "none")")
    }
  }

  @Test("A target that gives a message the types of one to a class is an error") func classMessages() throws {
    final class Wrong: Forwarding {
      func methodSignature(for selector: MethodSelector) -> MethodSignature? { try? MethodSignature(types: "v#:") }
    }
    expectErrors(.typeMismatch, { try Invocation.send(Wrong(), "go") }, { _ = try Invocation(target: Wrong(), selector: "go") })
  }
}
