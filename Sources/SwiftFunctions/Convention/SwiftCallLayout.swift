/// The types of a call as the Swift calling convention reads them.
package struct SwiftCallTypes: Sendable, Hashable {
  /// The parameters in order, without self.
  package var parameters: [Parameter]
  package var result: SwiftTypeLayout
  /// What is passed as self.
  package var selfPassing: SelfPassing
  package var typedError: SwiftTypeLayout?
  /// Whether the function is asynchronous: the address of a result in memory is passed as the first argument.
  package var isAsync: Bool = false
  /// Whether an asynchronous function takes the isolation of its caller: two words before the first parameter.
  package var takesIsolation: Bool = false

  package struct Parameter: Sendable, Hashable {
    package var layout: SwiftTypeLayout
    /// Whether the address of the value is passed, since the parameter is `inout`.
    package var isInOut: Bool

    package init(_ layout: SwiftTypeLayout, isInOut: Bool = false) {
      self.layout = layout
      self.isInOut = isInOut
    }
  }

  /// What is passed as self.
  package enum SelfPassing: Sendable, Hashable {
    case none
    /// A word in the self register: an object, or the metadata of a class.
    case word
    /// A struct or enum, whose address is in the self register and whose bytes follow the parameters.
    ///
    /// A mutating function reads the address; any other function reads the bytes. The symbol does not state which it
    /// is, so both are passed: the self register is preserved by each callee, and further arguments are not read.
    case value(SwiftTypeLayout)
  }

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
  package var arguments: [[Piece]] = []
  /// The pieces of self that follow the parameters.
  package var selfPieces: [Piece] = []
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
    package var offset: Int
    /// The number of bytes, or 0 if the location contains the address of the byte at `offset`.
    package var size: Int
    /// The type of the register to the compiler.
    package var kind: SwiftTypeLayout.Kind

    package var isAddress: Bool { size == 0 }

    /// Whether the location is after the general registers of a result.
    var exceedsResultRegisters: Bool {
      if case .general(let register) = location { register > 3 } else { false }
    }
  }

  package struct Result: Sendable, Hashable {
    /// The pieces in registers.
    ///
    /// The offsets are in the flat result. It has the elements of nested tuples, without the address-only ones, one
    /// after another, each at the next multiple of its alignment.
    package var pieces: [Piece] = []
    package var flatSize: Int = 0
    /// The location of the address of the flat result, if it is returned in memory.
    package var address: CallLayout.Location?
    /// The elements that are not at the same offset in the flat result as in the value.
    package var moves: [Move] = []
    /// The locations of the addresses of the elements that are address-only; the offsets are in the value.
    package var elements: [Piece] = []

    /// An element of a flat result.
    package struct Move: Sendable, Hashable {
      package var source: Int
      package var target: Int
      package var size: Int
    }
  }

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

/// The layout of a Swift type, as far as the Swift calling convention reads it.
///
/// It is independent of the runtime: tests and explanations build layouts of types that do not exist on the host.
package struct SwiftTypeLayout: Sendable, Hashable {
  /// The size in bytes, without the padding after the last field.
  package var size: Int
  /// The alignment in bytes, a power of two.
  package var alignment: Int
  /// Whether a value is always passed by its address.
  ///
  /// This applies to existential containers, to types with weak references, to types of a module built for library
  /// evolution that are not frozen, and to each type that contains one of them.
  package var isAddressOnly: Bool
  /// The parts of a value that are passed in registers, in the order of their offsets.
  ///
  /// Empty if the type is address-only.
  package var leaves: [Leaf]
  /// The elements of a tuple, which is passed as its elements; nil for any other type.
  package var elements: [Element]?

  package init(size: Int, alignment: Int, isAddressOnly: Bool = false, leaves: [Leaf] = [], elements: [Element]? = nil) {
    self.size = size
    self.alignment = alignment
    self.isAddressOnly = isAddressOnly
    self.leaves = isAddressOnly ? [] : leaves
    self.elements = elements
  }

  package struct Leaf: Sendable, Hashable {
    package var offset: Int
    package var kind: Kind

    package init(_ kind: Kind, at offset: Int) {
      self.offset = offset
      self.kind = kind
    }
  }

  /// An element of a tuple.
  package struct Element: Sendable, Hashable {
    package var offset: Int
    package var layout: SwiftTypeLayout

    package init(_ layout: SwiftTypeLayout, at offset: Int) {
      self.offset = offset
      self.layout = layout
    }
  }

  /// The type of a part in the compiler's intermediate representation.
  package enum Kind: Sendable, Hashable {
    case integer(bits: Int)
    case pointer
    case float(bits: Int)
    case vector(count: Int, of: VectorElement)
    /// A number of bytes without a type.
    case opaque(bytes: Int)

    /// The number of bytes in memory.
    package var size: Int {
      switch self {
      case .integer(let bits): (bits + 7) / 8
      case .pointer: 8
      case .float(let bits): bits == 80 ? 16 : bits / 8
      case .vector(let count, let element): count * element.scalar.size
      case .opaque(let bytes): bytes
      }
    }
  }

  /// The element of a vector.
  package enum VectorElement: Sendable, Hashable {
    case integer(bits: Int)
    case float(bits: Int)

    /// The same as a part of its own.
    package var scalar: Kind {
      switch self {
      case .integer(let bits): .integer(bits: bits)
      case .float(let bits): .float(bits: bits)
      }
    }
  }
}

extension SwiftTypeLayout {
  package static let void: SwiftTypeLayout = SwiftTypeLayout(size: 0, alignment: 1, elements: [])

  /// Returns the layout of a type with one part.
  package static func scalar(_ kind: Kind) -> SwiftTypeLayout {
    SwiftTypeLayout(size: kind.size, alignment: min(16, kind.size), leaves: [Leaf(kind, at: 0)])
  }

  /// Returns the layout of a struct or tuple with fields in order, each at the next multiple of its alignment.
  package static func record(_ fields: [SwiftTypeLayout], isTuple: Bool = false) -> SwiftTypeLayout {
    var layout = SwiftTypeLayout(size: 0, alignment: 1, isAddressOnly: fields.contains(where: \.isAddressOnly))
    var elements: [Element] = []
    for field in fields {
      let offset = layout.size.roundedUp(to: field.alignment)
      if !layout.isAddressOnly { layout.leaves += field.leaves.map { Leaf($0.kind, at: offset + $0.offset) } }
      elements.append(Element(field, at: offset))
      layout.size = offset + field.size
      layout.alignment = max(layout.alignment, field.alignment)
    }
    if isTuple { layout.elements = elements }
    return layout
  }

  /// The elements of a tuple and of the tuples in it, or the value itself.
  ///
  /// The offsets are from the start of the value.
  package var flattened: [Element] {
    guard let elements else { return [Element(self, at: 0)] }
    return elements.flatMap { element in
      element.layout.flattened.map { Element($0.layout, at: element.offset + $0.offset) }
    }
  }
}
