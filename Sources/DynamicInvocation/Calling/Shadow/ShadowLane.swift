internal import CFFIShim

/// A call carried out by both lanes, whose results are compared.
///
/// Immutable once made, so it may be used from any thread.
@safe
final class ShadowLane: Sendable {
  /// The plan whose frame an invocation fills, and whose result stands.
  let native: CallPlan
  /// The plan that repeats the call.
  let libffi: CallPlan
  private let types: MethodTypes

  init(_ types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    native = try CallPlan.make(types, fixedCount: fixedCount, lane: .native)
    libffi = try CallPlan.make(types, fixedCount: fixedCount, lane: .libffi)
    self.types = types
  }

  /// The kernel of this lane; its context is the lane.
  static let kernel: CallPlan.Kernel = { frame, implementation, context in
    guard let context = unsafe context else { preconditionFailure("a shadow call without its lane") }
    unsafe Unmanaged<ShadowLane>.fromOpaque(context).takeUnretainedValue().call(implementation, frame: frame)
  }

  /// Calls by the native kernel, then by libffi with the same arguments; traps when the results differ.
  private func call(_ implementation: UnsafeRawPointer, frame: UnsafeMutableRawPointer) {
    unsafe withUnsafeTemporaryAllocation(byteCount: libffi.frameSize, alignment: libffi.frameAlignment) { memory in
      let copy = unsafe memory.baseAddress.unsafelyUnwrapped
      for index in 0..<native.count {
        unsafe native.slots[index].withValue(in: frame) { unsafe libffi.slots[index].write(from: $0, to: copy) }
      }
      unsafe libffi.prepare(copy)
      unsafe native.call(implementation, frame: frame)
      unsafe libffi.call(implementation, frame: copy)
      let difference = unsafe native.result.withValue(in: frame) { left in
        unsafe libffi.result.withValue(in: copy) { right in unsafe types.result.firstDifference(left, right) }
      }
      if let difference {
        preconditionFailure(
          unsafe """
          the lanes differ at byte \(difference) of the result of '\(types.text())': \
          natively \(BoxedValue(in: native.result, of: frame, as: types.result)), \
          by libffi \(BoxedValue(in: libffi.result, of: copy, as: types.result))
          """)
      }
    }
  }
}
