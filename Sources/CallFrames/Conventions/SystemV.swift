/// The System V calling convention of x86-64: Linux, the BSDs, and macOS on Intel.
///
/// Source: System V Application Binary Interface, AMD64 Architecture Processor Supplement, section 3.2.3.
package struct SystemV: CallingConvention {
  static let generalRegisters = 6
  static let vectorRegisters = 8

  /// Creates the convention.
  package init() {}

  /// The short name.
  package var name: String { "sysv" }

  /// Assigns locations to the arguments and the result of a call; see ``CallingConvention/layout(of:)``.
  ///
  /// Vectors of 8 and 16 bytes are supported. Others are rejected, since compilers pass them differently or require a
  /// processor extension.
  ///
  /// - Throws: `InvocationError` `unsupportedType` for a rejected type.
  package func layout(of types: MethodTypes) throws(InvocationError) -> CallLayout {
    var state = CallLayout(
      result: .nothing, arguments: [], generalCount: 0, vectorCount: 0, stackSize: 0, stackAlignment: 16)
    do {
      state.result = try Self.placeResult(try returnedType(types.result), in: &state)
    } catch {
      throw error.at(.result)
    }
    state.arguments.reserveCapacity(types.arguments.count)
    for (index, argument) in types.arguments.enumerated() {
      do {
        let placement = try Self.placeArgument(try passedType(argument), in: &state)
        state.arguments.append(placement)
      } catch {
        throw error.at(.index(index))
      }
    }
    return state
  }

  private static func placeResult(_ type: TypeEncoding, in state: inout CallLayout) throws(InvocationError) -> CallLayout.Placement {
    guard let size = type.size, size > 0 else { return .nothing }
    switch try classify(type) {
    case .memory:
      state.generalCount = 1
      return CallLayout.Placement(passing: .reference, pieces: [CallLayout.Piece(location: .general(0), offset: 0, size: 8)])
    case .x87:
      return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .x87(0), offset: 0, size: 16)])
    case .complexX87:
      let parts = [CallLayout.Piece(location: .x87(0), offset: 0, size: 16), CallLayout.Piece(location: .x87(1), offset: 16, size: 16)]
      return CallLayout.Placement(passing: .direct, pieces: parts)
    case .registers(let classes):
      var general = 0
      var vector = 0
      return CallLayout.Placement(passing: .direct, pieces: pieces(classes, size: size, general: &general, vector: &vector))
    }
  }

  private static func placeArgument(_ type: TypeEncoding, in state: inout CallLayout) throws(InvocationError) -> CallLayout.Placement {
    guard let size = type.size, size > 0, let alignment = type.alignment else { return .nothing }
    if case .registers(let classes) = try classify(type, isResult: false) {
      // A value that needs more registers than are available is passed on the stack as a whole, and the remaining
      // registers are available for later arguments.
      var general = state.generalCount
      var vector = state.vectorCount
      let pieces = pieces(classes, size: size, general: &general, vector: &vector)
      if general <= generalRegisters, vector <= vectorRegisters {
        state.generalCount = general
        state.vectorCount = vector
        return CallLayout.Placement(passing: .direct, pieces: pieces)
      }
    }
    let boundary = max(alignment, 8)
    state.stackAlignment = max(state.stackAlignment, boundary)
    let offset = state.stackSize.roundedUp(to: boundary)
    state.stackSize = offset + size.roundedUp(to: 8)
    return CallLayout.Placement(passing: .direct, pieces: [CallLayout.Piece(location: .stack(offset), offset: 0, size: size)])
  }

  /// Assigns a register to each eightbyte.
  ///
  /// An eightbyte of class NO_CLASS has no register.
  private static func pieces(
    _ classes: Eightbytes, size: Int, general: inout Int, vector: inout Int
  ) -> [CallLayout.Piece] {
    var pieces: [CallLayout.Piece] = []
    if classes.second == .sseUp {
      // A 16-byte vector occupies one register.
      pieces.append(CallLayout.Piece(location: .vector(vector), offset: 0, size: 16))
      vector += 1
      return pieces
    }
    for (index, eightbyte) in [classes.first, classes.second].enumerated() {
      let piece: CallLayout.Location
      switch eightbyte {
      case .integer:
        piece = .general(general)
        general += 1
      case .sse:
        piece = .vector(vector)
        vector += 1
      case .none, .sseUp, .x87, .x87Up, .memory: continue
      }
      pieces.append(CallLayout.Piece(location: piece, offset: 8 * index, size: min(8, size - 8 * index)))
    }
    return pieces
  }
}
