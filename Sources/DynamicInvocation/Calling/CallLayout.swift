/// Where the arguments and the result of a call travel.
public struct CallLayout: Sendable, Hashable {
  /// The result's place.
  public var result: Placement
  /// Each argument's place.
  public var arguments: [Placement]
  /// The number of general-purpose argument registers in use.
  public var generalCount: Int
  /// The number of vector argument registers in use; x86-64 tells a variadic function in `al`.
  public var vectorCount: Int
  /// The bytes of stack that the arguments take.
  public var stackSize: Int
  /// The alignment the stack arguments need.
  public var stackAlignment: Int
}

/// Where one value travels.
public struct Placement: Sendable, Hashable {
  /// How the value is handed over.
  public enum Passing: Sendable, Hashable {
    /// By its bytes, in ``Placement/pieces``; a value without bytes has no pieces.
    case direct
    /// By the address of a copy; the pieces place the address. Of a result: the caller gives the address of the storage.
    case reference
  }

  /// How the value is handed over.
  public var passing: Passing
  /// The pieces, in the order of the value's bytes.
  public var pieces: [Piece]

  /// Nothing is handed over: void, or a struct without bytes.
  static var nothing: Placement { Placement(passing: .direct, pieces: []) }
}

/// A run of a value's bytes in one register or on the stack.
public struct Piece: Sendable, Hashable {
  /// The register or the stack offset.
  public var location: Location
  /// The first byte of the value that lies there.
  public var offset: Int
  /// The number of bytes.
  public var size: Int
}

/// A register or a place on the stack.
public enum Location: Sendable, Hashable {
  /// A general-purpose register: of rdi, rsi, rdx, rcx, r8, r9 or x0 to x7 for arguments; of rax, rdx or x0, x1 for results.
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
