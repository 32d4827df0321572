// Short descriptions of the types of dispatching.

extension DispatchProtocol: CustomStringConvertible {
  /// The name and the number of methods: `protocol Listening, 2 methods`.
  public var description: String { "protocol \(name.shortened(to: 120).escaped), " + methods.count.counted("method") }
}

extension DispatchProtocol.Method: CustomStringConvertible {
  /// The selector and the types: `required changed(_:) 'v@:q'`.
  public var description: String {
    "\(isRequired ? "required" : "optional") \(selector.name.shortened(to: 240)) '\(methodSignature.types.shortText)'".escaped
  }
}

extension ProtocolDispatcher: CustomStringConvertible {
  /// The protocol and the number of listed implementers: `dispatcher of Listening to 3 implementers`.
  ///
  /// A deallocated implementer is counted until the next message. No implementer is called.
  public var description: String {
    "dispatcher of \(dispatchProtocol.name.shortened(to: 120).escaped) to " + list.snapshot.references.count.counted("implementer")
  }
}

extension ImplementerList: CustomStringConvertible {
  /// The number of listed implementers: `list of 3 implementers`.
  ///
  /// A deallocated implementer is counted until the list is used. No implementer is called.
  public var description: String { "list of " + snapshot.references.count.counted("implementer") }
}

extension FunctionTable: CustomStringConvertible {
  /// The number of functions and the protocol: `3 functions of Listening`.
  public var description: String { count.counted("function") + " of \(dispatcher.dispatchProtocol.name.shortened(to: 120).escaped)" }
}

extension DispatchOutcome: CustomStringConvertible {
  /// The numbers of implementers that returned and that failed: `2 responders, 1 failure`.
  public var description: String { responderCount.counted("responder") + ", " + failures.count.counted("failure") }
}

extension DispatchOutcome.Failure: CustomStringConvertible {
  /// The number of the implementer and the error: `implementer 3: ...`.
  public var description: String { "implementer \(number): " + "\(error)".shortened(to: 4_096).escaped }
}

extension ReturnPolicy: CustomStringConvertible {
  /// The name of the policy: `last`, `only(3)`.
  public var description: String {
    switch self {
    case .last: "last"
    case .first: "first"
    case .firstNonNil: "firstNonNil"
    case .all: "all"
    case .anyTrue: "anyTrue"
    case .allTrue: "allTrue"
    case .only(let number): "only(\(number))"
    case .primary(let number): "primary(\(number))"
    case .reduce: "reduce"
    }
  }
}
