import DynamicInvocation
import InvocationRecords
import Foundation

/// Decodes records from generated JSON, and records generated calls.
///
/// An encoded record must decode to the same call, and nothing may trap.
func recordsCase(_ bytes: UnsafeRawBufferPointer) {
  var reader = InputReader(bytes)
  if reader.flag() {
    decode(reader.remainder())
  } else {
    record(&reader)
  }
}

private func encoded(_ record: InvocationRecord) throws -> Data {
  let encoder = JSONEncoder()
  encoder.outputFormatting = .sortedKeys
  return try encoder.encode(record)
}

/// Checks that a decoded record is encoded to a text that decodes and encodes to the same.
private func decode(_ json: [UInt8]) {
  let record: InvocationRecord
  do {
    record = try JSONDecoder().decode(InvocationRecord.self, from: Data(json))
  } catch {
    return require(!"\(error)".isEmpty, "an error without words")
  }
  do {
    let invocation = try record.makeInvocation()
    let text = try encoded(record)
    let again = try JSONDecoder().decode(InvocationRecord.self, from: text)
    require(again.methodSignature == record.methodSignature, "the types of \(text.shown) are '\(again.methodSignature)'")
    requireSame(try again.makeInvocation(), invocation, text)
    let second = try encoded(again)
    require(second == text, "\(text.shown) becomes \(second.shown)")
    // The call itself produces the same record.
    let third = try encoded(InvocationRecord(invocation))
    require(third == text, "\(text.shown) is recorded as \(third.shown)")
  } catch {
    require(false, "\(String(decoding: json, as: UTF8.self)) is decoded, and then: \(error)")
  }
}

/// Records a call of generated types and values.
private func record(_ reader: inout InputReader) {
  var text = reader.flag() ? "v@:" : "v"
  for _ in 0..<reader.number(below: 8) { text += reader.typeText() }
  guard let signature = try? MethodSignature(types: text), signature.frameLength <= 1 << 16 else { return }
  let invocation = Invocation(signature)
  if signature.isMethod { invocation.selector = "recorded:" }
  for index in (signature.isMethod ? 2 : 0)..<signature.numberOfArguments {
    let type = signature.types.arguments[index]
    do {
      switch type.kind {
      case .cString, .atom:
        // A zero byte terminates a C string.
        let text = String(decoding: reader.bytes(reader.number(below: 20)).filter { $0 != 0 }, as: UTF8.self)
        try invocation.setArgument(text, at: index)
      case .selector: try invocation.setArgument(reader.flag() ? MethodSelector("chosen:") : nil, at: index)
      case .array: try invocation.setArgument(nil, at: index)
      default:
        var bytes = reader.value(of: type)
        type.clearUnknownNumbers(in: &bytes)
        bytes.append(0)
        try bytes.withUnsafeBytes { try invocation.setArgument(from: $0.baseAddress.unsafelyUnwrapped, at: index) }
      }
    } catch {
      require(false, "argument \(index) of \(text) is not set: \(error)")
    }
  }
  let record: InvocationRecord
  do {
    record = try InvocationRecord(invocation)
  } catch {
    return require(error.code == .unsupportedType, "a call of '\(text)' is not recorded: \(error)")
  }
  do {
    let json = try encoded(record)
    let again = try JSONDecoder().decode(InvocationRecord.self, from: json)
    requireSame(try again.makeInvocation(), invocation, json)
    let second = try encoded(again)
    require(second == json, "\(json.shown) becomes \(second.shown)")
  } catch {
    require(false, "a call of '\(text)' is recorded, and then: \(error)")
  }
}

/// Checks that two invocations have equal arguments, apart from padding.
private func requireSame(_ left: Invocation, _ right: Invocation, _ text: Data) {
  let signature = right.methodSignature
  require(left.methodSignature == signature, "\(text.shown) is a call of '\(left.methodSignature)', not of '\(signature)'")
  if signature.isMethod { require(left.selector == right.selector, "\(text.shown) has another selector") }
  for index in (signature.isMethod ? 2 : 0)..<signature.numberOfArguments {
    let type = signature.types.arguments[index]
    do {
      switch type.kind {
      case .cString, .atom:
        let same = try left.argument(at: index, as: String?.self) == right.argument(at: index, as: String?.self)
        require(same, "argument \(index) of \(text.shown) is another text")
      case .selector:
        let same = try left.argument(at: index, as: MethodSelector?.self) == right.argument(at: index, as: MethodSelector?.self)
        require(same, "argument \(index) of \(text.shown) is another selector")
      default:
        let (mine, theirs) = (try bytes(of: left, index, type), try bytes(of: right, index, type))
        let isSame = zip(type.plainBits, zip(mine, theirs)).allSatisfy { $0 & ($1.0 ^ $1.1) == 0 }
        require(isSame, "argument \(index) of \(text.shown), a \(type), is \(mine), not \(theirs)")
      }
    } catch {
      require(false, "argument \(index) of \(text.shown) is not read: \(error)")
    }
  }
}

private func bytes(of invocation: Invocation, _ index: Int, _ type: TypeEncoding) throws -> [UInt8] {
  var bytes: [UInt8] = Array(repeating: 0, count: (type.size ?? 0) + 1)
  try bytes.withUnsafeMutableBytes { try invocation.getArgument(into: $0.baseAddress.unsafelyUnwrapped, at: index) }
  return bytes
}

extension Data {
  /// The text.
  fileprivate var shown: String { String(decoding: self, as: UTF8.self) }
}

extension TypeEncoding {
  /// Clears the patterns of `long double` that are not numbers, which have no text.
  fileprivate func clearUnknownNumbers(in bytes: inout [UInt8]) {
    forEachPart(entersUnions: false) { part, start, _ in
      switch part.kind {
      case .scalar(.longDouble): clearUnknownNumber(in: &bytes, at: start)
      case .complex(.longDouble): for part in 0...1 { clearUnknownNumber(in: &bytes, at: start + part * 16) }
      default: break
      }
    }
  }

  private func clearUnknownNumber(in bytes: inout [UInt8], at start: Int) {
    guard TypeEncoding.Scalar.longDouble.size == 16 else { return }
    let significand = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + $1]) << UInt64(8 * $1) }
    let exponent = UInt16(bytes[start + 8]) | UInt16(bytes[start + 9]) << 8
    switch ExactNumber(significand: significand, signAndExponent: exponent) {
    case .finite?, .infinity?: break
    case .notANumber?, nil: for byte in 0..<10 { bytes[start + byte] = 0 }
    }
  }
}
