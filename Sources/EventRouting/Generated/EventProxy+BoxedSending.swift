// Written by make generate from Scripts/Templates/EventRouting/EventProxy+BoxedSending.swift.template.

public import DynamicInvocation

/// Sending events whose arguments are boxed in the call.
extension EventProxy {
  /// Sends an event with one boxed argument, without an array around it.
  ///
  ///     proxy.send("row.tapped", source: row, boxed: .int(3))
  ///
  /// An array literal of boxes is allocated on the stack only if the optimizer can prove that it does not escape. These
  /// forms never allocate.
  ///
  /// - Parameters:
  ///   - key: The event.
  ///   - source: The source of the event, the handlers' first argument.
  ///   - a: The argument.
  /// - Returns: The same as the form with an array.
  /// - Complexity: The same as that form.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, boxed a: BoxedValue
  ) -> Outcome {
    unsafe withUnsafeTemporaryAllocation(of: BoxedValue.self, capacity: 1) { memory in
      let boxes = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe UnretainedBox.store(a, at: boxes + 0)
      let answer = unsafe send(key, source: source, boxes: UnsafeBufferPointer(memory))
      withExtendedLifetime(a) {}
      return answer
    }
  }

  /// Sends an event with two arguments, boxed; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, boxed a: BoxedValue, _ b: BoxedValue
  ) -> Outcome {
    unsafe withUnsafeTemporaryAllocation(of: BoxedValue.self, capacity: 2) { memory in
      let boxes = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe UnretainedBox.store(a, at: boxes + 0)
      unsafe UnretainedBox.store(b, at: boxes + 1)
      let answer = unsafe send(key, source: source, boxes: UnsafeBufferPointer(memory))
      withExtendedLifetime(a) {}
      withExtendedLifetime(b) {}
      return answer
    }
  }

  /// Sends an event with three arguments, boxed; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, boxed a: BoxedValue, _ b: BoxedValue, _ c: BoxedValue
  ) -> Outcome {
    unsafe withUnsafeTemporaryAllocation(of: BoxedValue.self, capacity: 3) { memory in
      let boxes = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe UnretainedBox.store(a, at: boxes + 0)
      unsafe UnretainedBox.store(b, at: boxes + 1)
      unsafe UnretainedBox.store(c, at: boxes + 2)
      let answer = unsafe send(key, source: source, boxes: UnsafeBufferPointer(memory))
      withExtendedLifetime(a) {}
      withExtendedLifetime(b) {}
      withExtendedLifetime(c) {}
      return answer
    }
  }

  /// Sends an event with four arguments, boxed; see the form with one argument.
  @_alwaysEmitIntoClient @inline(__always)
  @discardableResult
  public func send(
    _ key: EventKey, source: AnyObject?, boxed a: BoxedValue, _ b: BoxedValue, _ c: BoxedValue, _ d: BoxedValue
  ) -> Outcome {
    unsafe withUnsafeTemporaryAllocation(of: BoxedValue.self, capacity: 4) { memory in
      let boxes = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe UnretainedBox.store(a, at: boxes + 0)
      unsafe UnretainedBox.store(b, at: boxes + 1)
      unsafe UnretainedBox.store(c, at: boxes + 2)
      unsafe UnretainedBox.store(d, at: boxes + 3)
      let answer = unsafe send(key, source: source, boxes: UnsafeBufferPointer(memory))
      withExtendedLifetime(a) {}
      withExtendedLifetime(b) {}
      withExtendedLifetime(c) {}
      withExtendedLifetime(d) {}
      return answer
    }
  }
}
