extension MethodSignature {
  /// Returns whether an argument, or the result if the index is the number of arguments, has a Swift type.
  package func takes<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    storage.accepts(type, at: index)
  }

  /// Returns whether the result is a pointer to bytes, and a type that the caller states is a text.
  ///
  /// Asking for the text states that the bytes end with a zero.
  @inline(never) @usableFromInline
  func returnsText<Value: EncodedValue>(_ type: Value.Type) -> Bool { type.copiesText && returnType.isBytePointer }

  /// Returns the error for an argument index that is out of range.
  @usableFromInline
  func indexOutOfRange(_ index: Int) -> InvocationError {
    InvocationError(
      .indexOutOfRange,
      numberOfArguments == 0 ? "the signature has no arguments" : "the signature has arguments 0 to \(numberOfArguments - 1)",
      argument: .index(index))
  }

  /// Returns the error for a wrong number of arguments.
  func countMismatch(_ given: Int, of wanted: Int) -> InvocationError {
    InvocationError(.countMismatch, "\(given) argument\(given == 1 ? "" : "s") given, the signature '\(self)' takes \(wanted)")
  }

  /// Returns the error for a null where the type has no null.
  func nullNotAllowed(_ index: Int) -> InvocationError {
    let type = types.arguments[index]
    return InvocationError(.nullNotAllowed, "null is not \(type.swiftTypeName)").placed(.index(index), type)
  }

  /// Returns the error for an argument that is needed by a call and was not set.
  func notSet(_ index: Int) -> InvocationError {
    InvocationError(
      .argumentNotSet, index == 1 && isMethod ? "the selector was never set" : "it was never set", argument: .index(index),
      encoding: types.arguments[index].description)
  }

  /// Returns the error for reading a result before there is one.
  @usableFromInline
  func noResult() -> InvocationError {
    InvocationError(.noReturnValue, "there is none before the call", argument: .result, encoding: returnType.description)
  }

  /// Returns the error for a Swift type that does not match the signature.
  @usableFromInline
  package func mismatch<Value>(_ type: Value.Type, _ place: InvocationError.Argument) -> InvocationError {
    let encoding =
      switch place {
      case .index(let index): types.arguments[index]
      case .result: returnType
      }
    var reason = "\(GeometryStructs.name(of: type)) is not \(encoding.swiftTypeName(unlike: type))"
    // A type whose declared encoding differs from its layout has the kind `unknown`, and matches no type.
    if let type = type as? any EncodedValue.Type, type.valueKind == .unknown {
      let declared = type.typeEncoding
      if let layout = declared.node.layout,
        layout.size != MemoryLayout<Value>.stride || layout.alignment != MemoryLayout<Value>.alignment
      {
        reason =
          "\(type) declares \(declared), \(layout.size) bytes aligned to \(layout.alignment), "
          + "but Swift gives it \(MemoryLayout<Value>.stride) aligned to \(MemoryLayout<Value>.alignment)"
      } else if let refusal = declared.refusal(of: type) {
        reason = refusal
      }
    }
    return InvocationError(.typeMismatch, reason, argument: place, encoding: encoding.description)
  }

  /// Returns the error for a Swift type that the result of a call cannot be read as, with the types that it can.
  @inline(never) @usableFromInline
  func resultMismatch<Value>(_ type: Value.Type) -> InvocationError {
    let error = mismatch(type, .result)
    let names: String? =
      switch returnType.kind {
      case .scalar(let scalar): WiderNumber.names(scalar)
      case .structure, .union, .complex, .vector: "EncodedBytes for its members"
      default: nil
      }
    guard let names, error.reason.utf8.count < 200 else { return error }
    return InvocationError(error.code, error.reason + "; ask for " + names, argument: .result, encoding: error.encoding)
  }
}

extension TypeEncoding {
  /// The Swift type to use instead of another, which may be a pointer to something else.
  fileprivate func swiftTypeName(unlike type: Any.Type) -> String {
    if case .pointer(let target) = kind, type == [String].self || type == [String?].self {
      switch target.kind {
      case .cString, .pointer: return "a pointer: pass an array of pointers, [UnsafeMutablePointer<CChar>?]"
      default: break
      }
    }
    guard case .pointer(let target) = kind, let pointee = (type as? any EncodedValue.Type)?.pointeeType else { return swiftTypeName }
    let isHandle = pointee == PointeeComparison.Opaque.self
    return "a pointer to \(target.swiftTypeName)" + (isHandle ? ": pass the address of a variable, &variable" : "")
  }

  /// The Swift type to use for a value of this type, for messages.
  var swiftTypeName: String {
    switch kind {
    case .void: "Void"
    case .scalar(let scalar): scalar.swiftName
    case .cString, .atom: "String or UnsafePointer<CChar>"
    case .object: "an object"
    case .block, .pointer, .array: "a pointer"
    case .classObject: "a class"
    case .selector: "MethodSelector"
    case .structure, .union, .complex, .vector: "a value of \(size ?? 0) bytes with this layout"
    case .unknown, .bitField: "a type with a size"
    }
  }
}
