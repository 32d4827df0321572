internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions

/// A call of a replaced function: the addresses of its arguments, and memory for its result.
///
/// A call ends once: with a result, which is stored at ``result`` before ``finish()``, with an error, which is given to
/// ``fail(_:)``, or by being passed on.
@safe
final class EnteredCall: @unchecked Sendable {
  // Unchecked Sendable: one thread or task at a time runs the call.

  /// The size of the register image; in a frame of a kernel, stack words follow it.
  static let imageSize: Int = SwiftKernel.entryFrame.stack - 16

  private let plan: EntryPlan
  /// The frame of the entry.
  private let frame: UnsafeMutableRawPointer
  /// The addresses of the arguments, which still belong to the caller.
  let arguments: [UnsafeMutableRawPointer]
  /// Where the result is stored.
  let result: UnsafeMutableRawPointer
  /// Where an error of a stated type is stored.
  private let failure: UnsafeMutableRawPointer
  private let buffer: UnsafeMutableRawPointer
  /// What is entered if the call is passed on.
  private let next: UnsafeRawPointer
  /// The object that the caller has allocated for an initializer; the result is another object.
  private let allocated: UnsafeMutableRawPointer?

  /// Reads the arguments of a frame.
  ///
  /// - Parameter next: The code, or the async function pointer, of what is entered if the call is passed on.
  @unsafe
  init(_ plan: EntryPlan, frame: UnsafeMutableRawPointer, next: UnsafeRawPointer) {
    self.plan = plan
    unsafe self.next = unsafe next
    unsafe self.frame = unsafe frame
    let buffer = UnsafeMutableRawPointer.allocate(byteCount: plan.memory.size, alignment: plan.memory.alignment)
    unsafe buffer.initializeMemory(as: UInt8.self, repeating: 0, count: plan.memory.size)
    unsafe (buffer + plan.image).copyMemory(from: frame, byteCount: Self.imageSize)
    // In C, the register for errors has any value, and functions preserve it.
    if plan.isOfC { unsafe buffer.storeBytes(of: 0, toByteOffset: plan.image + SwiftKernel.error, as: UInt.self) }
    unsafe self.buffer = unsafe buffer
    unsafe arguments = plan.arguments.map { unsafe Self.address(of: $0, frame, buffer) }
    let target = unsafe frame.load(fromByteOffset: SwiftKernel.selfWord, as: UnsafeMutableRawPointer?.self)
    // An initializer that allocates its object gets the class itself.
    if let type = plan.createdClass, let target = unsafe target, unsafe target != type.address {
      unsafe allocated = unsafe target
    } else {
      unsafe allocated = nil
    }
    unsafe result =
      plan.resultAddress.map { unsafe frame.load(fromByteOffset: $0, as: UnsafeMutableRawPointer.self) } ?? buffer + plan.resultBuffer
    // In the frame of the entry: another frame has its stack words elsewhere.
    unsafe failure =
      plan.error.address.map { unsafe frame.load(fromByteOffset: $0, as: UnsafeMutableRawPointer.self) } ?? buffer + plan.errorBuffer
  }

  deinit {
    unsafe buffer.deallocate()
  }

  @unsafe
  private static func address(
    of argument: EntryPlan.Argument, _ frame: UnsafeMutableRawPointer, _ buffer: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer {
    if let part = argument.parts.first, part.form == .address {
      // Closures are in registers, so that nothing at an address has to be converted.
      return unsafe frame.load(fromByteOffset: part.word, as: UnsafeMutableRawPointer.self)
    }
    let own = unsafe buffer + argument.buffer
    for part in argument.parts { unsafe part.load(from: frame, to: own) }
    guard !argument.closures.isEmpty else { return unsafe own }
    // The closure in another form owns the closure that it calls.
    let converted = unsafe buffer + argument.converted
    unsafe argument.type.initialize(converted, copying: own)
    for closure in argument.closures { unsafe SwiftClosureAdapter.raise(converted + closure.offset, closure.plan) }
    return unsafe converted
  }

  // MARK: Answers

  /// Moves the result to where the caller expects it.
  func finish() {
    for closure in plan.resultClosures { unsafe SwiftClosureAdapter.lower(result + closure.offset, closure.plan) }
    for part in plan.resultParts { unsafe part.store(result, to: frame) }
    end()
  }

  /// Gives the caller an error.
  ///
  /// - Precondition: The error has the type that the function states, if it states one.
  func fail(_ error: any Error) {
    unsafe plan.error.put(error, in: frame, at: failure)
    end()
  }

  /// Destroys the values whose ownership the function received.
  private func end() {
    #if !_runtime(_ObjC)
      if let allocated = unsafe allocated, let type = plan.createdClass {
        unsafe creplace_free_object(allocated, type.address, UInt(type.instanceSize), UInt(type.instanceAlignmentMask))
      }
    #endif
    for (index, argument) in plan.arguments.enumerated() where argument.isOwned {
      unsafe argument.type.destroy(argument.closures.isEmpty ? arguments[index] : buffer + argument.buffer)
    }
    endCopies()
  }

  /// Destroys the copies of arguments.
  private func endCopies() {
    for (index, argument) in plan.arguments.enumerated() where !argument.closures.isEmpty {
      guard argument.type.isTrivial else {
        unsafe argument.type.destroy(arguments[index])
        continue
      }
      // A non-escaping closure owns nothing, but its adapter is a retained object.
      for closure in argument.closures {
        let object = unsafe arguments[index].load(fromByteOffset: closure.offset + 8, as: UnsafeRawPointer?.self)
        if let object = unsafe object { unsafe Unmanaged<AnyObject>.fromOpaque(object).release() }
      }
    }
  }

  // MARK: What was replaced

  /// How a call that was passed on has ended.
  enum Outcome {
    case returned(Any)
    case threw(any Error)
  }

  /// Calls what was replaced, and gives its result or error to the caller.
  func pass() -> Outcome {
    let kernel = SwiftKernel.entryFrame
    let stackSize = plan.stackSize.roundedUp(to: 16)
    // Not on the stack, which nested calls use up.
    let called = UnsafeMutableRawPointer.allocate(byteCount: Self.imageSize + stackSize, alignment: 16)
    defer { unsafe called.deallocate() }
    unsafe called.copyMemory(from: buffer + plan.image, byteCount: Self.imageSize)
    unsafe (called + Self.imageSize).copyMemory(from: frame + kernel.stack, byteCount: plan.stackSize)
    unsafe kernel.function(called, next, UnsafeRawPointer(bitPattern: plan.stackSize / 8))
    // Without an error the register is preserved, and it was null.
    return unsafe take(called, isFailed: SwiftFrameError.isThrown(called))
  }

  /// Calls what was replaced, as an asynchronous function, and gives its result or error to the caller.
  nonisolated(nonsending) func passAsynchronously() async -> Outcome {
    let called = SwiftAsyncFrame(size: Self.imageSize + 16, alignment: 16)
    unsafe called.frame.copyMemory(from: buffer + plan.image, byteCount: Self.imageSize)
    await unsafe called.call(next)
    // A function that does not throw leaves the register for the error undefined.
    return unsafe take(called.frame, isFailed: plan.isThrowing && SwiftFrameError.isThrown(called.frame))
  }

  /// Passes the results of a frame on to the caller, and returns a copy of them.
  @unsafe
  private func take(_ called: UnsafeMutableRawPointer, isFailed: Bool) -> Outcome {
    endCopies()
    guard !isFailed else {
      let error = unsafe plan.error.take(from: called, at: failure)
      unsafe plan.error.put(error, in: frame, at: failure)
      return .threw(error)
    }
    unsafe frame.copyMemory(from: called, byteCount: SwiftKernel.error)
    let vectors = SwiftKernel.entryFrame.resultOffset(of: .vector(0))
    unsafe (frame + vectors).copyMemory(from: called + vectors, byteCount: 64)
    for part in plan.resultParts { unsafe part.load(from: called, to: result) }
    guard !plan.resultClosures.isEmpty else { return .returned(unsafe Self.copy(plan.result, at: result)) }
    return unsafe withUnsafeTemporaryAllocation(byteCount: plan.result.size, alignment: plan.result.alignment) { memory in
      let converted = unsafe memory.baseAddress.unsafelyUnwrapped
      unsafe plan.result.initialize(converted, copying: result)
      for closure in plan.resultClosures { unsafe SwiftClosureAdapter.raise(converted + closure.offset, closure.plan) }
      defer { unsafe plan.result.destroy(converted) }
      return .returned(unsafe Self.copy(plan.result, at: converted))
    }
  }

  // MARK: Values

  /// Copies of the arguments.
  func copies() -> [Any] { plan.arguments.indices.map { unsafe Self.copy(plan.arguments[$0].type, at: arguments[$0]) } }

  /// A copy of a value; a closure that does not escape is left out, since it is of no use after its call.
  ///
  /// An object whose deinitializer makes the call would be gone: its identifier is kept.
  @unsafe
  private static func copy(_ type: SwiftMetadata, at address: UnsafeMutableRawPointer) -> Any {
    if type.swiftFunction?.isEscaping == false { return () }
    if let object = unsafe type.deallocatingObject(in: address) { return object }
    return unsafe type.value(at: address)
  }

  /// Stores a value that has the type of the result.
  func store(_ value: Any) { unsafe plan.result.store(value, at: result) }
}
