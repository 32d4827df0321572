import DynamicInvocation
import Foundation

// calculator FUNCTION NUMBER...    calls one function
// calculator --replay FILE         makes the calls of a file again
// calculator                       reads lines: FUNCTION NUMBER..., undo, redo, history, save FILE

let words = CommandLine.arguments.dropFirst()
do {
  let calculator = try Calculator()
  if words.isEmpty {
    while let line = readLine() { execute(line.split(separator: " ").map(String.init), calculator) }
  } else if words.count == 2, words.first == "--replay", let path = words.last {
    for calculation in try calculator.replay(path) { print(calculation) }
  } else if let name = words.first {
    print(try calculator.call(name, words.dropFirst().map { try number($0, calculator) }).result)
  }
} catch {
  FileHandle.standardError.write(Data("error: \(error)\n".utf8))
  exit(1)
}

/// Executes a line of standard input.
///
/// After an error, the next line is executed.
func execute(_ words: [String], _ calculator: Calculator) {
  do {
    switch (words.first, words.count) {
    case (nil, _): break
    case ("undo", 1): print(try calculator.undo().map { "undone: \($0)" } ?? "nothing to undo")
    case ("redo", 1): print(try calculator.redo().map { "redone: \($0)" } ?? "nothing to redo")
    case ("history", 1): for calculation in calculator.calculations { print(calculation) }
    case ("save", 2): try calculator.save(to: words[1])
    case (let name?, _): print(try calculator.call(name, words.dropFirst().map { try number($0, calculator) }).result)
    }
  } catch {
    print("error: \(error)")
  }
}

/// Returns a word as a number; `ans` is the last result.
func number(_ word: String, _ calculator: Calculator) throws -> BoxedValue {
  if word == "ans", let last = calculator.calculations.last { return last.result }
  if let integer = Int(word) { return .int(integer) }
  if let number = Double(word) { return .double(number) }
  throw CalculatorError("'\(word)' is no number")
}
