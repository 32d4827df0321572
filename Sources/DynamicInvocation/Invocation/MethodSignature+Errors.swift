extension MethodSignature {
  /// The error of an index that no argument has.
  @usableFromInline
  func indexOutOfRange(_ index: Int) -> InvocationError {
    InvocationError(
      .indexOutOfRange,
      numberOfArguments == 0 ? "the signature has no arguments" : "the signature has arguments 0 to \(numberOfArguments - 1)",
      argument: .index(index))
  }

  /// The error of an argument that a call needs and nobody set.
  func notSet(_ index: Int) -> InvocationError {
    InvocationError(
      .argumentNotSet, index == 1 && isMethod ? "the selector was never set" : "it was never set", argument: .index(index),
      encoding: types.arguments[index].description)
  }

  /// The error of reading a result before there is one.
  @usableFromInline
  func noResult() -> InvocationError {
    InvocationError(.noReturnValue, "there is none before the call", argument: .result, encoding: returnType.description)
  }

  /// The error of a Swift type that is not the signature's.
  @usableFromInline
  func mismatch<Value>(_ type: Value.Type, _ place: InvocationError.Argument) -> InvocationError {
    let encoding =
      switch place {
      case .index(let index): types.arguments[index]
      case .result: returnType
      }
    var reason = "\(GeometryName.of(type)) is not \(encoding.swiftTypeName)"
    if let declared = (type as? any EncodedValue.Type)?.typeEncoding, let layout = declared.node.layout,
      layout.size != MemoryLayout<Value>.stride || layout.alignment != MemoryLayout<Value>.alignment
    {
      reason =
        "\(type) declares \(declared), \(layout.size) bytes aligned to \(layout.alignment), "
        + "but Swift gives it \(MemoryLayout<Value>.stride) aligned to \(MemoryLayout<Value>.alignment)"
    } else if let type = type as? any EncodedValue.Type, type.valueKind == .unknown, let refusal = type.typeEncoding.refusal(of: type) {
      reason = refusal
    }
    return InvocationError(.typeMismatch, reason, argument: place, encoding: encoding.description)
  }
}

extension TypeEncoding {
  /// The Swift type to use for a value of this type, for messages.
  var swiftTypeName: String {
    switch kind {
    case .void: "Void"
    case .scalar(let scalar): scalar.swiftName
    case .cString, .atom: "String or UnsafePointer<CChar>"
    case .object: "an object"
    case .block, .pointer, .array: "a pointer"
    case .classObject: "a class"
    case .selector: "Selector"
    case .structure, .union, .complex, .vector: "a value of \(size ?? 0) bytes with this layout"
    case .unknown, .bitField: "a type with a size"
    }
  }
}
