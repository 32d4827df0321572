public import DynamicInvocation

/// An undo manager based on invocations: it stores the messages that undo actions, and the messages that redo them.
///
/// A method that changes a state registers the message that restores the former state. When ``undo()`` sends that
/// message, the same method runs and registers the opposite message, which is stored for ``redo()``.
///
///     func setTitle(_ title: String) throws {
///       let message = try Invocation(target: undoStack.prepare(withInvocationTarget: self), selector: "setTitle(_:)")
///       try message.setArgument(self.title, at: 2)
///       try message.invoke()
///       self.title = title
///     }
///
/// A closure can be registered as well: ``registerUndo(withTarget:handler:)``.
///
/// Each message is a step of its own, unless it is registered between ``beginGroup()`` and ``endGroup()``. A step has
/// an action name, which a menu can show. Messages retain their targets and arguments. A stack must not be used by
/// several threads at the same time.
public final class InvocationUndoStack {
  private enum Activity { case none, undoing, redoing }

  /// The maximum number of steps that can be undone.
  ///
  /// The oldest steps are removed.
  ///
  /// 0, the default, means no limit.
  public let levels: Int

  /// The function that is called at each ``Change``; nil by default.
  public var onChange: ((InvocationUndoStack, Change) -> Void)?

  private var undoSteps: [Step] = []
  private var redoSteps: [Step] = []
  /// The step of the open group.
  private var open = Step()
  /// The step that is being undone or redone, without the action that is being performed.
  private var current = Step()
  /// The action of ``current`` that is being performed.
  private var performed: Action?
  private var activity: Activity = .none
  private var disableCount = 0

  /// The number of open groups, each nested in the previous one; 1 while undoing or redoing.
  public private(set) var groupingLevel: Int = 0

  /// Creates an empty stack.
  public init(levels: Int = 0) { self.levels = levels }

  /// Whether there is a step to undo.
  public var canUndo: Bool { !undoSteps.isEmpty }
  /// Whether there is a step to redo.
  public var canRedo: Bool { !redoSteps.isEmpty }
  /// Whether ``undo()`` is sending messages.
  public var isUndoing: Bool { activity == .undoing }
  /// Whether ``redo()`` is sending messages.
  public var isRedoing: Bool { activity == .redoing }

  /// Returns a proxy for a target.
  ///
  /// The messages that the proxy is sent are registered.
  public func prepare(withInvocationTarget target: AnyObject) -> InvocationProxy { UndoPreparation(self, target) }

  /// Registers a message that undoes the current action; while undoing, a message that redoes it.
  ///
  /// Registering a message while not undoing or redoing removes all steps that can be redone. Does nothing while
  /// registration is disabled. The stack keeps the invocation, not a copy: register a ``/DynamicInvocation/Invocation/copy()``
  /// of one that is changed later.
  public func register(_ invocation: Invocation) {
    guard isRegistrationEnabled else { return }
    invocation.retainArguments()
    add(.message(invocation))
  }

  /// Registers a call of a Swift function that undoes the current action; while undoing, one that redoes it.
  ///
  /// Does nothing while registration is disabled. The stack keeps the invocation, not a copy.
  public func register(_ invocation: SwiftInvocation) {
    guard isRegistrationEnabled else { return }
    add(.closure(target: invocation.objectTarget ?? invocation) { try invocation.invoke() })
  }

  /// Registers a closure that undoes the current action; while undoing, a closure that redoes it.
  ///
  /// Does nothing while registration is disabled.
  ///
  /// - Parameters:
  ///   - target: The object that is passed to the closure. The stack retains it, as it retains the target of a message.
  ///   - handler: The closure. ``undo()`` or ``redo()`` throws the errors that it throws.
  public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) throws -> Void) {
    guard isRegistrationEnabled else { return }
    add(.closure(target: target) { try handler(target) })
  }

  private func add(_ action: Action) {
    open.actions.append(action)
    if activity == .none { redoSteps = [] }
    if groupingLevel == 0 { closeStep() }
  }

  // MARK: Registration

  /// Whether messages and closures are registered; initially true.
  public var isRegistrationEnabled: Bool { disableCount == 0 }

  /// Disables registration, until ``enableRegistration()`` has been called the same number of times.
  public func disableRegistration() { disableCount += 1 }

  /// Reverses one call of ``disableRegistration()``; traps if there is no such call.
  public func enableRegistration() {
    precondition(disableCount > 0, "registration is not disabled")
    disableCount -= 1
  }

  // MARK: Action names

  /// Sets the action name of the open group, or of the last step that can be undone; while undoing or redoing, of the
  /// step that reverses it.
  ///
  /// A step that reverses another step has the same name initially. Does nothing if there is no such step.
  public func setActionName(_ name: String) {
    if groupingLevel > 0 {
      open.name = name
    } else if !undoSteps.isEmpty {
      undoSteps[undoSteps.count - 1].name = name
    }
  }

  /// The action name of the step that ``undo()`` would undo; empty if there is no step or it has no name.
  public var undoActionName: String { undoSteps.last?.name ?? "" }

  /// The action name of the step that ``redo()`` would redo; empty if there is no step or it has no name.
  public var redoActionName: String { redoSteps.last?.name ?? "" }

  // MARK: Groups

  /// Begins a group: all messages and closures registered until its end are one step.
  ///
  /// Groups can be nested.
  public func beginGroup() {
    groupingLevel += 1
    onChange?(self, .didOpenGroup)
  }

  /// Ends the group that was begun last; traps if no group is open.
  ///
  /// A group in which nothing was registered does not add a step.
  public func endGroup() {
    precondition(groupingLevel > (activity == .none ? 0 : 1), "no group is open")
    onChange?(self, .willCloseGroup)
    groupingLevel -= 1
    if groupingLevel == 0 { closeStep() }
    onChange?(self, .didCloseGroup)
  }

  // MARK: Undoing

  /// Undoes the last step: sends its messages in reverse order.
  ///
  /// Traps if a group is open, and while undoing or redoing.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: What a message throws. This message and those not sent yet remain to be undone; what was undone can be
  ///   redone.
  @discardableResult
  public func undo() throws -> Bool { try perform(.undoing, \.undoSteps) }

  /// Redoes the step that was undone last: sends its messages in reverse order.
  ///
  /// Traps if a group is open, and while undoing or redoing.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: What a message throws, as ``undo()`` does.
  @discardableResult
  public func redo() throws -> Bool { try perform(.redoing, \.redoSteps) }

  /// Removes all messages and closures; an open group stays open.
  ///
  /// While undoing or redoing, those of the step that were not sent yet are removed too.
  public func removeAll() { removeAll { _ in true } }

  /// Removes the messages and closures of a target, so that the stack no longer retains it.
  public func removeAll(withTarget target: AnyObject) { removeAll { $0.target === target } }

  private func removeAll(where isRemoved: (Action) -> Bool) {
    undoSteps = undoSteps.compactMap { $0.without(isRemoved) }
    redoSteps = redoSteps.compactMap { $0.without(isRemoved) }
    open.actions.removeAll(where: isRemoved)
    current.actions.removeAll(where: isRemoved)
    if let action = performed, isRemoved(action) { performed = nil }
  }

  private func perform(_ activity: Activity, _ steps: ReferenceWritableKeyPath<InvocationUndoStack, [Step]>) throws -> Bool {
    precondition(groupingLevel == 0 && self.activity == .none, "undoing or redoing within a group, or within another undoing")
    guard let step = self[keyPath: steps].popLast() else { return false }
    current = step
    self.activity = activity
    groupingLevel = 1
    open.name = step.name
    onChange?(self, activity == .undoing ? .willUndo : .willRedo)
    defer {
      groupingLevel = 0
      closeStep()
      self.activity = .none
      let left = current
      current = Step()
      if !left.actions.isEmpty { self[keyPath: steps].append(left) }
      onChange?(self, activity == .undoing ? .didUndo : .didRedo)
    }
    while let action = current.actions.popLast() {
      performed = action
      defer { performed = nil }
      do { try action.perform() } catch {
        if let performed { current.actions.append(performed) }
        throw error
      }
    }
    return true
  }

  private func closeStep() {
    defer { open = Step() }
    guard !open.actions.isEmpty else { return }
    if activity == .undoing { redoSteps.append(open) } else { undoSteps.append(open) }
    if levels > 0, undoSteps.count > levels { undoSteps.removeFirst(undoSteps.count - levels) }
  }
}

extension InvocationUndoStack: CustomStringConvertible {
  /// The number of steps: `2 steps to undo, 1 to redo`.
  public var description: String {
    undoSteps.count.counted("step") + " to undo, \(redoSteps.count) to redo"
      + (groupingLevel > (activity == .none ? 0 : 1) ? ", a group open" : "")
  }
}

/// A proxy that registers the messages that it is sent.
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

extension InvocationUndoStack {
  /// A change that an undo stack reports to its observer, like the notifications of NSUndoManager.
  public enum Change: Sendable, Hashable {
    /// A group was begun.
    case didOpenGroup
    /// A group is about to be ended.
    case willCloseGroup
    /// A group was ended. If it was the outermost group and something was registered in it, it is a step now.
    case didCloseGroup
    /// ``InvocationUndoStack/undo()`` is about to send messages.
    case willUndo
    /// ``InvocationUndoStack/undo()`` has sent its messages, or one of them has thrown an error.
    case didUndo
    /// ``InvocationUndoStack/redo()`` is about to send messages.
    case willRedo
    /// ``InvocationUndoStack/redo()`` has sent its messages, or one of them has thrown an error.
    case didRedo
  }

  /// A message to send, or a closure to call.
  enum Action {
    case message(Invocation)
    case closure(target: AnyObject, () throws -> Void)

    var target: AnyObject? {
      switch self {
      case .message(let invocation): invocation.methodSignature.isMethod ? invocation.target : nil
      case .closure(let target, _): target
      }
    }

    func perform() throws {
      switch self {
      case .message(let invocation): try invocation.invoke()
      case .closure(_, let body): try body()
      }
    }
  }

  /// The actions that one call of ``undo()`` or ``redo()`` performs, in reverse order.
  struct Step {
    var actions: [Action] = []
    var name: String = ""

    /// Returns the step without some of its actions, or nil if no action is left.
    func without(_ isRemoved: (Action) -> Bool) -> Step? {
      let step = Step(actions: actions.filter { !isRemoved($0) }, name: name)
      return step.actions.isEmpty ? nil : step
    }
  }
}
