/// The messages that undo what was done, and those that do it again: an undo manager made of invocations.
///
/// A method that changes something registers the message that changes it back. Sent by ``undo()``, that message comes to the same method,
/// which registers the way forward, kept for ``redo()``.
///
///     func setTitle(_ title: String) throws {
///       let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setTitle(_:)")
///       try message.setArgument(self.title, at: 2)
///       try message.invoke()
///       self.title = title
///     }
///
/// Each message is a step by itself, unless it comes between ``beginGroup()`` and ``endGroup()``. Messages keep their targets and
/// arguments. A stack belongs to one thread at a time.
public final class InvocationUndoStack {
  private enum Activity { case none, undoing, redoing }

  /// The most steps that can be undone; the oldest are forgotten.
  ///
  /// 0, the default, is no limit.
  public let levels: Int

  private var undoSteps: [[Invocation]] = []
  private var redoSteps: [[Invocation]] = []
  /// The messages of the group that is open.
  private var group: [Invocation] = []
  private var groupDepth = 0
  private var activity: Activity = .none

  /// Creates an empty stack.
  public init(levels: Int = 0) { self.levels = levels }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !undoSteps.isEmpty }
  /// Whether there is a step to do again.
  public var canRedo: Bool { !redoSteps.isEmpty }
  /// Whether ``undo()`` is sending messages.
  public var isUndoing: Bool { activity == .undoing }
  /// Whether ``redo()`` is sending messages.
  public var isRedoing: Bool { activity == .redoing }

  /// Returns a proxy for a target: the messages that it is sent are registered.
  public func prepare(withInvocationTarget target: AnyObject) -> InvocationProxy { UndoPreparation(self, target) }

  /// Registers a message that undoes what is being done; while undoing, one that does it again.
  ///
  /// A message that is registered while nothing is undone or redone ends what could be redone.
  public func register(_ invocation: Invocation) {
    invocation.retainArguments()
    group.append(invocation)
    if activity == .none { redoSteps = [] }
    if groupDepth == 0 { closeStep() }
  }

  /// Begins a group: the messages up to its end are one step.
  ///
  /// Groups may lie within groups.
  public func beginGroup() { groupDepth += 1 }

  /// Ends the group that was begun last; traps when none is open.
  public func endGroup() {
    precondition(groupDepth > 0, "no group is open")
    groupDepth -= 1
    if groupDepth == 0 { closeStep() }
  }

  /// Sends the messages of the last step, the last one first.
  ///
  /// Traps when a group is open, and while undoing or redoing.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: What a message throws. It and those not sent yet remain to be undone; what was undone can be redone.
  @discardableResult
  public func undo() throws -> Bool { try perform(.undoing, \.undoSteps) }

  /// Sends the messages that undo the last undoing, the last one first.
  ///
  /// Traps when a group is open, and while undoing or redoing.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: What a message throws, as ``undo()`` does.
  @discardableResult
  public func redo() throws -> Bool { try perform(.redoing, \.redoSteps) }

  /// Forgets all messages; an open group stays open.
  public func removeAll() { removeAll { _ in true } }

  /// Forgets the messages to a target, so that the stack no longer keeps it.
  public func removeAll(withTarget target: AnyObject) { removeAll { $0.methodSignature.isMethod && $0.target === target } }

  private func removeAll(where isRemoved: (Invocation) -> Bool) {
    func kept(_ steps: [[Invocation]]) -> [[Invocation]] { steps.map { $0.filter { !isRemoved($0) } }.filter { !$0.isEmpty } }
    undoSteps = kept(undoSteps)
    redoSteps = kept(redoSteps)
    group.removeAll(where: isRemoved)
  }

  private func perform(_ activity: Activity, _ steps: ReferenceWritableKeyPath<InvocationUndoStack, [[Invocation]]>) throws -> Bool {
    precondition(groupDepth == 0 && self.activity == .none, "undoing or redoing within a group, or within another undoing")
    guard var step = self[keyPath: steps].popLast() else { return false }
    self.activity = activity
    groupDepth = 1
    defer {
      groupDepth = 0
      closeStep()
      self.activity = .none
      if !step.isEmpty { self[keyPath: steps].append(step) }
    }
    while let invocation = step.last {
      try invocation.invoke()
      step.removeLast()
    }
    return true
  }

  private func closeStep() {
    guard !group.isEmpty else { return }
    if activity == .undoing { redoSteps.append(group) } else { undoSteps.append(group) }
    group = []
    if levels > 0, undoSteps.count > levels { undoSteps.removeFirst(undoSteps.count - levels) }
  }
}

/// Registers the messages that it is sent.
private final class UndoPreparation: InvocationProxy {
  private let stack: InvocationUndoStack

  init(_ stack: InvocationUndoStack, _ target: AnyObject) {
    self.stack = stack
    super.init(target: target)
  }

  override func forwardInvocation(_ invocation: Invocation) throws {
    invocation.target = target
    stack.register(invocation)
  }
}
