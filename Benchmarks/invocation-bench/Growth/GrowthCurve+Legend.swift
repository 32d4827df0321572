import BenchmarkSupport

extension GrowthCurve {
  /// The quantity on the horizontal axis.
  var axis: String {
    switch self {
    case .arguments: "number of arguments"
    case .structure: "bytes of the struct"
    case .handlers, .registering: "handlers of the key"
    case .depth: "levels of the tree"
    case .width: "children of the node"
    case .keys: "keys with a handler"
    case .releasing: "nodes"
    case .signatures: "signatures in use"
    case .declarations: "typedefs, each of a function of the one before"
    case .threads: "threads"
    }
  }

  /// The measured operation.
  var caption: String {
    switch self {
    case .arguments: "set integers, call, read the result"
    case .structure: "set a struct, call, read the result"
    case .handlers: "send a typed event to all handlers"
    case .registering: "register all handlers of a key, and remove them"
    case .depth: "send an event from end to end of a chain of nodes"
    case .width: "send an event down to the children of a node"
    case .keys: "send an event to the handler of its key"
    case .releasing: "create nodes, link all to one, release them"
    case .signatures: "look up a signature by its text"
    case .declarations: "read typedefs and a compatible redeclaration"
    case .threads: "a call, or a look-up of a signature, on each thread"
    }
  }

  /// The description of each engine and whose it is, by its name.
  var engines: [String: Legend.EngineEntry] {
    switch self {
    case .arguments, .structure:
      ["invocation": Self.own("an `Invocation`"), "ffi_call": .init(caption: "plain libffi, prepared once", kind: .libffi)]
    case .handlers: ["event": Self.own("an `EventProxy`"), "dictionary": Self.rival("a dictionary of arrays of closures, by names")]
    case .registering:
      [
        "event": Self.own("an `EventProxy`"),
        "event-token": Self.own("an `EventProxy`, with a token that removes them"),
        "event-priorities": Self.own("an `EventProxy`, each with another priority"),
        "event-directions": Self.own("an `EventProxy`, the last one for another direction"),
        "dictionary": Self.rival("a dictionary of arrays of closures, by names"),
      ]
    case .releasing:
      ["event-proxy": Self.own("nodes of one `EventProxy`"), "event-override": Self.own("nodes whose `nextOverride` is one node")]
    case .declarations: ["declarations": Self.own("`CDeclarations`")]
    case .depth:
      [
        "event-up": Self.own("a pass up, the root has the handler"),
        "event-down": Self.own("a pass down, the lowest node has the handler"),
        "walk": Self.rival("a loop over parents, each with a dictionary of closures, by names"),
      ]
    case .width:
      [
        "event": Self.own("a pass down, the last child has the handler"),
        "event-unheard": Self.own("a pass down of an event without a handler"),
        "walk": Self.rival("a loop over the children, each with a dictionary of closures, by names"),
      ]
    case .keys: ["event": Self.own("an `EventProxy`"), "dictionary": Self.rival("a dictionary of closures, by names")]
    case .signatures:
      [
        "signature": Self.own("`MethodSignature(types:)`, the texts in turn"),
        "dictionary": Self.rival("a dictionary of signatures, by texts"),
      ]
    case .threads:
      [
        "invocation": Self.own("an `Invocation` for each thread: set two integers, call, read"),
        "signature": Self.own("`MethodSignature(types:)` of the same text"),
        "dictionary-locked": Self.rival("a dictionary of signatures behind a mutex, by texts"),
      ]
    }
  }

  private static func own(_ caption: String) -> Legend.EngineEntry { .init(caption: caption, kind: .own) }
  private static func rival(_ caption: String) -> Legend.EngineEntry { .init(caption: caption, kind: .other) }
}

extension GrowthLegend {
  /// The curves of this program.
  static let benchmark = GrowthLegend(
    curves: Dictionary(
      uniqueKeysWithValues: GrowthCurve.allCases.map {
        ($0.rawValue, Curve(caption: $0.caption, axis: $0.axis, engines: $0.engines))
      }))
}
