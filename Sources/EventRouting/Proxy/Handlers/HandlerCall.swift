public import DynamicInvocation

/// A call of a handler with an event; the payload borrows it for the duration of the call.
@safe
@usableFromInline
package struct HandlerCall {
  @usableFromInline let record: UnsafeMutablePointer<HandlerRecord>
  /// The target, alive for the duration of the call.
  @usableFromInline let target: ObjectAddress

  @inlinable @inline(__always)
  init(_ record: UnsafeMutablePointer<HandlerRecord>, target: ObjectAddress) {
    unsafe self.record = unsafe record
    self.target = target
  }

  @usableFromInline var registration: EventRegistration { unsafe record.pointee.registration.takeUnretainedValue() }
}

// MARK: By types

extension HandlerCall {
  /// Whether the handler is a Swift closure whose arguments have these types.
  @inlinable @inline(__always)
  func takes(_ types: ObjectIdentifier) -> Bool { unsafe record.pointee.argumentTypes == types }

  /// The type of a parameter of a Swift closure, or nil.
  func parameterType(_ index: Int) -> (any _BoxConvertible.Type)? {
    guard let parameters = unsafe record.pointee.body?._withUnsafeGuaranteedRef({ $0.parameters }) else { return nil }
    return parameters.indices.contains(index) ? parameters[index] : nil
  }

  /// The class of the objects that a parameter takes; nil if it is no object or if that is not known.
  func parameterClass(_ index: Int) -> AnyClass? {
    if let type = parameterType(index) { return type.encodedType.valueTraits.objectClass }
    guard let plan = registration.plan else { return nil }
    return plan.implementation?.parameterClass(at: plan.first + index)
  }

  /// Borrows the body of a Swift closure, whose types were checked by ``takes(_:)``.
  @inlinable @inline(__always)
  func withBody<Body: HandlerBody, Result>(as type: Body.Type, _ run: (Body) throws -> Result) rethrows -> Result {
    try unsafe Unmanaged<Body>.fromOpaque(record.pointee.body.unsafelyUnwrapped.toOpaque())._withUnsafeGuaranteedRef { try run($0) }
  }
}

// MARK: By frames

extension HandlerCall {
  /// Calls the handler with a frame whose arguments a closure writes.
  ///
  /// - Throws: ``DeliveryFailure`` when the handler was not called, and any error that the handler throws.
  @inlinable @inline(__always)
  func call(_ count: Int, source: AnyObject?, _ write: (inout ArgumentWriter) throws -> Void) throws -> EventReply? {
    guard unsafe record.pointee.layout.count == count else { throw countMismatch(count) }
    guard unsafe record.pointee.layout.isSmall else { return try callLarge(source: source, write) }
    return try unsafe withUnsafeTemporaryAllocation(byteCount: HandlerLayout.smallFrame, alignment: 16) { memory in
      try unsafe call(with: memory.baseAddress.unsafelyUnwrapped, source: source, write)
    }
  }

  @inlinable @inline(never)
  func callLarge(source: AnyObject?, _ write: (inout ArgumentWriter) throws -> Void) throws -> EventReply? {
    let layout = unsafe record.pointee.layout
    return try unsafe withUnsafeTemporaryAllocation(byteCount: layout.frameSize, alignment: layout.frameAlignment) { memory in
      try unsafe call(with: memory.baseAddress.unsafelyUnwrapped, source: source, write)
    }
  }

  @inlinable @inline(__always)
  func call(
    with frame: UnsafeMutableRawPointer, source: AnyObject?, _ write: (inout ArgumentWriter) throws -> Void
  ) throws -> EventReply? {
    var writer = unsafe ArgumentWriter(frame, self)
    do {
      try write(&writer)
      let reply = try unsafe run(frame, source: ObjectAddress(source))
      writer.release()
      return reply
    } catch {
      writer.release()
      throw error
    }
  }

  /// Calls the handler with a frame that contains the event's arguments.
  @usableFromInline @inline(__always)
  func run(_ frame: UnsafeMutableRawPointer, source: ObjectAddress) throws -> EventReply? {
    if let function = unsafe record.pointee.function {
      try unsafe function.call(frame, target: target, source: source)
      return nil
    }
    return try unsafe record.pointee.body.unsafelyUnwrapped._withUnsafeGuaranteedRef { body in
      try unsafe body.run(
        target, source, FrameArguments(parameters: record.pointee.layout.parameters.unsafelyUnwrapped, frame: frame))
    }
  }

  @usableFromInline @inline(never)
  func sourceFailure(_ source: AnyObject?) -> any Error {
    DeliveryFailure(reason: unsafe record.pointee.source.failure(source))
  }

  @usableFromInline @inline(never)
  func countMismatch(_ given: Int) -> any Error {
    DeliveryFailure(reason: .eventCount(given, wanted: unsafe record.pointee.layout.count))
  }
}

// MARK: By boxes

extension HandlerCall {
  /// Calls the handler with boxes.
  ///
  /// - Throws: ``DeliveryFailure`` when the handler was not called, and any error that the handler throws.
  @inline(__always)
  func call(_ boxes: UnsafeBufferPointer<BoxedValue>, source: AnyObject?) throws -> EventReply? {
    if takesBoxes { return try unsafe call(boxed: Array(boxes), source: source) }
    return try call(boxes.count, source: source) { writer in
      for index in 0..<boxes.count {
        let box = unsafe boxes.baseAddress.unsafelyUnwrapped + index
        if unsafe !writer.parameters[index].write(box, to: writer.frame) { try unsafe writer.convert(box, index) }
      }
    }
  }

  /// Calls a function by the fast path if each box has exactly its parameter's type; returns whether it did.
  @inline(__always)
  func callQuickly(_ boxes: UnsafeBufferPointer<BoxedValue>, source: AnyObject?) -> Bool {
    guard unsafe record.pointee.layout.count == boxes.count else { return false }
    return unsafe withUnsafeTemporaryAllocation(byteCount: HandlerLayout.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      if var box = boxes.baseAddress {
        let end = unsafe box + boxes.count
        var parameter = unsafe record.pointee.layout.parameters.unsafelyUnwrapped
        while unsafe box != end {
          guard unsafe parameter.pointee.write(box, to: frame) else { return false }
          unsafe box += 1
          unsafe parameter += 1
        }
      }
      unsafe record.pointee.function.unsafelyUnwrapped.callPlainly(frame, target: target, source: ObjectAddress(source))
      return true
    }
  }

  /// Calls a function by the fast path with arguments that have the types of its parameters.
  ///
  /// - Parameter write: Writes the arguments to a frame, and returns a bit for each that the frame owns.
  @inlinable @inline(__always)
  func callQuickly(source: AnyObject?, _ write: (UnsafePointer<BoxedParameter>, UnsafeMutableRawPointer) -> UInt64) {
    unsafe withUnsafeTemporaryAllocation(byteCount: HandlerLayout.smallFrame, alignment: 16) { memory in
      let frame = unsafe memory.baseAddress.unsafelyUnwrapped
      let parameters = unsafe record.pointee.layout.parameters.unsafelyUnwrapped
      let owned = unsafe write(parameters, frame)
      unsafe record.pointee.function.unsafelyUnwrapped.callPlainly(frame, target: target, source: ObjectAddress(source))
      if owned != 0 { unsafe ArgumentWriter.release(owned, parameters, in: frame) }
    }
  }

  /// Whether the handler takes boxes: an interceptor, or Swift code with an optional parameter that no frame can hold.
  @inlinable
  var takesBoxes: Bool { unsafe record.pointee.layout.count < 0 }

  /// Calls a handler that takes boxes.
  @usableFromInline @inline(never)
  func call(boxed boxes: [BoxedValue], source: AnyObject?) throws -> EventReply? {
    try unsafe record.pointee.body.unsafelyUnwrapped._withUnsafeGuaranteedRef { body in
      try body.run(target, source: source, boxed: boxes)
    }
  }

  /// Converts a box for a parameter; returns whether the frame now owns the value.
  func store(_ box: BoxedValue, _ index: Int, in frame: UnsafeMutableRawPointer) throws -> Bool {
    let slot = unsafe record.pointee.layout.parameters.unsafelyUnwrapped[index].slot
    let type = registration.argumentTypes[index]
    do throws(InvocationError) {
      return try unsafe box.store(in: slot, of: frame, as: type, options: [], keeping: false)
    } catch {
      throw DeliveryFailure(reason: error.placed(.index(index + 1), type))
    }
  }
}
