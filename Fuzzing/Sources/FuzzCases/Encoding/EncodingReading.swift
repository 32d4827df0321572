import CallExplanations
import DynamicInvocation

/// A manner of parsing a text as an encoding, and the properties that its result must have.
struct EncodingReading {
  let dialect: TypeEncoding.Dialect
  let blankIsFloat16: Bool

  /// Checks that a parsed type has the same meaning after it is written, and has a possible layout.
  func checkType(_ text: String) {
    let type: TypeEncoding
    do {
      type = try TypeEncoding(text, dialect: dialect, blankIsFloat16: blankIsFloat16)
    } catch {
      return check(error, of: text)
    }
    checkTexts(of: type)
    checkLayout(of: type)
  }

  /// Checks that the types of a signature have the same meaning after they are written, with or without offsets.
  func checkTypes(_ text: String) -> MethodTypes? {
    let types: MethodTypes
    do {
      types = try MethodTypes(text, dialect: dialect, blankIsFloat16: blankIsFloat16)
    } catch {
      check(error, of: text)
      return nil
    }
    let all = [types.result] + types.arguments
    for type in all { checkLayout(of: type) }
    // A bit-field is not the type of a value, and the number after it would be parsed as a part of it.
    guard !all.contains(where: endsInBitField) else { return types }
    for written in [types.text(dialect: .gnu), types.text(dialect: .gnu, frameOffsets: true)] {
      let again = read(written) { text throws(InvocationError) in try MethodTypes(text, dialect: .gnu, blankIsFloat16: true) }
      guard let again else { continue }
      require(again == types, "'\(text)' was written as '\(written)', which has other types")
      require(again.hashValue == types.hashValue, "equal types '\(text)' and '\(written)' have different hashes")
      require(again.isMethod == types.isMethod, "'\(written)' is another kind of method than '\(text)'")
    }
    return types
  }

  /// Checks that a signature that can be called has a frame, and that a second lookup finds it.
  func checkSignature(_ text: String, fixedCount: Int?) {
    let signature: MethodSignature
    do {
      signature = try MethodSignature(types: text, dialect: dialect, fixedArgumentCount: fixedCount)
    } catch {
      return require(!"\(error)".isEmpty, "an error without words")
    }
    let isSame = (try? MethodSignature(types: text, dialect: dialect, fixedArgumentCount: fixedCount)) == signature
    require(isSame, "the signature of '\(text)' is not found again")
    require(signature.frameLength >= 0 && signature.returnLength >= 0, "a frame of \(signature.frameLength) bytes for '\(text)'")
    let explained = CallExplanation(signature.types, fixedArgumentCount: fixedCount).frameLength
    require(explained == signature.frameLength, "'\(text)' has a frame of \(signature.frameLength) bytes, explained \(explained ?? -1)")
    // The signature has exactly these arguments.
    for index in 0..<signature.numberOfArguments {
      require(
        (try? signature.argumentType(at: index)) == signature.types.arguments[index], "argument \(index) of '\(text)' has another type")
    }
    require((try? signature.argumentType(at: signature.numberOfArguments)) == nil, "'\(text)' has an argument past its last")
  }

  private func checkTexts(of type: TypeEncoding) {
    let canonical = type.canonicalText
    let written = type.description
    if let again = read(canonical, { text throws(InvocationError) in try TypeEncoding(text, dialect: .gnu, blankIsFloat16: true) }) {
      require(again == type, "'\(written)' is not what its canonical text '\(canonical)' says")
      require(again.hashValue == type.hashValue, "equal types '\(written)' and '\(canonical)' have different hashes")
      require(again.canonicalText == canonical, "the canonical text of '\(canonical)' is '\(again.canonicalText)'")
      require(again.hasSameLayout(as: type) && again.isEqualIgnoringNames(to: type), "'\(canonical)' is laid out unlike '\(written)'")
      require(again.size == type.size && again.alignment == type.alignment, "'\(canonical)' has another size than '\(written)'")
    }
    for dialect in TypeEncoding.Dialect.allCases {
      let reading = { (text: String) throws(InvocationError) in try TypeEncoding(text, dialect: dialect, blankIsFloat16: true) }
      if let again = read(written, reading) {
        require(again.description == written && again == type, "'\(written)' is read as '\(again)'")
        require(again.qualifiers == type.qualifiers, "'\(written)' is read with other qualifiers")
      }
      let text = type.text(dialect: dialect)
      if let again = read(text, reading) {
        require(again.text(dialect: dialect) == text, "'\(text)' becomes '\(again.text(dialect: dialect))'")
      }
    }
  }

  /// Parses a written text.
  ///
  /// Returns nil if it exceeds the maximum length, as bit-fields can when their positions are written.
  private func read<Result>(_ text: String, _ reading: (String) throws(InvocationError) -> Result) -> Result? {
    do {
      return try reading(text)
    } catch {
      require(text.utf8.count > TypeEncoding.Limits.length && error.code == .limitExceeded, "what was written is not read: \(error)")
      return nil
    }
  }

  private func check(_ error: InvocationError, of text: String) {
    require([.malformedEncoding, .limitExceeded].contains(error.code), "'\(text)' has an error of another kind: \(error)")
    guard let offset = error.byteOffset else { return require(false, "the error of '\(text)' has no place: \(error)") }
    require(offset >= 0 && offset <= text.utf8.count, "the error of '\(text)' is past its end: \(error)")
    require(!error.description.isEmpty, "the error of '\(text)' has no words")
  }

  private func endsInBitField(_ type: TypeEncoding) -> Bool {
    switch type.kind {
    case .bitField: true
    case .pointer(let target): endsInBitField(target)
    default: false
    }
  }
}
