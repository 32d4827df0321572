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
