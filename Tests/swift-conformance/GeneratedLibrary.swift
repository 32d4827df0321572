import TestSupport

/// The source of a library of random functions, and of what is needed to call them twice: by the engine and directly.
struct GeneratedLibrary {
  /// A function of a generated library.
  ///
  /// It is a tuple, since the type must be the same in the library and in this program.
  typealias Entry = (
    symbol: String, parameters: [Any.Type], ownership: [Int], result: Any.Type, owner: Any.Type?, flags: Int, error: Any.Type?,
    arguments: (UInt64) -> [Any], direct: (inout [Any]) throws -> Any, digest: (Any) -> UInt64, digests: ([Any]) -> [UInt64],
    seen: () -> UInt64
  )

  let source: String

  init(seed: UInt64, types typeCount: Int, functions: Int, isResilient: Bool) {
    var types = GeneratedTypes(seed: seed, isResilient: isResilient)
    for _ in 0..<typeCount { types.declare() }
    var bodies = ""
    var entries = ""
    for index in 0..<functions {
      let function = Function(index, &types, owners: typeCount)
      bodies += function.declaration
      entries += function.entry
    }
    source =
      GeneratedTypes.prelude + types.source + bodies
        + """
        public typealias Entry = (
          symbol: String, parameters: [Any.Type], ownership: [Int], result: Any.Type, owner: Any.Type?, flags: Int, error: Any.Type?,
          arguments: (UInt64) -> [Any], direct: (inout [Any]) throws -> Any, digest: (Any) -> UInt64, digests: ([Any]) -> [UInt64],
          seen: () -> UInt64
        )
        @_silgen_name("conformance_entries") public func entries() -> [Entry] {
          var list: [Entry] = []
        \(entries)  return list
        }
        @_silgen_name("conformance_alive") public func aliveCount() -> Int { alive }

        """
  }

  /// A function with its entry in the table.
  private struct Function {
    var declaration = ""
    var entry = ""

    /// The place of the function: global, a method of a struct or enum, mutating or not, or of a class.
    private enum Place: CaseIterable { case global, method, mutating, object }

    init(_ index: Int, _ types: inout GeneratedTypes, owners: Int) {
      let place = Place.allCases[types.random(2) == 0 ? 0 : types.random(4)]
      let parameters = (0..<[0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12][types.random(12)]).map { _ in types.type() }
      // 0: borrowed, 1: owned, 2: inout.
      let ownership = parameters.map { type in type.text.contains("->") ? 0 : [0, 0, 0, 0, 0, 0, 1, 2][types.random(8)] }
      let owner = place == .global ? nil : place == .object ? "K" : "T\(types.random(owners))"
      let echo = parameters.isEmpty || types.random(4) == 0 ? nil : types.random(parameters.count)
      let result = echo.map { parameters[$0] } ?? types.type()
      let error = [nil, nil, "", "(Oops)", "(Mixed)"][types.random(5)]
      let name = "case_\(index)"

      var list: [String] = []
      for (number, type) in parameters.enumerated() {
        let escaping = type.text.hasPrefix("(Int) ->") && !type.text.hasSuffix("?") ? "@escaping " : ""
        let keyword = ["", "__owned ", "inout "][ownership[number]]
        list.append("_ a\(number): \(keyword)\(escaping)\(type.text)")
      }
      var body = "var h = H(); "
      if let owner { body += types.digest(owner, "self") + "; " }
      for (number, type) in parameters.enumerated() { body += types.digest(type.text, "a\(number)") + "; " }
      body += "seen = h.state; var g = G(state: h.state); _ = g.bits(); "
      if let error {
        body +=
          "if g.next(4) == 0 { throw \(error == "(Mixed)" ? "Mixed(code: 3, rate: 2.5, text: g.text())" : "Oops(code: g.next(99))") }; "
      }
      if place == .mutating, let owner { body += "self = \(types.sample(owner)); " }
      body += echo.map { "let r = a\($0); " } ?? "let r = \(types.sample(result.text)); "
      for (number, type) in parameters.enumerated() where ownership[number] == 2 { body += "a\(number) = \(types.sample(type.text)); " }
      let effects = error.map { " throws\($0)" } ?? ""
      let head = "@_silgen_name(\"\(name)\") @inline(never) public "
      let function = "func \(name)(\(list.joined(separator: ", ")))\(effects) -> \(result.text) { \(body)return r }"
      switch place {
      case .global: declaration = head + function + "\n"
      case .method, .object: declaration = "extension \(owner ?? "") { \(head)\(place == .object ? "final " : "")\(function) }\n"
      case .mutating: declaration = "extension \(owner ?? "") { \(head)mutating \(function) }\n"
      }

      let all = (owner.map { [$0] } ?? []) + parameters.map(\.text)
      var direct = ""
      for (number, type) in all.enumerated() { direct += "var x\(number) = a[\(number)] as! (\(type)); " }
      let first = owner == nil ? 0 : 1
      direct += "defer { " + all.indices.map { "a[\($0)] = x\($0); " }.joined() + "}; "
      let passed = parameters.indices.map { (ownership[$0] == 2 ? "&" : "") + "x\($0 + first)" }.joined(separator: ", ")
      direct += "return \(error == nil ? "" : "try ")\(owner == nil ? "" : "x0.")\(name)(\(passed))"
      let flags = (error == nil ? 0 : 1) | (owner == nil ? 0 : owner == "K" ? 4 : 2)
      let typed = error.map { $0.isEmpty ? "nil" : $0.dropFirst().dropLast() + ".self" } ?? "nil"
      entry = """
          list.append((
            "\(name)", [\(parameters.map { "(\($0.text)).self" }.joined(separator: ", "))], [\(ownership.map(String.init).joined(separator: ", "))],
            (\(result.text)).self, \(owner.map { "\($0).self" } ?? "nil"), \(flags), \(typed),
            { seed in var g = G(state: seed); _ = g.bits(); return [\(all.map { "\(types.sample($0)) as Any" }.joined(separator: ", "))] },
            { a in \(direct) },
            { r in var h = H(); \(types.digest(result.text, "(r as! (\(result.text)))")); return h.state },
            { a in [\(all.enumerated().map { "{ var h = H(); \(types.digest($1, "(a[\($0)] as! (\($1)))")); return h.state }()" }.joined(separator: ", "))] },
            { seen }))

        """
    }
  }
}
