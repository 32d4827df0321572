import DynamicInvocation

/// The methods of ``ScriptTarget``: for each list of parameters, one that may throw and one that never throws.
struct ScriptMethods: Sendable {
  typealias Parameters = EventScript.Handler.Parameters

  static let shared: ScriptMethods = {
    do {
      return try ScriptMethods()
    } catch {
      preconditionFailure("\(error)")
    }
  }()

  private let throwing: [Parameters: Implementation]
  private let quiet: [Parameters: Implementation]

  private init() throws(InvocationError) {
    typealias Source = Unmanaged<AnyObject>
    throwing = [
      .none: try Implementation { (target: ScriptTarget, source: Source?) throws -> Void in try target.handle(source, "") },
      .int: try Implementation { (target: ScriptTarget, source: Source?, a: Int) throws -> Void in try target.handle(source, "\(a)") },
      .int8: try Implementation { (target: ScriptTarget, source: Source?, a: Int8) throws -> Void in try target.handle(source, "\(a)") },
      .double: try Implementation { (target: ScriptTarget, source: Source?, a: Double) throws -> Void in try target.handle(source, "\(a)")
      },
      .intDouble: try Implementation { (target: ScriptTarget, source: Source?, a: Int, b: Double) throws -> Void in
        try target.handle(source, "\(a),\(b)")
      },
    ]
    quiet = [
      .none: try Implementation { (target: ScriptTarget, source: Source?) in target.handleWithoutFailing(source, "") },
      .int: try Implementation { (target: ScriptTarget, source: Source?, a: Int) in target.handleWithoutFailing(source, "\(a)") },
      .int8: try Implementation { (target: ScriptTarget, source: Source?, a: Int8) in target.handleWithoutFailing(source, "\(a)") },
      .double: try Implementation { (target: ScriptTarget, source: Source?, a: Double) in target.handleWithoutFailing(source, "\(a)") },
      .intDouble: try Implementation { (target: ScriptTarget, source: Source?, a: Int, b: Double) in
        target.handleWithoutFailing(source, "\(a),\(b)")
      },
    ]
    let table = MethodTable.of(ScriptTarget.self)
    for (parameters, implementation) in throwing { try table.replace(MethodSelector("throwing.\(parameters)"), implementation) }
    for (parameters, implementation) in quiet { try table.replace(MethodSelector("quiet.\(parameters)"), implementation) }
  }

  /// Returns the method for a handler, and its selector.
  func method(for handler: EventScript.Handler) -> (MethodSelector, Implementation)? {
    let mayThrow: Bool
    if case .failure = handler.result { mayThrow = true } else { mayThrow = false }
    return (mayThrow ? throwing : quiet)[handler.parameters].map {
      (MethodSelector("\(mayThrow ? "throwing" : "quiet").\(handler.parameters)"), $0)
    }
  }
}
