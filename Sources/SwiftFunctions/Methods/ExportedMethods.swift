public import TypeEncodings

/// The methods of a class that its library exports, as `MethodTable.addExported(trusting:)` found them.
public struct ExportedMethods: Sendable {
  /// A method that answers to a selector now.
  public struct Method: Sendable {
    /// The selector: the name with the labels, as in `area(_:in:)`; for a property `title` and `setTitle(_:)`.
    public let selector: MethodSelector
    /// The types of a message with the selector.
    public let methodSignature: MethodSignature
    /// The declaration with its Swift types.
    public let declaration: String
  }

  /// A member that answers to no selector.
  public struct Refusal: Sendable {
    /// The declaration with its Swift types.
    public let declaration: String
    /// The reason.
    public let error: InvocationError

    package init(declaration: String, error: InvocationError) {
      self.declaration = declaration
      self.error = error
    }
  }

  /// The methods that were added, those of superclasses first.
  public internal(set) var added: [Method] = []
  /// The members that were not added, each with the reason.
  public internal(set) var refused: [Refusal] = []
}

extension ExportedMethods: CustomStringConvertible {
  /// The numbers of methods: `3 methods, 1 refused`.
  public var description: String { added.count.counted("method") + (refused.isEmpty ? "" : ", \(refused.count) refused") }
}

extension ExportedMethods.Method: CustomStringConvertible {
  /// The selector and the declaration: `area(in:): Plugin.Page.area(in: Plugin.Rect) -> Swift.Double`.
  public var description: String { "\(selector): \(declaration)" }
}

extension ExportedMethods.Refusal: CustomStringConvertible {
  /// The declaration and the reason.
  public var description: String { "\(declaration): \(error.reason)" }
}
