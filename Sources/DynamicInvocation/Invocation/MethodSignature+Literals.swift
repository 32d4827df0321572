/// Literals: Swift makes an integer literal an `Int` and a floating-point literal a `Double`, whatever the parameter.
///
/// Like the literals themselves, an `Int` becomes any integer or floating-point type, and a `Double` any floating-point type, when the value fits.
/// Values of other types are not converted: they were declared, and a type that is not the parameter's is a mistake.
extension MethodSignature {
  /// Writes a value that is not of an argument's type as a literal of that type.
  ///
  /// - Throws: ``InvocationError`` `typeMismatch` for a value that is no literal of it, `outOfRange` and `inexact` for one that does not fit.
  @usableFromInline
  func adapt<Value: EncodedValue>(_ value: Value, at index: Int, of frame: UnsafeMutableRawPointer) throws(InvocationError) {
    // Neither owns anything.
    _ = unsafe try literal(value, at: index).store(in: storage.plan.slots[index], of: frame, keeping: false)
  }

  /// Converts a value that is not of an argument's type as a literal of that type.
  func literal<Value: EncodedValue>(_ value: Value, at index: Int) throws(InvocationError) -> BoxedValue.Converted {
    let type = types.arguments[index]
    guard case .scalar(let scalar) = type.kind, scalar != .bool else { throw mismatch(Value.self, .index(index)) }
    do throws(InvocationError) {
      if Value.self == Int.self {
        return try BoxedValue.int(unsafe unsafeBitCast(value, to: Int.self)).converted(to: type, [])
      } else if Value.self == Double.self, !scalar.isInteger {
        let number = unsafe unsafeBitCast(value, to: Double.self)
        return try BoxedValue.double(number).converted(to: type, scalar.holdsDigits(of: number) ? .truncating : [])
      }
    } catch {
      let code = error.code
      let advice = code == .inexact ? "; write \(scalar.swiftName)(\(value)) to round it" : ""
      throw InvocationError(code, error.reason + advice).placed(.index(index), type)
    }
    throw mismatch(Value.self, .index(index))
  }
}

extension TypeEncoding.Scalar {
  /// Whether a number of double precision is written with the same digits as the number of this type that is nearest to it.
  ///
  /// 0.1 is, though neither type has it exactly: it means the same in a program of either. One third is not: a double has more of its digits.
  fileprivate func holdsDigits(of number: Double) -> Bool {
    switch self {
    case .float: return Double("\(Float(number))") == number
    #if !(os(macOS) && arch(x86_64))
      case .float16: return Double("\(Float16(number))") == number
    #endif
    default: return false
    }
  }
}
