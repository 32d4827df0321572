internal import CFFIShim

/// The machine code that carries a call out, and how a frame is laid out for it.
///
/// It is chosen and known on every host; its code is there only on the processor it is for.
package struct NativeKernel: Sendable {
  /// The kernels by name, as an explanation prints it.
  package enum Name: String, Sendable, CaseIterable {
    case sysvGeneral = "sysv-general"
    case sysvVector = "sysv-vector"
    case sysvStack2 = "sysv-stack-2"
    case sysvStack4 = "sysv-stack-4"
    case sysvStack = "sysv-stack"
    case sysvX87 = "sysv-x87"
    case sysvComplexX87 = "sysv-complex-x87"
    case sysvWide = "sysv-wide"
    case sysvWideX87 = "sysv-wide-x87"
    case sysvWideComplexX87 = "sysv-wide-complex-x87"
    case aapcs64General = "aapcs64-general"
    case aapcs64Vector = "aapcs64-vector"
    case aapcs64Stack = "aapcs64-stack"
    case aapcs64Wide = "aapcs64-wide"
  }

  /// Which kernel it is.
  package var name: Name
  /// What of a call makes this kernel the one, as an explanation prints it.
  var reason: String
  /// The offset of the first general and the first vector register in a frame.
  var general: Int
  var vector: Int
  /// The bytes between two vector registers in a frame.
  var vectorStride: Int
  /// The offset of the word that holds the address of a result in memory, and is not the first general register.
  var indirectResult: Int?
  /// The offset of the first stack word in a frame.
  var stack: Int
  /// The same in the frame of an incoming call, whose stack words stay where the caller has them.
  var callerStack: Int
  /// The offsets of the result registers in a frame.
  var generalResults: [Int]
  var vectorResults: [Int]
}

extension NativeKernel {
  /// Whether the kernel reads its context: those without stack words, or with a fixed number, do not.
  var readsContext: Bool {
    switch name {
    case .sysvGeneral, .sysvVector, .sysvStack2, .sysvStack4, .aapcs64General, .aapcs64Vector: false
    default: true
    }
  }

  /// The offset in a frame of an argument's register or stack word.
  func argumentOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): general + 8 * register
    case .vector(let register): vector + vectorStride * register
    case .stack(let offset): stack + offset
    case .x87, .indirectResult: preconditionFailure("no argument travels there")
    }
  }

  /// The offset in a frame of a result's register.
  func resultOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): generalResults[register]
    case .vector(let register): vectorResults[register]
    case .x87(let register): 16 * register
    case .stack, .indirectResult: preconditionFailure("no result travels there")
    }
  }

  /// The code, on the processor that it is for.
  var function: CallPlan.Kernel? {
    #if arch(x86_64)
      switch name {
      case .sysvGeneral: unsafe cffi_kernel_sysv_general
      case .sysvVector: unsafe cffi_kernel_sysv_vector
      case .sysvStack2: unsafe cffi_kernel_sysv_stack_2
      case .sysvStack4: unsafe cffi_kernel_sysv_stack_4
      case .sysvStack: unsafe cffi_kernel_sysv_stack
      case .sysvX87: unsafe cffi_kernel_sysv_x87
      case .sysvComplexX87: unsafe cffi_kernel_sysv_complex_x87
      case .sysvWide: unsafe cffi_kernel_sysv_wide
      case .sysvWideX87: unsafe cffi_kernel_sysv_wide_x87
      case .sysvWideComplexX87: unsafe cffi_kernel_sysv_wide_complex_x87
      default: nil
      }
    #elseif arch(arm64) && !canImport(Darwin)
      switch name {
      case .aapcs64General: unsafe cffi_kernel_aapcs64_general
      case .aapcs64Vector: unsafe cffi_kernel_aapcs64_vector
      case .aapcs64Stack: unsafe cffi_kernel_aapcs64_stack
      case .aapcs64Wide: unsafe cffi_kernel_aapcs64_wide
      default: nil
      }
    #else
      nil
    #endif
  }
}
