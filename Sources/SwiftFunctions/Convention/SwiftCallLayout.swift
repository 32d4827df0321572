/// The types of a call as the Swift calling convention reads them.
package struct SwiftCallTypes: Sendable, Hashable {
  /// The parameters in order, without self.
  package var parameters: [Parameter]
  /// The result.
  package var result: SwiftTypeLayout
  /// What is passed as self.
  package var selfPassing: SelfPassing
  /// The type of the error, if the function throws a stated one.
  package var typedError: SwiftTypeLayout?
  /// Whether the function is asynchronous: the address of a result in memory is passed as the first argument.
  package var isAsync: Bool = false
  /// Whether an asynchronous function takes the isolation of its caller: two words before the first parameter.
  package var takesIsolation: Bool = false

  /// A parameter.
  package struct Parameter: Sendable, Hashable {
    /// The layout of the value.
    package var layout: SwiftTypeLayout
    /// Whether the address of the value is passed, since the parameter is `inout`.
    package var isInOut: Bool

    /// Creates a parameter.
    package init(_ layout: SwiftTypeLayout, isInOut: Bool = false) {
      self.layout = layout
      self.isInOut = isInOut
    }
  }

  /// What is passed as self.
  package enum SelfPassing: Sendable, Hashable {
    /// Nothing.
    case none
    /// A word in the self register: an object, or the metadata of a class.
    case word
    /// A struct or enum, whose address is in the self register and whose bytes follow the parameters.
    ///
    /// A mutating function reads the address and another one reads the bytes. The symbol does not state which it is,
    /// so both are passed: the self register is preserved by each callee, and further arguments are not read.
    case value(SwiftTypeLayout)
  }

  /// Creates the types of a call.
  package init(
    _ parameters: [Parameter], result: SwiftTypeLayout = .void, selfPassing: SelfPassing = .none, typedError: SwiftTypeLayout? = nil
  ) {
    self.parameters = parameters
    self.result = result
    self.selfPassing = selfPassing
    self.typedError = typedError
  }
}

/// The locations of the arguments, the result and the error of a call in the Swift calling convention.
package struct SwiftCallLayout: Sendable, Hashable {
  /// The pieces of each parameter.
  package var arguments: [[Piece]] = []
  /// The pieces of self that follow the parameters.
  package var selfPieces: [Piece] = []
  /// The result.
  package var result: Result = Result()
  /// The typed error, or nil if the function throws none.
  package var error: Error?
  /// The number of general argument registers in use.
  package var generalCount: Int = 0
  /// The number of vector argument registers in use.
  package var vectorCount: Int = 0
  /// The number of bytes that the arguments occupy on the stack.
  package var stackSize: Int = 0

  /// Whether the result and the error together need more than the four general registers of a result.
  ///
  /// The compiler then returns both in memory, which is not implemented.
  package var exceedsResultRegisters: Bool = false

  /// A part of an argument or result in a register or on the stack.
  package struct Piece: Sendable, Hashable {
    /// The register or the stack offset.
    package var location: CallLayout.Location
    /// The offset of the first byte in the value.
    package var offset: Int
    /// The number of bytes, or 0 if the location contains the address of the byte at `offset`.
    package var size: Int
    /// The type of the register to the compiler.
    package var kind: SwiftTypeLayout.Kind

    /// Whether the location contains an address.
    package var isAddress: Bool { size == 0 }

    /// Whether the location is after the general registers of a result.
    var exceedsResultRegisters: Bool {
      if case .general(let register) = location { register > 3 } else { false }
    }
  }

  /// The result of a call.
  package struct Result: Sendable, Hashable {
    /// The pieces in registers.
    ///
    /// The offsets are in the flat result, in which the elements of nested tuples that are not address-only follow each
    /// other, each at the next multiple of its alignment.
    package var pieces: [Piece] = []
    /// The size of the flat result.
    package var flatSize: Int = 0
    /// The location of the address of the flat result, if it is returned in memory.
    package var address: CallLayout.Location?
    /// The elements that are not at the same offset in the flat result as in the value.
    package var moves: [Move] = []
    /// The locations of the addresses of the elements that are address-only; the offsets are in the value.
    package var elements: [Piece] = []

    /// An element of a flat result.
    package struct Move: Sendable, Hashable {
      /// The offset in the flat result.
      package var source: Int
      /// The offset in the value.
      package var target: Int
      /// The number of bytes.
      package var size: Int
    }
  }

  /// The typed error of a call.
  package enum Error: Sendable, Hashable {
    /// The error is returned in the registers of the result, and the error register is not null.
    case direct([Piece])
    /// The error is stored at an address, which is passed at this location.
    case address(CallLayout.Location)
  }

  /// Whether a value occupies more than eight bytes of a vector register.
  package var fillsVectorRegisters: Bool {
    let all = Array(arguments.joined()) + selfPieces + result.pieces
    return all.contains { piece in
      if case .vector = piece.location { piece.kind.size > 8 } else { false }
    }
  }

  /// Whether an argument or the result uses a vector register.
  package var usesVectorRegisters: Bool {
    vectorCount > 0
      || result.pieces.contains { piece in
        if case .vector = piece.location { true } else { false }
      }
  }
}
