internal import CFFIShim

// What is passed to libffi, as text.
extension LibFFILowering {
  /// A run of a value's bytes and the name of the libffi type that it is passed as.
  package struct LoweredPart {
    package var type: String
    package var offset: Int
    package var size: Int
  }

  /// Returns the parts of the result; none for a result without bytes.
  package func resultParts(of type: TypeEncoding) -> [LoweredPart] {
    guard let resultPieces, !resultPieces.isEmpty else {
      if case .scalar(.void) = result { return [] }
      return [LoweredPart(type: result.text, offset: 0, size: type.size ?? 0)]
    }
    // For libffi, a result in two registers is a struct of two words.
    guard case .aggregate(let members, _, _) = result, members.count == resultPieces.count else {
      return [LoweredPart(type: result.text, offset: 0, size: type.size ?? 0)]
    }
    return zip(members, resultPieces).map { LoweredPart(type: $0.text, offset: $1.offset, size: $1.size) }
  }

  /// Returns the parts of each argument of a plan.
  package func argumentParts(_ plan: CallPlan) -> [[LoweredPart]] {
    var parts: [[LoweredPart]] = Array(repeating: [], count: plan.count)
    for argument in arguments {
      let slot = unsafe plan.slots[argument.index]
      let offset = argument.offset - Int(slot.offset)
      let size = min(argument.type.size ?? Int(slot.size), Int(slot.size) - offset)
      parts[argument.index].append(LoweredPart(type: argument.type.text, offset: offset, size: size))
    }
    return parts
  }
}

extension LibFFILowering.LoweredType {
  /// The name of the type in libffi.
  fileprivate var text: String {
    switch self {
    case .scalar(let scalar): scalar.text
    case .aggregate(let members, _, _): "struct {\(Self.text(members))}"
    case .memory(let size, let alignment): "memory (\(size) bytes, aligned to \(alignment))"
    }
  }

  /// Returns the text of the members, in which adjacent equal members are counted.
  private static func text(_ members: [Self]) -> String {
    var runs: [(member: Self, count: Int)] = []
    for member in members {
      if let last = runs.last, last.member == member { runs[runs.count - 1].count += 1 } else { runs.append((member, 1)) }
    }
    return runs.map { $0.count == 1 ? $0.member.text : "\($0.count) x \($0.member.text)" }.joined(separator: ", ")
  }

  /// The size in bytes, or nil if it depends on the platform.
  fileprivate var size: Int? {
    switch self {
    case .scalar(.uint64), .scalar(.double), .scalar(.pointer): 8
    case .scalar: nil
    case .aggregate(_, let size, _), .memory(let size, _): size
    }
  }
}

extension cffi_scalar {
  /// The name of libffi's type.
  fileprivate var text: String {
    switch self {
    case .void: "void"
    case .uint8: "uint8"
    case .sint8: "sint8"
    case .uint16: "uint16"
    case .sint16: "sint16"
    case .uint32: "uint32"
    case .sint32: "sint32"
    case .uint64: "uint64"
    case .sint64: "sint64"
    case .float: "float"
    case .double: "double"
    case .longDouble: "longdouble"
    case .pointer: "pointer"
    case .complexFloat: "complex_float"
    case .complexDouble: "complex_double"
    case .complexLongDouble: "complex_longdouble"
    }
  }
}
