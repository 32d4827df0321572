import AllocationCounter
import DynamicInvocation
import EventRouting
import Foundation
import TestSupport
import Testing

extension ProcessWideTests {
  /// Logs of events that are saved and replayed.
  ///
  /// A recorder observes the sends of the process.
  @Suite(.measured) struct EventRecorderTests {
    private final class Row: EncodedObject {}

    /// A page with a list of two rows; the page handles a tap by sending another event from the second row.
    private struct Page {
      let root = ResponderNode("page")
      let rows: [ResponderNode]
      let journal = Journal()

      init() throws {
        let list = root.child("list")
        rows = [list.child("first"), list.child("second")]
        try list.proxy.intercept("row.tapped") { _, _, arguments in .resend("item.selected", arguments + [.double(.infinity)]) }
        try root.proxy.register("item.selected") { [rows, journal] (source: AnyObject?, index: Int, ratio: Double) in
          journal.note("selected \(index) \(ratio) \(source != nil)")
          rows[1].send("shown", arguments: [.rect(Geometry.Rect(x: 1, y: 2, width: 3, height: 4))])
        }
        try root.proxy.register("shown") { [journal] (_: AnyObject?, rect: Geometry.Rect) in journal.note("shown \(rect)") }
      }
    }

    @Test("A log is saved, and replayed in another tree with the same reports (E19.1, E19.2)") func replay() throws {
      let page = try Page()
      let recorder = EventRecorder(of: page.root)
      page.rows[0].send("row.tapped", arguments: [.int(3)])
      page.rows[1].send(TypedEventKey<(String, Float)>("unknown"), source: nil, "x", 0.5, rules: .busUp)
      page.root.send("shown", arguments: [.null], rules: .strategy)
      try Page().root.send("shown", arguments: [.null], rules: .strategy)
      recorder.stop()
      page.root.send("shown", arguments: [.null], rules: .strategy)
      let events = recorder.events
      expectEqual(events.map(\.key), ["row.tapped", "shown", "unknown", "shown"])
      expectEqual(events.map(\.nesting), [1, 2, 1, 1])
      expectEqual(events.map(\.senderPath), [[0, 0], [0, 1], [0, 1], []])
      expect(events.allSatisfy { $0.omissions.isEmpty })

      let saved = try JSONDecoder().decode([EventRecorder.Record].self, from: JSONEncoder().encode(events))
      expectEqual(saved, events)
      let other = try Page()
      for event in saved where event.nesting == 1 {
        try expectEqual(event.replay(in: other.root).description, event.report)
      }
      expectEqual(other.journal.entries, Array(page.journal.entries.prefix(2)))
      expectEqual(other.journal.entries.first, "selected 3 inf true")
    }

    @Test("A recorder of another tree costs a comparison: no report and no boxes (E19.1)") func otherTrees() throws {
      let (root, other) = (ResponderNode("root"), ResponderNode("other"))
      let leaf = root.child("leaf")
      var named = 0
      final class Named: ResponderNode {
        var onName: () -> Void = {}
        override var responderName: String {
          onName()
          return "named"
        }
      }
      let sender = Named()
      sender.onName = { named += 1 }
      leaf.addChild(sender)
      try root.proxy.register("k") { (_: AnyObject?, _: Int) in }
      let recorders = (0..<3).map { _ in EventRecorder(of: other) }
      sender.send("k", 1)
      let before = allocation_count()
      for _ in 0..<1_000 { sender.send("k", 1) }
      // Without optimization, each comparison allocates once.
      expect(allocation_count() - before <= 3_000)
      // A report asks for names.
      expectEqual(named, 0)
      other.send("k", rules: .strategy)
      expectEqual(recorders.map(\.events.count), [1, 1, 1])
      // With an observer there are reports, and still no records.
      let observer = DispatchReport.Observer(after: { _ in })
      sender.send("k", 1)
      expect(named > 0 && recorders.map(\.events.count) == [1, 1, 1])
      withExtendedLifetime((observer, recorders)) {}
    }

    @Test("A recorder records no node at the address of a root that was deallocated (E19.1)") func addressesThatAreUsedAgain() {
      for _ in 0..<200 {
        var root: ResponderNode? = ResponderNode("root")
        let recorder = root.map { EventRecorder(of: $0) }
        root?.send("k", rules: .strategy)
        root = nil
        let others = (0..<8).map { _ in ResponderNode("other") }
        for other in others { other.send("k", rules: .strategy) }
        expectEqual(recorder?.events.count, 1)
      }
    }

    @MainActor
    @Test("A send that waits in another tree is not observed either (E19.1)") func awaitedInOtherTrees() async throws {
      let (root, other) = (ResponderNode("root"), ResponderNode("other"))
      try root.proxy.register("k") { (_: AnyObject?, _: Int) async in }
      let recorder = EventRecorder(of: other)
      await root.sendAwaiting("k", 1)
      var fewest = UInt64.max
      for _ in 0..<20 {
        let before = allocation_count()
        for _ in 0..<100 { await root.sendAwaiting("k", 1) }
        fewest = min(fewest, allocation_count() - before)
      }
      expect(fewest <= 300 && recorder.events.isEmpty)
    }

    @Test("What was not saved is named, and the event is not sent again (E19.3)") func omissions() throws {
      let page = try Page()
      let recorder = EventRecorder(of: page.root)
      page.rows[0].send("k", source: Row(), arguments: [.int(1), .object(Row()), .null], rules: .strategy)
      let event = try #require(recorder.events.first)
      expectEqual(event.omissions, ["argument 0, the source: an object of the class Row", "argument 2: an object of the class Row"])
      let error = #expect(throws: InvocationError.self) { try event.replay(in: page.root) }
      expect(error?.code == .unsupportedType && "\(error.map { "\($0)" } ?? "")".contains("argument 2: an object of the class Row"))
      expect("\(event)".contains("not saved: argument 0"))
    }

    @Test("A sender that the tree does not have is an error, and so is a log that is damaged (E19.3)") func damaged() throws {
      let page = try Page()
      let recorder = EventRecorder(of: page.root)
      page.rows[1].send("k", arguments: [.point(Geometry.Point(x: 1, y: 2)), .double(.nan)], rules: .strategy)
      let event = try #require(recorder.events.first)
      #expect(throws: InvocationError.self) { try event.replay(in: ResponderNode("alone")) }
      let text = try String(decoding: JSONEncoder().encode(event), as: UTF8.self)
      for (part, other) in [(#"{"point":[1,2]}"#, #"{"point":[1]}"#), (#"{"point":[1,2]}"#, "{}"), (#""nan""#, #""x""#)] {
        let damaged = text.replacingOccurrences(of: part, with: other)
        expect(damaged != text)
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(EventRecorder.Record.self, from: Data(damaged.utf8)) }
      }
    }

    @MainActor
    @Test("A send that waits is recorded as one, and waits when it is replayed (E19.1)") func awaited() async throws {
      func page() throws -> ResponderNode {
        let root = ResponderNode("root")
        try root.proxy.register("save") { (_: AnyObject?, count: Int) async in await Task.yield() }
        return root
      }
      let root = try page()
      let recorder = EventRecorder(of: root)
      await root.sendAwaiting("save", 3)
      let event = try #require(recorder.events.first)
      expect(event.isAwaited && event.senderPath == [])
      #expect(throws: InvocationError.self) { try event.replay(in: root) }
      try await expectEqual(event.replayAwaiting(in: try page()).description, event.report)
    }
  }
}
