/// A random function: what it is to the language, and its types.
struct GeneratedFunction {
  /// What a function is to the language.
  enum Kind: CaseIterable {
    case function, method, mutating, staticMethod, initializer, getter, setter, subscriptGetter, subscriptSetter
  }

  /// A parameter, with the keyword that states its ownership.
  struct Parameter {
    var type: GeneratedTypes.Spelling
    var keyword = ""
    var isInOut: Bool { keyword == "inout" }
  }

  let index: Int
  var kind: Kind
  /// The type whose member the function is, or nil.
  var owner: String?
  var parameters: [Parameter]
  var result: GeneratedTypes.Spelling
  /// The parameter that is returned, or nil for a new value.
  var echo: Int?
  /// The throws clause, without the keyword: nil if the function does not throw.
  var error: String?
  /// Whether an accessor changes self, or an initializer may return nil.
  var isSpecial = false

  /// Invents a function.
  init(_ index: Int, _ types: inout GeneratedTypes) {
    self.index = index
    kind = types.random(3) == 0 ? .function : Kind.allCases[types.random(Kind.allCases.count)]
    owner = types.random(5) == 0 ? "K" : types.names[types.random(types.names.count)]
    if kind == .function || (kind == .getter || kind == .setter) && types.random(6) == 0 { owner = nil }
    if kind == .mutating, owner == "K" { kind = .method }
    var count = [0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8, 12][types.random(12)]
    switch kind {
    case .getter, .setter: count = 0
    case .initializer, .subscriptGetter, .subscriptSetter: count = max(1, count)
    default: break
    }
    // A subscript has no parameters with ownership.
    let allowsOwnership = kind != .subscriptGetter && kind != .subscriptSetter
    parameters = (0..<count).map { _ in
      switch types.random(10) {
      case 0 where allowsOwnership: Parameter(type: types.passable(isStored: true, isVariable: true), keyword: "inout")
      case 1 where allowsOwnership: Parameter(type: types.passable(), keyword: "__owned")
      case 2 where allowsOwnership: Parameter(type: types.passable(), keyword: "__shared")
      default: Parameter(type: types.passable())
      }
    }
    result = types.passable(isStored: true)
    if count > 0, types.random(4) > 0 {
      let chosen = types.random(count)
      if !parameters[chosen].type.text.contains("Int.Type") { echo = chosen }
    }
    if let echo { result = parameters[echo].type }
    if types.random(12) == 0, echo == nil { result = .void }
    error = [nil, nil, nil, "", "(Oops)", "(Mixed)", "(Fault)"][types.random(7)]
    isSpecial = types.random(4) == 0
    switch kind {
    case .setter, .subscriptSetter: error = nil
    case .getter, .subscriptGetter: error = error == nil ? nil : ""
    case .initializer:
      echo = nil
      result = GeneratedTypes.Spelling(text: owner ?? "")
      if isSpecial { _ = types.optional(of: result) }
    default: break
    }
    if (kind == .getter || kind == .setter || kind == .subscriptGetter || kind == .subscriptSetter), result == .void {
      result = GeneratedTypes.Spelling(text: "Int")
      echo = nil
    }
  }

  // MARK: Names

  private var name: String { "case_\(index)" }
  private var isClass: Bool { owner == "K" }
  private var isSetter: Bool { kind == .setter || kind == .subscriptSetter }
  private var labels: String {
    switch kind {
    case .getter, .setter: ""
    case .initializer, .subscriptGetter, .subscriptSetter: "(\(name):" + String(repeating: "_:", count: parameters.count - 1) + ")"
    default: "(" + String(repeating: "_:", count: parameters.count) + ")"
    }
  }

  /// The name for look-up, without the module.
  private var fullName: String {
    let base =
      switch kind {
      case .initializer: "init"
      case .subscriptGetter, .subscriptSetter: "subscript"
      default: name
      }
    return (owner.map { $0 + "." } ?? "") + base + labels
  }

  /// The types that a caller passes: self, the new value of a setter, the parameters.
  private var arguments: [String] {
    (passesSelf ? [owner ?? ""] : []) + (isSetter ? [result.text] : []) + parameters.map(\.type.text)
  }

  private var passesSelf: Bool { owner != nil && kind != .staticMethod && kind != .initializer }
  private var returned: String { isSetter ? "Void" : kind == .initializer && isSpecial ? result.optional : result.text }

  // MARK: Source

  /// The declaration.
  func declaration(_ types: GeneratedTypes) -> String {
    let text: String
    switch kind {
    case .function, .method, .mutating, .staticMethod:
      let modifier = kind == .mutating ? "mutating " : kind == .staticMethod ? "static " : isClass ? "final " : ""
      text = "@inline(never) public \(modifier)func \(name)(\(list))\(effects) -> \(result.text) { \(body(types)) }"
    case .initializer:
      let modifier = isClass ? "convenience " : ""
      text = "@inline(never) public \(modifier)init\(isSpecial ? "?" : "")(\(list))\(effects) { \(body(types)) }"
    case .getter, .setter: text = "public \(isClass ? "final " : "")var \(name): \(result.text) { \(accessors(types)) }"
    case .subscriptGetter, .subscriptSetter:
      text = "public \(isClass ? "final " : "")subscript(\(list)) -> \(result.text) { \(accessors(types)) }"
    }
    return owner.map { "extension \($0) { \(text) }\n" } ?? text + "\n"
  }

  private var effects: String { error.map { " throws\($0)" } ?? "" }

  private var list: String {
    parameters.enumerated().map { number, parameter in
      let label = number == 0 && labels.hasPrefix("(case_") ? name : "_"
      let escapes = parameter.type.isFunction && (number == echo || index % 2 == 0) ? "@escaping " : ""
      return "\(label) a\(number): \(parameter.keyword.isEmpty ? "" : parameter.keyword + " ")\(escapes)\(parameter.type.text)"
    }.joined(separator: ", ")
  }

  private func accessors(_ types: GeneratedTypes) -> String {
    let isMutating = isSpecial && owner != nil && !isClass
    if !isSetter { return "@inline(never) \(isMutating ? "mutating " : "")get\(effects) { \(body(types)) }" }
    let setter = isMutating ? "nonmutating set" : "set"
    return "get { var g = G(state: 1); return \(types.sample(result.text)) } @inline(never) \(setter) { \(body(types)) }"
  }

  /// The body: makes a digest of self and the arguments, may throw, changes what it may change, and returns.
  private func body(_ types: GeneratedTypes) -> String {
    var body = "var h = H(); "
    if passesSelf, let owner { body += types.digest(owner, "self") + "; " }
    if isSetter { body += types.digest(result.text, "newValue") + "; " }
    for (number, parameter) in parameters.enumerated() { body += types.digest(parameter.type.text, "a\(number)") + "; " }
    body += "seen = h.state; var g = G(state: h.state); _ = g.bits(); "
    if let error {
      let value =
        switch error {
        case "(Mixed)": "Mixed(code: 3, rate: 2.5, text: g.text())"
        case "(Fault)": "[Fault.none, .code(Int32(g.next(99))), .text(g.text())][g.next(3)]"
        default: "Oops(code: g.next(99))"
        }
      body += "if g.next(4) == 0 { throw \(value) }; "
    }
    for (number, parameter) in parameters.enumerated() where parameter.isInOut {
      body += "a\(number) = \(types.sample(parameter.type.text)); "
    }
    if kind == .initializer {
      let fails = isSpecial ? "if g.next(3) == 0 { return nil }; " : ""
      return body + fails + (isClass ? "self.init(g.next(1000))" : "self = \(types.sample(result.text))")
    }
    if isMutating, let owner, !isClass { body += "self = \(types.sample(owner)); " }
    if isSetter { return body }
    return body + "return " + (echo.map { "a\($0)" } ?? types.sample(result.text))
  }

  /// Whether the function changes self of a struct or enum.
  var isMutating: Bool {
    switch kind {
    case .mutating: true
    case .getter, .subscriptGetter: isSpecial
    case .setter, .subscriptSetter: !isSpecial
    default: false
    }
  }

  /// Whether a call makes an object of its own each time.
  var makesObject: Bool { kind == .initializer && isClass }

  /// The statement that adds the function to the table.
  func row(_ types: GeneratedTypes) -> String {
    let numbers = arguments.map { "\(types.number($0))" }.joined(separator: ", ")
    return "  list.append((\(index), \"\(fullName)\", \(isSetter), [\(numbers)], (\(returned)).self, direct\(index)))\n"
  }

  /// The function that makes the compiled call with boxed arguments.
  func directCall() -> String {
    let changed = changedArguments
    var body = ""
    for (number, type) in arguments.enumerated() {
      body += "\(changed.contains(number) ? "var" : "let") x\(number) = a[\(number)] as! (\(type)); "
    }
    if !changed.isEmpty { body += "defer { " + changed.map { "a[\($0)] = x\($0); " }.joined() + "}; " }
    let first = arguments.count - parameters.count
    let passed = parameters.indices.map { number -> String in
      let label = number == 0 && labels.hasPrefix("(case_") ? "\(name): " : ""
      return label + (parameters[number].isInOut ? "&" : "") + "x\(number + first)"
    }.joined(separator: ", ")
    let target = owner.map { passesSelf ? "x0" : $0 }
    let member = (target.map { $0 + "." } ?? "") + name
    let effect = error == nil ? "" : "try "
    switch kind {
    case .function, .method, .mutating, .staticMethod: body += "return \(effect)\(member)(\(passed))"
    case .initializer: body += "return \(effect)\(owner ?? "")(\(passed)) as Any"
    case .getter: body += "return \(effect)\(member)"
    case .setter: body += "\(member) = x\(owner == nil ? 0 : 1); return ()"
    case .subscriptGetter: body += "return \(effect)x0[\(passed)]"
    case .subscriptSetter: body += "x0[\(passed)] = x1; return ()"
    }
    return "@_optimize(none) func direct\(index)(_ a: inout [Any]) throws -> Any { \(body) }\n"
  }

  /// The arguments that the compiled call passes as variables.
  private var changedArguments: [Int] {
    let first = arguments.count - parameters.count
    return (passesSelf && !isClass ? [0] : []) + parameters.indices.filter { parameters[$0].isInOut }.map { $0 + first }
  }
}

// MARK: - Shrinking

extension GeneratedFunction {
  /// Simpler functions, each with one thing less.
  var simpler: [GeneratedFunction] {
    var all: [GeneratedFunction] = []
    func add(_ change: (inout GeneratedFunction) -> Void) {
      var copy = self
      change(&copy)
      all.append(copy)
    }
    if error != nil { add { $0.error = nil } }
    if owner != nil, kind != .function {
      add {
        $0.kind = .function
        $0.owner = nil
      }
    }
    let least = kind == .initializer || kind == .subscriptGetter || kind == .subscriptSetter ? 1 : 0
    for number in parameters.indices.reversed() where parameters.count > least && number != echo {
      add {
        $0.parameters.remove(at: number)
        if let echo = $0.echo, echo > number { $0.echo = echo - 1 }
      }
    }
    for number in parameters.indices where !parameters[number].keyword.isEmpty { add { $0.parameters[number].keyword = "" } }
    for number in parameters.indices where parameters[number].type.text != "Int" && number != echo {
      add { $0.parameters[number].type = GeneratedTypes.Spelling(text: "Int") }
    }
    if kind != .initializer, result.text != "Int" {
      add {
        $0.result = GeneratedTypes.Spelling(text: "Int")
        $0.echo = nil
      }
    }
    return all
  }
}
