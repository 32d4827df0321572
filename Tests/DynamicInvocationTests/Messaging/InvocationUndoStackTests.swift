import DynamicInvocation
import InvocationRecords
import TestSupport
import Testing

/// What NSUndoManager has beside messages: closures, action names, disabled registration, notifications.
@Suite struct InvocationUndoStackTests {
  private final class Counter {
    var value = 0
    let stack = InvocationUndoStack()

    func set(_ value: Int) {
      stack.registerUndo(withTarget: self) { [old = self.value] counter in counter.set(old) }
      self.value = value
    }
  }

  private struct Refusal: Error {}

  @Test("A registered closure is undone and redone any number of times")
  func closures() throws {
    let counter = Counter()
    defer { counter.stack.removeAll() }  // the stack keeps its targets
    counter.set(1)
    counter.set(2)
    for _ in 0..<3 {
      #expect(try counter.stack.undo() && counter.value == 1)
      #expect(try counter.stack.undo() && counter.value == 0)
      #expect(try !counter.stack.undo())
      #expect(try counter.stack.redo() && counter.value == 1)
      #expect(try counter.stack.redo() && counter.value == 2)
      #expect(try !counter.stack.redo())
    }
    try counter.stack.undo()
    counter.set(7)
    #expect(!counter.stack.canRedo)
  }

  @Test("What a closure throws comes out of undo, and the closure remains")
  func closuresThatThrow() throws {
    final class Target {}
    let (stack, target) = (InvocationUndoStack(), Target())
    stack.registerUndo(withTarget: target) { _ in throw Refusal() }
    for _ in 0..<2 {
      #expect(throws: Refusal.self) { try stack.undo() }
      #expect(stack.canUndo && !stack.isUndoing && stack.groupingLevel == 0)
    }
  }

  @Test("The stack keeps the target of a closure until its actions are removed")
  func targets() {
    let tracker = LifetimeTracker()
    let stack = InvocationUndoStack()
    do {
      let (first, second) = (tracker.object(), tracker.object())
      stack.registerUndo(withTarget: first) { _ in }
      stack.registerUndo(withTarget: second) { _ in }
      stack.removeAll(withTarget: first)
    }
    #expect(tracker.liveCount == 1)
    #expect(stack.canUndo)
    stack.removeAll()
    #expect(tracker.liveCount == 0)
    #expect(!stack.canUndo)
  }

  @Test("An action name belongs to its step and goes with it to redo and back")
  func actionNames() throws {
    let counter = Counter()
    let stack = counter.stack
    defer { stack.removeAll() }
    stack.setActionName("of no step")
    #expect(stack.undoActionName == "" && stack.redoActionName == "")
    counter.set(1)
    #expect(stack.undoActionName == "")
    stack.setActionName("One")
    stack.beginGroup()
    stack.setActionName("Two and three")
    counter.set(2)
    counter.set(3)
    stack.endGroup()
    #expect(stack.undoActionName == "Two and three")
    try stack.undo()
    #expect(stack.undoActionName == "One" && stack.redoActionName == "Two and three")
    try stack.undo()
    #expect(stack.undoActionName == "" && stack.redoActionName == "One")
    try stack.redo()
    try stack.redo()
    #expect(stack.undoActionName == "Two and three" && counter.value == 3)
  }

  @Test("While registration is disabled nothing is registered")
  func disabledRegistration() throws {
    let counter = Counter()
    let stack = counter.stack
    stack.disableRegistration()
    stack.disableRegistration()
    counter.set(1)
    stack.enableRegistration()
    counter.set(2)
    #expect(!stack.canUndo && !stack.isRegistrationEnabled)
    stack.enableRegistration()
    counter.set(3)
    #expect(stack.canUndo && stack.isRegistrationEnabled)
    try stack.undo()
    #expect(counter.value == 2)
    stack.removeAll()
  }

  @Test("The observer is told of groups, undoing and redoing in order")
  func changes() throws {
    let counter = Counter()
    var changes: [InvocationUndoStack.Change] = []
    counter.stack.onChange = { changes.append($1) }
    defer { counter.stack.removeAll() }
    counter.stack.beginGroup()
    counter.set(1)
    counter.stack.beginGroup()
    #expect(counter.stack.groupingLevel == 2)
    counter.stack.endGroup()
    counter.stack.endGroup()
    try counter.stack.undo()
    try counter.stack.redo()
    #expect(try !counter.stack.redo())
    #expect(
      changes == [
        .didOpenGroup, .didOpenGroup, .willCloseGroup, .didCloseGroup, .willCloseGroup, .didCloseGroup, .willUndo, .didUndo, .willRedo,
        .didRedo,
      ])
  }

  @Test("Groups and registration that are ended without being begun trap")
  func misuse() async {
    await #expect(processExitsWith: .failure) { InvocationUndoStack().enableRegistration() }
    await #expect(processExitsWith: .failure) {
      let stack = InvocationUndoStack()
      // The group of the undoing itself is not the handler's to end.
      stack.registerUndo(withTarget: stack) { $0.endGroup() }
      try stack.undo()
    }
  }

  @Test("What is removed while a step is undone is not performed") func removedMeanwhile() throws {
    final class Target {}
    let (stack, target, other) = (InvocationUndoStack(), Target(), Target())
    var performed: [Int] = []
    for (removesAll, fails) in [(true, false), (false, false), (true, true), (false, true)] {
      stack.beginGroup()
      stack.registerUndo(withTarget: target) { _ in performed.append(1) }
      stack.registerUndo(withTarget: other) { _ in performed.append(2) }
      stack.registerUndo(withTarget: target) { target in
        performed.append(3)
        if removesAll { stack.removeAll() } else { stack.removeAll(withTarget: target) }
        if fails { throw Refusal() }
      }
      stack.endGroup()
      if fails { #expect(throws: Refusal.self) { try stack.undo() } } else { try stack.undo() }
      #expect(performed == (removesAll || fails ? [3] : [3, 2]))
      // A failed step remains, without what was removed.
      #expect(stack.canUndo == (fails && !removesAll))
      try stack.undo()
      #expect(performed == (removesAll ? [3] : [3, 2]) && !stack.canUndo)
      performed = []
    }
    stack.onChange = { stack, change in if change == .willUndo { stack.removeAll() } }
    stack.registerUndo(withTarget: target) { _ in performed.append(4) }
    #expect(try stack.undo() && performed.isEmpty && !stack.canUndo)
  }

  @Test("An array of a message that is undone later is kept") func arrays() throws {
    final class Document {
      var bytes: [UInt8] = []
    }
    let table = MethodTable.of(Document.self)
    try table.replace(
      "fill(_:_:)",
      Implementation { (document: Document, start: UnsafePointer<UInt8>, count: Int) in
        document.bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
      })
    let (stack, document, recorder) = (InvocationUndoStack(), Document(), Document())
    let bytes: [UInt8] = (0..<100).map { UInt8($0) }
    try Invocation.send(stack.prepare(withInvocationTarget: document), "fill(_:_:)", bytes, bytes.count)
    let messages = InvocationRecorder(target: recorder)
    try Invocation.send(messages, "fill(_:_:)", bytes, bytes.count)
    // Memory that was freed is used again.
    var others: [[UInt8]] = []
    for _ in 0..<1_000 { others.append([UInt8](repeating: 0xEE, count: 100)) }
    try stack.undo()
    #expect(document.bytes == bytes && others.count == 1_000)
    try messages.replay()
    #expect(recorder.bytes == bytes)
  }
}
