import ArgumentParser
import CallExplanations
import DynamicInvocation
import Foundation

/// `invoke explain`: shows how the values of a signature are laid out and passed.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains a signature: sizes, offsets, the register or stack word of each byte, and the backend.",
    discussion: """
      The convention may belong to another machine: sysv is x86-64, aapcs64 is \
      64-bit Arm, apple its variant of Apple's platforms; the backend is then the kernel that calls there. libffi tells what libffi is given for each value on this host. \
      Sizes and offsets are right for this host. TYPES may be a declaration in C; with \
      --header it is the name of a function there.

      The drawing has a box for each register and each stack word of eight bytes. It names the argument and the member of each byte: \
      a2.origin.x, or a2[0][1] in an encoding without names; ret is the result.

      EXAMPLES:
        invoke explain 'double pow(double, double)'
        invoke explain --header stdlib.h div
        invoke explain ddd
        invoke explain 'd@:q{Rect={Point=dd}{Size=dd}}' --abi aapcs64
        invoke explain '{S=b3b5i}' --bitfield C --json
        invoke explain 'v{Header=CIQ}' --packed Header
        invoke explain 'i*Q*d' --fixed 3
      """)

  @Argument(help: "The return type and the argument types as an encoding, with or without frame offsets; or a declaration.")
  var types: String

  @OptionGroup var headers: HeaderOptions

  @Option(name: .long, help: ArgumentHelp("The types of the arguments after '...', in C: 'int, double'.", valueName: "types"))
  var variadic: String?

  @Option(name: .long, help: "The rules to explain; by default the C convention of this host.")
  var abi: ABIOption?

  @Option(name: .long, help: ArgumentHelp("The number of arguments before the ellipsis of a variadic function.", valueName: "count"))
  var fixed: Int?

  @OptionGroup var layout: LayoutOptions

  @Flag(name: .long, help: "Print JSON.")
  var json = false

  @Option(name: .long, help: "Whether the drawing has colors; auto: on a terminal, unless NO_COLOR is set.")
  var color = ColorOption.auto

  func validate() throws {
    if abi == .swift {
      throw ValidationError("--abi swift cannot be explained: the Swift convention passes Swift types, an encoding states C types.")
    }
    if let fixed, fixed < 0 { throw ValidationError("--fixed is a count, \(fixed) is none.") }
  }

  /// Returns the types with the number of fixed arguments, and the declaration that states them.
  ///
  /// The name of a struct in an encoding may have blanks, so a text is a declaration only if it is not an encoding.
  private func parsedTypes() throws(InvocationError) -> (MethodTypes, Int?, String?) {
    if headers.header.isEmpty {
      do throws(InvocationError) {
        guard variadic == nil else { throw .malformedRequest("--variadic is for a declaration; an encoding needs --fixed") }
        return (try MethodTypes(types, dialect: layout.dialect ?? .next, hints: layout.hints()), fixed, nil)
      } catch {
        guard types.contains("("), types.contains(" ") || types.contains("*") else { throw error }
      }
    }
    guard fixed == nil, layout.isEmpty else {
      throw .malformedRequest("--fixed, --dialect, --packed, --aligned and --bitfield are for an encoding; a declaration states them")
    }
    var request = CallRequest(library: "-", symbol: "", types: "", arguments: [])
    try request.declare(types, in: headers.headers(), variadic: variadic ?? "")
    return (try request.parsedTypes(), request.fixedCount, request.types)
  }

  func run() throws {
    let (parsed, fixed, declaration): (MethodTypes, Int?, String?)
    do {
      (parsed, fixed, declaration) = try parsedTypes()
    } catch {
      throw error.reported()
    }
    let explanation = CallExplanation(parsed, fixedArgumentCount: fixed, abi: abi.flatMap(\.abi) ?? .host)
    if json {
      try FileOutput.standardOutput.write(
        line: explanation.json(of: declaration == nil ? types : explanation.canonicalText, declaration: declaration))
    } else {
      let output = FileOutput.standardOutput
      let table = ExplanationTable(explanation, of: declaration ?? types, width: output.columnCount ?? 100, isColored: color.isOn)
      try output.write(line: table.text)
      if layout.bitfield == nil, ([parsed.result] + parsed.arguments).contains(where: { $0.undeclaredBitField != nil }) {
        try FileOutput.standardOutput.write(
          line: "\nBit-fields are taken for unsigned int, past 32 bits for unsigned long long: b does not tell. See --bitfield.")
      }
    }
  }
}

/// The calling convention to explain, as a command-line option.
enum ABIOption: String, ExpressibleByArgument, CaseIterable {
  case sysv, aapcs64, apple, libffi
  /// Refused, with the reason.
  case swift

  static var allValueStrings: [String] { allCases.filter { $0.abi != nil }.map(\.rawValue) }

  /// The rules to explain, or nil if they depend on what a type encoding does not state.
  var abi: CallExplanation.ABI? {
    switch self {
    case .sysv: .sysv
    case .aapcs64: .aapcs64
    case .apple: .apple
    case .libffi: .libffi
    case .swift: nil
    }
  }
}

/// When colors are printed, as a command-line option.
enum ColorOption: String, ExpressibleByArgument, CaseIterable {
  case always, never, auto

  /// Whether standard output gets colors.
  ///
  /// `auto` is a terminal, unless the variable `NO_COLOR` is set and not empty or `TERM` is `dumb`.
  var isOn: Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      let environment = ProcessInfo.processInfo.environment
      guard environment["NO_COLOR", default: ""].isEmpty, environment["TERM"] != "dumb" else { return false }
      return FileOutput.standardOutput.isTerminal
    }
  }
}
