import DynamicInvocation

/// The expected conversion of a box to a type: a second implementation of the rule of exact conversion.
enum BoxedExpectation {
  case accepted
  /// Rejected with an error of one of these kinds.
  case refused(Set<InvocationError.Code>)
  /// The model cannot predict the outcome.
  case either

  init(_ sample: BoxedSample, as type: TypeEncoding) {
    switch (type.kind, sample.meaning) {
    case (.scalar(.bool), .bool), (.scalar(.int8), .bool), (.scalar(.uint8), .bool): self = .accepted
    case (.scalar(.bool), .number): self = .refused([.typeMismatch])
    case (.scalar(let scalar), .number(let number)): self.init(number, as: scalar)
    case (.cString, .text(let text)), (.atom, .text(let text)), (.selector, .text(let text)):
      // A null character would terminate the C string.
      self = text.utf8.contains(0) ? .refused([.typeMismatch]) : .accepted
    case (.selector, .selector), (.object, .object), (.classObject, .type): self = .accepted
    case (.cString, .null), (.atom, .null), (.selector, .null), (.object, .null), (.classObject, .null), (.pointer, .null), (.block, .null),
      (.array, .null), (.cString, .address), (.atom, .address), (.pointer, .address), (.block, .address), (.array, .address):
      self = .accepted
    case (.structure, .bytes(_, let other)), (.union, .bytes(_, let other)), (.complex, .bytes(_, let other)),
      (.vector, .bytes(_, let other)):
      self.init(layoutOf: other, as: type)
    case (_, .null): self = .refused([.nullNotAllowed])
    default: self = .refused([.typeMismatch])
    }
  }

  private init(_ number: ExactNumber, as scalar: TypeEncoding.Scalar) {
    if let format = scalar.format {
      self = number.fits(format) ? .accepted : .refused([.inexact])
    } else if number.fits(bits: 8 * scalar.size, isSigned: scalar.isSigned) {
      self = .accepted
    } else {
      self = .refused(number.isWhole ? [.outOfRange] : [.inexact])
    }
  }

  private init(layoutOf other: TypeEncoding, as type: TypeEncoding) {
    if other == type {
      self = .accepted
    } else if other.size != type.size || other.alignment != type.alignment {
      self = .refused([.typeMismatch])
    } else if let theirs = other.leaves, let ours = type.leaves {
      self = theirs == ours ? .accepted : .refused([.typeMismatch])
    } else {
      self = .either
    }
  }
}

extension BoxedSample {
  /// Returns whether a box read from a frame has the same meaning as the box that was set.
  func agrees(with value: BoxedValue, as type: TypeEncoding) -> Bool {
    switch (meaning, value) {
    case (.null, .null): return true
    case (.bool(let before), .bool(let after)): return before == after
    case (.bool(let before), _): return ExactNumber(value) == ExactNumber(before ? 1 : 0)
    case (.number(let before), _):
      guard let after = ExactNumber(value), case .scalar(let scalar) = type.kind else { return false }
      return scalar.isInteger ? before.withoutSignOfZero == after : before == after
    case (.text(let before), .string(let after)): return Array(before.utf8) == Array(after.utf8)
    case (.text(let before), .selector(let after)), (.selector(let before), .selector(let after)):
      return Array(before.utf8) == Array(after.name.utf8)
    case (.object(let before), .object(let after)): return before === after
    case (.type, .type(let after)): return after == Probe.self
    case (.address(let before), .pointer(let after)): return before == after
    case (.address, .string(let after)): return after == "probe"
    case (.bytes(let before, _), _):
      guard let after = Self.bytes(of: value, size: before.count) else { return false }
      let (plain, bools) = (type.plainBytes, type.boolBytes)
      // Any byte of a Boolean except for 0 is true, and becomes 1.
      return before.indices.allSatisfy { !plain[$0] || before[$0] == after[$0] || bools[$0] && before[$0] != 0 && after[$0] == 1 }
    default: return false
    }
  }

  private static func bytes(of value: BoxedValue, size: Int) -> [UInt8]? {
    func bytes<Value: BitwiseCopyable>(_ value: Value) -> [UInt8]? {
      MemoryLayout<Value>.size == size ? withUnsafeBytes(of: value) { Array($0) } : nil
    }
    return switch value {
    case .value(let value): value.bytes.count == size ? value.bytes : nil
    case .point(let value): bytes(value)
    case .size(let value): bytes(value)
    case .rect(let value): bytes(value)
    case .vector(let value): bytes(value)
    case .range(let value): bytes(value)
    case .insets(let value): bytes(value)
    case .offset(let value): bytes(value)
    case .affineTransform(let value): bytes(value)
    case .transform3D(let value): bytes(value)
    default: nil
    }
  }
}
