import ArgumentParser
@_spi(Tools) import DynamicInvocation
import Foundation
@_spi(Tools) import SwiftFunctions

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
      The names and types come from the symbols that the library exports. With \
      --json each function is a line {"name", "symbol", "type", "kind", \
      "callable"}, with "reason" for one that cannot be called.

      NAME is Plugin.area(of:scale:). The module, the labels and the outer types may \
      be left out. Overloads are told apart by the number and the kinds of the \
      arguments, or by types in the name: 'add(_: Int, _: Int)'. The name of a \
      variable means its getter, with .setter its setter. Self of a \
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

  @Argument(help: ArgumentHelp("LIBRARY (- for the process itself), NAME, then the arguments.", valueName: "word"))
  var words: [String] = []

  func validate() throws {
    if words.isEmpty { throw ValidationError("Expected LIBRARY.") }
  }

  func run(in workplace: Workplace) throws {
    let library = words[0]
    let caller = try workplace.calling(library: library) { () throws(InvocationError) in
      try SwiftCaller(library: library, assumesFixedLayouts: fixedLayouts, isNonsending: nonsending)
    }
    guard words.count > 1 else { return try list(caller, of: library, workplace) }
    let answer = try workplace.calling(CallRequest.subject(words[1], library: library)) {
      let answer = try caller.prepare(words[1], Array(words.dropFirst(2))).perform()
      // Output that the callee printed precedes its result.
      fflush(nil)
      return answer
    }
    let updated: JSONValue? = answer.updated.isEmpty ? nil : .object(answer.updated)
    if json { return workplace.print(["result": answer.result, "updated": updated]) }
    workplace.print(answer.result)
    if let updated { workplace.print(["updated": updated]) }
  }

  private func list(_ caller: SwiftCaller, of library: String, _ workplace: Workplace) throws {
    let lines = try workplace.calling(library: library) { try caller.library.listedFunctions().map { (function: $0, text: $0.text) } }
    for (function, text) in lines.sorted(by: { $0.text < $1.text }) {
      guard json else {
        workplace.print(text.escaped)
        continue
      }
      // Only asking the library for the function's types shows whether it can be called.
      let refusal = workplace.calling(library: library) { caller.refusal(of: function) }
      workplace.print([
        "name": .string(function.name), "symbol": .string(function.symbol), "type": .string(text), "kind": .string(function.kind),
        "callable": .bool(refusal == nil), "reason": refusal.map { .string($0.description) },
      ])
    }
  }
}
