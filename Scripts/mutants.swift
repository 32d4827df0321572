// Plants faults in a copy of the package, one at a time, and says which of them the tests catch.
//
//   mutants REPOSITORY FOLDER [--check | --proof] [N]
//
// Scripts/mutants.txt describes the faults. A line "== FILE" begins the faults of a file, and the lines "proof ABI" and
// "tests REGEX" after it are the checks that run for each of them, in this order, until one fails. A fault is a line
// "- TEXT", which occurs exactly once in the file, and a line "+ TEXT" that replaces it. If a line "~ TEXT" precedes it,
// that text occurs exactly once, and what is replaced is the first occurrence after it. Lines that begin with # are
// comments.
//
// FOLDER holds the copy, its build and results.txt, which is read when the program starts again: a fault with a result is
// not planted again. --check only looks for each text. --proof plants only faults that have a check "proof", builds no
// tests, and leaves those open that the proof does not catch. N is the most faults to plant. JOBS in the
// environment is the number of jobs of a build.
//
// The copy is built once, with those tests only that a check names. For each fault, only its file is compiled and the
// program of the check is linked, with the commands of SwiftPM's build. Code of other modules that inlines a function
// keeps it without the fault, so before a fault counts as a survivor the whole copy is built and checked.
import Foundation

/// Prints a line at once, also to a file.
func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

struct Fault {
  var file: String
  /// What precedes the text in the file; empty if the text occurs once.
  var anchor: String
  var text: String
  var replacement: String
  var checks: [[String]]

  /// Identifies the fault in the results, also after faults before it were added.
  var name: String { "\(file): \(anchor.isEmpty ? "" : "\(anchor) ... ")\(text) -> \(replacement)" }
}

struct Failure: Error, CustomStringConvertible {
  var description: String
}

func faults(in text: String) throws -> [Fault] {
  var faults: [Fault] = []
  var (file, checks, anchor, removed) = ("", [[String]](), "", String?.none)
  for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
    let content = String(line.dropFirst(2))
    if line.isEmpty || line.hasPrefix("#") { continue }
    if line.hasPrefix("== ") {
      (file, checks) = (String(line.dropFirst(3)), [])
    } else if line.hasPrefix("proof ") || line.hasPrefix("tests ") {
      checks.append(line.split(separator: " ", maxSplits: 1).map(String.init))
    } else if line.hasPrefix("~ ") {
      anchor = content
    } else if line.hasPrefix("- ") {
      removed = content
    } else if line == "+" || line.hasPrefix("+ "), let text = removed, !checks.isEmpty {
      faults.append(Fault(file: file, anchor: anchor, text: text, replacement: content, checks: checks))
      (anchor, removed) = ("", nil)
    } else {
      throw Failure(description: "mutants.txt, line \(number + 1): \(line)")
    }
  }
  return faults
}

/// Returns the contents of a file with the fault in it.
func planted(_ fault: Fault, in folder: URL) throws -> String {
  let text = try String(contentsOf: folder.appendingPathComponent(fault.file), encoding: .utf8)
  let once = fault.anchor.isEmpty ? fault.text : fault.anchor
  let parts = text.components(separatedBy: once)
  guard parts.count == 2 else { throw Failure(description: "\(fault.file) contains \(parts.count - 1) times: \(once)") }
  if fault.anchor.isEmpty { return parts[0] + fault.replacement + parts[1] }
  guard let range = parts[1].range(of: fault.text) else {
    throw Failure(description: "\(fault.file) does not contain after \(fault.anchor): \(fault.text)")
  }
  return parts[0] + once + parts[1].replacingCharacters(in: range, with: fault.replacement)
}

/// Runs a command, and returns its status and its output; after `seconds` it is ended, with status 124.
func run(_ words: [String], in folder: URL, log: URL, seconds: Int = 900) throws -> (status: Int32, output: String) {
  try Data().write(to: log)
  let process = Process()
  process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
  process.arguments = ["timeout", "--kill-after=10", "\(seconds)"] + words
  process.currentDirectoryURL = folder
  process.standardInput = FileHandle.nullDevice
  let handle = try FileHandle(forWritingTo: log)
  process.standardOutput = handle
  process.standardError = handle
  try process.run()
  process.waitUntilExit()
  return (process.terminationStatus, String(decoding: try Data(contentsOf: log), as: UTF8.self))
}

/// A command of SwiftPM's build.
struct BuildCommand {
  var inputs: [String] = []
  var outputs: [String] = []
  var words: [String] = []

  /// Reads the commands that have words, from the manifest that SwiftPM writes for its build system.
  static func all(in manifest: String) -> [BuildCommand] {
    var commands: [BuildCommand] = []
    var command = BuildCommand()
    func list(_ line: Substring) -> [String] {
      let text = line.drop { $0 != "[" }
      return (try? JSONDecoder().decode([String].self, from: Data(text.utf8))) ?? []
    }
    for line in manifest.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("    inputs: ") { command.inputs = list(line) }
      if line.hasPrefix("    outputs: ") { command.outputs = list(line) }
      if line.hasPrefix("    args: ") { command.words = list(line) }
      if line.isEmpty {
        if !command.words.isEmpty { commands.append(command) }
        command = BuildCommand()
      }
    }
    return commands
  }
}

/// The names of the suites that a check names, or that a file of tests declares.
func suites(in text: String, _ prefix: String = "") -> Set<String> {
  guard let pattern = try? NSRegularExpression(pattern: prefix + "\\b([A-Za-z0-9]+Tests)\\b") else { return [] }
  let whole = NSRange(text.startIndex..., in: text)
  return Set(
    pattern.matches(in: text, range: whole).compactMap { match in Range(match.range(at: 1), in: text).map { String(text[$0]) } })
}

struct Workshop {
  let repository: URL
  let folder: URL
  var package: URL { folder.appendingPathComponent("package", isDirectory: true) }
  var log: URL { folder.appendingPathComponent("log") }
  private let swift = ProcessInfo.processInfo.environment["SWIFT"] ?? "swift"
  private let jobs = ProcessInfo.processInfo.environment["JOBS"].map { ["-j", $0] } ?? []

  /// What the copy builds, with all that it needs: the tests of the engine, and the tests of events if a fault is in them.
  private static let engine = [
    "conformance", "DynamicInvocationTests", "DynamicInvocationFoundationTests", "CDeclarationsTests",
  ]
  private static let events = ["EventRoutingTests"]

  /// The suites that checks name and no target of the copy declares.
  static func missingSuites(_ faults: [Fault], in repository: URL) throws -> [String] {
    var declared: Set<String> = []
    for target in engine + events {
      let folder = repository.appendingPathComponent("Tests/\(target)", isDirectory: true)
      let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
      for case let file as URL in files ?? .init() where file.pathExtension == "swift" {
        declared.formUnion(suites(in: try String(contentsOf: file, encoding: .utf8), "(?:struct|class|enum) "))
      }
    }
    return suites(in: faults.flatMap(\.checks).map { $0.joined(separator: " ") }.joined(separator: "\n")).subtracting(declared).sorted()
  }

  /// The end of the copy's manifest, which removes the other targets.
  private static func manifestEnd(_ roots: [String]) -> String {
    """

    package.products = []
    var kept: Set<String> = \(roots)
    while true {
      let needed = package.targets.filter { kept.contains($0.name) }.flatMap(\\.dependencies).compactMap { dependency in
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
      }
      if kept.isSuperset(of: needed) { break }
      kept.formUnion(needed)
    }
    package.targets.removeAll { !kept.contains($0.name) }

    """
  }

  /// Copies the files of the repository that differ, so that the rest need not be built again.
  ///
  /// Left out are files that declare only suites of tests that no check names.
  func copy(for faults: [Fault]) throws {
    let hasEvents = faults.contains { $0.file.hasPrefix("Sources/EventRouting/") }
    try FileManager.default.createDirectory(at: package, withIntermediateDirectories: true)
    let listed = try run(["git", "ls-files"], in: repository, log: log)
    guard listed.status == 0 else { throw Failure(description: listed.output) }
    let names = listed.output.split(separator: "\n").map(String.init)
    let unused = try unusedTests(names, faults)
    try removeFiles(exceptFor: Set(names))
    for name in names {
      guard var data = try? Data(contentsOf: repository.appendingPathComponent(name)) else { continue }
      let target = package.appendingPathComponent(name)
      if name == "Package.swift" {
        data += Data(Self.manifestEnd(Self.engine + (hasEvents ? Self.events : [])).utf8)
      } else if unused.contains(name) {
        try? FileManager.default.removeItem(at: target)
        continue
      }
      if (try? Data(contentsOf: target)) == data { continue }
      try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: target)
    }
  }

  /// Removes the files of the copy that the repository does not have any more.
  private func removeFiles(exceptFor names: Set<String>) throws {
    let files = FileManager.default.enumerator(at: package, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
    for case let file as URL in files ?? .init() where !file.hasDirectoryPath {
      let name = file.path.dropFirst(package.path.count + 1)
      if name != "Package.resolved", !names.contains(String(name)) { try FileManager.default.removeItem(at: file) }
    }
  }

  /// The files of the engine's tests that declare suites, but none that a check or another file of the copy names.
  private func unusedTests(_ names: [String], _ faults: [Fault]) throws -> Set<String> {
    var named = suites(in: faults.flatMap(\.checks).map { $0.joined(separator: " ") }.joined(separator: "\n"))
    var unused: [String: (declared: Set<String>, named: Set<String>)] = [:]
    for name in names where name.hasPrefix("Tests/DynamicInvocationTests/") && name.hasSuffix(".swift") {
      guard let text = try? String(contentsOf: repository.appendingPathComponent(name), encoding: .utf8) else { continue }
      let declared = suites(in: text, "(?:struct|class|enum|extension) ")
      if !declared.isEmpty { unused[name] = (declared, suites(in: text)) }
    }
    while let used = unused.first(where: { !$0.value.declared.isDisjoint(with: named) }) {
      named.formUnion(used.value.named)
      unused[used.key] = nil
    }
    return Set(unused.keys)
  }

  func build(_ what: [String]) throws -> (status: Int32, output: String) {
    try run([swift, "build"] + jobs + what, in: package, log: log, seconds: 3600)
  }

  /// The commands that compile a file and link the program of a check.
  func commands(_ all: [BuildCommand], for file: String, _ check: [String]) throws -> [BuildCommand] {
    let path = package.appendingPathComponent(file).path
    let program = check[0] == "proof" ? "/conformance" : ".xctest"
    let compile = all.filter { $0.inputs.contains(path) && !$0.outputs.contains { $0.hasSuffix("/sources") } }
    let link = all.filter { $0.outputs.contains { $0.hasSuffix(program) } }
    guard compile.count == 1, link.count == 1 else { throw Failure(description: "no command compiles \(file) and links *\(program)") }
    return compile + link
  }

  /// How a check ends: by itself, or since it took longer than it may.
  enum Outcome { case passed, failed, endless }

  func outcome(of check: [String], within seconds: Int) throws -> Outcome {
    let words =
      check[0] == "proof"
      ? [".build/debug/conformance", "placements", "--abi", check[1], "--brief"]
      : [".build/debug/\(program)", "--testing-library", "swift-testing", "--filter", check[1]]
    let result = try run(words, in: package, log: log, seconds: seconds)
    if check[0] == "tests", result.output.contains("Test run with 0 tests") {
      throw Failure(description: "there are no tests of the name \(check[1])")
    }
    switch result.status {
    case 0: return .passed
    case 124, 137: return .endless
    default: return .failed
    }
  }

  private let program = "swift-invocationPackageTests.xctest"
}

/// Plants faults and finds which check catches each.
struct Experiment {
  let workshop: Workshop
  let built: [String]
  let commands: [BuildCommand]
  /// Whether a fault that no check catches stays open, and is not checked again in a whole build.
  let isProof: Bool
  /// The most seconds that each check may take: with a fault it may never end.
  let limits: [[String]: Int]
  /// The command whose object files contain the fault before.
  private var stale: BuildCommand?
  /// Whether other modules may contain the fault before.
  private var isStale = false

  init(workshop: Workshop, built: [String], commands: [BuildCommand], isProof: Bool, limits: [[String]: Int]) {
    self.workshop = workshop
    self.built = built
    self.commands = commands
    self.isProof = isProof
    self.limits = limits
  }

  /// Runs a check; returns the result of a fault that it catches.
  private func caught(by check: [String]) throws -> String? {
    switch try workshop.outcome(of: check, within: limits[check] ?? 900) {
    case .passed: nil
    case .failed: "caught by \(check.joined(separator: " "))"
    case .endless: "caught by \(check.joined(separator: " ")) (does not end)"
    }
  }

  /// The result of a fault: what catches it, or that it survives, does not compile or is open.
  mutating func result(of fault: Fault, _ checks: [[String]]) throws -> String {
    if isStale { _ = try workshop.build(built) }
    isStale = false
    let path = workshop.package.appendingPathComponent(fault.file)
    let original = try Data(contentsOf: path)
    try Data(planted(fault, in: workshop.package).utf8).write(to: path)
    defer { try? original.write(to: path) }
    var done: Set<String> = []
    for check in checks {
      let needed = try workshop.commands(commands, for: fault.file, check)
      if let stale, stale.outputs != needed[0].outputs { _ = try run(stale.words, in: workshop.package, log: workshop.log) }
      stale = needed[0]
      for command in needed where done.insert(command.outputs[0]).inserted {
        if try run(command.words, in: workshop.package, log: workshop.log).status != 0 { return "does not compile" }
      }
      if let result = try caught(by: check) { return result }
    }
    if isProof { return "open" }
    isStale = true
    if try workshop.build(built).status != 0 { return "does not compile" }
    for check in checks {
      if let result = try caught(by: check) { return result }
    }
    return "survived"
  }
}

func main() throws {
  var words = Array(CommandLine.arguments.dropFirst())
  let isCheck = words.contains("--check")
  let isProof = words.contains("--proof")
  words.removeAll { $0 == "--check" || $0 == "--proof" }
  guard words.count >= 2 else { throw Failure(description: "usage: mutants REPOSITORY FOLDER [--check | --proof] [N]") }
  let repository = URL(fileURLWithPath: words[0])
  let all = try faults(in: String(contentsOf: repository.appendingPathComponent("Scripts/mutants.txt"), encoding: .utf8))
  var wrong: [String] = []
  for fault in all {
    do { _ = try planted(fault, in: repository) } catch { wrong.append("\(error)") }
  }
  wrong += try Workshop.missingSuites(all, in: repository).map { "a check names \($0), which no tests of the copy declare" }
  guard wrong.isEmpty else { throw Failure(description: wrong.joined(separator: "\n")) }
  if isCheck { return say("\(all.count) faults, each text occurs once, and each suite is there") }

  let workshop = Workshop(repository: repository, folder: URL(fileURLWithPath: words[1]))
  let results = workshop.folder.appendingPathComponent("results.txt")
  try FileManager.default.createDirectory(at: workshop.folder, withIntermediateDirectories: true)
  var known: [String: String] = [:]
  for line in ((try? String(contentsOf: results, encoding: .utf8)) ?? "").split(separator: "\n") {
    let parts = line.split(separator: "\t", maxSplits: 1).map(String.init)
    if parts.count == 2 { known[parts[1]] = parts[0] }
  }
  func checks(of fault: Fault) -> [[String]] { isProof ? fault.checks.filter { $0[0] == "proof" } : fault.checks }
  let built = isProof ? ["--product", "conformance"] : ["--build-tests"]
  var limits: [[String]: Int] = [:]
  let open = all.filter { known[$0.name] == nil && !checks(of: $0).isEmpty }
  let next = open.prefix(words.count > 2 ? Int(words[2]) ?? open.count : open.count)
  if !next.isEmpty {
    say("\(all.count) faults, \(known.count) with a result; building the copy for \(next.count) more ...")
    try workshop.copy(for: all)
    let base = try workshop.build(built)
    guard base.status == 0 else { throw Failure(description: base.output) }
    // A check that fails without a fault would catch everything.
    for check in Set(next.flatMap(checks)) {
      let start = ContinuousClock.now
      guard try workshop.outcome(of: check, within: 900) == .passed else {
        throw Failure(description: "the check fails without a fault: \(check.joined(separator: " ")); see \(workshop.log.path)")
      }
      // Enough for a check that a fault or another process slows down; what takes longer does not end.
      limits[check] = 60 + 5 * Int(start.duration(to: .now).components.seconds)
    }
  }
  let manifest = try? String(contentsOf: workshop.package.appendingPathComponent(".build/debug.yaml"), encoding: .utf8)
  let commands = BuildCommand.all(in: manifest ?? "")
  var experiment = Experiment(workshop: workshop, built: built, commands: commands, isProof: isProof, limits: limits)
  for (index, fault) in next.enumerated() {
    let start = ContinuousClock.now
    let result = try experiment.result(of: fault, checks(of: fault))
    if result != "open" { known[fault.name] = result }
    let seconds = start.duration(to: .now).components.seconds
    say("\(index + 1)/\(next.count) \(result), \(seconds) s: \(fault.name)")
    let lines = all.compactMap { fault in known[fault.name].map { "\($0)\t\(fault.name)\n" } }
    try Data(lines.joined().utf8).write(to: results)
  }

  let outcomes = all.compactMap { fault in known[fault.name].map { (fault.name, $0) } }
  let caught = outcomes.count { $0.1.hasPrefix("caught") }
  let survivors = outcomes.filter { $0.1 == "survived" }
  let invalid = outcomes.filter { $0.1 == "does not compile" }
  say(
    "\n\(all.count) faults: \(caught) caught, \(survivors.count) survived, \(invalid.count) do not compile, "
      + "\(all.count - outcomes.count) open")
  for (name, result) in survivors + invalid { say("\(result)  \(name)") }
  if !survivors.isEmpty || !invalid.isEmpty { exit(1) }
}

do {
  try main()
} catch {
  FileHandle.standardError.write(Data("mutants: \(error)\n".utf8))
  exit(2)
}
