import DynamicInvocation
import InvocationRecords
import TestSupport
import Testing

/// What NSUndoManager has: messages and closures, groups, action names, disabled registration, notifications.
@Suite(.measured) struct InvocationUndoStackTests {
  /// Registers what undoes each change, as a message or as a closure.
  private final class Document: EncodedObject {
    let tracked: LifetimeTracked?
    let stack: InvocationUndoStack
    let byMessage: Bool
    var value = 0
    var failure: (any Error)?

    init(levels: Int = 0, byMessage: Bool = false, _ tracked: LifetimeTracked? = nil) {
      stack = InvocationUndoStack(levels: levels)
      self.byMessage = byMessage
      self.tracked = tracked
    }

    deinit { stack.removeAll(withTarget: self) }

    func set(_ value: Int) throws {
      if let failure { throw failure }
      if byMessage {
        // A message that is registered has the result zero.
        let former: Int = try Invocation.send(stack.prepare(withInvocationTarget: self), "set(_:)", self.value)
        expectEqual(former, 0)
      } else {
        stack.registerUndo(withTarget: self) { [old = self.value] in try $0.set(old) }
      }
      self.value = value
    }

    static let methods: Result<Void, any Error> = Result {
      try MethodTable.of(Document.self).add("set(_:)") { (document: Document, value: Int) throws -> Int in
        let former = document.value
        try document.set(value)
        return former
      }
    }
  }

  private final class Target {}

  init() throws { try Document.methods.get() }

  @Test("Changes are undone and redone any number of times", arguments: [false, true])
  func undoAndRedo(byMessage: Bool) throws {
    let document = Document(byMessage: byMessage)
    let stack = document.stack
    try expect(!stack.canUndo && !stack.canRedo && !stack.undo())
    for value in 1...3 { try document.set(value) }
    for _ in 0..<3 {
      for value in [2, 1, 0] { try expect(stack.undo() && document.value == value) }
      try expect(!stack.undo() && stack.canRedo)
      for value in [1, 2, 3] { try expect(stack.redo() && document.value == value) }
      try expect(!stack.redo() && stack.canUndo)
    }
    try stack.undo()
    // A new change ends what could be redone.
    try document.set(7)
    expect(!stack.canRedo)
    try expect(stack.undo() && document.value == 2)
  }

  @Test("Groups are one step, within each other too; an empty one is none") func groups() throws {
    let document = Document(byMessage: true)
    let stack = document.stack
    stack.beginGroup()
    try document.set(1)
    stack.beginGroup()
    try document.set(5)
    try stack.endGroup()
    try document.set(2)
    expect(!stack.canUndo)
    try stack.endGroup()
    for _ in 0..<3 {
      try expect(stack.undo() && document.value == 0 && !stack.canUndo)
      try expect(stack.redo() && document.value == 2)
    }
    stack.beginGroup()
    try stack.endGroup()
    try expect(stack.undo() && document.value == 0)
  }

  @Test("What throws comes out of undo, and remains") func whatFailsRemains() throws {
    let (document, other) = (Document(byMessage: true), Target())
    let stack = document.stack
    var count = 0
    stack.beginGroup()
    try document.set(1)
    stack.registerUndo(withTarget: other) { _ in
      count += 1
      stack.registerUndo(withTarget: other) { _ in count += 10 }
    }
    try stack.endGroup()
    document.failure = Refusal()
    for _ in 0..<2 {
      expectThrows(Refusal.self) { try stack.undo() }
      // The last of the group was undone; the first is still to be.
      expect(document.value == 1 && count == 1 && stack.canUndo && stack.canRedo && !stack.isUndoing && stack.groupingLevel == 0)
    }
    document.failure = nil
    try expect(stack.undo() && document.value == 0)
    while try stack.redo() {}
    expect(document.value == 1 && count == 11)
  }

  @Test("A message with an argument that is being deallocated is neither registered nor recorded")
  func argumentThatIsBeingDeallocated()
    throws
  {
    final class Leaver: EncodedObject {
      let leave: (Leaver) -> Void
      init(_ leave: @escaping (Leaver) -> Void) { self.leave = leave }
      deinit { leave(self) }
    }
    final class Target {}
    let (stack, target) = (InvocationUndoStack(), Target())
    try MethodTable.of(Target.self).replace("add(_:)", Implementation { (_: Target, _: Leaver) in })
    let recorder = InvocationRecorder(target: target)
    var errors: [InvocationError.Code?] = []
    withExtendedLifetime(
      Leaver { leaver in
        do {
          let message = try Invocation(target: target, selector: "add(_:)")
          try message.setArgument(leaver, at: 2)
          stack.register(message)
          message.target = recorder
          try message.invoke()
        } catch { errors.append((error as? InvocationError)?.code) }
      }
    ) {}
    expect(errors == [.unsupportedType] && !stack.canUndo && recorder.invocations.isEmpty)
  }

  @Test("Steps whose targets were deallocated take no level") func levelsOfLivingSteps() throws {
    final class Target {}
    let stack = InvocationUndoStack(levels: 2)
    let kept = Target()
    var undone: [Int] = []
    func register(_ target: Target, _ number: Int) { stack.registerUndo(withTarget: target) { _ in undone.append(number) } }
    register(kept, 1)
    for _ in 0..<5 { register(Target(), 0) }
    register(kept, 2)
    expectEqual("\(stack)", "2 steps to undo, 0 to redo")
    try expect(stack.undo() && stack.undo())
    expectEqual(undone, [2, 1])
    for number in 3...5 { register(kept, number) }
    while try stack.undo() {}
    expectEqual(undone, [2, 1, 5, 4])
  }

  @Test("A stack has as many levels as it is given, and retains targets only if told to; owners are deallocated", arguments: [false, true])
  func levelsAndTargets(byMessage: Bool) throws {
    let tracker = LifetimeTracker()
    do {
      let document = Document(levels: 2, byMessage: byMessage, tracker.object())
      for value in 1...3 { try document.set(value) }
      while try document.stack.undo() {}
      expectEqual(document.value, 1)
      do {
        let other = Document(tracker.object())
        for _ in 0..<2 { _ = try Invocation.send(document.stack.prepare(withInvocationTarget: other), "set(_:)", 1) as Int }
        document.stack.removeAll(withTarget: other)
      }
      expectEqual(tracker.liveCount, 1)
      try document.set(4)
      document.stack.removeAll()
      expect(!document.stack.canUndo && !document.stack.canRedo)
    }
    expectEqual(tracker.liveCount, 0)
    let retaining = InvocationUndoStack(retainsTargets: true)
    do {
      let (first, second) = (tracker.object(), tracker.object())
      retaining.registerUndo(withTarget: first) { _ in }
      retaining.registerUndo(withTarget: second) { _ in }
      retaining.removeAll(withTarget: first)
    }
    expect(tracker.liveCount == 1 && retaining.canUndo)
    retaining.removeAll()
    expect(tracker.liveCount == 0 && !retaining.canUndo)
  }

  @Test("A registered message is a copy: what is set later does not change it, and it does not keep its target") func copies() throws {
    final class Taking {
      let tracked: LifetimeTracked
      var values: [Int] = []
      init(_ tracked: LifetimeTracked) { self.tracked = tracked }
    }
    try MethodTable.of(Taking.self).replace("take(_:)", Implementation { (target: Taking, value: Int) in target.values.append(value) })
    let tracker = LifetimeTracker()
    let stack = InvocationUndoStack()
    do {
      let target = Taking(tracker.object())
      let message = try Invocation(target: target, selector: "take(_:)")
      for value in 1...3 {
        try message.setArgument(value, at: 2)
        stack.register(message)
      }
      expect(message.target === target)
      while try stack.undo() {}
      expectEqual(target.values, [3, 2, 1])
      stack.register(message)
    }
    expectEqual(tracker.liveCount, 0)
    try expect(!stack.undo())
  }

  @Test("Steps of targets that were deallocated count as removed, and the step before them is undone") func deadTargets() throws {
    let document = Document()
    let stack = document.stack
    try document.set(1)
    stack.setActionName("One")
    stack.beginGroup()
    do {
      let other = Target()
      stack.registerUndo(withTarget: other) { _ in Issue.record("its target was deallocated") }
      stack.setActionName("Of another")
      try document.set(2)
      try stack.endGroup()
      stack.registerUndo(withTarget: other) { _ in Issue.record("its target was deallocated") }
      stack.setActionName("Of another alone")
      expectEqual(stack.undoActionName, "Of another alone")
    }
    expect(stack.undoActionName == "Of another" && "\(stack)" == "2 steps to undo, 0 to redo")
    for value in [1, 0] { try expect(stack.undo() && document.value == value) }
    expect(!stack.canUndo)
    do {
      let other = Target()
      for _ in 0..<3 { stack.registerUndo(withTarget: other) { _ in } }
      expect(stack.canUndo)
    }
    try expect(!stack.canUndo && stack.undoActionName == "" && !stack.undo())
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

  @Test("An object that ends within any operation of the stack may use the stack", arguments: [false, true])
  func endingWithin(retainsTargets: Bool) throws {
    let target = Target()
    func register(_ stack: InvocationUndoStack) { stack.registerUndo(withTarget: target) { _ in } }
    /// What a deinitializer does.
    let actions: [(InvocationUndoStack, Ending) -> Void] = [
      { $0.removeAll(withTarget: $1) }, { stack, _ in stack.removeAll() }, { stack, _ in register(stack) },
      { stack, _ in
        stack.beginGroup()
        register(stack)
        try? stack.endGroup()
      },
      { stack, _ in _ = try? stack.undo() }, { stack, _ in _ = try? stack.redo() }, { stack, _ in stack.onChange = nil },
      { stack, _ in stack.onChange = { _, _ in } },
      { stack, _ in
        _ = (stack.canUndo, stack.canRedo, stack.undoActionName, "\(stack)")
        stack.setActionName("end")
      },
    ]
    /// What ends the object: it is the target of the step, or an argument that its closure keeps.
    let operations: [(InvocationUndoStack) throws -> Void] = [
      { $0.removeAll() }, { while try $0.undo() {} },
      { stack in
        try stack.undo()
        register(stack)
      },
      { stack in for _ in 0..<4 { register(stack) } }, { $0.onChange = nil }, { $0.onChange = { _, _ in } },
      { stack in
        try stack.undo()
        stack.removeAll()
      },
      { stack in
        try stack.undo()
        while try stack.redo() {}
      },
      { stack in
        stack.registerUndo(withTarget: target) { _ in stack.removeAll() }
        try stack.undo()
      },
      { stack in
        stack.removeAll(withTarget: target)
        stack.beginGroup()
        try stack.endGroup()
      },
    ]
    var ended = 0
    for (action, operation) in actions.flatMap({ action in operations.map { (action, $0) } }) {
      for isTarget in [true, false] {
        let stack = InvocationUndoStack(levels: 3, retainsTargets: retainsTargets)
        func ending() -> Ending {
          Ending(stack) { stack, ending in
            ended += 1
            action(stack, ending)
          }
        }
        do {
          let (ending, observed) = (ending(), ending())
          if isTarget {
            stack.registerUndo(withTarget: ending) { ending in ending.stack.registerUndo(withTarget: ending) { _ in } }
          } else {
            stack.registerUndo(withTarget: target) { _ in
              stack.registerUndo(withTarget: target) { _ in withExtendedLifetime(ending) {} }
            }
          }
          stack.onChange = { _, _ in withExtendedLifetime(observed) {} }
        }
        try operation(stack)
        stack.onChange = nil
        stack.removeAll()
      }
    }
    expectEqual(ended, actions.count * operations.count * 4)
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
      let item = Item {
        counts.append(recorder.invocations.count)
        recorder.removeAll()
      }
      try Invocation.send(recorder, "item:", item)
    }
    recorder.removeAll()
    expectEqual(counts, [0, 0, 0])
  }

  @Test("An action name belongs to its step and goes with it to redo and back")
  func actionNames() throws {
    let document = Document()
    let stack = document.stack
    func names() -> [String] { [stack.undoActionName, stack.redoActionName] }
    stack.setActionName("of no step")
    expectEqual(names(), ["", ""])
    try document.set(1)
    expectEqual(names(), ["", ""])
    stack.setActionName("One")
    stack.beginGroup()
    stack.setActionName("Two and three")
    for value in 2...3 { try document.set(value) }
    try stack.endGroup()
    expectEqual(names(), ["Two and three", ""])
    try stack.undo()
    expectEqual(names(), ["One", "Two and three"])
    try stack.undo()
    expectEqual(names(), ["", "One"])
    for _ in 0..<2 { try stack.redo() }
    expect(names() == ["Two and three", ""] && document.value == 3)
  }

  @Test("While registration is disabled nothing is registered")
  func disabledRegistration() throws {
    let document = Document()
    let stack = document.stack
    for _ in 0..<2 { stack.disableRegistration() }
    for (value, isEnabled) in [(1, false), (2, false), (3, true)] {
      if value > 1 { try stack.enableRegistration() }
      try document.set(value)
      expect(stack.canUndo == isEnabled && stack.isRegistrationEnabled == isEnabled)
    }
    try expect(stack.undo() && document.value == 2)
  }

  @Test("The observer is told of groups, undoing and redoing in order")
  func changes() throws {
    let document = Document()
    let stack = document.stack
    var changes: [InvocationUndoStack.Change] = []
    stack.onChange = { changes.append($1) }
    stack.beginGroup()
    try document.set(1)
    stack.beginGroup()
    expectEqual(stack.groupingLevel, 2)
    for _ in 0..<2 { try stack.endGroup() }
    try stack.undo()
    try stack.redo()
    try expect(!stack.redo())
    expectEqual(
      changes,
      [
        .didOpenGroup, .didOpenGroup, .willCloseGroup, .didCloseGroup, .willCloseGroup, .didCloseGroup, .willUndo, .didUndo, .willRedo,
        .didRedo,
      ])
  }

  @Test("Groups and registration that are ended without being begun, and undoing within a group or another undoing, are errors")
  func misuse() throws {
    func expectRefusal(_ reason: String, line: Int = #line, _ body: () throws -> Void) {
      expectError(.unbalancedUndo, line: line, body)
      expectMessage(reason, line: line, body)
    }
    let document = Document()
    let stack = document.stack
    expectRefusal("registration is not disabled") { try stack.enableRegistration() }
    expectRefusal("no group is open") { try stack.endGroup() }
    try document.set(1)
    stack.beginGroup()
    expectRefusal("undo() while a group is open; end it first") { try stack.undo() }
    expectRefusal("redo() while a group is open; end it first") { try stack.redo() }
    try stack.endGroup()
    // The group of the undoing itself is not the handler's to end.
    stack.registerUndo(withTarget: document) { document in
      expectRefusal("no group is open") { try stack.endGroup() }
      expectRefusal("undo() within undo()") { try stack.undo() }
      expectRefusal("redo() within undo()") { try stack.redo() }
      stack.registerUndo(withTarget: document) { _ in
        expectRefusal("undo() within redo()") { try stack.undo() }
        try stack.redo()
      }
    }
    try expect(stack.undo())
    expectRefusal("redo() within redo()") { try stack.redo() }
    expect(stack.canRedo && stack.groupingLevel == 0)
    try expect(stack.undo() && document.value == 0)
    // What can be redone captures the stack.
    stack.removeAll()
  }

  @Test("What is removed while a step is undone is not performed") func removedMeanwhile() throws {
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
      if fails { expectThrows(Refusal.self) { try stack.undo() } } else { try stack.undo() }
      expectEqual(performed, removesAll || fails ? [3] : [3, 2])
      // A failed step remains, without what was removed.
      expectEqual(stack.canUndo, fails && !removesAll)
      try stack.undo()
      expect(performed == (removesAll ? [3] : [3, 2]) && !stack.canUndo)
      performed = []
    }
    stack.onChange = { stack, change in if change == .willUndo { stack.removeAll() } }
    stack.registerUndo(withTarget: target) { _ in performed.append(4) }
    try expect(stack.undo() && performed.isEmpty && !stack.canUndo)
  }

  @Test("An array of a message that is undone later is kept") func arrays() throws {
    final class Filled {
      var bytes: [UInt8] = []
    }
    try MethodTable.of(Filled.self).replace(
      "fill(_:_:)",
      Implementation { (filled: Filled, start: UnsafePointer<UInt8>, count: Int) in
        filled.bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
      })
    let (stack, undone, replayed) = (InvocationUndoStack(), Filled(), Filled())
    let bytes: [UInt8] = (0..<100).map { UInt8($0) }
    let messages = InvocationRecorder(target: replayed)
    for target in [stack.prepare(withInvocationTarget: undone), messages] as [AnyObject] {
      try Invocation.send(target, "fill(_:_:)", bytes, bytes.count)
    }
    // Memory that was freed is used again.
    var others: [[UInt8]] = []
    for _ in 0..<1_000 { others.append([UInt8](repeating: 0xEE, count: 100)) }
    try stack.undo()
    try messages.replay()
    expect(undone.bytes == bytes && replayed.bytes == bytes && others.count == 1_000)
  }
}
