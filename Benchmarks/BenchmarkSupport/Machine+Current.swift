import Foundation

extension Machine {
  /// Returns the facts of this machine, and of the working copy in the current folder.
  ///
  /// The compiler is the program that the environment variable SWIFT names, as in the Makefile, or `swift` on the PATH.
  /// `outputs` contains the paths that a report is written to, which do not count as changes of the working copy.
  package static func current(outputs: [String]) -> Machine {
    let cpuInfo = text("/proc/cpuinfo")
    return Machine(
      // AArch64 kernels do not name the model; lscpu knows it by its number.
      processor: cpuInfo.flatMap { value(of: "model name", in: $0) }
        ?? Tool("lscpu")?.output([]).flatMap { value(of: "Model name", in: $0) }
        ?? Tool("sysctl")?.output(["-n", "machdep.cpu.brand_string"]),
      // Not that of ProcessInfo, which may count processors that are offline.
      processors: cpuInfo.map { count(of: "processor", in: $0) }.flatMap { $0 > 0 ? $0 : nil } ?? ProcessInfo.processInfo.processorCount,
      system: text("/etc/os-release").flatMap(prettyName(inOSRelease:)) ?? ProcessInfo.processInfo.operatingSystemVersionString,
      kernel: Tool("uname")?.output(["-srm"]),
      swift: Tool(ProcessInfo.processInfo.environment["SWIFT"] ?? "swift")?.output(["--version"]).flatMap(swiftVersion(inOutput:)),
      libffi: loadedLibffi ?? Tool("pkg-config")?.output(["--modversion", "libffi"]),
      commit: commit(outputs: outputs))
  }

  /// Returns the value of the first line "key : value" with a key, or nil if it has none.
  static func value(of key: String, in text: String) -> String? { values(of: key, in: text).first { !$0.isEmpty } }

  /// Returns the number of lines "key : value" with a key.
  static func count(of key: String, in text: String) -> Int { values(of: key, in: text).count }

  private static func values(of key: String, in text: String) -> [String] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, parts[0].trimmingCharacters(in: .whitespaces) == key else { return nil }
      return parts[1].trimmingCharacters(in: .whitespaces)
    }
  }

  /// Returns the name of the system in the text of an os-release file, or nil if there is none.
  static func prettyName(inOSRelease text: String) -> String? {
    let prefix = "PRETTY_NAME="
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(prefix) }) else { return nil }
    let name = line.dropFirst(prefix.count).trimmingCharacters(in: CharacterSet(charactersIn: "\"' "))
    return name.isEmpty ? nil : name
  }

  /// Returns the version in the output of `swift --version`, or nil if there is none.
  static func swiftVersion(inOutput text: String) -> String? {
    for line in text.split(separator: "\n") {
      if let label = line.range(of: "Swift version ") { return String(line[label.upperBound...]) }
    }
    return nil
  }

  /// The version that the loaded libffi reports, which it does since 3.5.
  private static var loadedLibffi: String? {
    guard let program = dlopen(nil, RTLD_NOW), let symbol = dlsym(program, "ffi_get_version") else { return nil }
    typealias Function = @convention(c) () -> UnsafePointer<CChar>?
    return unsafeBitCast(symbol, to: Function.self)().map { String(cString: $0) }
  }

  /// Returns the commit of the working copy in the current folder, or nil if there is none.
  private static func commit(outputs: [String]) -> String? {
    guard let git = Tool("git"), let hash = git.output(["rev-parse", "--short=12", "HEAD"]),
      let root = git.output(["rev-parse", "--show-toplevel"]), let changes = git.output(["diff", "--name-only", "-z", "HEAD"])
    else { return nil }
    let changed = changes.split(separator: "\0").map { "\(root)/\($0)" }
    return hash + (changed.contains { !isWithin($0, outputs) } ? ", with changed files" : "")
  }

  /// Returns whether a path is one of several files, or in one of several folders.
  static func isWithin(_ path: String, _ places: [String]) -> Bool {
    let components = URL(fileURLWithPath: path).standardized.pathComponents
    return places.contains { components.starts(with: URL(fileURLWithPath: $0).standardized.pathComponents) }
  }

  private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}
