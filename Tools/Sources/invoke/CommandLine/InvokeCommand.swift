import ArgumentParser
@_spi(Tools) import DynamicInvocation
import Foundation

/// The program.
@main
struct InvokeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invoke",
    abstract: "Calls functions of shared libraries from their type encodings and explains how arguments are passed.",
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

      COMPLETION: invoke --generate-completion-script bash, zsh or fish prints a script for the shell; make install installs all three.

      EXIT STATUS: 0, 1 after an error, 64 for wrong usage.
      """,
    version: "0.1.0",
    subcommands: [
      CallCommand.self, GetCommand.self, TypesCommand.self, SwiftCommand.self, ExplainCommand.self, WorkerCommand.self,
    ])

  static func main() {
    // Swift replaces bytes that are not UTF-8, so a callee would get another text.
    for number in 1..<max(1, Int(CommandLine.argc)) {
      guard let word = CommandLine.unsafeArgv[number], String(validatingCString: word) == nil else { continue }
      exit(withError: ReportedError.report("word \(number) of the command line, '\(String(cString: word))', is not UTF-8"))
    }
    let names = configuration.subcommands.map { $0._commandName } + ["help"]
    if let word = CommandLine.arguments.dropFirst().first, !word.hasPrefix("-"), !names.contains(word) {
      let near = ToolSupport.nearestNames(to: word, among: names, limit: 3)
      let hint = near.isEmpty ? "" : "; nearest: \(near.joined(separator: ", "))"
      exit(withError: ValidationError("There is no command '\(word.escaped)'\(hint)."))
    }
    main(Array(CommandLine.arguments.dropFirst()).arranged)
  }
}

/// Reports errors to the user on standard error.
enum ReportedError {
  /// Writes a message to standard error and returns the exit status 1.
  static func report(_ message: String) -> ExitCode {
    let lines = message.split(separator: "\n", omittingEmptySubsequences: false).map { String($0).escaped }
    try? FileOutput.standardError.write(line: "Error: " + lines.joined(separator: "\n"))
    return .failure
  }
}

extension InvocationError {
  /// Writes the error to standard error and returns the exit status 1.
  ///
  /// A malformed encoding is shown with a mark under the wrong byte.
  func reported(hint: String? = nil) -> ExitCode {
    var message = description
    if let hint { message += "; " + hint }
    if let encoding, let byteOffset { message += "\n" + Self.marked(encoding, byteOffset: byteOffset) }
    return ReportedError.report(message)
  }

  /// Returns the text around a byte, and a caret under it.
  private static func marked(_ text: String, byteOffset: Int) -> String {
    let reach = 60
    let bytes = Array(text.utf8)
    let offset = min(max(byteOffset, 0), bytes.count)
    let first = max(0, offset - reach)
    let last = min(bytes.count, offset + reach)
    // Each byte that is not printable ASCII is shown as one character, so that the caret is under the right one.
    let shown = bytes[first..<last].map { $0 >= 0x20 && $0 < 0x7F ? Character(Unicode.Scalar($0)) : "?" }
    let before = first > 0 ? "..." : ""
    let after = last < bytes.count ? "..." : ""
    return "  " + before + String(shown) + after + "\n  " + String(repeating: " ", count: before.count + offset - first) + "^"
  }
}
