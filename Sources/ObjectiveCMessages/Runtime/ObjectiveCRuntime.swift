import CallFrames
public import DynamicInvocation

/// The Objective-C runtime: its classes, its autorelease pools, and what encodings do not tell about its methods.
///
/// On Apple's platforms it is the process's. Elsewhere, name once the library that is the runtime or depends on it:
///
///     try ObjectiveCRuntime.use(DynamicLibrary("libgnustep-base.so.1.28"))
///     let text = try ObjectiveCRuntime.object(ofClass: "NSMutableString", "new")
///     try Invocation.send(text, "appendString:", other)
public enum ObjectiveCRuntime {
  /// Names the library whose Objective-C runtime the process uses.
  ///
  /// The first library that is named counts. On Apple's platforms no library need be named.
  ///
  /// - Parameter library: gcc's `libobjc.so.4`, libobjc2, or a library that depends on one of them, such as GNUstep's.
  /// - Throws: `InvocationError` `symbolNotFound` if the library is no runtime and depends on none.
  public static func use(_ library: DynamicLibrary) throws(InvocationError) { try RuntimeFunctions.use(library) }

  /// Whether a runtime is known.
  public static var isKnown: Bool { RuntimeFunctions.known != nil }

  /// Returns a class as an object.
  ///
  /// Messages to it are class methods.
  ///
  /// - Throws: `InvocationError` `symbolNotFound` if there is no such class, or no runtime was named.
  public static func type(named name: String) throws(InvocationError) -> ObjectiveCObject {
    guard let runtime = RuntimeFunctions.known else {
      throw InvocationError(.symbolNotFound, "no runtime was named; call ObjectiveCRuntime.use(_:) first")
    }
    let type = runtime.type(named: name)
    guard type != 0, let object = ObjectiveCObject.adopting(type, isRetained: false) else {
      throw InvocationError(.symbolNotFound, "there is no class '\(name)'")
    }
    return object
  }

  /// Returns the class of a class; its hooks are hooks of class methods.
  ///
  /// - Throws: `InvocationError` as ``type(named:)`` does.
  public static func metaclass(named name: String) throws(InvocationError) -> ObjectiveCObject {
    let metaclass = RuntimeFunctions.current.type(of: try type(named: name).word)
    #if canImport(ObjectiveC)
      guard let object = ObjectiveCObject.adopting(metaclass, isRetained: false) else {
        throw InvocationError(.symbolNotFound, "the class '\(name)' has no class")
      }
      return object
    #else
      return ObjectiveCObject(metaclass, isCounted: false)
    #endif
  }

  /// Sends a message without arguments to a class, and returns the object that it returns.
  ///
  /// - Throws: `InvocationError` as ``type(named:)`` does and as sending does; `nullNotAllowed` if the result is nil.
  public static func object(ofClass name: String, _ selector: MethodSelector) throws -> ObjectiveCObject {
    try Invocation.send(type(named: name), selector)
  }

  /// Runs a closure with an autorelease pool of its own.
  ///
  /// - Throws: What the closure throws.
  public static func withAutoreleasePool<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let runtime = RuntimeFunctions.known else { return try body() }
    return try runtime.withPool(body)
  }

  /// States who owns what a method returns or takes, where its name says otherwise.
  ///
  /// By its name, a method of the family `alloc`, `new`, `copy`, `mutableCopy` or `init` returns an object that the caller
  /// releases, and one of `init` consumes its receiver. An attribute such as `ns_returns_retained` is in no encoding, so
  /// state it before the first message.
  ///
  /// - Parameters:
  ///   - selector: The name of the method, Objective-C's or the Swift name.
  ///   - type: The class, whose subclasses inherit the statement.
  ///   - returnsRetained: Whether the caller releases the result.
  ///   - consumedArguments: The indices of the arguments that the method releases; 0 is the receiver.
  ///
  /// Source: clang, "Automatic Reference Counting", sections "Method families" and "Explicit attributes".
  @unsafe
  public static func state(
    _ selector: MethodSelector, of type: ObjectiveCObject, returnsRetained: Bool, consumedArguments: Set<Int> = []
  ) {
    MethodOwnership.state(
      SwiftNames.selector(selector.name), of: type.word,
      MethodOwnership(returnsRetained: returnsRetained, consumedArguments: consumedArguments))
    MessageTable.removeAll()
  }
}

/// Who releases the result of a method, and what it takes over.
struct MethodOwnership: Hashable {
  var returnsRetained = false
  var consumedArguments: Set<Int> = []

  private struct Key: Hashable {
    var type: UInt
    var name: String
  }

  private static let stated: Locked<[Key: MethodOwnership]> = Locked([:])

  static func state(_ name: String, of type: UInt, _ ownership: MethodOwnership) {
    stated.withLock { $0[Key(type: type, name: name)] = ownership }
  }

  /// Returns the rule of a method: the stated one, or its family's.
  static func of(_ name: String, _ type: UInt, returnsObject: Bool) -> MethodOwnership {
    let runtime = RuntimeFunctions.current
    let found = stated.withLock { stated -> MethodOwnership? in
      guard !stated.isEmpty else { return nil }
      var next = type
      while next != 0 {
        if let ownership = stated[Key(type: next, name: name)] { return ownership }
        next = runtime.superclass(next)
      }
      return nil
    }
    if let found { return found }
    let isInstance = runtime.isMetaclass(type) == 0
    let family = ["alloc", "new", "copy", "mutableCopy", "init"].first { isOfFamily(name, $0) && ($0 != "init" || isInstance) }
    return MethodOwnership(
      returnsRetained: returnsObject && family != nil, consumedArguments: returnsObject && family == "init" ? [0] : [])
  }

  /// Whether a name, without underscores before it, is the word, or begins with it and does not go on with a lowercase letter.
  private static func isOfFamily(_ name: String, _ word: String) -> Bool {
    let name = name.drop { $0 == "_" }
    guard name.hasPrefix(word) else { return false }
    return name.dropFirst(word.count).first.map { !("a"..."z").contains($0) } ?? true
  }
}
