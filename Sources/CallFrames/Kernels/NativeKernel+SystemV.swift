internal import CFFIShim

extension SystemV: NativeConvention {
  package static let kernels: [NativeKernel] = unsafe [
    NativeKernel("sysv-wide-x87", wideImage, cffi_kernel_sysv_wide_x87, readsContext: true) {
      $0.fillsVectorRegisters && $0.x87ResultCount == 1 ? "whole vectors are passed, and the result comes back in st(0)" : nil
    },
    NativeKernel("sysv-wide-complex-x87", wideImage, cffi_kernel_sysv_wide_complex_x87, readsContext: true) {
      $0.fillsVectorRegisters && $0.x87ResultCount == 2 ? "whole vectors are passed, and the result comes back in st(0) and st(1)" : nil
    },
    NativeKernel("sysv-wide", wideImage, cffi_kernel_sysv_wide, readsContext: true) {
      $0.fillsVectorRegisters ? "whole vectors are passed" : nil
    },
    NativeKernel("sysv-x87", image, cffi_kernel_sysv_x87, readsContext: true) {
      $0.x87ResultCount == 1 ? "the result comes back in st(0)" : nil
    },
    NativeKernel("sysv-complex-x87", image, cffi_kernel_sysv_complex_x87, readsContext: true) {
      $0.x87ResultCount == 2 ? "the result comes back in st(0) and st(1)" : nil
    },
    NativeKernel("sysv-stack-2", image, cffi_kernel_sysv_stack_2) {
      (1...16).contains($0.stackSize) && $0.stackAlignment <= 16 ? "at most two words are passed on the stack" : nil
    },
    NativeKernel("sysv-stack-4", image, cffi_kernel_sysv_stack_4) {
      (17...32).contains($0.stackSize) && $0.stackAlignment <= 16 ? "at most four words are passed on the stack" : nil
    },
    NativeKernel("sysv-stack", image, cffi_kernel_sysv_stack, readsContext: true) {
      $0.stackSize > 0 ? "some arguments are passed on the stack" : nil
    },
    NativeKernel("sysv-vector", image, cffi_kernel_sysv_vector) {
      $0.vectorCount > 0 ? "some arguments are passed in vector registers" : nil
    },
    NativeKernel("sysv-general", image, cffi_kernel_sysv_general) { _ in "all arguments are passed in general registers" },
  ]

  private static let image = RegisterImage(
    general: Int(CFFI_SYSV_GENERAL), vector: Int(CFFI_SYSV_VECTOR), vectorStride: 8, stack: Int(CFFI_SYSV_STACK),
    callerStack: Int(CFFI_SYSV_CALLER_STACK), generalResults: generalResults,
    vectorResults: [Int(CFFI_SYSV_RESULT_VECTOR), Int(CFFI_SYSV_RESULT_VECTOR) + 8])

  private static let wideImage = RegisterImage(
    general: Int(CFFI_SYSV_GENERAL), vector: Int(CFFI_SYSV_VECTOR), vectorStride: 16, stack: Int(CFFI_SYSV_WIDE_STACK),
    callerStack: Int(CFFI_SYSV_WIDE_CALLER_STACK), generalResults: generalResults,
    vectorResults: [Int(CFFI_SYSV_RESULT_VECTOR), Int(CFFI_SYSV_WIDE_RESULT_VECTOR_1)])

  private static let generalResults = [Int(CFFI_SYSV_RESULT_GENERAL), Int(CFFI_SYSV_RESULT_GENERAL) + 8]

  /// Returns the number of stack words in the low half and their alignment in the high half.
  package func context(_ stack: NativeStack) -> NativeContext {
    .word(UInt(stack.size / 8) | UInt(stack.alignment) << 32)
  }
}
