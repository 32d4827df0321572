import DynamicInvocation

/// Where a function reads each byte of a struct and of the two values after it, or where it leaves each byte of a struct
/// that it returns, as the numbers of probe.c.
struct ByteSources: Hashable, Sendable {
  /// A number for a byte that is not compared, such as padding.
  static let any: Int = 0xFFFF

  /// The bytes of the struct.
  var value: [Int]
  /// The bytes of the `int` and of the `double` after it.
  var following: [Int]

  /// Numbers the bytes of the pieces of a call.
  init(_ values: [PlacedValue], _ function: ProvenFunction, of abi: ProvenABI) {
    value = []
    following = []
    for placed in values {
      let numbers = Self.numbers(placed, isResult: placed.role == .result, of: abi)
      if placed.role == .following { following += numbers } else { value = numbers }
    }
  }

  private static func numbers(_ placed: PlacedValue, isResult: Bool, of abi: ProvenABI) -> [Int] {
    var numbers = Array(repeating: any, count: placed.size)
    if placed.isReference {
      guard let part = placed.parts.first else { return numbers }
      let word =
        switch part.location {
        case .general(let register): register
        case .indirectResult: 8
        case .stack(let offset): 16 + offset / 8
        case .vector, .x87: 0
        }
      for byte in numbers.indices { numbers[byte] = 2048 + 128 * word + byte }
      return numbers
    }
    for part in placed.parts {
      let first =
        switch part.location {
        case .general(let register): 8 * register
        case .vector(let register): (isResult ? 16 : 128) + 16 * register
        case .x87(let register): 108 + 10 * register
        case .stack(let offset): 256 + offset
        case .indirectResult: any
        }
      for byte in 0..<part.bytes where part.offset + byte < placed.size { numbers[part.offset + byte] = first + byte }
    }
    return numbers
  }
}

/// A value of a function and its location, as the engine or as clang and LLVM state it.
struct PlacedValue {
  enum Role { case argument, result, following }

  var role: Role
  var name: String
  var size: Int
  var isReference: Bool
  var parts: [LoweredAssignment.Part]
}

/// What a compiled function did: for each byte the numbers at which it was found.
struct MeasuredSources: Sendable {
  /// The bytes of the struct; several numbers if a byte of a result is in several registers.
  var value: [[Int]]
  var following: [[Int]]
  /// Whether the function could not be called.
  var isStopped: Bool = false

  /// Reads a line of probe.c after the number.
  init(_ words: [Substring], size: Int, isResult: Bool) {
    guard words.count == 2 else { (value, following, isStopped) = ([], [], true); return }
    var bytes = words[1].split(separator: ",").map { $0.split(separator: "/").compactMap { Int($0) } }
    if isResult {
      // The two values are first, and each byte of the result has a first number that means nothing.
      following = Array(bytes.prefix(12))
      bytes.removeFirst(min(12, bytes.count))
      value = bytes.map { $0.count > 1 ? Array($0.dropFirst()) : $0 }
    } else {
      value = Array(bytes.prefix(size))
      following = Array(bytes.dropFirst(size))
    }
  }

  /// Returns what differs in the bytes that have a value, or nil.
  func difference(from expected: ByteSources, significant: [Bool]) -> String? {
    if isStopped { return "the function reads from somewhere else" }
    for (byte, number) in expected.value.enumerated() where significant[byte] {
      guard byte < value.count, value[byte].contains(number) else {
        return "byte \(byte) is at \(byte < value.count ? value[byte] : []), not at \(number)"
      }
    }
    for (byte, number) in expected.following.enumerated() where byte >= following.count || !following[byte].contains(number) {
      return "byte \(byte) of the int and the double after it is at \(byte < following.count ? following[byte] : []), not at \(number)"
    }
    return nil
  }
}
