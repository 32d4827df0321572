/// What a class answers.
extension MethodTable {
  /// Returns whether the class or a superclass has a method.
  ///
  /// What an ``Invocable`` answers by itself does not count.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func responds(to selector: Selector) -> Bool { method(for: selector) != nil }

  /// Returns the types of a method, or nil when neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func methodSignature(for selector: Selector) -> MethodSignature? { method(for: selector)?.methodSignature }

  /// Returns the implementation of a method, or nil when neither the class nor a superclass has it.
  ///
  /// - Complexity: O(*superclasses*); takes no lock and allocates nothing.
  public func implementation(for selector: Selector) -> Implementation? { method(for: selector)?.implementation }

  /// The selectors of the class's own methods, in the order in which they were added.
  public var selectors: [Selector] { ownMethods.map(\.selector) }

  /// The error of a selector that the class has no method for.
  package func unrecognized(_ selector: Selector) -> InvocationError {
    var names: [String] = []
    var table: MethodTable? = self
    while let next = table {
      if let reason = next.refused[selector] { return reason }
      names += next.ownMethods.map(\.selector.name)
      table = next.superclassTable
    }
    return InvocationError(
      .unrecognizedSelector, "\(type) does not respond to '\(selector)'",
      candidates: NearestNames.nearest(to: selector.name, among: names, limit: 3))
  }
}
