/// The locations of the arguments and the result of a call.
package struct CallLayout: Sendable, Hashable {
  /// The placement of the result.
  package var result: Placement
  /// The placement of each argument.
  package var arguments: [Placement]
  /// The number of general-purpose argument registers in use.
  package var generalCount: Int
  /// The number of vector argument registers in use, which x86-64 passes to a variadic function in `al`.
  package var vectorCount: Int
  /// The number of bytes that the arguments occupy on the stack.
  package var stackSize: Int
  /// The alignment that the stack arguments require.
  package var stackAlignment: Int
}

extension CallLayout {
  /// The locations in which one value is passed.
  package struct Placement: Sendable, Hashable {
    /// How the value is passed.
    package enum Passing: Sendable, Hashable {
      /// The bytes of the value are passed, in ``Placement/pieces``.
      ///
      /// A value without bytes has no pieces.
      case direct
      /// The address of a copy is passed, and the pieces are the location of the address.
      ///
      /// For a result, the caller passes the address of the memory for the result.
      case reference
    }

    /// How the value is passed.
    package var passing: Passing
    /// The pieces, in the order of the value's bytes.
    package var pieces: [Piece]

    /// The placement of a value that is not passed: void, or a struct without bytes.
    static var nothing: Placement { Placement(passing: .direct, pieces: []) }
  }

  /// A run of a value's bytes in one register or on the stack.
  package struct Piece: Sendable, Hashable {
    /// The register or the stack offset.
    package var location: Location
    /// The offset of the first byte in the value.
    package var offset: Int
    /// The number of bytes.
    package var size: Int
  }

  /// A register or a stack offset.
  package enum Location: Sendable, Hashable {
    /// A general-purpose register: one of rdi, rsi, rdx, rcx, r8, r9 or x0 to x7 for arguments, and of rax, rdx or x0, x1
    /// for results.
    case general(Int)
    /// A vector register: xmm0 to xmm7, v0 to v7.
    case vector(Int)
    /// A register of the x87 stack: st(0), st(1).
    case x87(Int)
    /// The register that holds the address of a result in memory on AArch64: x8.
    case indirectResult
    /// The stack, at this offset from the first stack argument.
    case stack(Int)
  }
}

// MARK: - Descriptions

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
