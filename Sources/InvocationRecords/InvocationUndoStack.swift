public import DynamicInvocation

/// An undo manager based on invocations: it stores the messages that undo actions, and the messages that redo them.
///
/// A method that changes a state registers the message that restores the state before. When ``undo()`` sends that
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
/// an action name, which a menu can show. A stack must not be used by several threads at the same time.
///
/// As with NSUndoManager, the stack retains the arguments of a message and not its target, so an object may own the
/// stack that it registers with. The messages and closures of a target that was deallocated are never performed, and a
/// step that has no others counts as removed. ``init(levels:retainsTargets:)`` creates a stack that retains the targets.
///
/// Objects that the stack releases may use the stack: a deinitializer may remove actions, register others, and undo.
public final class InvocationUndoStack: CustomStringConvertible {
  private enum Activity { case none, undoing, redoing }

  /// The maximum number of steps that can be undone.
  ///
  /// The oldest steps are removed. A step whose targets were all deallocated is not counted.
  ///
  /// 0, the default, means no limit.
  public let levels: Int

  /// Whether the stack retains the targets of its messages and closures.
  public let retainsTargets: Bool

  /// The function that is called at each ``Change``; nil by default.
  public var onChange: ((InvocationUndoStack, Change) -> Void)? {
    get { observer }
    set {
      let former = exchange(&observer, with: newValue)
      withExtendedLifetime(former) {}
    }
  }

  // What these properties held is released after the access to them has ended: a deinitializer may use the stack.
  private var observer: ((InvocationUndoStack, Change) -> Void)?
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
  ///
  /// - Parameters:
  ///   - levels: The maximum number of steps that can be undone; 0 for no limit.
  ///   - retainsTargets: Whether the stack retains the targets of its messages and closures. Then an object that owns the
  ///     stack and registers with it is not deallocated before its actions are removed.
  public init(levels: Int = 0, retainsTargets: Bool = false) {
    self.levels = levels
    self.retainsTargets = retainsTargets
  }

  /// Whether there is a step to undo.
  public var canUndo: Bool { last(of: undoSteps) != nil }
  /// Whether there is a step to redo.
  public var canRedo: Bool { last(of: redoSteps) != nil }
  /// Whether ``undo()`` is sending messages.
  public var isUndoing: Bool { activity == .undoing }
  /// Whether ``redo()`` is sending messages.
  public var isRedoing: Bool { activity == .redoing }

  /// Returns a proxy for a target.
  ///
  /// The messages that the proxy is sent are registered.
  public func prepare(withInvocationTarget target: AnyObject) -> InvocationProxy { UndoPreparation(self, target) }

  /// Registers a message, or a call of a Swift function, that undoes the current action; while undoing, one that redoes it.
  ///
  /// Registering while not undoing or redoing removes all steps that can be redone. Does nothing while registration is
  /// disabled, and for a message with an argument that is being deallocated. The stack keeps a copy that retains the
  /// arguments. A target that is not an object is an argument.
  ///
  /// - Parameter call: An `Invocation`, or a `SwiftInvocation` of the module `SwiftFunctions`.
  public func register(_ call: some _UndoableCall) {
    guard isRegistrationEnabled, let (target, perform) = call._detached() else { return }
    add(Action(target: target.map(held), perform))
  }

  /// Registers a closure that undoes the current action; while undoing, a closure that redoes it.
  ///
  /// Does nothing while registration is disabled.
  ///
  /// - Parameters:
  ///   - target: The object that is passed to the closure. It is held as the target of a message is. The closure should
  ///     use its parameter, because a closure retains an object that it captures.
  ///   - handler: The closure. ``undo()`` or ``redo()`` throws the errors that it throws.
  public func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) throws -> Void) {
    guard isRegistrationEnabled else { return }
    add(Action(target: held(target)) { target in if let target = target as? Target { try handler(target) } })
  }

  private func held(_ target: AnyObject) -> Target { Target(target, isRetained: retainsTargets) }

  private func add(_ action: Action) {
    let ended = activity == .none ? exchange(&redoSteps, with: []) : []
    open.actions.append(action)
    if groupingLevel == 0 { closeStep() }
    withExtendedLifetime(ended) {}
  }

  // MARK: Registration

  /// Whether messages and closures are registered; initially true.
  public var isRegistrationEnabled: Bool { disableCount == 0 }

  /// Disables registration, until ``enableRegistration()`` has been called the same number of times.
  public func disableRegistration() { disableCount += 1 }

  /// Reverses one call of ``disableRegistration()``.
  ///
  /// - Throws: `InvocationError` `unbalancedUndo` if there is no such call.
  public func enableRegistration() throws(InvocationError) {
    guard disableCount > 0 else { throw InvocationError(.unbalancedUndo, "registration is not disabled") }
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
    } else if let index = last(of: undoSteps) {
      undoSteps[index].name = name
    }
  }

  /// The action name of the step that ``undo()`` would undo; empty if there is no step or it has no name.
  public var undoActionName: String { name(of: undoSteps) }

  /// The action name of the step that ``redo()`` would redo; empty if there is no step or it has no name.
  public var redoActionName: String { name(of: redoSteps) }

  private func name(of steps: [Step]) -> String { last(of: steps).map { steps[$0].name } ?? "" }

  /// The index of the last step with an action that would be performed; nil if there is none.
  private func last(of steps: [Step]) -> Int? { steps.lastIndex(where: \.isAlive) }

  // MARK: Groups

  /// Begins a group: all messages and closures registered until its end are one step.
  ///
  /// Groups can be nested.
  public func beginGroup() {
    groupingLevel += 1
    onChange?(self, .didOpenGroup)
  }

  /// Ends the group that was begun last.
  ///
  /// A group in which nothing was registered does not add a step.
  ///
  /// - Throws: `InvocationError` `unbalancedUndo` if no group is open. This method cannot end the group that an undo or a redo
  ///   itself has opened.
  public func endGroup() throws(InvocationError) {
    guard hasOpenGroup else { throw InvocationError(.unbalancedUndo, "no group is open") }
    onChange?(self, .willCloseGroup)
    // The observer may have ended it.
    guard hasOpenGroup else { return }
    groupingLevel -= 1
    if groupingLevel == 0 { closeStep() }
    onChange?(self, .didCloseGroup)
  }

  /// Whether a group is open that was begun by ``beginGroup()``.
  private var hasOpenGroup: Bool { groupingLevel > (activity == .none ? 0 : 1) }

  // MARK: Undoing

  /// Undoes the last step: sends its messages in reverse order.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: `InvocationError` `unbalancedUndo`, if a group is open, and while undoing or redoing: nothing is undone.
  ///   What a message throws: this message and those not sent yet remain to be undone; what was undone can be redone.
  @discardableResult
  public func undo() throws -> Bool { try perform(.undoing, \.undoSteps) }

  /// Redoes the step that was undone last: sends its messages in reverse order.
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: `InvocationError` `unbalancedUndo` and what a message throws, as ``undo()`` does.
  @discardableResult
  public func redo() throws -> Bool { try perform(.redoing, \.redoSteps) }

  /// Removes all messages and closures; an open group stays open.
  ///
  /// While undoing or redoing, the messages of the step that were not sent yet are removed too.
  public func removeAll() { removeAll { _ in true } }

  /// Removes the messages and closures of a target.
  ///
  /// A deinitializer may call it with its object.
  public func removeAll(withTarget target: AnyObject) {
    let id = ObjectIdentifier(target)
    removeAll { $0.target?.id == id }
  }

  private func removeAll(where isRemoved: (Action) -> Bool) {
    let undoing = exchange(&undoSteps, with: undoSteps.compactMap { $0.without(isRemoved) })
    let redoing = exchange(&redoSteps, with: redoSteps.compactMap { $0.without(isRemoved) })
    let opened = exchange(&open.actions, with: open.actions.filter { !isRemoved($0) })
    let running = exchange(&current.actions, with: current.actions.filter { !isRemoved($0) })
    let last = performed
    if let last, isRemoved(last) { performed = nil }
    withExtendedLifetime((undoing, redoing, opened, running, last)) {}
  }

  private func perform(_ activity: Activity, _ steps: ReferenceWritableKeyPath<InvocationUndoStack, [Step]>) throws -> Bool {
    guard self.activity == .none else {
      throw InvocationError(.unbalancedUndo, "\(activity == .undoing ? "undo" : "redo")() within \(isUndoing ? "undo" : "redo")()")
    }
    guard groupingLevel == 0 else {
      throw InvocationError(.unbalancedUndo, "\(activity == .undoing ? "undo" : "redo")() while a group is open; end it first")
    }
    guard let step = takeStep(of: steps) else { return false }
    current = step
    self.activity = activity
    groupingLevel = 1
    open.name = step.name
    onChange?(self, activity == .undoing ? .willUndo : .willRedo)
    defer {
      groupingLevel = 0
      closeStep()
      self.activity = .none
      let left = exchange(&current, with: Step())
      if !left.actions.isEmpty { self[keyPath: steps].append(left) }
      onChange?(self, activity == .undoing ? .didUndo : .didRedo)
    }
    while let action = current.actions.popLast() {
      performed = action
      // The local reference is released after the other one.
      defer { withExtendedLifetime(action) { performed = nil } }
      do { try action.perform() } catch {
        if let performed { current.actions.append(performed) }
        throw error
      }
    }
    return true
  }

  /// Takes the last step with an action to perform; those after it are dropped.
  private func takeStep(of steps: ReferenceWritableKeyPath<InvocationUndoStack, [Step]>) -> Step? {
    while let step = self[keyPath: steps].popLast() {
      if step.isAlive { return step }
    }
    return nil
  }

  private func closeStep() {
    let step = exchange(&open, with: Step())
    guard !step.actions.isEmpty else { return }
    guard activity != .undoing else { return redoSteps.append(step) }
    undoSteps.append(step)
    guard levels > 0, undoSteps.count > levels else { return }
    let former = exchange(&undoSteps, with: undoSteps.filter(\.isAlive).suffix(levels))
    withExtendedLifetime(former) {}
  }

  /// The number of steps: `2 steps to undo, 1 to redo`.
  public var description: String {
    undoSteps.count(where: \.isAlive).counted("step") + " to undo, \(redoSteps.count(where: \.isAlive)) to redo"
      + (hasOpenGroup ? ", a group open" : "")
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

  /// The target of a message or closure.
  final class Target {
    /// The identity, which a deinitializer can still compare when the object cannot be retained any more.
    let id: ObjectIdentifier
    private let retained: AnyObject?
    private weak var referenced: AnyObject?

    init(_ object: AnyObject, isRetained: Bool) {
      id = ObjectIdentifier(object)
      retained = isRetained ? object : nil
      referenced = object
    }

    /// The object; nil if it was deallocated.
    var object: AnyObject? { retained ?? referenced }
  }

  /// A message to send, or a closure to call.
  struct Action {
    /// Nil if it does not depend on the life of an object.
    let target: Target?
    private let body: (AnyObject?) throws -> Void

    init(target: Target?, _ body: @escaping (AnyObject?) throws -> Void) {
      self.target = target
      self.body = body
    }

    /// Whether the target, if there is one, was not deallocated.
    var isAlive: Bool { target.map { $0.object != nil } ?? true }

    /// Sends the message or calls the closure; does nothing if the target was deallocated.
    func perform() throws {
      guard let target else { return try body(nil) }
      guard let object = target.object else { return }
      try withExtendedLifetime(object) { try body(object) }
    }
  }

  /// The actions that one call of ``undo()`` or ``redo()`` performs, in reverse order.
  struct Step {
    var actions: [Action] = []
    var name: String = ""

    /// Whether an action would be performed.
    var isAlive: Bool { actions.contains(where: \.isAlive) }

    /// Returns the step without some of its actions, or nil if no action is left.
    func without(_ isRemoved: (Action) -> Bool) -> Step? {
      let step = Step(actions: actions.filter { !isRemoved($0) }, name: name)
      return step.actions.isEmpty ? nil : step
    }
  }
}

extension InvocationError.Code {
  /// The code for an undo or redo within another or while a group is open, and for the end of a group that was not begun.
  public static let unbalancedUndo: InvocationError.Code = InvocationError.Code(rawValue: "unbalancedUndo")
}
