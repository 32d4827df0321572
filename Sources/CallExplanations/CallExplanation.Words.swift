extension CallExplanation {
  /// The words of one kind in which a call passes values: the registers of one kind, the stack, or memory.
  public struct WordGroup: Sendable, Hashable {
    /// The kind of the words.
    public enum Kind: String, Sendable, Hashable {
      /// General-purpose registers of arguments, and x8 on AArch64.
      case general
      /// Vector registers of arguments.
      case vector
      /// The stack, from the first stack argument.
      case stack
      /// The copies of the arguments that are passed by reference.
      case copies
      /// Registers of the result.
      case result
      /// The memory for a result that is returned by reference.
      case resultMemory
    }

    /// The kind of the words.
    public let kind: Kind

    /// The words, in order.
    ///
    /// Registers and stack words that are skipped because of an alignment are included, without runs.
    public let words: [Word]

    /// The number of words, which is larger than that of ``words`` if there are more than the limit.
    public let count: Int
  }

  /// Eight bytes of a register, of the stack or of memory.
  public struct Word: Sendable, Hashable {
    /// The name of the register, or the offset in bytes: `rdi`, `+8`.
    ///
    /// The upper half of a register of 16 bytes has the name `v0+8`, a word of a copy `a0+8`.
    public let name: String

    /// The runs of bytes that values occupy, in order; the remaining bytes are not part of a value.
    public let runs: [Run]
  }

  /// Adjacent bytes of a word that belong to the same member of a value.
  public struct Run: Sendable, Hashable {
    /// What the bytes contain.
    public enum Content: Sendable, Hashable {
      /// Bytes of a member, or of a value without members.
      case value
      /// Bytes of a value that no member occupies.
      case padding
      /// The address of a value that is passed by reference, or of the first element of an array.
      case address
    }

    /// The bytes in the word; byte 0 has the lowest address.
    public let bytes: Range<Int>

    /// The index of the argument, or nil for the result.
    public let argument: Int?

    /// What the bytes contain.
    public let content: Content

    /// The member: `a2.origin.x`, `a0[1]`, `ret`, `&a0` for an address.
    ///
    /// Bytes of a member that do not start with its first byte state the offset in the member: `a0+8`. Bit-fields that
    /// share a byte are separated by commas: `a0.b,c`. For padding, the label is that of the whole value. Names are
    /// those of the encoding, shortened if they are long.
    public let label: String
  }

  /// Returns the registers, the stack words and the memory in which the values are passed.
  ///
  /// Groups without words are omitted. The result is empty if the signature is rejected, and for ``ABI/libffi``, which
  /// assigns the registers itself.
  ///
  /// - Parameter limit: The maximum number of words of the stack, of the copies and of a result in memory, each.
  /// - Complexity: O(*n* + *limit*), where *n* is the number of parts of the types.
  public func wordGroups(limit: Int = 256) -> [WordGroup] {
    let names: RegisterNames
    switch abi {
    case .sysv: names = .systemV
    case .aapcs64, .apple: names = .aapcs64
    case .libffi: return []
    }
    guard refusal == nil else { return [] }
    var map = WordMap(names: names, limit: max(1, limit), longDoubleSize: abi == .sysv ? 10 : 16)
    map.addResult(result)
    for argument in arguments { map.addArgument(argument) }
    return map.groups(stackSize: stackSize ?? 0)
  }
}
