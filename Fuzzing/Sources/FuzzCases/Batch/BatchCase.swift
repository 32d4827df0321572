import DynamicInvocation
import FuzzCallees
import InvokeBatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Answers arbitrary lines as `invoke call --batch` does.
///
/// Calling a function with wrong types may crash, so a request that is not known to be harmless is replaced by a call
/// of a function that reads no arguments.
func batchCase(_ bytes: UnsafeRawBufferPointer) {
  var lines = Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
  // Bytes after the last newline are a line only if there are any.
  if lines.last?.isEmpty == true { lines.removeLast() }
  lines = lines.map { BatchRequest($0)?.harmlessLine ?? $0 }
  let input = lines.joined(separator: [0x0A]) + (bytes.last == 0x0A ? [0x0A] : [])

  let answers = BatchFiles.answers(to: Array(input))
  // A blank line at the end is not answered.
  if let last = lines.last, last.allSatisfy({ [0x20, 0x09, 0x0D].contains($0) }) { lines.removeLast() }
  require(answers.count == lines.count, "\(lines.count) lines have \(answers.count) answers")
  for (line, answer) in zip(lines, answers) { check(answer, to: line) }
}

private func check(_ answer: ArraySlice<UInt8>, to line: [UInt8]) {
  func text() -> String { String(decoding: answer, as: UTF8.self) + " for " + String(decoding: line, as: UTF8.self) }
  guard case .object(let members)? = JSONText(answer) else { return require(false, "the answer is no JSON object: \(text())") }
  if let error = members["error"] {
    guard case .object(let parts) = error, case .string(let kind)? = parts["kind"], case .string(let message)? = parts["message"] else {
      return require(false, "the error is no object of a kind and a message: \(text())")
    }
    require(members.count == 1 && parts.count == 2 && !kind.isEmpty && !message.isEmpty, "the error is not complete: \(text())")
    return
  }
  guard let result = members["result"] else { return require(false, "the answer has neither a result nor an error: \(text())") }
  guard let request = BatchRequest(line) else { return require(false, "what is no request has a result: \(text())") }
  let count = 1 + (members["buffers"] == nil ? 0 : 1) + (request.capturesErrno ? 1 : 0)
  require(members.count == count && (members["errno"] != nil) == request.capturesErrno, "the answer has other members: \(text())")
  if let buffers = members["buffers"] {
    guard case .object(let buffers) = buffers, !buffers.isEmpty else { return require(false, "the buffers are no object: \(text())") }
    for (index, buffer) in buffers {
      guard case .array(let after) = buffer, let index = Int(index), request.arguments.indices.contains(index),
        let least = JSONText(request.arguments[index].utf8)?.leastElements
      else { return require(false, "a buffer is not that of an argument: \(text())") }
      // An array of the types may have more elements, which are zero.
      require(after.count >= least, "a buffer is shorter than the argument: \(text())")
    }
  }
  if let argument = request.arguments.first, request.symbol.hasPrefix("fuzz_same_") {
    let isSingle = request.symbol == "fuzz_same_f"
    require(JSONText(argument.utf8).map { result.means($0, isSingle: isSingle) } ?? false, "another value comes back: \(text())")
  }
}

extension JSONText {
  /// The least number of elements of the buffer that an argument states, or nil if it states none.
  fileprivate var leastElements: Int? {
    switch self {
    case .array(let elements): elements.count
    // A struct, or the type of elements with an array of them.
    case .object: 0
    // Characters and a zero.
    case .string: 1
    default: nil
    }
  }

  /// Returns whether a result is the number, the Boolean or the text that was passed.
  fileprivate func means(_ argument: JSONText, isSingle: Bool) -> Bool {
    switch (self, argument) {
    case (.number(let after), .number(let before)):
      if let integers = Int128(after).flatMap({ after in Int128(before).map { (after, $0) } }) { return integers.0 == integers.1 }
      return isSingle ? Float(after) == Float(before) : Double(after) == Double(before)
    case (.number(let after), .string(let text)):
      // A hexadecimal number.
      let isNegative = text.hasPrefix("-")
      if let magnitude = Int128(text.dropFirst(isNegative ? 3 : 2), radix: 16), let number = Int128(after) {
        return number == (isNegative ? -magnitude : magnitude)
      }
      return isSingle ? Float(after) == Float(text) : Double(after) == Double(text)
    case (.word, .word), (.string, .string): return self == argument
    default: return false
    }
  }
}

/// The input and output files of the program, which are reused for every input.
private enum BatchFiles {
  private static let input = fuzz_memory_file()
  private static let output = fuzz_memory_file()

  static func answers(to bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    require(input >= 0 && output >= 0, "there are no files in memory")
    for file in [input, output] {
      ftruncate(file, 0)
      lseek(file, 0, SEEK_SET)
    }
    require(pwrite(input, bytes, bytes.count, 0) == bytes.count, "the input cannot be written")
    do {
      try BatchProgram.run(input: input, output: output)
    } catch {
      require(false, "the answers cannot be written: \(error)")
    }
    var answers: [UInt8] = Array(repeating: 0, count: Int(lseek(output, 0, SEEK_END)))
    require(pread(output, &answers, answers.count, 0) == answers.count, "the answers cannot be read")
    require(answers.isEmpty || answers.last == 0x0A, "the last answer is not ended")
    guard !answers.isEmpty else { return [] }
    return answers.dropLast().split(separator: 0x0A, omittingEmptySubsequences: false)
  }
}
