internal import CFFIShim

/// A signature in the types that libffi passes right.
///
/// One argument becomes any number of libffi arguments: none for an empty struct, one for each register of a struct that travels in registers.
struct LibFFILowering: Sendable {
  /// A type as libffi is told of it.
  enum LoweredType: Sendable, Hashable {
    case scalar(cffi_scalar)
    /// A struct of scalars, laid out by libffi.
    case aggregate([LoweredType], size: Int, alignment: Int)
    /// Bytes that travel in memory, whatever they hold.
    case memory(size: Int, alignment: Int)
  }

  /// A libffi argument and its place in the frame.
  struct Argument: Sendable {
    var type: LoweredType
    var offset: Int
    /// The index of the argument that it is a part of.
    var index: Int
  }

  /// A part of a result that libffi leaves in a scratch buffer.
  struct ResultPiece: Sendable {
    var source: Int
    var offset: Int
    var size: Int
  }

  var result: LoweredType = .scalar(.void)
  /// The parts to collect from the scratch buffer, or nil when libffi writes the result into the frame itself.
  var resultPieces: [ResultPiece]? = []
  var arguments: [Argument] = []
  /// The bytes of the arguments that libffi copies to the stack at most.
  var stackSize = 0
}
