import DynamicInvocation

/// The registers and stack offsets that LLVM's backend assigns to the parameters of a function.
///
/// The rules are in `X86CallingConv.td` and `AArch64CallingConvention.td` for the types that clang lowers
/// arguments to. What they say is compared with machine code by the commands `calls` and `aarch64`, with the option
/// `--enumerated`.
struct LoweredAssignment {
  /// A run of bytes of a value, in a register or on the stack.
  struct Part: Hashable {
    var location: CallLayout.Location
    var offset: Int
    /// The number of bytes that are known to be passed.
    var bytes: Int
  }

  private let abi: ProvenABI
  private(set) var general = 0
  private(set) var vector = 0
  private(set) var stack = 0

  init(_ abi: ProvenABI) { self.abi = abi }

  /// Takes registers for the arguments before a struct.
  mutating func use(_ state: RegisterState) {
    general += state.general
    vector += state.vector
    // The address of the result occupies a register too.
    if general > abi.generalRegisters {
      stack += 8 * (general - abi.generalRegisters)
      general = abi.generalRegisters
    }
  }

  /// Assigns locations to the parameters to which one argument is lowered.
  ///
  /// - Parameter size: The size of the argument's type.
  mutating func assign(_ values: ArraySlice<LoweredValue>, size: Int) -> [Part] {
    var parts: [Part] = []
    // System V: each parameter is the next eightbyte of the struct.
    for (index, value) in values.enumerated() {
      parts += assign(value, size: size).map { part in
        Part(location: part.location, offset: part.offset + 8 * index, bytes: part.bytes)
      }
    }
    return parts
  }

  private mutating func assign(_ value: LoweredValue, size: Int) -> [Part] {
    if value.isResultAddress { return [resultAddress()] }
    if value.isByValue { return [onStack(size: size, alignment: max(8, value.alignment), rounding: 8)] }
    return abi == .sysv ? value.elements.flatMap { systemV($0) } : arm(value)
  }

  private mutating func resultAddress() -> Part {
    guard abi == .sysv else { return Part(location: .indirectResult, offset: 0, bytes: 8) }
    general += 1
    return Part(location: .general(general - 1), offset: 0, bytes: 8)
  }

  private mutating func onStack(size: Int, alignment: Int, rounding: Int) -> Part {
    stack = (stack + alignment - 1) / alignment * alignment
    defer { stack += (size + rounding - 1) / rounding * rounding }
    return Part(location: .stack(stack), offset: 0, bytes: size)
  }

  private mutating func systemV(_ element: LoweredValue.Element) -> [Part] {
    switch element {
    case .integer(let bytes):
      let count = (bytes + 7) / 8
      guard general + count <= abi.generalRegisters else { return [onStack(size: bytes, alignment: 8 * count, rounding: 8)] }
      defer { general += count }
      return registers(from: general, count: count, bytes: bytes)
    case .floating(let bytes):
      guard vector < abi.vectorRegisters else { return [onStack(size: bytes, alignment: max(8, bytes), rounding: 8)] }
      defer { vector += 1 }
      return [Part(location: .vector(vector), offset: 0, bytes: bytes)]
    case .x87: return [onStack(size: 16, alignment: 16, rounding: 16)]
    }
  }

  /// An array is passed in consecutive registers as a whole, or on the stack.
  private mutating func arm(_ value: LoweredValue) -> [Part] {
    guard let first = value.elements.first else { return [] }
    let count = value.elements.count
    let total = count * first.bytes
    switch first {
    case .integer(let bytes):
      let words = (total + 7) / 8
      let isPair = bytes == 16
      // Apple's convention has no even pairs.
      if isPair, abi == .aapcs64, general % 2 == 1 { general += 1 }
      if general + words <= abi.generalRegisters {
        defer { general += words }
        return registers(from: general, count: words, bytes: total)
      }
      general = abi.generalRegisters
      let alignment = isPair ? 16 : abi == .apple && count == 1 ? bytes : 8
      return [onStack(size: total, alignment: alignment, rounding: abi == .apple ? 1 : 8)]
    case .floating(let bytes):
      if vector + count <= abi.vectorRegisters {
        defer { vector += count }
        return (0..<count).map { Part(location: .vector(vector + $0), offset: $0 * bytes, bytes: bytes) }
      }
      vector = abi.vectorRegisters
      if abi == .apple { return [onStack(size: total, alignment: bytes, rounding: 1)] }
      // clang states the alignment of an aggregate; that of a packed aggregate is less than that of its members.
      return [onStack(size: total, alignment: max(8, value.alignment == 0 ? bytes : value.alignment), rounding: 8)]
    case .x87: return []
    }
  }

  private func registers(from first: Int, count: Int, bytes: Int) -> [Part] {
    (0..<count).map { Part(location: .general(first + $0), offset: 8 * $0, bytes: min(8, bytes - 8 * $0)) }
  }

  /// The locations of a result.
  static func result(_ value: LoweredValue, of abi: ProvenABI) -> [Part] {
    var (general, vector, x87, offset) = (0, 0, 0, 0)
    var parts: [Part] = []
    for element in value.elements {
      switch element {
      case .integer(let bytes):
        for start in stride(from: 0, to: bytes, by: 8) {
          parts.append(Part(location: .general(general), offset: offset + start, bytes: min(8, bytes - start)))
          general += 1
        }
      case .floating(let bytes):
        parts.append(Part(location: .vector(vector), offset: offset, bytes: bytes))
        vector += 1
      case .x87:
        parts.append(Part(location: .x87(x87), offset: offset, bytes: 16))
        x87 += 1
      }
      // System V returns eightbytes, and the first may be a narrower element; AArch64 returns equal members.
      offset += abi == .sysv ? max(8, element.bytes) : element.bytes
    }
    return parts
  }
}
