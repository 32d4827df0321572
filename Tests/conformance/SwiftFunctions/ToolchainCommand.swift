import ArgumentParser
import DynamicInvocation
import TestSupport

/// Compares all modules and libraries of the toolchain.
///
/// The tests take a sample of them.
struct ToolchainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toolchain",
    abstract: "Compare what the engine reads of the toolchain's modules and libraries with what the compiler states.",
    discussion: "How types are passed, names, texts and types of symbols, promises. The exit status is 1 if something differs.")

  func run() throws {
    var differs = false
    func check(_ what: String, _ differences: () throws -> [String]) throws {
      let found = try differences()
      print("\(what): \(found.isEmpty ? "equal" : "\(found.count) differ")")
      for text in found.prefix(20) { print("  \(text)") }
      differs = differs || !found.isEmpty
    }
    for modules in ToolchainComparison.moduleGroups {
      try check("types of \(modules.joined(separator: ", "))") { try ToolchainComparison.passing(of: modules) }
    }
    for module in ToolchainComparison.modules {
      try check("promises of \(module)") { try ToolchainComparison.promises(of: module) }
    }
    for library in ToolchainComparison.libraries {
      try check("names of \(library)") { try ToolchainComparison.names(of: DynamicLibrary(library)) }
      try check("symbols of \(library)") { try ToolchainComparison.symbols(of: library) }
    }
    for (library, least) in [("libswiftCore.so", 0.95), ("libFoundationEssentials.so", 0.98), ("libFoundation.so", 0.98)] {
      try check("types in the symbols of \(library)") { try ToolchainComparison.types(of: library, least: least) }
    }
    if differs { throw ExitCode(1) }
  }
}
