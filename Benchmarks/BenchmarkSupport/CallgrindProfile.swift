/// What callgrind counted until one of its dumps: instructions by the object file that they came from.
package struct CallgrindProfile: Sendable, Equatable {
  /// The name that the program gave the dump, or nil for one that it did not ask for.
  package let name: String?
  /// The instructions of each object file's own code, without those of what it calls, by the file's path.
  package let instructions: [String: Int]

  package init(name: String?, instructions: [String: Int]) {
    self.name = name
    self.instructions = instructions
  }

  /// All instructions.
  package var total: Int { instructions.values.reduce(0, +) }

  /// The instructions of the object files of this name, whatever folder they lie in.
  package func instructions(ofObjectNamed name: String) -> Int {
    instructions.reduce(0) { $0 + ($1.key.split(separator: "/").last.map { $0 == name } ?? false ? $1.value : 0) }
  }
}
