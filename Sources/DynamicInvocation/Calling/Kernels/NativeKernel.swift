internal import CFFIShim

/// The machine code that carries a call out, and how a frame is laid out for it.
@safe
struct NativeKernel: Sendable {
  /// The name, as an explanation prints it.
  var name: String
  /// What of a call makes this kernel the one, as an explanation prints it.
  var reason: String
  /// The code.
  var function: CallPlan.Kernel
  /// The offset of the first general and the first vector register in a frame.
  var general: Int
  var vector: Int
  /// The bytes between two vector registers in a frame.
  var vectorStride: Int
  /// The offset of the first stack word in a frame.
  var stack: Int
  /// The offsets of the result registers in a frame.
  var generalResults: [Int]
  var vectorResults: [Int]
}
