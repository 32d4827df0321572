extension SwiftCallingConvention {
  /// A range of a value's bytes and the type in which the compiler passes it.
  package struct Lowered: Sendable, Hashable {
    /// The first byte in the value.
    package var begin: Int
    /// The byte after the last one.
    ///
    /// It may be beyond the end of the value, whose last bytes may be passed in a wider integer.
    package var end: Int
    /// The type.
    package var kind: SwiftTypeLayout.Kind

    /// The words of an integer or pointer, as offset and size, without bytes after the end of the value.
    func words(limit: Int) -> [(offset: Int, size: Int)] {
      stride(from: begin, to: max(end, begin + 1), by: 8).map { ($0, min(end, limit, $0 + 8) - $0) }
    }
  }

  /// Returns the types in which the compiler passes a value with these parts, or nil if it passes the value by address.
  ///
  /// Parts that share an aligned word and are all integers or pointers are passed together, as the smallest integers
  /// that contain them. Floating-point numbers and vectors keep their types. A value that needs more than four
  /// registers is passed by address.
  package func lower(_ leaves: [SwiftTypeLayout.Leaf]) -> [Lowered]? {
    var ranges: [Range] = []
    for leaf in leaves { add(leaf.kind, at: leaf.offset, to: &ranges) }
    ranges.sort { $0.begin < $1.begin }
    Self.merge(&ranges)
    let pieces = Self.pieces(of: ranges)
    return pieces.reduce(0) { $0 + $1.kind.registers } > 4 ? nil : pieces
  }

  /// A range of bytes, of a type or of none.
  private struct Range {
    var begin: Int
    var end: Int
    var kind: SwiftTypeLayout.Kind?

    /// Whether the range can be passed together with its neighbor.
    var isMergeable: Bool { kind.map { !$0.isVector } ?? true }
  }

  /// Appends the ranges of one part.
  private func add(_ kind: SwiftTypeLayout.Kind, at offset: Int, to ranges: inout [Range]) {
    let size = kind.size
    guard size > 0 else { return }
    switch kind {
    case .vector(let count, let element): addVector(count, element, at: offset, to: &ranges)
    case .integer(let bits) where ![1, 8, 16, 32, 64, 128].contains(bits):
      ranges.append(Range(begin: offset, end: offset + size, kind: nil))
    case .opaque: ranges.append(Range(begin: offset, end: offset + size, kind: nil))
    case .integer, .pointer, .float:
      ranges.append(Range(begin: offset, end: offset + size, kind: offset % size == 0 ? kind : nil))
    }
  }

  /// Appends a vector, in the largest parts that are legal and aligned.
  private func addVector(
    _ count: Int, _ element: SwiftTypeLayout.VectorElement, at offset: Int, to ranges: inout [Range]
  ) {
    let size = count * element.scalar.size
    if isLegalVector(count, size), offset % size == 0 {
      ranges.append(Range(begin: offset, end: offset + size, kind: .vector(count: count, of: element)))
    } else if count % 2 == 0, count > 2, isLegalVector(count, size) || size > smallestVector {
      for half in 0..<2 { addVector(count / 2, element, at: offset + half * size / 2, to: &ranges) }
    } else {
      for index in 0..<count { add(element.scalar, at: offset + index * element.scalar.size, to: &ranges) }
    }
  }

  /// The size of the smallest vector that is passed in a register.
  private var smallestVector: Int { processor == .x86_64 ? 16 : 8 }

  /// Whether a vector is passed in one register.
  private func isLegalVector(_ count: Int, _ size: Int) -> Bool {
    count > 1 && (size == 16 || size == smallestVector)
  }

  /// Removes the types of neighbors that share an aligned word, and closes the gap between them.
  private static func merge(_ ranges: inout [Range]) {
    for index in ranges.indices.dropFirst() {
      let (left, right) = (ranges[index - 1], ranges[index])
      guard (left.end - 1) / 8 == right.begin / 8, left.isMergeable, right.isMergeable else { continue }
      ranges[index - 1].kind = nil
      ranges[index - 1].end = right.begin
      ranges[index].kind = nil
    }
  }

  /// Returns the types of the ranges; those without a type become the smallest integers that contain them.
  private static func pieces(of ranges: [Range]) -> [Lowered] {
    var pieces: [Lowered] = []
    var index = 0
    while index < ranges.count {
      var range = ranges[index]
      index += 1
      if let kind = range.kind {
        pieces.append(Lowered(begin: range.begin, end: range.end, kind: kind))
        continue
      }
      while index < ranges.count, ranges[index].kind == nil, ranges[index].begin == range.end {
        range.end = ranges[index].end
        index += 1
      }
      while range.begin < range.end {
        let end = min(range.end, range.begin / 8 * 8 + 8)
        var unit = 1
        while range.begin / unit * unit + unit < end { unit *= 2 }
        let begin = range.begin / unit * unit
        pieces.append(Lowered(begin: begin, end: begin + unit, kind: .integer(bits: unit * 8)))
        range.begin = end
      }
    }
    return pieces
  }
}

extension SwiftTypeLayout.Kind {
  /// The number of registers that a value occupies, for the limit of four.
  var registers: Int {
    if case .integer(let bits) = self { (bits + 63) / 64 } else { 1 }
  }
}

extension SwiftCallingConvention {
  /// The registers and stack bytes that were assigned to arguments.
  struct Assignment {
    private let convention: SwiftCallingConvention
    private(set) var general = 0
    private(set) var vector = 0
    private(set) var stack = 0

    init(_ convention: SwiftCallingConvention) {
      self.convention = convention
    }

    /// Assigns the next location to an address.
    mutating func address(of offset: Int) -> SwiftCallLayout.Piece {
      SwiftCallingConvention.address(at: word(), of: offset)
    }

    /// Assigns the next location to a value, of which bytes from `limit` on are not part of the type.
    mutating func place(_ lowered: Lowered, limit: Int) -> SwiftCallLayout.Piece {
      let size = min(lowered.end, limit) - lowered.begin
      let location: CallLayout.Location
      switch lowered.kind {
      case .integer(bits: 128): location = pair()
      case .integer, .pointer, .opaque: location = word()
      case .float, .vector: location = register(lowered.kind.size)
      }
      return SwiftCallLayout.Piece(location: location, offset: lowered.begin, size: size, kind: lowered.kind)
    }

    private mutating func word() -> CallLayout.Location {
      guard general < convention.generalRegisters else { return push(8) }
      general += 1
      return .general(general - 1)
    }

    /// Two registers for an integer of 128 bits, or 16 aligned bytes of the stack.
    ///
    /// On x86-64 a register that is left over is used for a later argument. On AArch64 the first register is an even
    /// one, and registers that were left out are not used later.
    private mutating func pair() -> CallLayout.Location {
      if convention.processor == .aarch64 { general = min(8, general.roundedUp(to: 2)) }
      guard general + 2 <= convention.generalRegisters else { return push(16) }
      general += 2
      return .general(general - 2)
    }

    private mutating func register(_ size: Int) -> CallLayout.Location {
      guard vector < convention.vectorRegisters else { return push(size == 16 ? 16 : 8) }
      vector += 1
      return .vector(vector - 1)
    }

    private mutating func push(_ size: Int) -> CallLayout.Location {
      stack = stack.roundedUp(to: size) + size
      return .stack(stack - size)
    }
  }
}
