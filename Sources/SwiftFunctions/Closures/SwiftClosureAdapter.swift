internal import CallFrames

/// The context of a closure that calls another one, whose values are passed in another way.
///
/// The compiler passes a closure that is an argument of a function as code that takes its values in registers, as a
/// function of the same types does. A closure in a generic container, such as `Any`, is code that takes the address of
/// each value. The code of an adapter is an entry in assembly: it stores the registers in a frame, and calls ``run``.
///
/// An adapter is immutable. It is the context of a function value, so it is used where the closure may be used.
@safe
final class SwiftClosureAdapter: @unchecked Sendable {
  // Unchecked Sendable: the closure is not changed, and the function value has the isolation of its type.

  private typealias Run = @convention(c) (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void

  /// The function that the entry calls with the frame and this object, in the first field, which the entry reads.
  private let run: Run
  private let plan: SwiftClosurePlan
  private let code: UnsafeRawPointer
  private let context: UnsafeRawPointer?

  private init(_ plan: SwiftClosurePlan, _ run: @escaping Run, code: UnsafeRawPointer, context: UnsafeRawPointer?) {
    unsafe self.run = unsafe run
    self.plan = plan
    unsafe self.code = unsafe code
    unsafe self.context = unsafe context
  }

  deinit {
    var words = unsafe (code, context)
    unsafe withUnsafeMutableBytes(of: &words) { unsafe plan.type.destroy($0.baseAddress.unsafelyUnwrapped) }
  }

  /// Replaces a closure as generic code stores it by one as a function receives it.
  ///
  /// - Parameter memory: The code and the context of the closure, whose ownership the new closure takes; null code is nil
  ///   of an optional.
  @unsafe
  static func lower(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByAddresses(frame) }
    }
  }

  /// Replaces a closure that a function has returned by one as generic code stores it.
  ///
  /// - Parameter memory: As for ``lower(_:_:)``.
  @unsafe
  static func raise(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan) {
    unsafe replace(memory, plan) { frame, object in
      let adapter = unsafe Unmanaged<SwiftClosureAdapter>.fromOpaque(object)
      unsafe adapter._withUnsafeGuaranteedRef { unsafe $0.callByValues(frame) }
    }
  }

  @unsafe
  private static func replace(_ memory: UnsafeMutableRawPointer, _ plan: SwiftClosurePlan, _ run: @escaping Run) {
    guard let code = unsafe memory.load(as: UnsafeRawPointer?.self) else { return }
    let context = unsafe memory.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
    let adapter = unsafe SwiftClosureAdapter(plan, run, code: code, context: context)
    let object = unsafe Unmanaged.passRetained(adapter).toOpaque()
    unsafe memory.storeBytes(of: plan.entry, as: UnsafeRawPointer.self)
    unsafe memory.storeBytes(of: object, toByteOffset: 8, as: UnsafeMutableRawPointer.self)
  }

  /// Makes the call of a frame, whose registers contain values, by a closure that takes addresses.
  @unsafe
  private func callByAddresses(_ frame: UnsafeMutableRawPointer) {
    unsafe call(plan.addressKernel, plan.addressFrameSize) { called, buffer in
      for value in plan.parameters {
        unsafe called.storeBytes(
          of: value.address(in: frame, buffer: buffer + value.buffer), toByteOffset: value.word.called, as: UnsafeRawPointer.self)
      }
      let result = unsafe plan.resultAddress.map { unsafe frame.load(fromByteOffset: $0.incoming, as: UnsafeMutableRawPointer.self) }
      unsafe called.storeBytes(
        of: result ?? buffer + plan.resultBuffer, toByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    } finish: { called, buffer in
      if unsafe passError(from: called, to: frame) { return }
      for part in plan.resultParts {
        unsafe (frame + part.incoming).copyMemory(from: buffer + plan.resultBuffer + part.offset, byteCount: part.size)
      }
    }
  }

  /// Makes the call of a frame, whose registers contain addresses, by a closure that takes values.
  @unsafe
  private func callByValues(_ frame: UnsafeMutableRawPointer) {
    let result = unsafe frame.load(fromByteOffset: SwiftKernel.indirectResult, as: UnsafeMutableRawPointer.self)
    unsafe call(plan.valueKernel, plan.valueFrameSize) { called, _ in
      for value in plan.parameters {
        unsafe value.store(frame.load(fromByteOffset: value.word.incoming, as: UnsafeRawPointer.self), to: called)
      }
      if let address = plan.resultAddress {
        unsafe called.storeBytes(of: result, toByteOffset: address.called, as: UnsafeMutableRawPointer.self)
      }
    } finish: { called, _ in
      if unsafe passError(from: called, to: frame) { return }
      for part in plan.resultParts { unsafe part.copy(from: called + part.called, to: result + part.offset) }
    }
  }

  /// Calls the closure with a frame of a kernel and a buffer for values.
  @unsafe
  private func call(
    _ kernel: SwiftKernel, _ size: Int, _ start: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void,
    finish: (UnsafeMutableRawPointer, UnsafeMutableRawPointer) -> Void
  ) {
    unsafe withUnsafeTemporaryAllocation(byteCount: plan.bufferSize + size, alignment: plan.alignment) { memory in
      let buffer = unsafe memory.baseAddress.unsafelyUnwrapped
      let called = unsafe buffer + plan.bufferSize
      unsafe start(called, buffer)
      unsafe called.storeBytes(of: context, toByteOffset: SwiftKernel.selfWord, as: UnsafeRawPointer?.self)
      unsafe kernel.function(called, code, UnsafeRawPointer(bitPattern: (size - kernel.stack) / 8))
      unsafe finish(called, buffer)
    }
  }

  /// Passes on the error of the closure; false if there is none.
  @unsafe
  private func passError(from called: UnsafeMutableRawPointer, to frame: UnsafeMutableRawPointer) -> Bool {
    let error = unsafe called.load(fromByteOffset: SwiftKernel.error, as: UInt.self)
    // Without an error the register keeps its value, which belongs to the caller of a closure that does not throw.
    if error != 0 { unsafe frame.storeBytes(of: error, toByteOffset: SwiftKernel.error, as: UInt.self) }
    return error != 0
  }
}
