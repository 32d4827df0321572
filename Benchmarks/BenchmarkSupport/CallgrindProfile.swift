/// The counts of one callgrind dump: instructions by object file.
package struct CallgrindProfile: Sendable, Equatable {
  /// The name that the program gave the dump, or nil if the program did not request it.
  package let name: String?
  /// The instructions of each object file's own code, without the code that it calls, by the path of the file.
  package let instructions: [String: Int]

  package init(name: String?, instructions: [String: Int]) {
    self.name = name
    self.instructions = instructions
  }

  /// All instructions.
  package var total: Int { instructions.values.reduce(0, +) }

  /// Returns the instructions of the object files with a name, in any folder.
  package func instructions(ofObjectNamed name: String) -> Int {
    instructions.reduce(0) { $0 + ($1.key.split(separator: "/").last.map { $0 == name } ?? false ? $1.value : 0) }
  }
}

extension CallgrindProfile {
  /// Parses a callgrind file, in the format that its manual describes under "Callgrind Format Specification".
  ///
  /// Its lines state names (`ob=(1) /lib/libc.so.6`, which is abbreviated to `(1)` afterwards) and, below them, costs:
  /// a position in the source and the number of occurrences of each event. The cost below `calls=` is that of a whole
  /// call. It is also contained in the lines of the called function, so it is not counted.
  ///
  /// - Throws: ``CallgrindFormatError`` if the file is malformed or incomplete: its costs must add up to the sum at its
  ///   end.
  package init(_ text: String) throws(CallgrindFormatError) {
    var parser = CallgrindParser()
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      try parser.read(line, number: index + 1)
    }
    self = try parser.profile()
  }
}

/// Parses the lines of a callgrind file one by one.
struct CallgrindParser {
  private var name: String?
  private var instructions: [String: Int] = [:]
  /// The sum over all objects, which is at least the count of each.
  private var sum = 0
  /// The sum that the file states.
  private var totals: Int?
  /// The names of object files by their abbreviations, which are numbers.
  private var objects: [Substring: String] = [:]
  /// The current object file.
  ///
  /// It is empty for functions before the first line that names an object file.
  private var object = ""
  /// The number of leading numbers of a cost line that specify a position.
  private var positions = 1
  /// The index of the instruction count among the numbers after the position.
  private var event: Int?
  /// Whether the next cost line is the cost of a whole call.
  private var isCall = false

  private static let trigger = "desc: Trigger: Client Request:"

  /// Parses the next line of the file.
  mutating func read(_ line: Substring, number: Int) throws(CallgrindFormatError) {
    guard let first = line.utf8.first else { return }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "*"):
      try readCost(line, number: number)
    case UInt8(ascii: "#"): break
    default:
      guard let end = line.utf8.firstIndex(where: { $0 == UInt8(ascii: "=") || $0 == UInt8(ascii: ":") }) else {
        throw .line(number, String(line))
      }
      try readField(line[..<end], line[line.utf8.index(after: end)...], line: line, number: number)
    }
  }

  /// Returns the profile after the last line was parsed.
  func profile() throws(CallgrindFormatError) -> CallgrindProfile {
    guard let totals else { throw .noEnd }
    guard sum == totals else { throw .sum(sum, totals) }
    return CallgrindProfile(name: name, instructions: instructions)
  }

  private mutating func readField(_ key: Substring, _ value: Substring, line: Substring, number: Int) throws(CallgrindFormatError) {
    switch key {
    case "ob": object = try objectName(value, line: line, number: number)
    case "cob": _ = try objectName(value, line: line, number: number)
    case "calls": isCall = true
    case "positions": positions = value.split(separator: " ").count
    case "events": event = value.split(separator: " ").firstIndex(of: "Ir")
    case "desc":
      if line.hasPrefix(Self.trigger) { name = String(line.dropFirst(Self.trigger.count).drop { $0 == " " }) }
    case "totals":
      guard let event, let count = Self.number(value.split(separator: " "), event) else { throw .line(number, String(line)) }
      totals = count
    default: break  // the source file, the function, and other lines that do not name the object
    }
  }

  private mutating func readCost(_ line: Substring, number: Int) throws(CallgrindFormatError) {
    if isCall {
      isCall = false
      return
    }
    let words = line.split(separator: " ")
    guard let event, words.count >= positions, let count = Self.number(words.dropFirst(positions), event) else {
      throw .line(number, String(line))
    }
    guard count != 0 else { return }
    let (sum, overflow) = sum.addingReportingOverflow(count)
    guard !overflow else { throw .line(number, String(line)) }
    self.sum = sum
    instructions[object, default: 0] += count
  }

  /// Returns a count of a line, or nil if it is malformed.
  ///
  /// Trailing zeros are omitted in the file.
  private static func number(_ words: some Collection<Substring>, _ index: Int) -> Int? {
    guard index < words.count else { return 0 }
    return Int(words[words.index(words.startIndex, offsetBy: index)]).flatMap { $0 >= 0 ? $0 : nil }
  }

  /// Returns the name in `(1) name`, in a later `(1)`, or in `name` without abbreviation.
  private mutating func objectName(_ value: Substring, line: Substring, number: Int) throws(CallgrindFormatError) -> String {
    guard value.first == "(", let end = value.firstIndex(of: ")") else { return String(value) }
    let key = value[...end]
    let name = value[value.index(after: end)...].drop { $0 == " " }
    if !name.isEmpty { objects[key] = String(name) }
    guard let known = objects[key] else { throw .line(number, String(line)) }
    return known
  }
}

/// The reason why a file is not a callgrind file.
package enum CallgrindFormatError: Error, Equatable, CustomStringConvertible {
  /// The line with this number does not match the format.
  case line(Int, String)
  /// The sum at the end is missing.
  case noEnd
  /// The costs add up to the first number, and the file states the second.
  case sum(Int, Int)

  package var description: String {
    switch self {
    case .line(let number, let text): "line \(number) of callgrind's file is none of its format: \(text)"
    case .noEnd: "callgrind's file breaks off"
    case .sum(let sum, let totals): "the costs in callgrind's file add up to \(sum), and it says \(totals)"
    }
  }
}
