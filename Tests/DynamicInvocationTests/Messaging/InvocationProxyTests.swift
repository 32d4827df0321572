#if arch(x86_64) || arch(arm64)
  import DynamicInvocation
  import InvocationRecords
  import TestSupport
  import Testing

  /// Proxies, recorders and undo stacks.
  @Suite(.measured) struct InvocationProxyTests {
    private final class Document: EncodedObject {
      var title = "Untitled"
      var size = 1
      let undoStack: InvocationUndoStack
      var failure: (any Error)?

      init(levels: Int = 0) { undoStack = InvocationUndoStack(levels: levels) }

      func setTitle(_ title: String) throws {
        if let failure { throw failure }
        let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setTitle(_:)")
        try message.setArgument(self.title, at: 2)
        try message.invoke()
        self.title = title
      }

      func setSize(_ size: Int) throws -> Int {
        let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setSize(_:)")
        try message.setArgument(self.size, at: 2)
        try message.invoke()
        #expect(try message.returnValue(as: Int.self) == 0)
        defer { self.size = size }
        return self.size
      }

      static let register: Void = {
        let table = MethodTable.of(Document.self)
        do {
          try table.add("setTitle(_:)") { (document: Document, title: String) throws in try document.setTitle(title) }
          try table.add("setSize(_:)") { (document: Document, size: Int) throws -> Int in try document.setSize(size) }
        } catch {
          Issue.record(error)
        }
      }()
    }

    private struct Refusal: Error {}

    init() { Document.register }

    private func setTitle(_ title: String, of target: AnyObject) throws {
      let message = try Invocation(target: target, selector: "setTitle(_:)")
      try message.setArgument(title, at: 2)
      try message.invoke()
    }

    @Test func aProxyStandsForItsTarget() throws {
      let (first, second) = (Document(), Document())
      let proxy = InvocationProxy()
      #expect(throws: InvocationError.self) { try setTitle("none", of: proxy) }
      proxy.target = first
      try setTitle("first", of: proxy)
      proxy.target = second
      try setTitle("second", of: proxy)
      #expect([first.title, second.title] == ["first", "second"])
      // Through a proxy for a proxy.
      try setTitle("third", of: InvocationProxy(target: proxy))
      #expect(second.title == "third")
      second.failure = Refusal()
      #expect(throws: Refusal.self) { try setTitle("fourth", of: proxy) }
      let orphan = InvocationProxy(target: first)
      let message = try Invocation(target: orphan, selector: "setSize(_:)")
      try message.setArgument(7, at: 2)
      try message.invoke()
      #expect(try message.returnValue(as: Int.self) == 1)
      orphan.target = nil
      #expect(#expect(throws: InvocationError.self) { try message.invoke() }?.code == .unrecognizedSelector)
      #expect(#expect(throws: InvocationError.self) { try orphan.forwardInvocation(message) }?.code == .unrecognizedSelector)
    }

    @Test func aRecorderReplays() throws {
      let (document, other) = (Document(), Document())
      let recorder = InvocationRecorder(target: document)
      try setTitle("recorded, a text on the heap", of: recorder)
      // Also from an invocation that keeps nothing.
      let message = try Invocation(target: recorder, selector: "setTitle(_:)", retainsArguments: false)
      try "kept, a text on the heap as well".withCString {
        try message.setArgument($0, at: 2)
        try message.invoke()
      }
      #expect(document.title == "Untitled")
      #expect(recorder.invocations.map(\.argumentsRetained) == [true, true])
      try recorder.replay(on: other)
      #expect(document.title == "Untitled")
      #expect(other.title == "kept, a text on the heap as well")
      for _ in 0..<2 { try recorder.replay() }
      #expect(document.title == "kept, a text on the heap as well")
      document.failure = Refusal()
      #expect(throws: Refusal.self) { try recorder.replay() }
      recorder.removeAll()
      try recorder.replay()
      #expect(recorder.invocations.isEmpty)
    }

    @Test func aRecorderKeepsItsArgumentsAsLongAsTheMessages() throws {
      final class Sink {}
      let tracker = LifetimeTracker()
      final class Item: EncodedObject {
        let tracked: LifetimeTracked
        init(_ tracked: LifetimeTracked) { self.tracked = tracked }
      }
      try MethodTable.of(Sink.self).add("take:") { (_: Sink, _: Item) in }
      let recorder = InvocationRecorder(target: Sink())
      for number in 0..<3 {
        let message = try Invocation(target: recorder, selector: "take:")
        try message.setArgument(Item(tracker.object(number)), at: 2)
        try message.invoke()
      }
      #expect(tracker.liveCount == 3)
      try recorder.replay()
      #expect(tracker.liveCount == 3)
      recorder.removeAll()
      #expect(tracker.liveCount == 0)
    }

    @Test func undoAndRedo() throws {
      let document = Document()
      let stack = document.undoStack
      #expect(!stack.canUndo && !stack.canRedo)
      #expect(try !stack.undo())
      for title in ["one", "two", "three"] { try document.setTitle(title) }
      #expect(stack.canUndo)
      for title in ["two", "one", "Untitled"] {
        #expect(try stack.undo())
        #expect(document.title == title)
      }
      #expect(try !stack.undo())
      for title in ["one", "two", "three"] {
        #expect(try stack.redo())
        #expect(document.title == title)
      }
      #expect(try !stack.redo())
      try stack.undo()
      #expect(stack.canRedo)
      // A new change ends what could be redone.
      try document.setTitle("four")
      #expect(!stack.canRedo)
      try stack.undo()
      #expect(document.title == "two")
    }

    @Test func groupsAreOneStep() throws {
      let document = Document()
      let stack = document.undoStack
      stack.beginGroup()
      try document.setTitle("one")
      stack.beginGroup()
      #expect(try document.setSize(5) == 1)
      try stack.endGroup()
      try document.setTitle("two")
      #expect(!stack.canUndo)
      try stack.endGroup()
      for _ in 0..<3 {
        try stack.undo()
        #expect(document.title == "Untitled" && document.size == 1)
        #expect(!stack.canUndo)
        try stack.redo()
        #expect(document.title == "two" && document.size == 5)
      }
      stack.beginGroup()
      try stack.endGroup()
      #expect(try stack.undo())
      #expect(document.title == "Untitled")
    }

    @Test func whatFailsRemains() throws {
      let document = Document()
      let stack = document.undoStack
      stack.beginGroup()
      try document.setTitle("one")
      #expect(try document.setSize(5) == 1)
      try stack.endGroup()
      document.failure = Refusal()
      #expect(throws: Refusal.self) { try stack.undo() }
      // The size was first; the title is still to be undone.
      #expect(document.title == "one" && document.size == 1)
      #expect(stack.canUndo && stack.canRedo && !stack.isUndoing)
      document.failure = nil
      try stack.undo()
      #expect(document.title == "Untitled")
      try stack.redo()
      try stack.redo()
      #expect(document.title == "one" && document.size == 5)
    }

    @Test func levelsAndForgetting() throws {
      let document = Document(levels: 2)
      let stack = document.undoStack
      for title in ["one", "two", "three"] { try document.setTitle(title) }
      while try stack.undo() {}
      #expect(document.title == "one")
      let tracker = LifetimeTracker()
      final class Other { let tracked: LifetimeTracked; init(_ tracked: LifetimeTracked) { self.tracked = tracked } }
      try MethodTable.of(Other.self).add("undo") { (_: Other) in }
      do {
        let other = Other(tracker.object())
        for _ in 0..<2 { try Invocation(target: stack.prepare(withInvocationTarget: other), selector: "undo").invoke() }
        stack.removeAll(withTarget: other)
      }
      #expect(tracker.liveCount == 0)
      try document.setTitle("four")
      stack.removeAll()
      #expect(!stack.canUndo && !stack.canRedo)
    }

    @Test func invokingAfterADelay() async throws {
      let document = Document()
      let message = try Invocation(target: document, selector: "setSize(_:)")
      try message.setArgument(9, at: 2)
      let start = ContinuousClock.now
      try await message.invoke(after: .milliseconds(20))
      #expect(ContinuousClock.now - start >= .milliseconds(20))
      #expect(document.size == 9)
      try await message.invoke(after: .milliseconds(-5), clock: SuspendingClock())
      // A clock cannot count back so far.
      try await message.invoke(after: .seconds(Int64.min))
      #expect(try message.returnValue(as: Int.self) == 9)
    }

    @Test func aCancelledDelayCallsNothing() async throws {
      let task = Task {
        let document = Document()
        let message = try Invocation(target: document, selector: "setSize(_:)")
        try message.setArgument(9, at: 2)
        for seconds in [3_600, Int64.max] {
          await #expect(throws: CancellationError.self) { try await message.invoke(after: .seconds(seconds)) }
        }
        return document.size
      }
      task.cancel()
      #expect(try await task.value == 1)
    }
  }
#endif
