/// The calling convention of Swift functions: where arguments, self, result and error are passed.
///
/// The compiler lowers a value to integers, pointers, floating-point numbers and vectors. Each of them is assigned a
/// register as in C, with these differences: self and error have registers of their own, and a result occupies up to
/// four registers in all. The convention is pure and computes the same layout on every host.
///
/// Source: the output of swiftc and clang 6.3 for both processors, to which tests compare it; the Swift repository's
/// `docs/ABI/CallingConvention.rst`.
package struct SwiftCallingConvention: Sendable, Hashable {
  package enum Processor: Sendable, Hashable {
    /// x86-64 with the System V convention.
    case x86_64
    /// AArch64 with AAPCS64.
    case aarch64
  }

  package let processor: Processor

  package init(_ processor: Processor) { self.processor = processor }

  var generalRegisters: Int { processor == .x86_64 ? 6 : 8 }

  var vectorRegisters: Int { 8 }

  /// Assigns locations to the arguments, self, the result and the error of a call.
  ///
  /// - Complexity: O(*n*), where *n* is the number of parts of the types.
  package func layout(of types: SwiftCallTypes) -> SwiftCallLayout {
    var assignment = Assignment(self)
    var layout = SwiftCallLayout()
    let (result, error) = placeResult(types.result, types.typedError, isAsync: types.isAsync, &assignment)
    layout.result = result
    if types.takesIsolation { for _ in 0..<2 { _ = assignment.address(of: 0) } }
    for parameter in types.parameters {
      layout.arguments.append(
        parameter.isInOut ? [assignment.address(of: 0)] : placeArgument(parameter.layout, &assignment))
    }
    if case .value(let value) = types.selfPassing, !value.isAddressOnly, let pieces = lower(value.leaves) {
      layout.selfPieces = pieces.map { assignment.place($0, limit: value.size) }
    }
    if types.typedError != nil {
      layout.error = error.map { .direct($0) } ?? .address(assignment.address(of: 0).location)
    }
    layout.exceedsResultRegisters = (layout.result.pieces + (error ?? [])).contains { $0.exceedsResultRegisters }
    layout.generalCount = assignment.general
    layout.vectorCount = assignment.vector
    layout.stackSize = assignment.stack
    return layout
  }

  /// Places a parameter; a tuple is passed as its elements, each by itself.
  private func placeArgument(_ layout: SwiftTypeLayout, _ assignment: inout Assignment) -> [SwiftCallLayout.Piece] {
    layout.flattened.flatMap { element -> [SwiftCallLayout.Piece] in
      guard !element.layout.isAddressOnly, let pieces = lower(element.layout.leaves) else {
        return [assignment.address(of: element.offset)]
      }
      return pieces.map { piece in
        var placed = assignment.place(piece, limit: element.layout.size)
        placed.offset += element.offset
        return placed
      }
    }
  }

  /// Places a result.
  ///
  /// The elements of a tuple that are not address-only make one value. It is returned in registers if it needs at most
  /// four, and otherwise in memory. Address-only elements are returned in memory, each at its own address.
  ///
  /// A typed error is returned in the general registers of the result, if all of the result is in registers and the error
  /// has integers and pointers only. Otherwise it is stored at an address that is passed after all other arguments.
  ///
  /// Returns also the pieces of the error in registers, or nil.
  private func placeResult(
    _ layout: SwiftTypeLayout, _ error: SwiftTypeLayout?, isAsync: Bool, _ assignment: inout Assignment
  ) -> (SwiftCallLayout.Result, error: [SwiftCallLayout.Piece]?) {
    var result = SwiftCallLayout.Result()
    var leaves: [SwiftTypeLayout.Leaf] = []
    var moves: [SwiftCallLayout.Result.Move] = []
    var addresses: [Int] = []
    for element in layout.flattened {
      if element.layout.isAddressOnly {
        addresses.append(element.offset)
        continue
      }
      let offset = result.flatSize.roundedUp(to: element.layout.alignment)
      leaves += element.layout.leaves.map { SwiftTypeLayout.Leaf($0.kind, at: offset + $0.offset) }
      moves.append(SwiftCallLayout.Result.Move(source: offset, target: element.offset, size: element.layout.size))
      result.flatSize = offset + element.layout.size
    }
    if moves.contains(where: { $0.source != $0.target }) { result.moves = moves }
    let pieces = lower(leaves)
    // An address-only element is alone also beside elements without a part, such as an empty struct.
    let isAlone = addresses.count == 1 && leaves.isEmpty
    if isAlone {
      result.elements = [isAsync ? assignment.address(of: addresses[0]) : Self.address(at: .indirectResult, of: addresses[0])]
    } else {
      if pieces == nil {
        // The register for the address of a result is used if at most one other address is passed.
        result.address = addresses.count <= 1 && !isAsync ? .indirectResult : assignment.address(of: 0).location
      }
      result.elements = addresses.map { assignment.address(of: $0) }
    }
    guard let pieces else { return (result, nil) }
    let lowered = addresses.isEmpty ? error.flatMap(lowerError) : nil
    let starts = Self.starts(pieces.filter { !$0.kind.isVector }, lowered ?? [])
    var general = starts[...]
    var vector = 0
    result.pieces = pieces.flatMap { piece in
      guard piece.kind.isVector else { return Self.words(of: piece, limit: result.flatSize, at: general.removeFirst()) }
      vector += 1
      let size = min(piece.end, result.flatSize) - piece.begin
      return [SwiftCallLayout.Piece(location: .vector(vector - 1), offset: piece.begin, size: size, kind: piece.kind)]
    }
    let errors = lowered.map { zip($0, starts).flatMap { Self.words(of: $0, limit: error?.size ?? 0, at: $1) } }
    return (result, errors)
  }

  /// The types in which an error is passed in general registers, or nil.
  private func lowerError(_ layout: SwiftTypeLayout) -> [Lowered]? {
    guard !layout.isAddressOnly, let pieces = lower(layout.leaves), pieces.allSatisfy({ !$0.kind.isVector }) else { return nil }
    return pieces
  }

  /// The first general register of each integer of a result and of an error.
  ///
  /// The integers of the same number in both share registers: as many as the wider one needs.
  private static func starts(_ result: [Lowered], _ error: [Lowered]) -> [Int] {
    var next = 0
    return (0..<max(result.count, error.count)).map { index in
      let widths = [result, error].map { $0.indices.contains(index) ? $0[index].kind.registers : 0 }
      defer { next += max(widths[0], widths[1]) }
      return next
    }
  }

  /// The words of an integer in general registers of a result.
  private static func words(of lowered: Lowered, limit: Int, at register: Int) -> [SwiftCallLayout.Piece] {
    lowered.words(limit: limit).enumerated().map { index, word in
      SwiftCallLayout.Piece(location: .general(register + index), offset: word.offset, size: word.size, kind: lowered.kind)
    }
  }

  static func address(at location: CallLayout.Location, of offset: Int) -> SwiftCallLayout.Piece {
    SwiftCallLayout.Piece(location: location, offset: offset, size: 0, kind: .pointer)
  }
}

extension SwiftTypeLayout.Kind {
  /// Whether a value is passed in a vector register.
  var isVector: Bool {
    switch self {
    case .float, .vector: true
    case .integer, .pointer, .opaque: false
    }
  }
}

// MARK: - Lowering

extension SwiftCallingConvention {
  /// A range of a value's bytes and the type in which the compiler passes it.
  package struct Lowered: Sendable, Hashable {
    package var begin: Int
    /// The byte after the last one.
    ///
    /// It may be beyond the end of the value, whose last bytes may be passed in a wider integer.
    package var end: Int
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

    init(_ convention: SwiftCallingConvention) { self.convention = convention }

    /// Assigns the next location to an address.
    mutating func address(of offset: Int) -> SwiftCallLayout.Piece {
      SwiftCallingConvention.address(at: word(), of: offset)
    }

    /// Assigns the next location to a value.
    ///
    /// Bytes from `limit` on are not part of the type.
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
