internal import CFFIShim

extension CallPlan {
  /// The minimum number of bytes for the result at the start of a frame.
  ///
  /// It is four words, so that libffi does not write past a small result.
  private static let smallestResult = 32

  /// Plans a call with libffi on x86-64, where the lowering follows the locations that the convention assigns.
  convenience init(libffi layout: CallLayout, types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    let frame = try Self.naturalFrame(types)
    let lowering = try LibFFILowering(systemV: layout, types: types, slots: frame.arguments)
    try self.init(lowering, frame, fixedCount: fixedCount)
  }

  /// Plans a call with libffi on a processor whose convention libffi implements.
  convenience init(portable types: MethodTypes, fixedCount: Int?) throws(InvocationError) {
    let frame = try Self.naturalFrame(types)
    let lowering = try LibFFILowering(portable: types, slots: frame.arguments)
    try self.init(lowering, frame, fixedCount: fixedCount)
  }

  private convenience init(
    _ lowering: LibFFILowering, _ frame: (arguments: [FrameSlot], result: FrameSlot, size: Int), fixedCount: Int?
  ) throws(InvocationError) {
    guard lowering.stackSize <= Self.largestStack else {
      throw InvocationError(.limitExceeded, "arguments of more than \(Self.largestStack) bytes on the stack")
    }
    let fixedParts = fixedCount.map { fixed in lowering.arguments.count { $0.index < fixed } }
    let backend = try LibFFIBackend(lowering, fixedCount: fixedParts)
    unsafe self.init(
      arguments: frame.arguments, result: frame.result, frameSize: frame.size, kernel: cffi_kernel_libffi,
      context: backend.context, backend: .libffi(backend))
  }

  /// Computes the layout of a frame with the result followed by the arguments, each aligned as its type requires, to at
  /// least 8 and at most 16 bytes.
  private static func naturalFrame(
    _ types: MethodTypes
  ) throws(InvocationError) -> (arguments: [FrameSlot], result: FrameSlot, size: Int) {
    let resultSize = types.result.size ?? 0
    guard resultSize <= largestFrame else { throw frameTooLarge(.result, types.result) }
    let result = FrameSlot(kind: types.result.valueKind, size: resultSize, offset: 0, storage: FrameSlot.storage(of: types.result))
    var end = max(resultSize.roundedUp(to: 16), smallestResult)
    var slots: [FrameSlot] = []
    slots.reserveCapacity(types.arguments.count)
    for (index, type) in types.arguments.enumerated() {
      let passed = FrameSlot.Passed(type)
      let offset = end.roundedUp(to: max(8, min(passed.alignment, 16)))
      let slot = FrameSlot(kind: passed.kind, size: passed.size, offset: offset, storage: FrameSlot.storage(of: type))
      slots.append(slot)
      end = offset + slot.extent
      guard end <= largestFrame else { throw frameTooLarge(.index(index), type) }
    }
    return (slots, result, end.roundedUp(to: 16))
  }

  /// Returns the error for a frame that exceeds ``largestFrame``.
  static func frameTooLarge(_ place: InvocationError.Argument, _ type: TypeEncoding) -> InvocationError {
    InvocationError(
      .limitExceeded, "a frame of more than \(largestFrame) bytes", argument: place, encoding: type.description)
  }
}
