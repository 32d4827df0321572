import DynamicInvocation

/// What `invoke call --batch` does between its two file descriptors.
public enum BatchProgram {
  /// Answers every line of a file descriptor.
  ///
  /// - Throws: The system's error when it does not take the output.
  public static func run(input: CInt, output: CInt) throws {
    var runner = BatchRunner(LineReader(input), output: FileOutput(descriptor: output), progress: nil)
    try runner.run()
  }
}
