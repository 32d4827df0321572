import SwiftFunctions

#if Tools
  import ArgumentParser
  import DynamicInvocation
  import Foundation

  /// `invoke swift`: lists the functions of a Swift library, or calls one.
  struct SwiftCommand: CommandApart {
    static let configuration = CommandConfiguration(
      commandName: "swift",
      abstract: "Lists the functions of a Swift library with their types, or calls one.",
      usage: """
        invoke swift <library> [--json]
        invoke swift <library> <name> [<argument> ...] [--json]
        """,
      discussion: """
        The names and types are those of the symbols that the library exports. With \
        --json each function is a line {"name", "symbol", "type", "kind", \
        "callable"}, with "reason" for one that cannot be called.

        NAME is Plugin.area(of:scale:). The module, the labels and the outer types may \
        be left out. Overloads are told apart by the number and the kinds of the \
        arguments, or by types in the name: 'add(_: Int, _: Int)'. The name of a \
        variable is that of its getter, with .setter that of its setter. Self of a \
        method is the first argument. Each line of the list is a NAME, too.

        Each ARGUMENT is JSON, or a bare word for a string; quote JSON from the \
        shell. Every word after NAME is an argument, save --json as the last one. \
        After NAME and -- all words are arguments.

          integers      17, -5, 0x1F; 128-bit ones also "17"
          floats        0.1, nan, inf, -inf
          Bool          true, false
          strings       text, "text"; also Character
          optionals     null, or the value
          arrays, sets  [1, 2, 3]
          dictionaries  {"a": 1}
          tuples        [1, "a"]
          structs       {"x": 1, "y": 2}: all stored properties
          enums         the name of the case, or the raw value; {"case": value}
                        several values: {"case": [1, 2]}, {"case": {"x": 1, "y": 2}}

        An argument of another type, such as an object, is refused. The result is \
        printed in the same form. The program waits for an asynchronous function; if \
        its symbol does not state whether it is nonisolated(nonsending), --nonsending or \
        --no-nonsending states it. A second line shows what the function has changed: \
        {"updated": {"0": ...}}. With --json both are one line, {"result": ...}.

        EXAMPLES:
          invoke swift libPlugin.so
          invoke swift libPlugin.so 'Plugin.add(_:_:)' 2 3
          invoke swift libPlugin.so Geometry.Rect.area '{"width":2,"height":3}' --json
          invoke swift libPlugin.so Geometry.Rect.width.setter '{"width":2,"height":3}' 5
          invoke swift --no-nonsending libPlugin.so 'load(_:)' 7

        The call is made in a process of its own. A callee that throws, crashes or \
        exits is an error like others: one line on standard error, and exit status 1.
        """)

    @Flag(name: .long, help: "Print JSON Lines.")
    var json = false

    @Flag(
      name: .long,
      help: "Pass a struct by value if nothing states whether its module was built for library evolution, or whether it is frozen.")
    var fixedLayouts = false

    @Flag(
      inversion: .prefixedNo,
      help: "State that an asynchronous function is nonisolated(nonsending), or that it is not.")
    var nonsending: Bool?

    @Argument(
      parsing: .captureForPassthrough,
      help: ArgumentHelp("LIBRARY (- for the process itself), NAME, then the arguments.", valueName: "word"))
    var words: [String] = []

    func validate() throws { _ = try SwiftWords(words) }

    func run(in workplace: Workplace) throws {
      let words = try SwiftWords(words)
      let printsJSON = json || words.json
      let caller = try workplace.calling(library: words.library) { () throws(InvocationError) in
        try SwiftCaller(library: words.library, assumesFixedLayouts: fixedLayouts, isNonsending: nonsending ?? words.nonsending)
      }
      guard let name = words.name else { return try list(caller.symbols, json: printsJSON, of: words.library, workplace) }
      let answer = try workplace.calling(CallRequest.subject(name, library: words.library)) {
        let answer = try caller.prepare(name, words.arguments).perform()
        // Output that the callee printed precedes its result.
        fflush(nil)
        return answer
      }
      let updated: JSONValue? = answer.updated.isEmpty ? nil : .object(answer.updated)
      if printsJSON { return workplace.print(["result": answer.result, "updated": updated]) }
      workplace.print(answer.result)
      if let updated { workplace.print(["updated": updated]) }
    }

    private func list(_ symbols: SwiftLibrarySymbols, json: Bool, of library: String, _ workplace: Workplace) throws {
      let lines = try workplace.calling(library: library) { try symbols.declarations().map { (declaration: $0, text: $0.text) } }
      for (declaration, text) in lines.sorted(by: { $0.text < $1.text }) {
        // Whether a function can be called is known when its types were asked of the library.
        workplace.print(json ? workplace.calling(library: library) { Self.line(declaration, text, symbols).text } : text.escaped)
      }
    }

    private static func line(_ declaration: SwiftDeclaration, _ text: String, _ symbols: SwiftLibrarySymbols) -> JSONValue {
      var refusal: InvocationError?
      do throws(InvocationError) {
        if declaration.isAsync {
          // With a statement about its isolation, which a call needs.
          _ = try symbols.asyncFunction(declaration, isNonsending: false)
        } else {
          _ = try symbols.function(declaration)
        }
      } catch {
        refusal = error
      }
      return [
        "name": .string(declaration.name), "symbol": .string(declaration.symbol), "type": .string(text),
        "kind": .string(declaration.kind), "callable": .bool(refusal == nil), "reason": refusal.map { .string($0.description) },
      ]
    }
  }

  /// The command-line arguments of `invoke swift`: LIBRARY and NAME, then the function's arguments in any form.
  struct SwiftWords {
    /// The library.
    let library: String
    /// The function, or nil to list all.
    let name: String?
    /// The arguments of the function.
    let arguments: [String]
    /// Whether a word asks for JSON.
    let json: Bool
    /// Whether a word states that an asynchronous function is `nonisolated(nonsending)` or is not.
    let nonsending: Bool?

    /// Sorts the words.
    ///
    /// Options come before NAME; `--json` may also be the last word, unless `--` follows NAME.
    ///
    /// - Throws: A `ValidationError` for an unknown option and for a missing library, and a help request if a word asks
    ///   for help.
    init(_ words: [String]) throws {
      var (json, nonsending): (Bool, Bool?) = (false, nil)
      var (positionals, rest) = try words.sorted(for: SwiftCommand.self, wanted: { _ in 2 }) { word, _ in
        switch word {
        case "--json": json = true
        case "--nonsending": nonsending = true
        case "--no-nonsending": nonsending = false
        // Operators begin with a minus, too, but not with a letter.
        case _ where word.hasPrefix("-") && word.dropFirst().first { $0 != "-" }?.isLetter ?? false:
          throw ValidationError("Unknown option '\(word)'")
        default: return false
        }
        return true
      }
      if rest.first == "--" {
        rest.removeFirst()
      } else if rest.last == "--json" {
        rest.removeLast()
        json = true
      }
      guard let library = positionals.first else { throw ValidationError("Expected LIBRARY.") }
      self.library = library
      name = positionals.count > 1 ? positionals.removeLast() : nil
      arguments = Array(rest)
      self.json = json
      self.nonsending = nonsending
    }
  }
#endif
