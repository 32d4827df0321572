/// A description of a protocol whose calls are dispatched: the selectors and types of its methods, and which of them
/// are optional.
///
///     let scrolling = try DispatchProtocol("Scrolling", methods: [.optional("didScroll(_:)", types: "v@:d")])
///     let table = try DispatchProtocol(
///       "TableDelegate", inheriting: [scrolling],
///       methods: [.required("height(ofRow:)", types: "d@:q"), .optional("shouldSelect(_:)", types: "B@:q")])
///
/// It describes instance methods only: messages to classes are not dispatched.
///
/// - Complexity: Creating a description is O(methods); copies share their memory.
public struct DispatchProtocol: Sendable, Hashable, CustomStringConvertible {
  /// The name.
  public let name: String

  /// The protocols that this one inherits from, as passed to the initializer.
  public let inherited: [DispatchProtocol]

  /// All methods, without duplicates: the inherited protocols' first, then its own, in the order of
  /// declaration.
  ///
  /// A method that several of the protocols have is at its first position, and is required if one of them requires it.
  public let methods: [Method]

  /// The index of each selector's method.
  private let places: [MethodSelector: Int]

  /// Creates the description of a protocol.
  ///
  /// - Parameters:
  ///   - name: The name, for error messages and descriptions.
  ///   - inherited: The protocols that it inherits from.
  ///   - methods: Its own methods.
  /// - Throws: `InvocationError` `duplicateMethod` for a selector that `methods` contains twice, and `typeMismatch`
  ///   for a selector that has other types in an inherited protocol.
  public init(_ name: String, inheriting inherited: [DispatchProtocol] = [], methods: [Method]) throws(InvocationError) {
    self.name = name
    self.inherited = inherited
    var all: [Method] = []
    var places: [MethodSelector: Int] = [:]
    for method in inherited.flatMap(\.methods) + methods {
      guard let place = places[method.selector] else {
        places[method.selector] = all.count
        all.append(method)
        continue
      }
      guard method.methodSignature.carries(all[place].methodSignature) else {
        throw InvocationError(
          .typeMismatch,
          "\(name) has '\(method.selector)' with the types '\(method.methodSignature)' and with '\(all[place].methodSignature)'")
      }
      if method.isRequired { all[place] = method }
    }
    var own: Set<MethodSelector> = []
    for method in methods where !own.insert(method.selector).inserted {
      throw InvocationError(.duplicateMethod, "\(name) has the method '\(method.selector)' twice")
    }
    self.methods = all
    self.places = places
  }

  /// Returns the method of a selector, the protocol's own or an inherited one, or nil if there is none.
  ///
  /// - Complexity: O(1).
  public func method(for selector: MethodSelector) -> Method? { places[selector].map { methods[$0] } }

  /// Returns whether this is the other protocol or inherits from it, directly or indirectly.
  ///
  /// - Complexity: O(protocols).
  public func conforms(to other: DispatchProtocol) -> Bool {
    self == other || inherited.contains { $0.conforms(to: other) }
  }

  /// The name and the number of methods: `protocol Listening, 2 methods`.
  public var description: String { "protocol \(name.shortened(to: 120).escaped), " + methods.count.counted("method") }
}

extension DispatchProtocol {
  /// A method of a protocol.
  public struct Method: Sendable, Hashable, CustomStringConvertible {
    /// The selector.
    public let selector: MethodSelector
    /// The types.
    public let methodSignature: MethodSignature
    /// Whether at least one implementer must respond to it.
    public let isRequired: Bool

    /// Creates a method.
    ///
    /// - Throws: `InvocationError` `typeMismatch` if the types are not an instance method's, whose first
    ///   arguments are an object and a selector; `countMismatch` if the selector specifies another number of arguments,
    ///   as `two(_:_:)` and `two:with:` do.
    public init(_ selector: MethodSelector, _ methodSignature: MethodSignature, isRequired: Bool) throws(InvocationError) {
      guard methodSignature.isMethod, unsafe methodSignature.storage.plan.slots[0].kind == .object else {
        throw InvocationError(
          .typeMismatch, "'\(selector)' has no instance-method signature (its first argument must be an object)",
          encoding: "\(methodSignature)")
      }
      try methodSignature.requireArgumentCount(of: selector)
      self.selector = selector
      self.methodSignature = methodSignature
      self.isRequired = isRequired
    }

    /// Creates a method to which at least one implementer must respond.
    ///
    /// - Throws: `InvocationError` as creating the signature does, and `typeMismatch` if it is not the signature of
    ///   an instance method.
    public static func required(_ selector: MethodSelector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: true)
    }

    /// Creates a method to which no implementer needs to respond.
    ///
    /// - Throws: `InvocationError` as creating the signature does, and `typeMismatch` if it is not the signature of
    ///   an instance method.
    public static func optional(_ selector: MethodSelector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: false)
    }

    /// The selector and the types: `required changed(_:) 'v@:q'`.
    public var description: String {
      "\(isRequired ? "required" : "optional") \(selector.name.shortened(to: 240)) '\(methodSignature.types.shortText)'".escaped
    }
  }
}
