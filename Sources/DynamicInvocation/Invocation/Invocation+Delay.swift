extension Invocation {
  /// Invokes after a delay, on the actor of the caller.
  ///
  ///     try await invocation.invoke(after: .seconds(1))
  ///
  /// The invocation does not leave the caller's isolation, so its target and arguments need not be Sendable. Others may use the invocation
  /// during the delay: the arguments are those at its end.
  ///
  /// - Parameters:
  ///   - delay: How long to wait.
  ///   - clock: What measures the delay.
  ///   - isolation: The actor of the caller, to be left as it is.
  /// - Throws: `CancellationError`, without a call, when the task is cancelled before the end of the delay; what ``invoke()`` throws.
  public func invoke<ClockType: Clock>(
    after delay: ClockType.Duration, clock: ClockType = ContinuousClock(), isolation: isolated (any Actor)? = #isolation
  ) async throws {
    try await clock.sleep(until: clock.now.advanced(by: delay), tolerance: nil)
    try Task.checkCancellation()
    try invoke()
  }
}
