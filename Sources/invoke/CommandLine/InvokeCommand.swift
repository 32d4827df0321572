#if Tools
  import ArgumentParser
  import DynamicInvocation

  /// The program.
  @main
  struct InvokeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "invoke",
      abstract: "Calls functions of shared libraries from their type encodings, explains how arguments are passed, and routes events.",
      discussion: """
        A type encoding names the return type and then each argument type: 'ddd' is double (double, double).

          c C  char, unsigned char         f d D  float, double, long double
          s S  short, unsigned short       B      bool
          i I  int, unsigned int           *      C string
          q Q  64-bit integers             ^T     pointer to T, ^v to anything
          t T  128-bit integers            [4T]   array of 4 T
          v    void                        {N=..} struct N, (N=..) union N

        EXAMPLES:
          invoke call libm.so.6 'double pow(double, double)' 2 10
          invoke call libm.so.6 pow ddd 2 10
          invoke call libc.so.6 div '{div_t=ii}ii' 17 5
          invoke swift libPlugin.so 'Plugin.add(_:_:)' 2 3
          invoke explain '{Rect={Point=dd}{Size=dd}}@:id'
          invoke get --header math.h M_PI
          invoke events B --mermaid page.mmd

        COMPLETION: invoke --generate-completion-script bash, zsh or fish prints a script for the shell; make install installs all three.

        EXIT STATUS: 0, 1 after an error, 64 for wrong usage.
        """,
      version: "0.1.0",
      subcommands: [
        CallCommand.self, MapCommand.self, GetCommand.self, TypesCommand.self, SwiftCommand.self, ExplainCommand.self, EventsCommand.self,
        WorkerCommand.self,
      ])

    static func main() {
      // Swift replaces bytes that are not UTF-8, so that a callee would be given another text.
      for number in 1..<max(1, Int(CommandLine.argc)) {
        guard let word = CommandLine.unsafeArgv[number], String(validatingCString: word) == nil else { continue }
        exit(withError: ReportedError.report("word \(number) of the command line, '\(String(cString: word))', is not UTF-8"))
      }
      let names = configuration.subcommands.map { $0._commandName } + ["help"]
      if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
        let near = NearestNames.nearest(to: word, among: names, limit: 3)
        let hint = near.isEmpty ? "" : "; nearest: \(near.joined(separator: ", "))"
        exit(withError: ValidationError("There is no command '\(word.escaped)'\(hint)."))
      }
      main(nil)
    }
  }
#endif
