import CallExplanations
import DynamicInvocation

/// Explains the calls of a signature for every convention.
///
/// The explanations must agree on the values, and no two values may have the same location.
func checkExplanations(of types: MethodTypes, fixedCount: Int?) {
  for abi in CallExplanation.ABI.allCases {
    let explanation = CallExplanation(types, fixedArgumentCount: fixedCount, abi: abi)
    require(
      explanation.arguments.count == types.arguments.count, "\(explanation.arguments.count) of \(types.arguments.count) arguments explained"
    )
    require(
      (explanation.refusal == nil) == (explanation.frameLength != nil), "a refused call has a frame, or another has none: \(types.text())")
    require(
      (explanation.backend == nil) == (explanation.refusal != nil), "a refused call has a backend, or another has none: \(types.text())")
    check(explanation.result, of: types.result, index: nil, in: explanation)
    for (index, type) in types.arguments.enumerated() { check(explanation.arguments[index], of: type, index: index, in: explanation) }
    if explanation.refusal == nil { checkPlaces(in: explanation) }
    checkWords(of: explanation)
  }
}

/// Checks that the runs of each word are in order and do not overlap.
private func checkWords(of explanation: CallExplanation) {
  for group in explanation.wordGroups(limit: 64) {
    require(!group.words.isEmpty && group.count >= group.words.count, "\(group) has \(group.words.count) words")
    for word in group.words {
      var end = 0
      for run in word.runs {
        require(!run.bytes.isEmpty && run.bytes.lowerBound >= end && run.bytes.upperBound <= 8, "\(word): \(explanation.types.text())")
        end = run.bytes.upperBound
      }
    }
  }
}

private func check(_ value: CallExplanation.Value, of type: TypeEncoding, index: Int?, in explanation: CallExplanation) {
  var isAddress = false
  if case .array = type.kind, index != nil { isAddress = true }
  let size = isAddress ? 8 : type.size
  require(
    value.index == index && value.type == type, "argument \(index ?? -1) of \(explanation.types.text()) is explained as \(value.type)")
  require(value.size == size && value.alignment == (isAddress ? 8 : type.alignment), "\(type) is explained with \(value.size ?? -1) bytes")
  require(!value.location.isEmpty, "\(type) has no location")
  // A rejected value has no parts. libffi may reject values that the host's own kernels can pass.
  guard explanation.refusal == nil, let size else { return }
  if explanation.abi == .libffi, value.location.hasPrefix("refused") || value.location.hasPrefix("not placed") { return }
  var bytes: [Bool] = Array(repeating: false, count: min(max(size, 8), 1 << 12))
  for part in value.parts {
    require(part.offset >= 0 && part.size > 0, "\(type) has a part of \(part.size) bytes at \(part.offset) in \(part.place)")
    let isReference = value.location.hasPrefix("by reference") && part.size == 8
    require(part.offset + part.size <= size || isReference, "a part of \(type) ends at \(part.offset + part.size) of \(size) bytes")
    guard size <= bytes.count, !isReference else { return }
    for byte in part.offset..<part.offset + part.size {
      require(!bytes[byte], "byte \(byte) of \(type) has two locations by \(explanation.abi)")
      bytes[byte] = true
    }
  }
  guard size <= bytes.count, !isAddress else { return }
  // Every byte that contains a part of the value is passed.
  type.forEachPart { part, start, bits in
    guard bits == nil, let size = part.size else { return }
    require(
      bytes[start..<start + size].allSatisfy { $0 }, "\(part) in bytes \(start) to \(start + size) has no location by \(explanation.abi)")
  }
}

/// Checks that no register and no byte of the stack contains parts of two arguments.
private func checkPlaces(in explanation: CallExplanation) {
  guard explanation.abi != .libffi else { return }
  var registers: Set<String> = []
  var stack: [Range<Int>] = []
  for part in explanation.arguments.flatMap(\.parts) {
    if part.place.hasPrefix("stack+"), let offset = Int(part.place.dropFirst(6)) {
      stack.append(offset..<offset + part.size)
    } else {
      require(registers.insert(part.place).inserted, "two parts are in \(part.place): \(explanation.types.text())")
    }
  }
  stack.sort { $0.lowerBound < $1.lowerBound }
  for (first, second) in zip(stack, stack.dropFirst()) {
    require(first.upperBound <= second.lowerBound, "two parts are in stack+\(second.lowerBound): \(explanation.types.text())")
  }
  let end = stack.last?.upperBound ?? 0
  require(
    end <= explanation.stackSize ?? 0, "an argument ends at stack+\(end) of \(explanation.stackSize ?? 0): \(explanation.types.text())")
}
