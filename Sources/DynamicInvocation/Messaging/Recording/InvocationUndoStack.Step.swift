extension InvocationUndoStack {
  /// What an undo stack tells its observer; the notifications of NSUndoManager.
  public enum Change: Sendable, Hashable {
    /// A group was begun.
    case didOpenGroup
    /// A group is about to be ended.
    case willCloseGroup
    /// A group was ended; if it was the outermost and something was registered in it, it is a step now.
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

  /// What one call of ``undo()`` or ``redo()`` performs, the last action first.
  struct Step {
    var actions: [Action] = []
    var name: String = ""

    /// The step without some of its actions, or nil when none is left.
    func without(_ isRemoved: (Action) -> Bool) -> Step? {
      let step = Step(actions: actions.filter { !isRemoved($0) }, name: name)
      return step.actions.isEmpty ? nil : step
    }
  }
}
