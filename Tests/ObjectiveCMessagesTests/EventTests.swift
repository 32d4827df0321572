import DynamicInvocation
public import EventRouting
public import ObjectiveCMessages
import TestSupport
import Testing

/// Events whose handlers are methods of Objective-C objects.
@Suite(.enabled(if: Fixtures.isAvailable, "gcc has no Objective-C, or GNUstep is missing")) struct EventTests {
  private func text(_ screen: ObjectiveCObject) throws -> String { try Invocation.send(screen, "text") }

  /// Sends an event to a proxy, and returns the code of its error.
  private func failure(_ proxy: EventProxy, _ key: EventKey, _ arguments: BoxedValue...) throws -> InvocationError.Code? {
    let outcome = proxy.send(key, source: nil, arguments: arguments)
    expectEqual(outcome.calls + outcome.errors.count, 1, "\(key)")
    return try outcome.errors.first.map { try require(($0 as? EventError)?.reason ?? $0 as? InvocationError).code }
  }

  @Test("A key leads to a method, whose own types convert the boxes, as the compiled message has them")
  func listing() throws {
    try Fixtures.run {
      let (screen, button) = (try Fixtures.make("Screen"), try Fixtures.make())
      let (controller, view) = (ResponderNode("controller"), ResponderNode("view"))
      controller.addChild(view)
      try controller.proxy.register("button3", target: screen, selector: "tapped:button:tag:frame:note:")
      let frame = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
      let outcome = view.send("button3", source: button, arguments: [.object(button), .int(7), .rect(frame), .null])
      expectEqual(outcome.handledCount, 1)
      let sent = try text(screen)
      try Fixtures.function("o_tapped", "v^v^v")(Optional(screen.objectPointer), Optional(button.objectPointer))
      expectEqual(sent, try text(screen))
      expectEqual(sent, "tapped 1 1 7 1,2,3,4 0")
    }
  }

  @Test("Each kind of value, and what does not fit")
  func kinds() throws {
    try Fixtures.run {
      let screen = try Fixtures.make("Screen")
      let proxy = EventProxy()
      try proxy.register("kinds", target: screen, selector: "kinds:isOn:small:ratio:selector:type:name:range:")
      func send(
        isOn: BoxedValue = .bool(true), small: BoxedValue = .int(-3), ratio: BoxedValue = .double(0.5),
        selector: BoxedValue = .selector("add:to:"), name: BoxedValue = .string("Ada"),
        range: BoxedValue = .range(.init(location: 2, length: 5))
      ) throws -> InvocationError.Code? {
        try failure(proxy, "kinds", isOn, small, ratio, selector, .object(Fixtures.type()), name, range)
      }
      expectNil(try send())
      expectEqual(try text(screen), "kinds 1 -3 0.5 add:to: Fixture Ada 2+5")
      expectNil(try send(isOn: .int(0), small: .double(4), ratio: .int(2), selector: .null, name: .null))
      expectEqual(try text(screen), "kinds 0 4 2 - Fixture - 2+5")
      expectEqual(try send(small: .int(40_000)), .outOfRange)
      expectEqual(try send(small: .double(0.5)), .inexact)
      expectEqual(try send(small: .null), .nullNotAllowed)
      expectEqual(try send(ratio: .string("x")), .typeMismatch)
      expectEqual(try send(range: .rect(.init(x: 0, y: 0, width: 0, height: 0))), .typeMismatch)
      expectEqual(try failure(proxy, "kinds", 1, 2), .countMismatch)
      expectEqual(try text(screen), "kinds 0 4 2 - Fixture - 2+5")
    }
  }

  @Test("A handler is the message of an invocation, whose target is weak and whose arguments do not count")
  func invocation() throws {
    try Fixtures.run {
      let proxy = EventProxy()
      var screen: ObjectiveCObject? = try Fixtures.make("Screen")
      var invocation: Invocation? = try Invocation(target: require(screen), selector: "index:row:")
      try invocation?.setArguments(boxed: [.null, .int(9)])
      try proxy.register("row", require(invocation))
      expectNil(try failure(proxy, "row", 4))
      expectEqual(try text(require(screen)), "row 4")
      try expectEqual(require(invocation).argument(at: 3, as: Int.self), 9)
      (invocation, screen) = (nil, nil)
      expectEqual(try Fixtures.live(), 0)
      expect(proxy.send("row", source: nil, arguments: [4]).isUnhandled)
      expectEqual(proxy.keys.count, 0)
      expectError(.argumentNotSet) { try proxy.register("row", Invocation(MethodSignature(types: "v@:@q"))) }
    }
  }

  @Test("Registering names the nearest methods, and refuses one that does not take the source first")
  func registering() throws {
    try Fixtures.run {
      let screen = try Fixtures.make("Screen")
      let proxy = EventProxy()
      expectMessage("Screen does not respond to 'indx:row:'; nearest: index:row:") {
        try proxy.register("row", target: screen, selector: "indx:row:")
      }
      expectError(.typeMismatch) { try proxy.register("row", target: screen, selector: "scale:by:") }
      expectError(.typeMismatch) { try proxy.register("row", target: screen, selector: "number") }
      // A class method, a forwarded message, and a Swift name.
      let type = try Fixtures.type("Screen")
      try proxy.register("made", target: type, selector: "made:")
      expectNil(try failure(proxy, "made"))
      let forwarder: ObjectiveCObject = try Invocation.send(Fixtures.type("Forwarder"), "to:", screen)
      try proxy.register("forwarded", target: forwarder, selector: "index:row:")
      try proxy.register("swift", target: screen, selector: "index(_:row:)")
      expectNil(try failure(proxy, "forwarded", 5))
      expectEqual(try text(screen), "row 5")
      expectNil(try failure(proxy, "swift", 6))
      expectEqual(try text(screen), "row 6")
      #if !canImport(ObjectiveC)
        try proxy.register("other", target: screen, selector: "tapped:")
        let outcome = proxy.send("other", source: SwiftValue(1), arguments: [])
        expectEqual((outcome.errors.first as? InvocationError)?.code, .typeMismatch)
      #endif
    }
  }

  @Test("A result that is owned is released, and answers who asks")
  func results() throws {
    try Fixtures.run {
      let screen = try Fixtures.make("Screen")
      let proxy = EventProxy()
      for (key, selector) in [("new", "newRow:"), ("title", "title:"), ("frame", "frame:")] as [(EventKey, MethodSelector)] {
        try proxy.register(key, target: screen, selector: selector)
        for _ in 0..<3 { expectNil(try failure(proxy, key)) }
      }
      expectEqual(try Fixtures.live(), 4, "the titles, until the end of the pool")
    }
  }

  @Test("A method of a table goes before the one of the runtime, and a hook of the runtime's method runs for an event")
  func order() throws {
    try Fixtures.run {
      nonisolated(unsafe) let screen = try Fixtures.make("Screen")
      let proxy = EventProxy()
      try proxy.register("row", target: screen, selector: "index:row:")
      let table = MethodTable.of(ObjectiveCObject.self)
      try table.add("index:row:") { (target: ObjectiveCObject, source: ObjectiveCObject?, row: Int) in
        _ = try Invocation.send(target, "setNumber:", Int32(row))
      }
      expectNil(try failure(proxy, "row", 8))
      table.remove("index:row:")
      expectEqual(try Invocation.send(screen, "number") as Int32, 8)
      expectEqual(try text(screen), "")
      let hook = try Fixtures.type("Screen").hook(before: "index:row:") { (target: ObjectiveCObject, source: ObjectiveCObject?, row: Int) in
        _ = try? Invocation.send(target, "setNumber:", Int32(10 * row))
      }
      expectNil(try failure(proxy, "row", 3))
      expectEqual(try Invocation.send(screen, "number") as Int32, 30)
      expectEqual(try text(screen), "row 3")
      hook.cancel()
    }
  }
}

#if !canImport(ObjectiveC)
  /// Objective-C objects as the nodes of a tree, as views are; the states are kept beside them.
  extension ObjectiveCObject: Responder {
    /// The object of the property.
    public var nextResponder: (any Responder)? {
      // A node is one Swift object.
      guard let next = try? Invocation.send(self, "nextResponder") as ObjectiveCObject? else { return nil }
      return EventTests.states.first { $0.object == next }?.object
    }

    /// The state of the chain that is tested.
    public var responderState: ResponderState? { EventTests.states.first { $0.object == self }?.state }
  }

  extension EventTests {
    /// The states of a chain; a test runs alone.
    nonisolated(unsafe) fileprivate static var states: [(object: ObjectiveCObject, state: ResponderState)] = []

    @Test("An event goes up a chain of Objective-C objects, is changed on its way, and answered")
    func chain() throws {
      try Fixtures.run {
        let chain = try (0..<3).map { _ in try Fixtures.make("Screen") }
        for (below, above) in zip(chain, chain.dropFirst()) { _ = try Invocation.send(below, "setNextResponder:", above) }
        Self.states = chain.map { ($0, ResponderState()) }
        defer { Self.states = [] }
        // The cell sends, the table adds its section, and the controller's method handles.
        try chain[2].proxy.register("item.selected", target: chain[2], selector: "index:row:section:")
        try chain[2].proxy.register("height", target: chain[2], selector: "heightFor:row:")
        try chain[1].proxy.intercept("row.tapped") { _, _, arguments in .resend("item.selected", arguments + [.int(2)]) }
        expect(chain[0].nextResponder === chain[1] && chain[1].nextResponder === chain[2] && chain[2].nextResponder == nil)
        let outcome = chain[0].send("row.tapped", arguments: [7])
        expectEqual(outcome.finalKey, "item.selected")
        expectEqual(try text(chain[2]), "row 7 in 2 of Screen")
        expectEqual(try chain[0].ask("height", 3) as Double?, 43)
        expect(chain[0].send("row.tipped").isUnhandled)
      }
    }
  }
#endif

extension Fixtures {
  /// What handles the events.
  static let events = #"""
    @interface Screen : Fixture { char text[200]; id next; } @end
    @implementation Screen
    - (void)dealloc { [next release]; [super dealloc]; }
    - (id)nextResponder { return next; }
    - (void)setNextResponder:(id)n { next = [n retain]; }
    - (const char *)text { return text; }
    + (void)made:(id)source {}
    - (void)tapped:(id)source { number++; }
    - (void)tapped:(id)source button:(id)button tag:(long)tag frame:(Rect_)f note:(id)note {
      snprintf(text, sizeof text, "tapped %d %d %ld %g,%g,%g,%g %d", source == button, source != nil, tag, f.origin.x, f.origin.y,
        f.size.width, f.size.height, note != nil);
    }
    - (void)kinds:(id)source isOn:(BOOL)isOn small:(short)small ratio:(float)ratio selector:(SEL)selector type:(Class)type
        name:(const char *)name range:(NSRange)range {
      snprintf(text, sizeof text, "kinds %d %d %g %s %s %s %lu+%lu", isOn, small, ratio, selector ? sel_getName(selector) : "-",
        class_getName(type), name ? name : "-", (unsigned long)range.location, (unsigned long)range.length);
    }
    - (void)index:(id)source row:(long)row { snprintf(text, sizeof text, "row %ld", row); }
    - (void)index:(id)source row:(long)row section:(int)section {
      snprintf(text, sizeof text, "row %ld in %d of %s", row, section, class_getName([source class]));
    }
    - (double)heightFor:(id)source row:(long)row { return 40 + row; }
    - (id)newRow:(id)source { return [Fixture new]; }
    - (id)title:(id)source { return [[Fixture new] autorelease]; }
    - (Rect_)frame:(id)source { Rect_ r = {{1, 2}, {3, 4}}; return r; }
    @end
    void o_tapped(id screen, id button) {
      Rect_ r = {{1, 2}, {3, 4}};
      [screen tapped:button button:button tag:7 frame:r note:nil];
    }
    """#
}
