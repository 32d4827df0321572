import DynamicInvocation
import InvocationRecords
import TestSupport
import Testing

/// What NSUndoManager has beside messages: closures, action names, disabled registration, notifications.
@Suite(.measured) struct InvocationUndoStackTests {
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

  @Test("A stack that retains its targets keeps them until their actions are removed")
  func targets() {
    let tracker = LifetimeTracker()
    let stack = InvocationUndoStack(retainsTargets: true)
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

  @Test("An object that owns its stack and registers with it is deallocated") func ownedStacks() throws {
    final class Document {
      let tracked: LifetimeTracked
      let undoStack = InvocationUndoStack()
      var title = ""
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
      deinit { undoStack.removeAll(withTarget: self) }
      func setTitle(_ title: String, byMessage: Bool) throws {
        if byMessage {
          try Invocation.send(undoStack.prepare(withInvocationTarget: self), "setTitle(_:)", self.title)
        } else {
          undoStack.registerUndo(withTarget: self) { [old = self.title] in try $0.setTitle(old, byMessage: false) }
        }
        self.title = title
      }
    }
    try MethodTable.of(Document.self).replace(
      "setTitle(_:)", Implementation { (document: Document, title: String) in try document.setTitle(title, byMessage: true) })
    let tracker = LifetimeTracker()
    for byMessage in [true, false] {
      do {
        let document = Document(tracker.object())
        for title in ["one", "two"] { try document.setTitle(title, byMessage: byMessage) }
        try document.undoStack.undo()
        try document.undoStack.undo()
        #expect(document.title == "")
        try document.undoStack.redo()
        #expect(document.title == "one" && document.undoStack.canRedo)
      }
      #expect(tracker.liveCount == 0)
    }
  }

  @Test("A registered message is a copy: what is set later does not change it, and it does not keep its target") func copies() throws {
    final class Target {
      let tracked: LifetimeTracked
      var values: [Int] = []
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
    }
    try MethodTable.of(Target.self).replace("take(_:)", Implementation { (target: Target, value: Int) in target.values.append(value) })
    let tracker = LifetimeTracker()
    let stack = InvocationUndoStack()
    do {
      let target = Target(tracker.object())
      let message = try Invocation(target: target, selector: "take(_:)")
      for value in 1...3 {
        try message.setArgument(value, at: 2)
        stack.register(message)
      }
      #expect(message.target === target)
      while try stack.undo() {}
      #expect(target.values == [3, 2, 1])
      stack.register(message)
    }
    #expect(tracker.liveCount == 0)
    #expect(try !stack.undo())
  }

  @Test("Steps of targets that were deallocated count as removed, and the step before them is undone") func deadTargets() throws {
    let counter = Counter()
    let stack = counter.stack
    counter.set(1)
    stack.setActionName("One")
    stack.beginGroup()
    do {
      let other = Counter()
      stack.registerUndo(withTarget: other) { _ in Issue.record("its target was deallocated") }
      stack.setActionName("Of another")
      counter.set(2)
      try stack.endGroup()
      stack.registerUndo(withTarget: other) { _ in Issue.record("its target was deallocated") }
      stack.setActionName("Of another alone")
      #expect(stack.undoActionName == "Of another alone")
    }
    #expect(stack.undoActionName == "Of another" && "\(stack)" == "2 steps to undo, 0 to redo")
    #expect(try stack.undo() && counter.value == 1)
    #expect(try stack.undo() && counter.value == 0)
    #expect(!stack.canUndo)
    do {
      let other = Counter()
      for _ in 0..<3 { stack.registerUndo(withTarget: other) { _ in } }
      #expect(stack.canUndo)
    }
    #expect(!stack.canUndo && stack.undoActionName == "")
    #expect(try !stack.undo())
  }

  /// An object that uses a stack when it ends.
  private final class Ending {
    let stack: InvocationUndoStack
    let action: (InvocationUndoStack, Ending) -> Void
    init(_ stack: InvocationUndoStack, _ action: @escaping (InvocationUndoStack, Ending) -> Void) {
      self.stack = stack
      self.action = action
    }
    deinit { action(stack, self) }
  }

  private final class Target {}

  @Test("An object that ends within any operation of the stack may use the stack", arguments: [false, true])
  func endingWithin(retainsTargets: Bool) throws {
    let target = Target()
    /// What a deinitializer does.
    let actions: [(InvocationUndoStack, Ending) -> Void] = [
      { $0.removeAll(withTarget: $1) }, { stack, _ in stack.removeAll() },
      { stack, _ in stack.registerUndo(withTarget: target) { _ in } },
      { stack, _ in
        stack.beginGroup(); stack.registerUndo(withTarget: target) { _ in }; try? stack.endGroup()
      },
      { stack, _ in _ = try? stack.undo() }, { stack, _ in _ = try? stack.redo() },
      { stack, _ in stack.onChange = nil }, { stack, _ in stack.onChange = { _, _ in } },
      { stack, _ in
        _ = (stack.canUndo, stack.canRedo, stack.undoActionName, "\(stack)"); stack.setActionName("end")
      },
    ]
    /// What ends the object: it is the target of the step, or an argument that its closure keeps.
    let operations: [(InvocationUndoStack) throws -> Void] = [
      { $0.removeAll() }, { while try $0.undo() {} },
      {
        try $0.undo(); $0.registerUndo(withTarget: target) { _ in }
      },
      { stack in for _ in 0..<4 { stack.registerUndo(withTarget: target) { _ in } } },
      { $0.onChange = nil }, { $0.onChange = { _, _ in } },
      { stack in
        try stack.undo(); stack.removeAll()
      },
      { stack in
        try stack.undo(); while try stack.redo() {}
      },
      { stack in
        stack.registerUndo(withTarget: target) { _ in stack.removeAll() }
        try stack.undo()
      },
      { stack in
        stack.removeAll(withTarget: target); stack.beginGroup(); try stack.endGroup()
      },
    ]
    var ended = 0
    for action in actions {
      for operation in operations {
        for isTarget in [true, false] {
          let stack = InvocationUndoStack(levels: 3, retainsTargets: retainsTargets)
          do {
            let ending = Ending(stack) { stack, ending in
              ended += 1
              action(stack, ending)
            }
            if isTarget {
              stack.registerUndo(withTarget: ending) { ending in ending.stack.registerUndo(withTarget: ending) { _ in } }
            } else {
              stack.registerUndo(withTarget: target) { _ in
                stack.registerUndo(withTarget: target) { _ in withExtendedLifetime(ending) {} }
              }
            }
            let observed = Ending(stack) { stack, ending in
              ended += 1
              action(stack, ending)
            }
            stack.onChange = { _, _ in withExtendedLifetime(observed) {} }
          }
          try operation(stack)
          stack.onChange = nil
          stack.removeAll()
        }
      }
    }
    #expect(ended == actions.count * operations.count * 4)
  }

  @Test("A recorder may be used by what ends within it") func endingWithinRecorder() throws {
    final class Item: EncodedObject {
      let action: () -> Void
      init(_ action: @escaping () -> Void) { self.action = action }
      deinit { action() }
    }
    try MethodTable.of(Target.self).replace("item:", Implementation { (_: Target, _: Item) in })
    let recorder = InvocationRecorder(target: Target())
    var counts: [Int] = []
    for _ in 0..<3 {
      try Invocation.send(
        recorder, "item:",
        Item {
          counts.append(recorder.invocations.count); recorder.removeAll()
        })
    }
    recorder.removeAll()
    #expect(counts == [0, 0, 0])
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
    try stack.endGroup()
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
    try stack.enableRegistration()
    counter.set(2)
    #expect(!stack.canUndo && !stack.isRegistrationEnabled)
    try stack.enableRegistration()
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
    try counter.stack.endGroup()
    try counter.stack.endGroup()
    try counter.stack.undo()
    try counter.stack.redo()
    #expect(try !counter.stack.redo())
    #expect(
      changes == [
        .didOpenGroup, .didOpenGroup, .willCloseGroup, .didCloseGroup, .willCloseGroup, .didCloseGroup, .willUndo, .didUndo, .willRedo,
        .didRedo,
      ])
  }

  @Test("Groups and registration that are ended without being begun, and undoing within a group or another undoing, are errors")
  func misuse() throws {
    func expectRefusal(_ reason: String, _ body: () throws -> Void) {
      let error = #expect(throws: InvocationError.self) { try body() }
      #expect(error?.code == .unbalancedUndo && error?.reason == reason)
    }
    let counter = Counter()
    let stack = counter.stack
    expectRefusal("registration is not disabled") { try stack.enableRegistration() }
    expectRefusal("no group is open") { try stack.endGroup() }
    counter.set(1)
    stack.beginGroup()
    expectRefusal("undo() while a group is open; end it first") { try stack.undo() }
    expectRefusal("redo() while a group is open; end it first") { try stack.redo() }
    try stack.endGroup()
    // The group of the undoing itself is not the handler's to end.
    stack.registerUndo(withTarget: counter) { counter in
      expectRefusal("no group is open") { try stack.endGroup() }
      expectRefusal("undo() within undo()") { try stack.undo() }
      expectRefusal("redo() within undo()") { try stack.redo() }
      stack.registerUndo(withTarget: counter) { _ in
        expectRefusal("undo() within redo()") { try stack.undo() }
        try stack.redo()
      }
    }
    #expect(try stack.undo())
    expectRefusal("redo() within redo()") { try stack.redo() }
    #expect(stack.canRedo && stack.groupingLevel == 0)
    #expect(try stack.undo() && counter.value == 0)
    // What can be redone captures the stack.
    stack.removeAll()
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
      try stack.endGroup()
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
