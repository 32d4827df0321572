internal import CFFIShim

/// A signature expressed in types that libffi passes correctly.
///
/// One argument becomes any number of libffi arguments: zero for an empty struct, one per register for a struct that is
/// passed in registers.
package struct LibFFILowering: Sendable {
  /// A type that is passed to libffi.
  enum LoweredType: Sendable, Hashable {
    case scalar(cffi_scalar)
    /// A struct of scalars, laid out by libffi.
    case aggregate([LoweredType], size: Int, alignment: Int)
    /// Bytes that are passed in memory, regardless of their contents.
    case memory(size: Int, alignment: Int)
  }

  /// A libffi argument and its offset in the frame.
  struct Argument: Sendable {
    var type: LoweredType
    var offset: Int
    /// The index of the argument that it belongs to.
    var index: Int
  }

  /// A part of a result that libffi writes to a scratch buffer.
  struct ResultPiece: Sendable {
    var source: Int
    var offset: Int
    var size: Int
  }

  var result: LoweredType = .scalar(.void)
  /// The parts to copy from the scratch buffer, or nil if libffi writes the result directly to the frame.
  var resultPieces: [ResultPiece]? = []
  var arguments: [Argument] = []
  /// The maximum number of bytes of arguments that libffi copies to the stack.
  package var stackSize = 0
}

extension LibFFILowering {
  /// Lowers a call for x86-64 according to the locations that the convention assigns, not to libffi's own
  /// classification.
  ///
  /// Only words, doubles and opaque memory are passed to libffi, which avoids its defects. A struct in registers is
  /// passed as its eightbytes (libffi 3.4.4 writes a struct of mixed classes over an adjacent value). Unions and
  /// bit-fields are passed as their merged eightbytes. A result is described by the registers in which it is returned
  /// (libffi reads `struct {long double}` from the wrong registers).
  init(systemV layout: CallLayout, types: MethodTypes, slots: [FrameSlot]) throws(InvocationError) {
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

  private mutating func lowerResult(_ placement: CallLayout.Placement, type: TypeEncoding) throws(InvocationError) {
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
    _ placement: CallLayout.Placement, type: TypeEncoding, slot: FrameSlot, index: Int
  ) throws(InvocationError) {
    for piece in placement.pieces {
      let lowered: LoweredType
      switch piece.location {
      case .general: lowered = .scalar(.uint64)
      case .vector where piece.size <= 8: lowered = .scalar(.double)
      // The registers of this class are exhausted for libffi as they are for the convention.
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
