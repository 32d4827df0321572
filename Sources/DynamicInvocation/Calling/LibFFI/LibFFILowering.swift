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

extension LibFFILowering {
  /// Lowers a call for x86-64: by the places that the convention gives, not by libffi's own classification.
  ///
  /// libffi is told only of words, doubles and opaque memory, so that its defects cannot show: a struct in registers is passed as its eightbytes
  /// (libffi 3.4.4 writes a mixed one over a neighbour), unions and bit-fields are their merged eightbytes, and a result is named by the registers
  /// it comes back in (libffi takes `struct {long double}` from the wrong ones).
  init(systemV layout: CallLayout, types: MethodTypes, slots: [Slot]) throws(InvocationError) {
    do {
      try lowerResult(layout.result, type: types.result)
    } catch {
      throw error.at(.result)
    }
    for (index, placement) in layout.arguments.enumerated() {
      do {
        try lowerArgument(placement, type: types.arguments[index], slot: slots[index], index: index)
      } catch {
        throw error.at(.index(index))
      }
    }
    stackSize = layout.stackSize
  }

  private mutating func lowerResult(_ placement: Placement, type: TypeEncoding) throws(InvocationError) {
    guard !placement.pieces.isEmpty else { return }
    if placement.passing == .reference {
      try Self.refuseOverAligned(type)
      result = .memory(size: type.size ?? 0, alignment: type.alignment ?? 1)
      resultPieces = nil
      return
    }
    var words: [LoweredType] = []
    var pieces: [ResultPiece] = []
    for piece in placement.pieces {
      switch piece.location {
      case .general: words.append(.scalar(.uint64))
      case .vector where piece.size <= 8: words.append(.scalar(.double))
      case .x87(0): words.append(placement.pieces.count == 1 ? .scalar(.longDouble) : .scalar(.complexLongDouble))
      case .x87: break
      case .vector, .stack, .indirectResult: throw Self.needsWholeVector(type)
      }
      pieces.append(
        ResultPiece(source: pieces.last.map { $0.source + $0.size.roundedUp(to: 8) } ?? 0, offset: piece.offset, size: piece.size))
    }
    result = words.count == 1 ? words[0] : .aggregate(words, size: 8 * words.count, alignment: 8)
    resultPieces = pieces
  }

  private mutating func lowerArgument(
    _ placement: Placement, type: TypeEncoding, slot: Slot, index: Int
  ) throws(InvocationError) {
    for piece in placement.pieces {
      let lowered: LoweredType
      switch piece.location {
      case .general: lowered = .scalar(.uint64)
      case .vector where piece.size <= 8: lowered = .scalar(.double)
      // The registers of this class are used up for libffi as they are for the convention.
      case .stack where slot.storage == .floating: lowered = .scalar(.double)
      case .stack where slot.storage != .bytes: lowered = .scalar(.uint64)
      case .stack:
        try Self.refuseOverAligned(type)
        lowered = .memory(size: piece.size, alignment: type.alignment ?? 1)
      case .vector, .x87, .indirectResult: throw Self.needsWholeVector(type)
      }
      arguments.append(Argument(type: lowered, offset: Int(slot.offset) + piece.offset, index: index))
    }
  }

  private static func refuseOverAligned(_ type: TypeEncoding) throws(InvocationError) {
    guard let alignment = type.alignment, alignment > 16 else { return }
    throw InvocationError(
      .unsupportedType, "libffi aligns its stack to 16 bytes, the type needs \(alignment)", encoding: type.description)
  }

  private static func needsWholeVector(_ type: TypeEncoding) -> InvocationError {
    InvocationError(.unsupportedType, "libffi fills only half of a vector register", encoding: type.description)
  }
}
