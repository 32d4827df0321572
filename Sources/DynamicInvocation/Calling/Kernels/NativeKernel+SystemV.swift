internal import CFFIShim

extension SystemV: NativeConvention {
  /// Chooses the kernel that does no more than a call needs.
  package func kernel(for layout: CallLayout) -> NativeKernel {
    let isWide = layout.fillsVectorRegisters
    let x87Results = layout.result.pieces.count { piece in
      if case .x87 = piece.location { true } else { false }
    }
    return switch (x87Results, isWide) {
    case (1, false): make(.sysvX87, "the result comes back in st(0)")
    case (1, true): make(.sysvWideX87, "whole vectors travel, and the result comes back in st(0)", isWide: true)
    case (2, false): make(.sysvComplexX87, "the result comes back in st(0) and st(1)")
    case (2, true):
      make(.sysvWideComplexX87, "whole vectors travel, and the result comes back in st(0) and st(1)", isWide: true)
    case (_, true): make(.sysvWide, "whole vectors travel", isWide: true)
    case _ where (1...16).contains(layout.stackSize) && layout.stackAlignment <= 16:
      make(.sysvStack2, "at most two words travel on the stack")
    case _ where (17...32).contains(layout.stackSize) && layout.stackAlignment <= 16:
      make(.sysvStack4, "at most four words travel on the stack")
    case _ where layout.stackSize > 0: make(.sysvStack, "some arguments travel on the stack")
    case _ where layout.vectorCount > 0: make(.sysvVector, "some arguments travel in vector registers")
    default: make(.sysvGeneral, "all arguments travel in general registers")
    }
  }

  private func make(_ name: NativeKernel.Name, _ reason: String, isWide: Bool = false) -> NativeKernel {
    NativeKernel(
      name: name, reason: reason, general: Int(CFFI_SYSV_GENERAL), vector: Int(CFFI_SYSV_VECTOR), vectorStride: isWide ? 16 : 8,
      stack: Int(isWide ? CFFI_SYSV_WIDE_STACK : CFFI_SYSV_STACK),
      callerStack: Int(isWide ? CFFI_SYSV_WIDE_CALLER_STACK : CFFI_SYSV_CALLER_STACK),
      generalResults: [Int(CFFI_SYSV_RESULT_GENERAL), Int(CFFI_SYSV_RESULT_GENERAL) + 8],
      vectorResults: [
        Int(CFFI_SYSV_RESULT_VECTOR), Int(isWide ? CFFI_SYSV_WIDE_RESULT_VECTOR_1 : CFFI_SYSV_RESULT_VECTOR + 8),
      ])
  }

  /// The stack words in the low half, their alignment in the high half.
  package func context(_ stack: NativeStack) -> NativeContext {
    .word(UInt(stack.size / 8) | UInt(stack.alignment) << 32)
  }
}
