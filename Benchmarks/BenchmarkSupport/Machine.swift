/// The machine and the versions that a run was measured with.
///
/// A fact that cannot be found out is nil.
package struct Machine: Sendable, Equatable, Codable {
  /// The processor's model.
  package var processor: String?
  /// The number of logical processors.
  package var processors: Int
  /// The operating system, as its distribution calls it.
  package var system: String?
  /// The kernel's name, release and architecture.
  package var kernel: String?
  /// The version of the Swift compiler.
  package var swift: String?
  /// The version of libffi.
  package var libffi: String?
  /// The commit of the working copy, with a remark if files differ from it.
  package var commit: String?

  package init(
    processor: String?, processors: Int, system: String?, kernel: String?, swift: String?, libffi: String?, commit: String?
  ) {
    self.processor = processor
    self.processors = processors
    self.system = system
    self.kernel = kernel
    self.swift = swift
    self.libffi = libffi
    self.commit = commit
  }
}
