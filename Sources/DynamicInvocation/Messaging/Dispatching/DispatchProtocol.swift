/// A description of a protocol, for calls of its methods to be dispatched: their selectors and types, and which of them
/// are optional.
///
///     let scrolling = try DispatchProtocol("Scrolling", methods: [.optional("didScroll(_:)", types: "v@:d")])
///     let table = try DispatchProtocol(
///       "TableDelegate", inheriting: [scrolling],
///       methods: [.required("height(ofRow:)", types: "d@:q"), .optional("shouldSelect(_:)", types: "B@:q")])
///
/// Only instance methods can be described: a message to a class is dispatched to nobody.
///
/// - Complexity: Making one is O(methods); copies share their memory.
public struct DispatchProtocol: Sendable, Hashable {
  /// The name.
  public let name: String

  /// The protocols that this one inherits from, as given.
  public let inherited: [DispatchProtocol]

  /// All methods, each once: those of the inherited protocols first, then its own, in the order given.
  ///
  /// A method that several of the protocols have is at the first place, and required if one of them requires it.
  public let methods: [Method]

  /// The index of each selector's method.
  private let places: [Selector: Int]

  /// Creates the description of a protocol.
  ///
  /// - Parameters:
  ///   - name: The name, for messages.
  ///   - inherited: The protocols that it inherits from.
  ///   - methods: Its own methods.
  /// - Throws: ``InvocationError`` `duplicateMethod` for a selector given twice, and `typeMismatch` for one that has
  ///   other types in an inherited protocol.
  public init(_ name: String, inheriting inherited: [DispatchProtocol] = [], methods: [Method]) throws(InvocationError) {
    self.name = name
    self.inherited = inherited
    var all: [Method] = []
    var places: [Selector: Int] = [:]
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
    var own: Set<Selector> = []
    for method in methods where !own.insert(method.selector).inserted {
      throw InvocationError(.duplicateMethod, "\(name) has the method '\(method.selector)' twice")
    }
    self.methods = all
    self.places = places
  }

  /// Returns the method of a selector, its own or an inherited one, or nil.
  ///
  /// - Complexity: O(1).
  public func method(for selector: Selector) -> Method? { index(of: selector).map { methods[$0] } }

  /// Returns whether this is the other protocol or inherits from it, by any number of steps.
  ///
  /// - Complexity: O(protocols).
  public func conforms(to other: DispatchProtocol) -> Bool {
    self == other || inherited.contains { $0.conforms(to: other) }
  }

  /// The index of a selector's method.
  func index(of selector: Selector) -> Int? { places[selector] }

  /// Returns whether two descriptions have the same name, the same methods, and the same inherited protocols.
  public static func == (left: DispatchProtocol, right: DispatchProtocol) -> Bool {
    left.name == right.name && left.methods == right.methods && left.inherited == right.inherited
  }

  /// Feeds the name and the methods into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(methods)
  }
}

extension DispatchProtocol {
  /// A method of a protocol.
  public struct Method: Sendable, Hashable {
    /// The selector.
    public let selector: Selector
    /// The types.
    public let methodSignature: MethodSignature
    /// Whether somebody must respond to it.
    public let isRequired: Bool

    /// Creates a method.
    ///
    /// - Throws: ``InvocationError`` `typeMismatch` when the types are not those of an instance method, whose first
    ///   arguments are an object and a selector; `countMismatch` when the selector says another number of arguments, as
    ///   `two(_:_:)` and `two:with:` do.
    public init(_ selector: Selector, _ methodSignature: MethodSignature, isRequired: Bool) throws(InvocationError) {
      guard methodSignature.isMethod, unsafe methodSignature.storage.plan.slots[0].kind == .object else {
        throw InvocationError(.typeMismatch, "the types of '\(selector)' are those of no instance method", encoding: "\(methodSignature)")
      }
      try methodSignature.requireArgumentCount(of: selector)
      self.selector = selector
      self.methodSignature = methodSignature
      self.isRequired = isRequired
    }

    /// Creates a method that somebody must respond to.
    ///
    /// - Throws: ``InvocationError`` as making the signature does, and `typeMismatch` when it is not that of an
    ///   instance method.
    public static func required(_ selector: Selector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: true)
    }

    /// Creates a method that nobody need respond to.
    ///
    /// - Throws: ``InvocationError`` as making the signature does, and `typeMismatch` when it is not that of an
    ///   instance method.
    public static func optional(_ selector: Selector, types: String) throws(InvocationError) -> Method {
      try Method(selector, MethodSignature(types: types), isRequired: false)
    }
  }
}
