extension CallPlan {
  /// Plans a call by both lanes in a frame for the native one.
  convenience init(shadow types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    let lane = try ShadowLane(types, fixedCount: fixedCount)
    let native = lane.native
    unsafe self.init(
      arguments: Array(UnsafeBufferPointer(start: native.slots, count: native.count)), result: native.result, frameSize: native.frameSize,
      frameAlignment: native.frameAlignment, resultAddressOffset: native.resultAddressOffset, kernel: ShadowLane.kernel,
      context: UnsafeRawPointer(Unmanaged.passUnretained(lane).toOpaque()), backend: .shadow(lane))
  }
}
