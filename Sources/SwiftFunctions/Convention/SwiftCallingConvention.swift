/// The calling convention of Swift functions: where arguments, self, result and error are passed.
///
/// The compiler lowers a value to integers, pointers, floating-point numbers and vectors. Each of them is assigned a
/// register as in C, with these differences: self and error have registers of their own, and a result occupies up to
/// four registers in all. The convention is pure and computes the same layout on every host.
///
/// Source: the output of swiftc and clang 6.3 for both processors, to which tests compare it; the Swift repository's
/// `docs/ABI/CallingConvention.rst`.
package struct SwiftCallingConvention: Sendable, Hashable {
  /// A processor.
  package enum Processor: Sendable, Hashable {
    /// x86-64 with the System V convention.
    case x86_64
    /// AArch64 with AAPCS64.
    case aarch64
  }

  /// The processor.
  package let processor: Processor

  /// Creates the convention of a processor.
  package init(_ processor: Processor) {
    self.processor = processor
  }

  /// The general registers for arguments.
  var generalRegisters: Int { processor == .x86_64 ? 6 : 8 }

  /// The vector registers for arguments.
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
    // Beside elements without a part, such as an empty struct, it is alone too.
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

  /// The first general register of each integer of a result, and of each of an error.
  ///
  /// Integers with the same number share registers: as many as the wider one needs.
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
