// Short descriptions of how the values of a call are passed.

extension SystemV: CustomStringConvertible {
  /// The short name.
  package var description: String { name }
}

extension AAPCS64: CustomStringConvertible {
  /// The short name.
  package var description: String { name }
}

extension CallLayout: CustomStringConvertible {
  /// The number of arguments and the bytes that they occupy on the stack: `3 arguments, 16 bytes of stack`.
  package var description: String { arguments.count.counted("argument") + ", " + stackSize.counted("byte") + " of stack" }
}

extension CallLayout.Placement: CustomStringConvertible {
  /// The locations of the pieces: `general 0`, `general 0 (bytes 0-7), vector 1 (bytes 8-15)`,
  /// `by reference in stack+8`, `nothing`.
  package var description: String {
    let places = pieces.count == 1 ? "\(pieces[0].location)" : pieces.map { "\($0)" }.joined(separator: ", ")
    return (passing == .reference ? "by reference in " : "") + (pieces.isEmpty ? "nothing" : places)
  }
}

extension CallLayout.Piece: CustomStringConvertible {
  /// The location and the bytes: `general 0 (bytes 0-7)`.
  package var description: String { "\(location) (bytes \(offset)-\(offset + size - 1))" }
}

extension CallLayout.Location: CustomStringConvertible {
  /// The location: `general 0`, `vector 3`, `st(0)`, `x8`, `stack+16`.
  package var description: String {
    switch self {
    case .general(let number): "general \(number)"
    case .vector(let number): "vector \(number)"
    case .x87(let number): "st(\(number))"
    case .indirectResult: "x8"
    case .stack(let offset): "stack+\(offset)"
    }
  }
}

extension FrameSlot: CustomStringConvertible {
  /// The kind, the size and the offset in the frame: `d, 8 bytes at 16, floating`.
  public var description: String { "\(kind), " + Int(size).counted("byte") + " at \(offset), \(storage)" }
}
