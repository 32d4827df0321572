/// Literals: Swift types an integer literal as `Int` and a floating-point literal as `Double`, whatever the parameter.
///
/// Like the literals themselves, an `Int` becomes any integer or floating-point type, and a `Double` any floating-point
/// type, when the value fits. Values of other types are not converted: their type was declared, so a mismatch is a
/// mistake.
extension MethodSignature {
  /// Writes a literal as a value of an argument's type.
  ///
  /// - Throws: `InvocationError` `typeMismatch` for a value that is not a literal of the type, `outOfRange` and
  ///   `inexact` for one that does not fit.
  func adapt(_ value: Literal, at index: Int, of frame: UnsafeMutableRawPointer) throws(InvocationError) {
    // The frame owns neither kind of literal.
    _ = unsafe try literal(value, at: index).store(in: storage.plan.slots[index], of: frame, keeping: false)
  }

  /// Converts a literal to the type of an argument, or of the result if the index is the number of arguments.
  ///
  /// - Throws: `InvocationError` as ``adapt(_:at:of:)`` does.
  package func literal(_ value: Literal, at index: Int) throws(InvocationError) -> BoxedValue.Converted {
    let isResult = index == numberOfArguments
    let (type, place) = isResult ? (returnType, InvocationError.Argument.result) : (types.arguments[index], .index(index))
    guard case .scalar(let scalar) = type.kind, scalar != .bool else { throw mismatch(value.type, place) }
    do throws(InvocationError) {
      switch value {
      case .integer(let number): return try BoxedValue.int(number).converted(to: type, [])
      case .double(let number) where !scalar.isInteger:
        return try BoxedValue.double(number).converted(to: type, scalar.holdsDigits(of: number) ? .truncating : [])
      case .double: break
      }
    } catch {
      guard error.code == .inexact else { throw error.placed(place, type) }
      guard scalar.canRound(value) else { throw InvocationError(.outOfRange, "\(value) does not fit").placed(place, type) }
      let advice = "; write \(scalar.swiftName)(\(value)) to round it"
      throw InvocationError(.inexact, error.reason + advice).placed(place, type)
    }
    throw mismatch(value.type, place)
  }
}

/// A value of the type that Swift gives a literal.
///
/// It is passed in registers.
@usableFromInline
package enum Literal: CustomStringConvertible {
  case integer(Int)
  case double(Double)

  /// Creates a literal from an `Int` or a `Double`; nil for any other type.
  ///
  /// The check is resolved at compile time.
  @inlinable @inline(__always)
  package init?<Value>(_ value: Value) {
    if Value.self == Int.self {
      self = unsafe .integer(unsafeBitCast(value, to: Int.self))
    } else if Value.self == Double.self {
      self = unsafe .double(unsafeBitCast(value, to: Double.self))
    } else {
      return nil
    }
  }

  var type: Any.Type {
    switch self {
    case .integer: Int.self
    case .double: Double.self
    }
  }

  @usableFromInline package var description: String {
    switch self {
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    }
  }
}

extension TypeEncoding.Scalar {
  /// Whether a literal that is not exact has a nearest number of this type that is neither infinite nor zero.
  fileprivate func canRound(_ value: Literal) -> Bool {
    func isInRange<Number: ScalarFloatingPoint>(_: Number.Type) -> Bool {
      let number =
        switch value {
        case .integer(let number): Number(Double(number))
        case .double(let number): Number(number)
        }
      return number.isFinite && !number.isZero
    }
    guard case .floatingPoint(let type) = numbers else { return true }
    return isInRange(type)
  }

  /// Whether a `Double` has the same decimal digits as the nearest number of this type.
  ///
  /// This holds for 0.1, though neither type represents it exactly: the literal means the same in a program of either
  /// type. It does not hold for one third: a `Double` has more of its digits.
  fileprivate func holdsDigits(of number: Double) -> Bool {
    func holds<Number: ScalarFloatingPoint>(_: Number.Type) -> Bool { Double("\(Number(number))") == number }
    // A double is exact, so its digits need not be compared.
    guard case .floatingPoint(let type) = numbers, size < MemoryLayout<Double>.size else { return false }
    return holds(type)
  }
}
