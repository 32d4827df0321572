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
