/// The machine code that carries a call out, and how a frame is laid out for it.
///
/// Each kernel is one row in the table of its convention. Its code is in an assembler file; cffi_kernel.h declares it.
/// A kernel is chosen on every host, and called only on the processor that it is for: elsewhere its code is a function
/// that traps.
@safe
package struct NativeKernel: Sendable {
  /// The name, as an explanation prints it.
  package let name: String
  /// How a frame is laid out.
  let image: RegisterImage
  /// Whether the kernel reads its context: those without stack words, or with a fixed number, do not.
  let readsContext: Bool
  /// The code.
  let function: CallPlan.Kernel
  /// What of a call makes this kernel the one, as an explanation prints it; nil when it does not serve the call.
  let reason: @Sendable (CallLayout) -> String?

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

/// Where the registers of a call are in a frame, in bytes from its start.
struct RegisterImage: Sendable {
  /// The first general register of the arguments.
  var general: Int
  /// The first vector register of the arguments.
  var vector: Int
  /// The distance from one vector register to the next.
  var vectorStride: Int
  /// The word that holds the address of a result in memory, when that is not the first general register.
  var indirectResult: Int?
  /// The first stack word.
  var stack: Int
  /// The first stack word in the frame of an incoming call: those words stay where the caller has them.
  var callerStack: Int
  /// The general registers of the result.
  var generalResults: [Int]
  /// The vector registers of the result.
  var vectorResults: [Int]

  /// The offset of an argument's register or stack word.
  func argumentOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): general + 8 * register
    case .vector(let register): vector + vectorStride * register
    case .stack(let offset): stack + offset
    case .x87, .indirectResult: preconditionFailure("no argument travels there")
    }
  }

  /// The offset of a result's register.
  func resultOffset(of location: Location) -> Int {
    switch location {
    case .general(let register): generalResults[register]
    case .vector(let register): vectorResults[register]
    case .x87(let register): 16 * register
    case .stack, .indirectResult: preconditionFailure("no result travels there")
    }
  }
}

/// A convention with native kernels.
package protocol NativeConvention: CallingConvention {
  /// The kernels. The first that serves a call carries it out; the last serves every call that no other does.
  static var kernels: [NativeKernel] { get }

  /// What the kernel is given for the stack of a call.
  func context(_ stack: NativeStack) -> NativeContext
}

extension NativeConvention {
  /// Chooses the kernel that does no more than a call needs.
  func kernel(for layout: CallLayout) -> NativeKernel {
    guard let kernel = Self.kernels.first(where: { $0.reason(layout) != nil }) else { preconditionFailure("a call that no kernel serves") }
    return kernel
  }
}

extension CallLayout {
  /// Whether some value fills more than eight bytes of a vector register.
  var fillsVectorRegisters: Bool { result.fillsVectorRegister || arguments.contains(where: \.fillsVectorRegister) }

  /// Whether some argument travels by the address of a copy.
  var passesCopies: Bool { arguments.contains { $0.passing == .reference } }

  /// The number of x87 registers that the result comes back in.
  var x87ResultCount: Int {
    result.pieces.count { piece in
      if case .x87 = piece.location { true } else { false }
    }
  }
}

extension Placement {
  fileprivate var fillsVectorRegister: Bool {
    pieces.contains { piece in
      if case .vector = piece.location { piece.size > 8 } else { false }
    }
  }
}

/// What a call puts on the stack: the stack words of a frame.
package struct NativeStack: Sendable, Hashable {
  /// The bytes, whole words.
  var size: Int
  /// The alignment, at least 16.
  var alignment: Int
  /// The values passed by reference: the offset in the frame of the word that is the address, and where the copy begins in the stack words.
  var addresses: [Address] = []

  /// The address of a copy.
  struct Address: Sendable, Hashable {
    var word: Int
    var target: Int
  }
}

/// What a native kernel is given besides the frame and the implementation.
package enum NativeContext: Sendable, Hashable {
  /// A number in place of an address.
  case word(UInt)
  /// The address of these words.
  case words([UInt32])
}
