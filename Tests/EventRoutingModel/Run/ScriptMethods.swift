import DynamicInvocation

/// The methods of ``ScriptTarget``: for each list of parameters, one that may throw and one that never throws.
struct ScriptMethods: Sendable {
  static let shared: ScriptMethods = {
    do {
      return try ScriptMethods()
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private let methods: [String: Implementation]

  private init() throws(InvocationError) {
    typealias Source = Unmanaged<AnyObject>
    typealias Target = ScriptTarget
    methods = [
      "throwing.none": try Implementation { (target: Target, source: Source?) throws -> Void in try target.handle(source, "") },
      "throwing.int": try Implementation { (target: Target, source: Source?, a: Int) throws -> Void in try target.handle(source, "\(a)") },
      "throwing.int8": try Implementation { (target: Target, source: Source?, a: Int8) throws -> Void in try target.handle(source, "\(a)")
      },
      "throwing.double": try Implementation { (target: Target, source: Source?, a: Double) throws -> Void in
        try target.handle(source, "\(a)")
      },
      "throwing.intDouble": try Implementation { (target: Target, source: Source?, a: Int, b: Double) throws -> Void in
        try target.handle(source, "\(a),\(b)")
      },
      "quiet.none": try Implementation { (target: Target, source: Source?) in target.handleWithoutFailing(source, "") },
      "quiet.int": try Implementation { (target: Target, source: Source?, a: Int) in target.handleWithoutFailing(source, "\(a)") },
      "quiet.int8": try Implementation { (target: Target, source: Source?, a: Int8) in target.handleWithoutFailing(source, "\(a)") },
      "quiet.double": try Implementation { (target: Target, source: Source?, a: Double) in target.handleWithoutFailing(source, "\(a)") },
      "quiet.intDouble": try Implementation { (target: Target, source: Source?, a: Int, b: Double) in
        target.handleWithoutFailing(source, "\(a),\(b)")
      },
    ]
    let table = MethodTable.of(ScriptTarget.self)
    for (name, implementation) in methods { try table.replace(MethodSelector(name), implementation) }
  }

  /// Returns the method for a handler, and its selector.
  func method(for handler: EventScript.Handler) -> (MethodSelector, Implementation)? {
    let prefix = if case .failure = handler.result { "throwing" } else { "quiet" }
    let name = "\(prefix).\(handler.parameters)"
    return methods[name].map { (MethodSelector(name), $0) }
  }
}
