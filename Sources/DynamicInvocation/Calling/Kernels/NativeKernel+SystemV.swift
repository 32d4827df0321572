#if arch(x86_64)
  internal import CFFIShim

  extension NativeKernel {
    /// Chooses the kernel that does no more than a call needs.
    static func systemV(for layout: CallLayout) -> NativeKernel {
      var isWide = false
      for piece in layout.arguments.flatMap(\.pieces) + layout.result.pieces {
        if case .vector = piece.location, piece.size > 8 { isWide = true }
      }
      let x87Results = layout.result.pieces.count { piece in
        if case .x87 = piece.location { true } else { false }
      }
      return switch (x87Results, isWide) {
      case (1, false): unsafe make("sysv-x87", "the result comes back in st(0)", cffi_kernel_sysv_x87)
      case (1, true):
        unsafe make("sysv-wide-x87", "whole vectors travel, and the result comes back in st(0)", isWide: true, cffi_kernel_sysv_wide_x87)
      case (2, false): unsafe make("sysv-complex-x87", "the result comes back in st(0) and st(1)", cffi_kernel_sysv_complex_x87)
      case (2, true):
        unsafe make(
          "sysv-wide-complex-x87", "whole vectors travel, and the result comes back in st(0) and st(1)", isWide: true,
          cffi_kernel_sysv_wide_complex_x87)
      case (_, true): unsafe make("sysv-wide", "whole vectors travel", isWide: true, cffi_kernel_sysv_wide)
      case _ where (1...16).contains(layout.stackSize) && layout.stackAlignment <= 16:
        unsafe make("sysv-stack-2", "at most two words travel on the stack", cffi_kernel_sysv_stack_2)
      case _ where (17...32).contains(layout.stackSize) && layout.stackAlignment <= 16:
        unsafe make("sysv-stack-4", "at most four words travel on the stack", cffi_kernel_sysv_stack_4)
      case _ where layout.stackSize > 0: unsafe make("sysv-stack", "some arguments travel on the stack", cffi_kernel_sysv_stack)
      case _ where layout.vectorCount > 0:
        unsafe make("sysv-vector", "some arguments travel in vector registers", cffi_kernel_sysv_vector)
      default: unsafe make("sysv-general", "all arguments travel in general registers", cffi_kernel_sysv_general)
      }
    }

    private static func make(
      _ name: String, _ reason: String, isWide: Bool = false, _ function: @escaping CallPlan.Kernel
    ) -> NativeKernel {
      unsafe NativeKernel(
        name: name, reason: reason, function: function, general: CFFI_SYSV_GENERAL, vector: CFFI_SYSV_VECTOR, vectorStride: isWide ? 16 : 8,
        stack: isWide ? CFFI_SYSV_WIDE_STACK : CFFI_SYSV_STACK,
        generalResults: [CFFI_SYSV_RESULT_GENERAL, CFFI_SYSV_RESULT_GENERAL + 8],
        vectorResults: [
          CFFI_SYSV_RESULT_VECTOR, isWide ? CFFI_SYSV_WIDE_RESULT_VECTOR_1 : CFFI_SYSV_RESULT_VECTOR + 8,
        ])
    }
  }
#endif
