extension SymbolParser {
  /// Reads `A`: one or more references to earlier nodes.
  ///
  /// All but the last are pushed, the last is returned.
  mutating func parseSubstitutions() throws(SymbolRefusal) -> Node {
    var repetitions: Int?
    while true {
      let byte = try takeByte()
      if Self.isLowercase(byte) || Self.isUppercase(byte) {
        let node = try substitution(Int(byte | 0x20) - 0x61)
        try pushRepeated(node, repetitions)
        if Self.isUppercase(byte) { return node }
        push(node)
        repetitions = nil
      } else if byte == UInt8(ascii: "_") {
        return try substitution((repetitions ?? -1) + 27)
      } else {
        position -= 1
        guard let number = try natural() else { throw malformed }
        repetitions = number
      }
    }
  }

  private func substitution(_ index: Int) throws(SymbolRefusal) -> Node {
    guard index < substitutions.count else { throw malformed }
    return substitutions[index]
  }

  /// Pushes a repeated node as often as needed before the last time.
  private mutating func pushRepeated(_ node: Node, _ repetitions: Int?) throws(SymbolRefusal) {
    guard let repetitions else { return }
    guard repetitions <= Self.mostRepetitions, stack.count <= Self.largestStack else { throw refusal(.limitExceeded) }
    for _ in 1..<max(repetitions, 1) { push(node) }
  }

  /// Reads `S`: a module of imported declarations, an optional, or a type of the standard library.
  mutating func parseStandardSubstitution() throws(SymbolRefusal) -> Node {
    if take("o") { return try make(.module, named: "__C") }
    if take("C") { return try make(.module, named: "__C_Synthesized") }
    if take("g") {
      let optional = try standardType(.enumeration, "Optional")
      let arguments = try make(.typeList, try popType())
      return addSubstitution(try make(.boundGeneric, optional, arguments))
    }
    let repetitions = try natural()
    let isConcurrency = take("c")
    let letter = try takeByte()
    guard let known = StandardType.named(letter, isConcurrency: isConcurrency) else { throw malformed }
    let type = try standardType(known.kind, known.name)
    try pushRepeated(type, repetitions)
    return type
  }

  /// Makes the node of a type of the standard library.
  mutating func standardType(_ kind: SymbolNodeKind, _ name: StaticString) throws(SymbolRefusal) -> Node {
    let module = try make(.module, named: "Swift")
    return try make(kind, module, try make(.identifier, named: name))
  }
}

/// The types of the standard library that have a letter in the mangling.
enum StandardType {
  typealias Known = (kind: SymbolNodeKind, name: StaticString)

  static func named(_ letter: UInt8, isConcurrency: Bool) -> Known? {
    isConcurrency ? concurrency(letter) : basic(letter)
  }

  private static func basic(_ letter: UInt8) -> Known? {
    switch Unicode.Scalar(letter) {
    case "A": (.structure, "AutoreleasingUnsafeMutablePointer")
    case "a": (.structure, "Array")
    case "B": (.protocol, "BinaryFloatingPoint")
    case "b": (.structure, "Bool")
    case "D": (.structure, "Dictionary")
    case "d": (.structure, "Double")
    case "E": (.protocol, "Encodable")
    case "e": (.protocol, "Decodable")
    case "F": (.protocol, "FloatingPoint")
    case "f": (.structure, "Float")
    case "G": (.protocol, "RandomNumberGenerator")
    case "H": (.protocol, "Hashable")
    case "h": (.structure, "Set")
    case "I": (.structure, "DefaultIndices")
    case "i": (.structure, "Int")
    case "J": (.structure, "Character")
    case "j": (.protocol, "Numeric")
    case "K": (.protocol, "BidirectionalCollection")
    case "k": (.protocol, "RandomAccessCollection")
    case "L": (.protocol, "Comparable")
    case "l": (.protocol, "Collection")
    case "M": (.protocol, "MutableCollection")
    case "m": (.protocol, "RangeReplaceableCollection")
    case "N": (.structure, "ClosedRange")
    case "n": (.structure, "Range")
    case "O": (.structure, "ObjectIdentifier")
    case "P": (.structure, "UnsafePointer")
    case "p": (.structure, "UnsafeMutablePointer")
    case "Q": (.protocol, "Equatable")
    case "q": (.enumeration, "Optional")
    case "R": (.structure, "UnsafeBufferPointer")
    case "r": (.structure, "UnsafeMutableBufferPointer")
    case "S": (.structure, "String")
    case "s": (.structure, "Substring")
    case "T": (.protocol, "Sequence")
    case "t": (.protocol, "IteratorProtocol")
    case "U": (.protocol, "UnsignedInteger")
    case "u": (.structure, "UInt")
    case "V": (.structure, "UnsafeRawPointer")
    case "v": (.structure, "UnsafeMutableRawPointer")
    case "W": (.structure, "UnsafeRawBufferPointer")
    case "w": (.structure, "UnsafeMutableRawBufferPointer")
    case "X": (.protocol, "RangeExpression")
    case "x": (.protocol, "Strideable")
    case "Y": (.protocol, "RawRepresentable")
    case "y": (.protocol, "StringProtocol")
    case "Z": (.protocol, "SignedInteger")
    case "z": (.protocol, "BinaryInteger")
    default: nil
    }
  }

  private static func concurrency(_ letter: UInt8) -> Known? {
    switch Unicode.Scalar(letter) {
    case "A": (.protocol, "Actor")
    case "C": (.structure, "CheckedContinuation")
    case "c": (.structure, "UnsafeContinuation")
    case "E": (.structure, "CancellationError")
    case "e": (.structure, "UnownedSerialExecutor")
    case "F": (.protocol, "Executor")
    case "f": (.protocol, "SerialExecutor")
    case "G": (.structure, "TaskGroup")
    case "g": (.structure, "ThrowingTaskGroup")
    case "h": (.protocol, "TaskExecutor")
    case "I": (.protocol, "AsyncIteratorProtocol")
    case "i": (.protocol, "AsyncSequence")
    case "J": (.structure, "UnownedJob")
    case "M": (.class, "MainActor")
    case "P": (.structure, "TaskPriority")
    case "S": (.structure, "AsyncStream")
    case "s": (.structure, "AsyncThrowingStream")
    case "T": (.structure, "Task")
    case "t": (.structure, "UnsafeCurrentTask")
    default: nil
    }
  }
}
