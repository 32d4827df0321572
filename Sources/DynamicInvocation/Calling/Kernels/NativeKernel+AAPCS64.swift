internal import CFFIShim

extension AAPCS64: NativeConvention {
  /// Chooses the kernel that does no more than a call needs.
  package func kernel(for layout: CallLayout) -> NativeKernel {
    let copies = layout.arguments.contains { $0.passing == .reference }
    return switch (layout.stackSize > 0, copies) {
    case _ where layout.fillsVectorRegisters: make(.aapcs64Wide, "whole vector registers travel", isWide: true)
    case (true, true): make(.aapcs64Stack, "some arguments travel on the stack, and some by reference to a copy there")
    case (true, false): make(.aapcs64Stack, "some arguments travel on the stack")
    case (false, true): make(.aapcs64Stack, "some arguments travel by reference to a copy on the stack")
    case _ where layout.vectorCount > 0: make(.aapcs64Vector, "some arguments travel in vector registers")
    default: make(.aapcs64General, "all arguments travel in general registers")
    }
  }

  private func make(_ name: NativeKernel.Name, _ reason: String, isWide: Bool = false) -> NativeKernel {
    let stride = isWide ? 16 : 8
    return NativeKernel(
      name: name, reason: reason, general: Int(isWide ? CFFI_AAPCS64_WIDE_GENERAL : CFFI_AAPCS64_GENERAL),
      vector: Int(isWide ? CFFI_AAPCS64_WIDE_VECTOR : CFFI_AAPCS64_VECTOR), vectorStride: stride,
      indirectResult: Int(isWide ? CFFI_AAPCS64_WIDE_INDIRECT_RESULT : CFFI_AAPCS64_INDIRECT_RESULT),
      stack: Int(isWide ? CFFI_AAPCS64_WIDE_STACK : CFFI_AAPCS64_STACK),
      callerStack: Int(isWide ? CFFI_AAPCS64_WIDE_CALLER_STACK : CFFI_AAPCS64_CALLER_STACK),
      generalResults: [Int(CFFI_AAPCS64_RESULT_GENERAL), Int(CFFI_AAPCS64_RESULT_GENERAL) + 8],
      vectorResults: (0..<4).map { Int(CFFI_AAPCS64_RESULT_VECTOR) + stride * $0 })
  }

  /// A `cffi_aapcs64_stack`, for the kernels that read one.
  package func context(_ stack: NativeStack) -> NativeContext {
    var words = [UInt32(stack.size / 8), UInt32(stack.alignment), UInt32(stack.addresses.count)]
    for address in stack.addresses { words += [UInt32(address.word), UInt32(address.target)] }
    return .words(words)
  }
}
