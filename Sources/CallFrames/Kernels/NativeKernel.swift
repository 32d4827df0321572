internal import CFFIShim

/// The machine code that executes a call, and the frame layout that it requires.
///
/// Each kernel is one row in the table of its convention. Its code is in an assembler file; cffi_kernel.h declares it.
/// A kernel can be chosen on every host but is called only on its own processor. On other processors its code is a
/// function that traps.
@safe
package struct NativeKernel: Sendable {
  /// The name, as printed in an explanation.
  package let name: String
  /// The layout of the registers in a frame.
  let image: RegisterImage
  /// Whether the kernel reads its context.
  ///
  /// Kernels without stack words or with a fixed number of them do not.
  let readsContext: Bool
  /// The code.
  let function: CallPlan.Kernel
  /// Returns the reason to choose this kernel for a call, as printed in an explanation, or nil if the kernel does not
  /// match the call.
  package let reason: @Sendable (CallLayout) -> String?

  init(
    _ name: String, _ image: RegisterImage, _ function: @escaping CallPlan.Kernel, readsContext: Bool = false,
    reason: @escaping @Sendable (CallLayout) -> String?
  ) {
    self.name = name
    self.image = image
    unsafe self.function = function
    self.readsContext = readsContext
    self.reason = reason
  }
}

/// The offsets of the registers of a call in a frame, in bytes from its start.
struct RegisterImage: Sendable {
  /// The first general register of the arguments.
  var general: Int
  /// The first vector register of the arguments.
  var vector: Int
  /// The distance between two vector registers.
  var vectorStride: Int
  /// The word that holds the address of a result in memory, or nil if that is the first general register.
  var indirectResult: Int?
  /// The first stack word.
  var stack: Int
  /// The first stack word in the frame of an incoming call, whose stack words stay in the caller's stack frame.
  var callerStack: Int
  /// The general registers of the result.
  var generalResults: [Int]
  /// The vector registers of the result.
  var vectorResults: [Int]

  /// The offset of an argument's register or stack word.
  func argumentOffset(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): general + 8 * register
    case .vector(let register): vector + vectorStride * register
    case .stack(let offset): stack + offset
    case .x87, .indirectResult: preconditionFailure("no argument is passed there")
    }
  }

  /// The offset of a result's register.
  func resultOffset(of location: CallLayout.Location) -> Int {
    switch location {
    case .general(let register): generalResults[register]
    case .vector(let register): vectorResults[register]
    case .x87(let register): 16 * register
    case .stack, .indirectResult: preconditionFailure("no result is passed there")
    }
  }
}

/// A convention with native kernels.
package protocol NativeConvention: CallingConvention {
  /// The kernels.
  ///
  /// The first kernel that matches a call executes it. The last kernel matches every call that no other kernel matches.
  static var kernels: [NativeKernel] { get }

  /// Returns the context of a kernel for the stack words of a call.
  func context(_ stack: NativeStack) -> NativeContext
}

extension NativeConvention {
  /// Returns the first kernel that matches a call, which does no more than the call needs.
  package func kernel(for layout: CallLayout) -> NativeKernel {
    guard let kernel = Self.kernels.first(where: { $0.reason(layout) != nil }) else { preconditionFailure("a call that no kernel serves") }
    return kernel
  }
}

extension CallLayout {
  /// Whether a value occupies more than eight bytes of a vector register.
  var fillsVectorRegisters: Bool { result.fillsVectorRegister || arguments.contains(where: \.fillsVectorRegister) }

  /// Whether an argument is passed as the address of a copy.
  var passesCopies: Bool { arguments.contains { $0.passing == .reference } }

  /// Whether two arguments on the stack are in the same word.
  var sharesStackWords: Bool {
    arguments.contains { placement in
      if case .stack(let offset)? = placement.pieces.first?.location { offset % 8 != 0 } else { false }
    }
  }

  /// The number of x87 registers in which the result is returned.
  var x87ResultCount: Int {
    result.pieces.count { piece in
      if case .x87 = piece.location { true } else { false }
    }
  }
}

extension CallLayout.Placement {
  fileprivate var fillsVectorRegister: Bool {
    pieces.contains { piece in
      if case .vector = piece.location { piece.size > 8 } else { false }
    }
  }
}

/// The stack words of a frame, which a call copies to the stack.
package struct NativeStack: Sendable, Hashable {
  /// The size in bytes, a multiple of eight.
  var size: Int
  /// The alignment, at least 16.
  var alignment: Int
  /// The values passed by reference: the offset in the frame of the word for the address, and the offset of the copy in
  /// the stack words.
  var addresses: [Address] = []

  /// The arguments that share a stack word with others.
  var moves: [IncomingFrameLayout.Move] = []

  /// The address of a copy.
  struct Address: Sendable, Hashable {
    package var word: Int
    var target: Int
  }
}

/// The third argument of a native kernel, after the frame and the implementation.
package enum NativeContext: Sendable, Hashable {
  /// A number that is passed instead of an address.
  case word(UInt)
  /// The address of these words.
  case words([UInt32])
}

// MARK: - System v

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

// MARK: - AAPCS64

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

/// Apple's variant has the kernels of AAPCS64, which load registers and copy stack words. Two more kernels first copy
/// narrow arguments to the stack words that they share with others.
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
