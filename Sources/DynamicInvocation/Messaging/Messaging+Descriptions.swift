// What messaging is made of, in a few words.

extension Implementation: CustomStringConvertible {
  /// The types: `implementation 'd@:q'`, or `implementation of unknown types`.
  public var description: String {
    methodSignature.map { "implementation '\($0.types.shortText.escaped)'" } ?? "implementation of unknown types"
  }
}

extension Closure: CustomStringConvertible {
  /// The types: `closure 'qq'`.
  public var description: String { "closure '\(methodSignature.types.shortText.escaped)'" }
}

extension IncomingCall {
  /// The types: `incoming call of 'qq'`.
  public var description: String { "incoming call of '\(methodSignature.types.shortText.escaped)'" }
}

extension MethodTable: CustomStringConvertible {
  /// The class, and how many methods it has itself: `method table of Controller, 3 methods`.
  ///
  /// - Complexity: O(1).
  public var description: String { "method table of \(type), " + ownMethods.count.counted("method") }
}

extension InvocableMethods: CustomStringConvertible {
  /// The class, and how many methods were named: `3 methods of Controller`.
  public var description: String {
    methods.count.counted("method") + " of \(type)" + (refused.isEmpty ? "" : ", \(refused.count) refused")
  }
}
