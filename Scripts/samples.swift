// Extracts the Swift samples of Markdown files and writes a package that compiles and runs them.
//
//   samples [--macros] ROOT FOLDER FILE...     writes FOLDER/Package.swift and FOLDER/Sources/Samples; ROOT is the
//                                              package's root; --macros takes the samples that need the trait Macros
//
// Each block "```swift" is the body of a function, or of a file if it declares an extension or a protocol. Comments of
// Markdown, which a reader does not see, say more about the block after them:
//
//   <!-- sample            code that is compiled before the block, down to -->
//   <!-- sample: continues -->       the block continues the function of the block before it
//   <!-- sample: compile -->         the block is compiled and not run
//   <!-- sample: macros -->          the block needs the trait Macros; its types are compiled as members of a type
//   <!-- sample: skip, REASON -->    the block is not compiled
//
// Results are checked when the samples run:
//
//   let y = try pow(2.0, 10.0)   // 1024.0            a literal is the value of the variable or of the expression
//   print(y)                     // prints: 1024.0
//   try call.invoke()            // throws: was never set      the error's description contains the text

import Foundation

struct Sample {
  var file: String
  var line: Int
  var setUp: [String] = []
  var code: [String] = []
  var isRun = true
  var needsMacros = false

  /// Whether the code can only be at the top level of a file.
  var isFile: Bool { code.contains { $0.hasPrefix("extension ") || $0.hasPrefix("protocol ") || $0.hasPrefix("public ") } }
}

struct SampleError: Error, CustomStringConvertible {
  let description: String
}

/// Returns the samples of a file.
func samples(of text: String, file: String) throws -> [Sample] {
  var found: [Sample] = []
  var next = Sample(file: file, line: 0)
  var (isSkipped, continues) = (false, false)
  var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)[...]
  /// Returns the lines down to an end, without their indentation.
  func block(to end: String, indentation: Int = 0) throws -> [String] {
    var block: [String] = []
    while let line = lines.popFirst() {
      if line.trimmingCharacters(in: .whitespaces) == end { return block }
      block.append(String(line.dropFirst(line.prefix(indentation).allSatisfy { $0 == " " } ? indentation : 0)))
    }
    throw SampleError(description: "\(file): a block does not end with \(end)")
  }
  while let line = lines.popFirst() {
    let word = line.trimmingCharacters(in: .whitespaces)
    let indentation = line.prefix { $0 == " " }.count
    switch word {
    case "<!-- sample": next.setUp += try block(to: "-->")
    case "<!-- sample: continues -->": continues = true
    case "<!-- sample: compile -->": next.isRun = false
    case "<!-- sample: macros -->": next.needsMacros = true
    case _ where word.hasPrefix("<!-- sample: skip, "): isSkipped = true
    case _ where word.hasPrefix("<!-- sample"): throw SampleError(description: "\(file): not understood: \(word)")
    case "```swift":
      next.line = lines.startIndex + 1
      next.code = try block(to: "```", indentation: indentation)
      if continues, let last = found.indices.last {
        found[last].code += directives(next.setUp) + [location(next.file, next.line)] + next.code
        found[last].isRun = found[last].isRun && next.isRun
      } else if !isSkipped {
        found.append(next)
      }
      next = Sample(file: file, line: 0)
      (isSkipped, continues) = (false, false)
    case _ where word.hasPrefix("```") && word.count > 3: _ = try block(to: "```")
    default: break
    }
  }
  return found
}

func location(_ file: String, _ line: Int) -> String { "#sourceLocation(file: \"\(file)\", line: \(line))" }

func directives(_ setUp: [String]) -> [String] { setUp.isEmpty ? [] : ["#sourceLocation()"] + setUp }

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

/// Returns the declarations of types in a block, and the other lines; a line of the other kind is blank in each.
///
/// A macro that is attached to a type cannot extend a type of a function.
func parts(of code: [String]) -> (types: [String], statements: [String]) {
  var (types, statements) = ([String](), [String]())
  var (depth, isType) = (0, false)
  for line in code {
    if depth == 0, !line.isEmpty {
      isType = line.firstMatch(of: /^(@|final |package |class |struct |enum |protocol |actor )/) != nil
    }
    let isText = line.hasPrefix("#sourceLocation")
    if !isText { depth += split(line).code.reduce(0) { $0 + ("([{".contains($1) ? 1 : ")]}".contains($1) ? -1 : 0) } }
    types.append(isType || isText ? line : "")
    statements.append(isType && !isText ? "" : line)
  }
  return (types, statements)
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
    if line.hasPrefix("#sourceLocation") { return line }
    let (code, comment) = split(line)
    let isStart = depth == 0
    if isStart { variable = code.firstMatch(of: /^\s*(?:let|var) (\w+)/)?.1 }
    depth += code.reduce(0) { $0 + ("([{".contains($1) ? 1 : ")]}".contains($1) ? -1 : 0) }
    let statement = code.trimmingCharacters(in: .whitespaces)
    guard let comment, !statement.isEmpty, depth == 0 else { return line }
    if let text = text(of: comment, after: "prints: ") { return "\(code); expectPrinted(#\"\(text)\"#)" }
    if let text = text(of: comment, after: "throws: "), isStart {
      let wanted = "#\"\(text)\"#"
      let used = variable.map { "; _ = \($0)" } ?? ""
      return "do { \(code)\(used); expectedError(\(wanted)) } catch { expectThrown(error, \(wanted)) }"
    }
    guard isLiteral(comment) else { return line }
    if let variable { return "\(code); expect(\(variable), #\"\(comment)\"#)" }
    return isStart ? "expect(\(statement), #\"\(comment)\"#)" : line
  }
}

/// The modules that every sample imports.
let modules = [
  "CDeclarations", "CallExplanations", "DynamicInvocation", "DynamicInvocationFoundation", "EventRouting", "EventRoutingFoundation",
  "Foundation", "InvocationBatches", "InvocationRecords", "SwiftFunctions",
]

/// What those import besides that need the trait Macros.
let macroModules = ["EventRoutingMacros", "InvocationMacros"]

let support = #"""
  import Foundation

  /// The text that the samples printed last.
  nonisolated(unsafe) var printed = ""
  nonisolated(unsafe) var failures = 0

  func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {
    printed = items.map { "\($0)" }.joined(separator: separator)
  }

  func fail(_ text: String, _ file: StaticString, _ line: UInt) {
    failures += 1
    Swift.print("\(file):\(line): error: \(text)")
  }

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
    if text != wanted.replacingOccurrences(of: "_", with: "") && text != wanted { fail("\(text) is not \(wanted)", file, line) }
  }

  func expectPrinted(_ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    if printed != wanted { fail("printed '\(printed)', not '\(wanted)'", file, line) }
  }

  func expectedError(_ wanted: String, file: StaticString = #filePath, line: UInt = #line) { fail("no error: \(wanted)", file, line) }

  func expectThrown(_ error: any Error, _ wanted: String, file: StaticString = #filePath, line: UInt = #line) {
    if !"\(error)".contains(wanted) { fail("the error '\(error)' does not contain '\(wanted)'", file, line) }
  }

  func run(_ name: StaticString, _ line: UInt, _ body: @MainActor () async throws -> Void) async {
    do { try await body() } catch { fail("\(error)", name, line) }
  }
  """#

func write(_ root: String, _ folder: String, _ files: [String], macros: Bool) throws {
  let modules = modules + (macros ? macroModules : [])
  let sources = folder + "/Sources/Samples"
  try? FileManager.default.removeItem(atPath: sources)
  try FileManager.default.createDirectory(atPath: sources, withIntermediateDirectories: true)
  var calls: [String] = []
  var count = 0
  for file in files {
    for sample in try samples(of: String(contentsOfFile: root + "/" + file, encoding: .utf8), file: file)
    where sample.needsMacros == macros {
      count += 1
      let name = "sample\(count)"
      var text = ["// From \(file), line \(sample.line).", ""]
      let imports = (sample.setUp + sample.code).filter { $0.hasPrefix("import ") || $0.hasPrefix("@preconcurrency import ") }
      text += Set(imports + modules.map { "import \($0)" }).sorted()
      func isCode(_ line: String) -> Bool { !imports.contains(line) }
      // Blank, so that the lines keep their numbers.
      let code = sample.code.map { isCode($0) ? $0 : "" }
      let place = location(file, sample.line)
      if macros {
        let (setUp, block) = (parts(of: sample.setUp.filter(isCode)), parts(of: code))
        text += ["", "enum Type\(count) {"] + setUp.types + [place] + block.types + ["#sourceLocation()", ""]
        text += ["@MainActor static func run() async throws {"] + setUp.statements + [place] + checked(block.statements)
        text += ["#sourceLocation()", "}", "}"]
        if sample.isRun { calls.append("await run(\"\(file)\", \(sample.line), Type\(count).run)") }
      } else if sample.isFile {
        text += sample.setUp.filter(isCode) + [place] + code
      } else {
        text += ["", "@MainActor", "func \(name)() async throws {"] + sample.setUp.filter(isCode) + [place] + checked(code)
        text += ["#sourceLocation()", "}"]
        if sample.isRun { calls.append("await run(\"\(file)\", \(sample.line), \(name))") }
      }
      try text.joined(separator: "\n").appending("\n").write(toFile: "\(sources)/Sample\(count).swift", atomically: true, encoding: .utf8)
    }
  }
  try support.write(toFile: sources + "/Support.swift", atomically: true, encoding: .utf8)
  let main =
    ["import Foundation", ""] + calls
    + ["Swift.print(\"\(count) samples, \(calls.count) run, \\(failures) failures\")", "exit(failures == 0 ? 0 : 1)"]
  try main.joined(separator: "\n").appending("\n").write(toFile: sources + "/main.swift", atomically: true, encoding: .utf8)
  let products = modules.filter { $0 != "Foundation" }.map { ".product(name: \"\($0)\", package: \"swift-invocation\")," }
  try """
  // swift-tools-version: 6.2
  import PackageDescription

  let package = Package(
    name: "samples", platforms: [.macOS(.v15)],
    dependencies: [.package(name: "swift-invocation", path: "\(root)"\(macros ? ", traits: [.defaults, \"Macros\", \"Observability\"]" : ""))],
    targets: [
      .executableTarget(
        name: "Samples", dependencies: [\(products.joined(separator: " "))],
        swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-suppress-warnings"])])
    ])
  """.write(toFile: folder + "/Package.swift", atomically: true, encoding: .utf8)
}

do {
  var words = Array(CommandLine.arguments.dropFirst())
  let macros = words.first == "--macros"
  if macros { words.removeFirst() }
  guard words.count >= 3 else { throw SampleError(description: "samples [--macros] ROOT FOLDER FILE...") }
  try write(words[0], words[1], Array(words[2...]), macros: macros)
} catch {
  FileHandle.standardError.write(Data("samples: \(error)\n".utf8))
  exit(1)
}
