// Extracts the Swift samples of Markdown files and writes a package that compiles and runs them as a reader would.
//
//   samples [--macros] ROOT FOLDER FILE...     writes FOLDER/Package.swift, FOLDER/Sources and the list FOLDER/programs;
//                                              ROOT is the package's root; --macros takes the programs that need its traits
//
// The rule, which a page states with the sentences below: a sample, a block "```swift", that begins with `import` begins a
// program, which the samples after it continue, up to the next one that begins with `import`. A program is the file main.swift
// of a package of its own, with the products that it imports. Nothing is compiled that the page does not show, except the
// checks of results. In the README and in the first article each sample is a whole program, and prints.
//
// A comment of Markdown before a block takes it out of its program:
//
//   <!-- sample: skip, REASON -->    for what is no code of a program on this platform, as a package manifest, generated
//                                    code, code that must not compile, or what imports another package or a framework of
//                                    Apple's systems
//
// Results are checked when the programs run:
//
//   let y = try pow(2.0, 10.0)   // 1024.0            a literal is the value of the variable or of the expression
//   print(y)                     // prints: 1024.0
//   do { try call.invoke() } catch { print(error) }  // throws: was never set      the error's description contains the text

import Foundation

/// What a page says whose programs consist of several samples.
let sentence = "A sample that begins with `import` begins a program, which the samples after it continue."

/// What a page says that has lines whose errors are checked.
let sentenceOfErrors = "A comment `throws:` is a part of the error that the line prints."

/// The pages whose samples are whole programs that print.
let pagesOfWholePrograms = ["README.md", "FirstCall.md"]

struct Sample {
  var line: Int
  var code: [String]
}

struct Program {
  var file: String
  var samples: [Sample]

  /// The modules that the program imports.
  var imports: [String] {
    samples.flatMap(\.code).filter(isImport).compactMap { split($0).code.split(separator: " ").last.map(String.init) }
  }

  var needsTraits: Bool { !modulesOfTraits.isDisjoint(with: imports) }
  var hasErrors: Bool { samples.contains { $0.code.contains { $0.contains("// throws: ") } } }
  var isWhole: Bool { pagesOfWholePrograms.contains((file as NSString).lastPathComponent) }
}

struct SampleError: Error, CustomStringConvertible {
  let description: String
}

func isImport(_ line: String) -> Bool { line.hasPrefix("import ") || line.hasPrefix("@preconcurrency import ") }

/// Returns the programs of a page, and throws if the page does not follow the rule.
func programs(of text: String, file: String) throws -> [Program] {
  var found: [Program] = []
  var isSkipped = false
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
  /// Returns the lines down to an end, without their indentation.
  func block(indentation: Int = 0) throws -> [String] {
    var block: [String] = []
    while let line = lines.popFirst() {
      if line.trimmingCharacters(in: .whitespaces) == "```" { return block }
      block.append(String(line.dropFirst(line.prefix(indentation).allSatisfy { $0 == " " } ? indentation : 0)))
    }
    throw SampleError(description: "\(file): a block does not end")
  }
  while let line = lines.popFirst() {
    let word = line.trimmingCharacters(in: .whitespaces)
    if word.hasPrefix("<!-- sample: skip, ") {
      isSkipped = true
    } else if word.hasPrefix("<!-- sample") {
      throw SampleError(description: "\(file):\(lines.startIndex): not understood: \(word)")
    } else if word == "```swift" {
      let start = lines.startIndex + 1
      let sample = Sample(line: start, code: try block(indentation: line.prefix { $0 == " " }.count))
      defer { isSkipped = false }
      if isSkipped { continue }
      if let first = sample.code.first, isImport(first) {
        found.append(Program(file: file, samples: [sample]))
      } else if found.isEmpty || found[0].isWhole {
        throw SampleError(description: "\(file):\(start): a program begins with import")
      } else {
        found[found.count - 1].samples.append(sample)
      }
    } else if word.hasPrefix("```"), word.count > 3 {
      _ = try block()
    }
  }
  let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  if found.contains(where: { $0.samples.count > 1 }), !words.contains(sentence) {
    throw SampleError(description: "\(file): a page whose programs consist of several samples says: \(sentence)")
  }
  if found.contains(where: \.hasErrors), !words.contains(sentenceOfErrors) {
    throw SampleError(description: "\(file): a page with lines that throw says: \(sentenceOfErrors)")
  }
  return found
}

func location(_ file: String, _ line: Int) -> String { "#sourceLocation(file: \"\(file)\", line: \(line))" }

/// Splits a line into code and its trailing comment.
func split(_ line: String) -> (code: String, comment: String?) {
  var (isText, isEscaped) = (false, false)
  var previous: Character = " "
  for index in line.indices {
    let character = line[index]
    if isEscaped { isEscaped = false } else if character == "\\" { isEscaped = isText } else if character == "\"" { isText.toggle() }
    if !isText, previous == "/", character == "/" {
      let start = line.index(before: index)
      return (String(line[..<start]), line[line.index(after: index)...].trimmingCharacters(in: .whitespaces))
    }
    previous = character
  }
  return (line, nil)
}

/// Returns whether a comment is a literal, and so a result.
func isLiteral(_ comment: String) -> Bool {
  if ["true", "false", "nil"].contains(comment) { return true }
  return comment.wholeMatch(of: /-?\d[\d_.e+x-]*|"[^"]*"|[\[(].*[\])]/) != nil
}

/// Returns the rest of a comment that begins with a word.
func text(of comment: String, after word: String) -> Substring? {
  comment.hasPrefix(word) ? comment.dropFirst(word.count) : nil
}

/// Returns the code with checks of the results that its comments state.
func checked(_ code: [String]) -> [String] {
  var depth = 0
  var variable: Substring?
  return code.map { line in
    let (code, comment) = split(line)
    let isStart = depth == 0
    if isStart { variable = code.firstMatch(of: /^\s*(?:let|var) (\w+)/)?.1 }
    depth += code.reduce(0) { $0 + ("([{".contains($1) ? 1 : ")]}".contains($1) ? -1 : 0) }
    let statement = code.trimmingCharacters(in: .whitespaces)
    guard let comment, !statement.isEmpty, depth == 0 else { return line }
    if let text = text(of: comment, after: "prints: ") { return "\(code); expectPrinted(#\"\(text)\"#)" }
    if let text = text(of: comment, after: "throws: ") {
      let (start, end) = ("do { ", " } catch { print(error) }")
      guard statement.hasPrefix(start), statement.hasSuffix(end) else {
        fatalError("an error that is stated is printed by 'do { ... } catch { print(error) }': \(line)")
      }
      let (wanted, thrown) = ("#\"\(text)\"#", statement.dropFirst(start.count).dropLast(end.count))
      return "do { \(thrown); expectedError(\(wanted)) } catch { expectThrown(error, \(wanted)) }"
    }
    guard isLiteral(comment) else { return line }
    if let variable { return "\(code); expect(\(variable), #\"\(comment)\"#)" }
    return isStart ? "expect(\(statement), #\"\(comment)\"#)" : line
  }
}

/// The products that a program is built with, if it imports them.
let modules: Set = [
  "CDeclarations", "CallExplanations", "DynamicInvocation", "DynamicInvocationFoundation", "EventRouting",
  "EventRoutingFoundation", "FunctionReplacement", "InvocationRecords", "ObjectiveCMessages", "SwiftFunctions",
]

/// Those that are empty without a trait of the package.
let modulesOfTraits: Set = ["EventRoutingMacros", "InvocationMacros"]

/// A file of each program, which imports nothing, so that it adds no member to what the program sees.
let support = #"""
  /// What the program printed last.
  nonisolated(unsafe) var printed: String?

  func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    let text = items.map { "\($0)" }.joined(separator: separator)
    printed = text
    Swift.print(text, terminator: terminator)
  }

  func fail(_ text: String, _ file: StaticString, _ line: UInt) { Swift.print("check failed: \(file):\(line): \(text)") }

  /// The text of a value as a literal.
  func literal(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    if mirror.displayStyle == .optional { return mirror.children.first.map { literal($0.value) } ?? "nil" }
    if let text = value as? String { return "\"\(text)\"" }
    if mirror.displayStyle == .collection { return "[" + mirror.children.map { literal($0.value) }.joined(separator: ", ") + "]" }
    if mirror.displayStyle == .tuple { return "(" + mirror.children.map { literal($0.value) }.joined(separator: ", ") + ")" }
    return "\(value)"
  }

  func expect(_ value: Any?, _ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    let text = literal(value as Any)
    if text != wanted.filter({ $0 != "_" }) && text != wanted { fail("\(text) is not \(wanted)", file, line) }
  }

  func expectPrinted(_ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    if printed != wanted { fail("printed '\(printed ?? "")', not '\(wanted)'", file, line) }
  }

  func expectedError(_ wanted: String, file: StaticString = #filePath, line: UInt = #line) { fail("no error: \(wanted)", file, line) }

  func expectThrown(_ error: any Error, _ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    let text = Array("\(error)".unicodeScalars)
    let part = Array(wanted.unicodeScalars)
    let isPart = text.indices.contains { text[$0...].starts(with: part) }
    if !isPart { fail("the error '\(error)' does not contain '\(wanted)'", file, line) }
  }

  /// What a program prints at its end: one that ends before is an error.
  func end(_ file: StaticString, _ line: UInt, mustPrint: Bool) {
    if mustPrint, printed == nil { fail("the program prints nothing", file, line) }
    Swift.print("ran to its end")
  }
  """#

func write(_ root: String, _ folder: String, _ files: [String], traits: Bool) throws {
  let all = try files.flatMap { try programs(of: String(contentsOfFile: root + "/" + $0, encoding: .utf8), file: $0) }
  let selected = all.filter { $0.needsTraits == traits }
  try? FileManager.default.removeItem(atPath: folder + "/Sources")
  var targets: [String] = []
  var names: [String] = []
  for program in selected {
    let page = ((program.file as NSString).lastPathComponent as NSString).deletingPathExtension
    let name = "Sample\(page)\(names.count + 1)"
    names.append(name)
    let place = program.samples[0].line
    let text =
      program.samples.flatMap { [location(program.file, $0.line)] + checked($0.code) }
      + ["#sourceLocation()", "end(\"\(program.file)\", \(place), mustPrint: \(program.isWhole))"]
    let sources = folder + "/Sources/" + name
    try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
    try text.joined(separator: "\n").appending("\n").write(toFile: sources + "/main.swift", atomically: true, encoding: .utf8)
    try support.write(toFile: sources + "/Checks.swift", atomically: true, encoding: .utf8)
    let products = Set(program.imports).intersection(modules.union(modulesOfTraits)).sorted()
      .map { ".product(name: \"\($0)\", package: \"swift-invocation\")" }
    targets.append(
      "    .executableTarget(name: \"\(name)\", dependencies: [\(products.joined(separator: ", "))], swiftSettings: settings),")
  }
  let samples = selected.reduce(0) { $0 + $1.samples.count }
  try ([String(samples)] + names).joined(separator: "\n").appending("\n")
    .write(toFile: folder + "/programs", atomically: true, encoding: .utf8)
  try """
  // swift-tools-version: 6.2
  import PackageDescription

  let settings: [SwiftSetting] = [.swiftLanguageMode(.v6), .unsafeFlags(["-suppress-warnings"])]
  let package = Package(
    name: "samples", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-invocation", path: "\(root)"\(traits ? ", traits: [.defaults, \"Macros\"]" : ""))],
    targets: [
  \(targets.joined(separator: "\n"))
    ])
  """.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
}

do {
  var words = Array(CommandLine.arguments.dropFirst())
  let traits = words.first == "--macros"
  if traits { words.removeFirst() }
  guard words.count >= 3 else { throw SampleError(description: "samples [--macros] ROOT FOLDER FILE...") }
  try write(words[0], words[1], Array(words[2...]), traits: traits)
} catch {
  FileHandle.standardError.write(Data("samples: \(error)\n".utf8))
  exit(1)
}
