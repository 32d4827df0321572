import CallFrames

extension CallExplanation: CustomStringConvertible {
  /// The types and the backend, `ddd by sysv: sysv-vector, 160 bytes of frame`, or the reason why the call is rejected.
  public var description: String {
    let what = "\(types.shortText) by \(abi.rawValue): ".escaped
    guard let backend, let frameLength else { return what + reason.shortened(to: 1_000).escaped }
    return what + "\(backend), " + frameLength.counted("byte") + " of frame"
  }
}

extension CallExplanation.Value: CustomStringConvertible {
  /// The value, its type and its location: `argument 0 (d): xmm0`.
  public var description: String { (index.map { "argument \($0)" } ?? "result") + " (\(type.shortText)): ".escaped + location }
}

extension CallExplanation.Part: CustomStringConvertible {
  /// The location and the bytes: `xmm0 (bytes 0-7)`.
  public var description: String { "\(place) (bytes \(offset)-\(offset + size - 1))" }
}

extension CallExplanation.Field: CustomStringConvertible {
  /// The name, the type and the offset: `origin {Point=dd} at byte 0`.
  public var description: String {
    let place = bits.map { "bit \($0.lowerBound)" } ?? "byte \(offset)"
    return (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + type.shortText.escaped + " at \(place)"
  }
}

extension CallExplanation.WordGroup: CustomStringConvertible {
  /// The kind and the number of words: `general, 2 words`.
  public var description: String { "\(kind), " + count.counted("word") }
}

extension CallExplanation.Word: CustomStringConvertible {
  /// The name and the runs: `rdi: a0[0] (bytes 0-0), padding of a0 (bytes 1-3), a0[1] (bytes 4-7)`.
  public var description: String { "\(name): " + (runs.isEmpty ? "nothing" : runs.map(\.description).joined(separator: ", ")) }
}

extension CallExplanation.Run: CustomStringConvertible {
  /// The member and the bytes: `a0[1] (bytes 4-7)`.
  public var description: String {
    (content == .padding ? "padding of " : "") + "\(label.escaped) (bytes \(bytes.lowerBound)-\(bytes.upperBound - 1))"
  }
}
