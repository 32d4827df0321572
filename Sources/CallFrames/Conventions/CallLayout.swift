/// The locations of the arguments and the result of a call.
package struct CallLayout: Sendable, Hashable {
  /// The placement of the result.
  package var result: Placement = .nothing
  /// The placement of each argument.
  package var arguments: [Placement] = []
  /// The number of general-purpose argument registers in use.
  package var generalCount = 0
  /// The number of vector argument registers in use, which x86-64 passes to a variadic function in `al`.
  package var vectorCount = 0
  /// The number of bytes that the arguments occupy on the stack.
  package var stackSize = 0
  /// The alignment that the stack arguments require.
  package var stackAlignment = 16
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
