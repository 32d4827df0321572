internal import CFFIShim

extension AAPCS64: NativeConvention {
  package static let kernels: [NativeKernel] = unsafe [
    NativeKernel("aapcs64-wide", wideImage, cffi_kernel_aapcs64_wide, readsContext: true) {
      $0.fillsVectorRegisters ? "whole vector registers are passed" : nil
    },
    NativeKernel("aapcs64-stack", image, cffi_kernel_aapcs64_stack, readsContext: true) {
      switch ($0.stackSize > 0, $0.passesCopies) {
      case (true, true): "some arguments are passed on the stack, and some by reference to a copy there"
      case (true, false): "some arguments are passed on the stack"
      case (false, true): "some arguments are passed by reference to a copy on the stack"
      case (false, false): nil
      }
    },
    NativeKernel("aapcs64-vector", image, cffi_kernel_aapcs64_vector) {
      $0.vectorCount > 0 ? "some arguments are passed in vector registers" : nil
    },
    NativeKernel("aapcs64-general", image, cffi_kernel_aapcs64_general) { _ in "all arguments are passed in general registers" },
  ]

  static let image: RegisterImage = RegisterImage(
    general: Int(CFFI_AAPCS64_GENERAL), vector: Int(CFFI_AAPCS64_VECTOR), vectorStride: 8,
    indirectResult: Int(CFFI_AAPCS64_INDIRECT_RESULT), stack: Int(CFFI_AAPCS64_STACK), callerStack: Int(CFFI_AAPCS64_CALLER_STACK),
    generalResults: generalResults, vectorResults: vectorResults(stride: 8))

  static let wideImage: RegisterImage = RegisterImage(
    general: Int(CFFI_AAPCS64_WIDE_GENERAL), vector: Int(CFFI_AAPCS64_WIDE_VECTOR), vectorStride: 16,
    indirectResult: Int(CFFI_AAPCS64_WIDE_INDIRECT_RESULT), stack: Int(CFFI_AAPCS64_WIDE_STACK),
    callerStack: Int(CFFI_AAPCS64_WIDE_CALLER_STACK), generalResults: generalResults, vectorResults: vectorResults(stride: 16))

  private static let generalResults = [Int(CFFI_AAPCS64_RESULT_GENERAL), Int(CFFI_AAPCS64_RESULT_GENERAL) + 8]

  private static func vectorResults(stride: Int) -> [Int] { (0..<4).map { Int(CFFI_AAPCS64_RESULT_VECTOR) + stride * $0 } }

  /// Returns a `cffi_aapcs64_stack`, for the kernels that read one.
  package func context(_ stack: NativeStack) -> NativeContext {
    var words = [UInt32(stack.size / 8), UInt32(stack.alignment), UInt32(stack.addresses.count)]
    for address in stack.addresses { words += [UInt32(address.word), UInt32(address.target)] }
    // Read by the kernels of Apple's variant only.
    if !stack.moves.isEmpty { words += [UInt32(stack.moves.count)] }
    for move in stack.moves { words += [UInt32(move.word), UInt32(move.packed), UInt32(move.size)] }
    return .words(words)
  }
}

/// The kernels load registers and copy stack words, which Apple's variant does not change; two more first copy narrow
/// arguments to the stack words that they share with others.
extension AppleAAPCS64: NativeConvention {
  package static let kernels: [NativeKernel] =
    unsafe [
      NativeKernel("aapcs64-packed-wide", AAPCS64.wideImage, cffi_kernel_aapcs64_packed_wide, readsContext: true) {
        $0.fillsVectorRegisters && $0.sharesStackWords ? "whole vector registers are passed, and some arguments share a stack word" : nil
      },
      NativeKernel("aapcs64-packed-stack", AAPCS64.image, cffi_kernel_aapcs64_packed_stack, readsContext: true) {
        !$0.fillsVectorRegisters && $0.sharesStackWords ? "some arguments share a stack word" : nil
      },
    ] + AAPCS64.kernels

  package func context(_ stack: NativeStack) -> NativeContext { AAPCS64().context(stack) }
}
