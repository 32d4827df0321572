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
