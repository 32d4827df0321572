extension InvocationRecord: CustomStringConvertible {
  /// The selector, or the types of a function, and the arguments: `move(_:to:)(7, (1.5, 2.0))`, `ddd(2.0, 10.0)`.
  ///
  /// - Complexity: O(bytes of the text), at most some 4,000.
  public var description: String {
    var text = ValueText()
    text.append(selector?.name ?? methodSignature.types.shortText)
    text.append("(")
    let first = methodSignature.numberOfArguments - values.count
    for (offset, value) in values.enumerated() where !text.isFull {
      if offset > 0 { text.append(", ") }
      switch value {
      case .text(nil), .selector(nil): text.append("null")
      case .text(let string?): text.writeQuoted(string)
      case .selector(let selector?): text.append(selector.name)
      case .bytes(let bytes):
        let type = methodSignature.types.arguments[first + offset]
        unsafe bytes.withUnsafeBytes { bytes in
          if let address = bytes.baseAddress { unsafe text.write(address, as: type) }
        }
      }
    }
    text.append(")")
    return text.text
  }
}
