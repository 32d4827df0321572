/// The types of a call with their plan: the object that equal signatures share.
@usableFromInline
@safe
package final class PlannedSignature: @unchecked Sendable {
  // Unchecked Sendable: the state that `newState` points to is written only in the initializer.

  @usableFromInline package let types: MethodTypes
  @usableFromInline package let plan: CallPlan
  package let fixedCount: Int?
  /// The text that equality compares, computed once.
  package let identity: String
  /// Whether the object of an invocation has room for a frame.
  package let fitsInline: Bool
  /// Whether a frame, its state and its bits fit ``FrameCore/smallBlock`` bytes, and each of its bit sets is one word.
  @usableFromInline package let fitsSmallBlock: Bool
  /// The state of a new frame that retains objects and copies C strings.
  @usableFromInline package let newState: UnsafePointer<FrameCore.State>

  package convenience init(types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) {
    self.init(types: types, fixedCount: fixedCount, plan: try CallPlan.make(types, fixedCount: fixedCount, backend: backend))
  }

  package init(types: MethodTypes, fixedCount: Int?, plan: CallPlan) {
    self.plan = plan
    fitsInline = FrameCore.InlineFrame.hasRoom(for: plan)
    fitsSmallBlock =
      plan.blockSize <= FrameCore.smallBlock - FrameCore.State.size && plan.frameAlignment <= 16 && plan.count <= CallPlan.firstCount
    let state = UnsafeMutablePointer<FrameCore.State>.allocate(capacity: 1)
    unsafe newState = UnsafePointer(state)
    self.types = types
    self.fixedCount = fixedCount
    identity = types.text(dialect: .gnu, options: [.structNames, .layoutOverrides, .atomicParts]) + (fixedCount.map { "...\($0)" } ?? "")
    unsafe state.initialize(to: FrameCore.State(self))
  }

  deinit { unsafe newState.deallocate() }
}
