// The template engine of make generate. It writes Swift sources, mostly one overload for each number of arguments.
//
//   generate FOLDER TEMPLATE...     writes FOLDER/NAME.swift for each NAME.swift.template
//
// A template is Swift text in which % marks what to replace. Lines of their own:
//
//   %for NAME in VALUES             repeats lines down to %end; VALUES are words, "true, false", or numbers, "0...8"
//   %if CONDITION                   keeps lines down to %else or %end if the condition holds, else those after %else
//   %let NAME = TEXT                names a text, down to the end of the block
//
// Within a line:
//
//   %NAME                           the value of a name
//   %(CONDITION)[TEXT][OTHER]       the text if the condition holds, else the other; [OTHER] may be left out
//   %[TEXT][SEPARATOR]              the text for each argument, joined by the separator, in which \n is a new line;
//                                   [SEPARATOR] may be left out and is ", " then
//
// The value of the name "count" is the number of arguments. "%for count in ..." also defines "number", the word for it
// (no, one, two), "s", the plural's ending (empty for one), and "tuple", the type of all arguments (Void, A, (A, B)).
// In the text for each argument, A is its type, a its name, and i its index, from 0.
//
// A condition is NAME or !NAME, for the values true and false, NAME == VALUE, or NAME != VALUE; && joins several.
// "%for SET in subsets" takes each choice of at least one argument; the condition "i in SET" says if it has argument i. "%for SET in subsets up to
// NAME" takes only the forms of so many arguments at most.
//
// An item of a list whose text is empty is removed with one comma. So are "<>", and lines that hold nothing else.

import Foundation

typealias Values = [String: String]

struct TemplateError: Error {
  let message: String
}

/// Expands one template.
final class Template {
  private static let numbers = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
  private static let letters = "ABCDEFGHIJ".map(String.init)

  private let lines: [Substring]
  private var output = ""
  /// The index of the current line, for errors.
  private(set) var line = 0

  init(_ text: String) { lines = text.split(separator: "\n", omittingEmptySubsequences: false) }

  func expand() throws -> String {
    line = try expand(from: 0, [:])
    if line < lines.count { throw TemplateError(message: "no block is open here") }
    return output
  }

  /// Expands lines, or skips them if there are no values, and returns the index of the line that ends their block.
  private func expand(from first: Int, _ values: Values?) throws -> Int {
    var (index, values) = (first, values)
    while index < lines.count {
      line = index
      let words = lines[index].split(separator: " ", maxSplits: 1)
      switch words.first {
      case "%end", "%else":
        return index
      case "%for":
        let scopes: [Values?] = try values.map { try turns(of: words.last ?? "", $0) } ?? [nil]
        var end = index
        for values in scopes { end = try expand(from: index + 1, values) }
        index = try requireEnd(end, of: index)
      case "%if":
        let isTrue = try values.map { try holds(words.last ?? "", $0) }
        var end = try expand(from: index + 1, isTrue == true ? values : nil)
        if end < lines.count, lines[end].contains("%else") { end = try expand(from: end + 1, isTrue == false ? values : nil) }
        index = try requireEnd(end, of: index)
      case "%let":
        let parts = (words.last ?? "").split(separator: " = ", maxSplits: 1)
        guard parts.count == 2 else { throw TemplateError(message: "expected %let NAME = TEXT") }
        if let known = values { values?[String(parts[0])] = try expand(parts[1], known) }
      default:
        if let values {
          let text = try expand(lines[index], values).replacingOccurrences(of: "<>", with: "")
          if words.isEmpty || !text.allSatisfy(\.isWhitespace) { output += text + "\n" }
        }
      }
      index += 1
    }
    return index
  }

  private func requireEnd(_ end: Int, of start: Int) throws -> Int {
    line = start
    guard end < lines.count, lines[end].contains("%end") else { throw TemplateError(message: "%end is missing") }
    return end
  }

  /// The values of the names in each turn of a loop.
  private func turns(of loop: Substring, _ values: Values) throws -> [Values] {
    let parts = loop.components(separatedBy: " in ")
    guard parts.count == 2 else { throw TemplateError(message: "expected %for NAME in VALUES") }
    let name = parts[0]
    var items = parts[1].components(separatedBy: ", ")
    let bounds = parts[1].components(separatedBy: "...").compactMap { Int($0) }
    if bounds.count == 2, bounds[0] <= bounds[1] {
      items = (bounds[0]...bounds[1]).map(String.init)
    } else if parts[1].hasPrefix("subsets") {
      let count = try argumentCount(values)
      let most = try parts[1].split(separator: " up to ").dropFirst().first.map { Int(try value($0, values)) ?? 0 } ?? count
      // The first argument is the highest bit, so that the members move from the end to the front.
      items = (1..<1 << count).filter { $0.nonzeroBitCount <= most }.map { bits in
        (0..<count).filter { bits >> (count - 1 - $0) & 1 == 1 }.map(String.init).joined(separator: " ")
      }
    }
    return try items.map { item in
      var values = values
      values[name] = item
      if name == "count" {
        let count = try argumentCount(values)
        let types = Self.letters[..<count].joined(separator: ", ")
        values["number"] = Self.numbers[count]
        values["s"] = count == 1 ? "" : "s"
        values["tuple"] = count == 0 ? "Void" : count == 1 ? types : "(\(types))"
      }
      return values
    }
  }

  private func argumentCount(_ values: Values) throws -> Int {
    guard let count = Int(try value("count", values)), Self.numbers.indices.contains(count) else {
      throw TemplateError(message: "count is not a number from 0 to \(Self.letters.count)")
    }
    return count
  }

  private func value<Name: StringProtocol>(_ name: Name, _ values: Values) throws -> String {
    guard let value = values[String(name)] else { throw TemplateError(message: "nothing is named '\(name)' here") }
    return value
  }

  private func holds(_ condition: Substring, _ values: Values) throws -> Bool {
    try condition.components(separatedBy: " && ").allSatisfy { term in
      let words = term.split(separator: " ")
      switch (words.count, words.dropFirst().first) {
      case (3, "=="): return try value(words[0], values) == words[2]
      case (3, "!="): return try value(words[0], values) != words[2]
      case (3, "in"): return try value(words[2], values).split(separator: " ").contains(Substring(value(words[0], values)))
      default:
        let name = term.hasPrefix("!") ? term.dropFirst() : term[...]
        let value = try value(name, values)
        guard ["true", "false"].contains(value) else { throw TemplateError(message: "'\(name)' is '\(value)', not true or false") }
        return value == (term.hasPrefix("!") ? "false" : "true")
      }
    }
  }

  /// Expands what a line holds.
  private func expand(_ text: Substring, _ values: Values) throws -> String {
    var (result, rest) = ("", text)
    while let sign = rest.firstIndex(of: "%") {
      result += rest[..<sign]
      rest = rest[sign...].dropFirst()
      if rest.first == "[" {
        let item = try enclosed("[", "]", &rest)
        let separator = rest.first == "[" ? try enclosed("[", "]", &rest) : ", "
        let items = try (0..<argumentCount(values)).map { index in
          let letter = Self.letters[index]
          return try expand(item, values.merging(["A": letter, "a": letter.lowercased(), "i": "\(index)"]) { $1 })
        }
        append(items.filter { !$0.isEmpty }.joined(separator: separator.replacingOccurrences(of: "\\n", with: "\n")))
      } else if rest.first == "(" {
        let isTrue = try holds(enclosed("(", ")", &rest), values)
        let text = try enclosed("[", "]", &rest)
        let other = rest.first == "[" ? try enclosed("[", "]", &rest) : ""
        append(try expand(isTrue ? text : other, values))
      } else {
        let name = rest.prefix { $0.isLetter }
        rest = rest.dropFirst(name.count)
        result += name.isEmpty ? "%" : try value(name, values)
      }
    }
    return result + rest

    /// Adds the text of a group; an empty item of a list takes one comma with it.
    func append(_ text: String) {
      result += text
      let begins = result.hasSuffix(", ") || result.allSatisfy(\.isWhitespace) || "<([".contains(result.last ?? " ")
      guard text.isEmpty, begins, rest.isEmpty || ",>)] ".contains(rest.first ?? " ") else { return }
      if rest.hasPrefix(", ") { rest = rest.dropFirst(2) } else if result.hasSuffix(", ") { result.removeLast(2) }
    }
  }

  /// Takes a text in brackets from the beginning of another one.
  private func enclosed(_ open: Character, _ close: Character, _ rest: inout Substring) throws -> Substring {
    var depth = 0
    for index in rest.indices {
      if rest[index] == open { depth += 1 } else if rest[index] == close { depth -= 1 }
      if depth == 0 {
        let text = rest[..<index].dropFirst()
        if rest[index] != close { break }
        rest = rest[index...].dropFirst()
        return text
      }
    }
    throw TemplateError(message: "'\(open)...\(close)' is missing")
  }
}

let folder = CommandLine.arguments[1]
for path in CommandLine.arguments.dropFirst(2) {
  let template = Template(try String(contentsOfFile: path, encoding: .utf8))
  do {
    let text = "// Written by make generate from \(path).\n\n" + (try template.expand())
    let name = path.split(separator: "/").last?.replacingOccurrences(of: ".template", with: "") ?? ""
    try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
  } catch let error as TemplateError {
    FileHandle.standardError.write(Data("\(path):\(template.line + 1): error: \(error.message)\n".utf8))
    exit(1)
  }
}
