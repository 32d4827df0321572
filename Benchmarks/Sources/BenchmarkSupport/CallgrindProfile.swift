/// The counts of one callgrind dump: instructions by object file.
package struct CallgrindProfile: Sendable, Equatable {
  /// The name that the program gave the dump, or nil if the program did not request it.
  package var name: String?
  /// The instructions of each object file's own code, without the code that it calls, by the path of the file.
  package var instructions: [String: Int]

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
  private static let trigger = "desc: Trigger: Client Request: "

  /// Parses a file that callgrind wrote with `--compress-strings=no --compress-pos=no`, in the format that its manual
  /// describes under "Callgrind Format Specification".
  ///
  /// Its lines name what the costs below them belong to: only `ob=`, the object file, is of interest. A cost is the number
  /// of a line in the source and a number of instructions. The cost below `calls=` is the cost of a whole call: the lines of
  /// the called function contain it too, so it is not counted.
  ///
  /// - Throws: ``CallgrindFormatError`` if the file is malformed or incomplete: its costs must add up to the sum at its
  ///   end.
  package init(_ text: String) throws(CallgrindFormatError) {
    self.init(name: nil, instructions: [:])
    var (object, isCall, sum, totals) = ("", false, 0, Int?.none)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let refusal = CallgrindFormatError.line(index + 1, String(line))
      func number(_ text: Substring?) throws(CallgrindFormatError) -> Int {
        guard let number = text.flatMap({ Int($0) }), number >= 0 else { throw refusal }
        return number
      }
      if line.hasPrefix("ob=") {
        object = String(line.dropFirst(3))
      } else if line.hasPrefix("calls=") {
        isCall = true
      } else if line.hasPrefix(Self.trigger) {
        name = String(line.dropFirst(Self.trigger.count))
      } else if line.hasPrefix("events: "), line != "events: Ir" {
        throw refusal
      } else if line.hasPrefix("totals: ") {
        totals = try number(line.dropFirst(8))
      } else if line.first?.isNumber ?? false {
        let words = line.split(separator: " ")
        guard words.count <= 2 else { throw refusal }
        // A count of zero is left out.
        let (count, overflow) = sum.addingReportingOverflow(isCall || words.count == 1 ? 0 : try number(words[1]))
        guard !overflow else { throw refusal }
        instructions[object, default: 0] += count - sum
        (sum, isCall) = (count, false)
      } else if let first = line.utf8.first, !line.contains("="), !line.contains(":"), first != UInt8(ascii: "#") {
        throw refusal
      }
    }
    guard let totals else { throw .noEnd }
    guard sum == totals else { throw .sum(sum, totals) }
    instructions = instructions.filter { $0.value != 0 }
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
    case .line(let number, let text): "line \(number) of callgrind's file does not match its format: \(text)"
    case .noEnd: "callgrind's file breaks off"
    case .sum(let sum, let totals): "the costs in callgrind's file add up to \(sum), and it says \(totals)"
    }
  }
}
