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
    let (result, direct) = placeResult(types.result, &assignment)
    layout.result = result
    for parameter in types.parameters {
      layout.arguments.append(
        parameter.isInOut ? [assignment.address(of: 0)] : placeArgument(parameter.layout, &assignment))
    }
    if case .value(let value) = types.selfPassing, !value.isAddressOnly, let pieces = lower(value.leaves) {
      layout.selfPieces = pieces.map { assignment.place($0, limit: value.size) }
    }
    if let error = types.typedError {
      layout.error = placeError(error, direct: direct, &assignment)
    }
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
  /// Returns also whether all of the result is in registers.
  private func placeResult(
    _ layout: SwiftTypeLayout, _ assignment: inout Assignment
  ) -> (SwiftCallLayout.Result, direct: Bool) {
    var result = SwiftCallLayout.Result()
    var leaves: [SwiftTypeLayout.Leaf] = []
    var moves: [SwiftCallLayout.Result.Move] = []
    var addresses: [Int] = []
    let elements = layout.flattened
    for element in elements {
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
    let isAlone = addresses.count == 1 && elements.count == 1
    if isAlone {
      result.elements = [Self.address(at: .indirectResult, of: addresses[0])]
    } else {
      if pieces == nil {
        // The register for the address of a result is used if at most one other address is passed.
        result.address = addresses.count <= 1 ? .indirectResult : assignment.address(of: 0).location
      }
      result.elements = addresses.map { assignment.address(of: $0) }
    }
    if let pieces {
      var general = 0
      var vector = 0
      result.pieces = pieces.flatMap { piece in
        Self.resultPieces(piece, limit: result.flatSize, general: &general, vector: &vector)
      }
    }
    return (result, pieces != nil && addresses.isEmpty)
  }

  /// Places a typed error: in general registers of the result if both allow it, otherwise at an address that is passed
  /// after all other arguments.
  private func placeError(
    _ layout: SwiftTypeLayout, direct: Bool, _ assignment: inout Assignment
  ) -> SwiftCallLayout.Error {
    guard direct, !layout.isAddressOnly, let pieces = lower(layout.leaves), pieces.allSatisfy({ !$0.kind.isVector }) else {
      return .address(assignment.address(of: 0).location)
    }
    var general = 0
    var vector = 0
    return .direct(
      pieces.flatMap { Self.resultPieces($0, limit: layout.size, general: &general, vector: &vector) })
  }

  /// Assigns result registers, of which each kind is counted by itself.
  private static func resultPieces(
    _ lowered: Lowered, limit: Int, general: inout Int, vector: inout Int
  ) -> [SwiftCallLayout.Piece] {
    if lowered.kind.isVector {
      vector += 1
      let size = min(lowered.end, limit) - lowered.begin
      return [SwiftCallLayout.Piece(location: .vector(vector - 1), offset: lowered.begin, size: size, kind: lowered.kind)]
    }
    return lowered.words(limit: limit).map { offset, size in
      general += 1
      return SwiftCallLayout.Piece(location: .general(general - 1), offset: offset, size: size, kind: lowered.kind)
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
