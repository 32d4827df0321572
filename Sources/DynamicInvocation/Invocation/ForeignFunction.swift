/// A function of a shared library, or any C function, with its signature: called like a Swift function.
///
///     let pow = try DynamicLibrary("libm.so.6").function("pow", types: "ddd")
///     let y: Double = try pow(2.0, 10.0)
///
/// A copy keeps the library loaded. A function may be called from any thread.
public struct ForeignFunction: Sendable {
  /// The code, which keeps its library alive.
  public let implementation: Implementation

  /// The types.
  public let methodSignature: MethodSignature

  /// The symbol of a function of a ``DynamicLibrary``, which its errors name; nil for any other.
  public var name: String? { implementation.symbolName }

  /// Creates a function from its code and its types.
  ///
  /// - Parameters:
  ///   - implementation: The code. Whoever made it of an address without saying its types has promised that these are them.
  ///   - methodSignature: The types of a plain function, or of a method with its target and selector.
  /// - Throws: ``InvocationError`` `typeMismatch` when the implementation's types are known and others.
  @inlinable
  public init(_ implementation: Implementation, _ methodSignature: MethodSignature) throws(InvocationError) {
    if !implementation.isOpaque && !implementation.isPlain(for: methodSignature.storage) {
      try implementation.requireTypes(of: methodSignature)
    }
    self.implementation = implementation
    self.methodSignature = methodSignature
  }

  /// Returns an invocation of the function, its arguments not set, which keeps them as they are set.
  public func makeInvocation() -> Invocation { unsafe makeInvocation(retainsArguments: true) }

  /// Returns an invocation of the function, its arguments not set.
  ///
  /// - Parameter retainsArguments: Whether to keep objects and copy C strings, as for ``Invocation/init(_:retainsArguments:)``.
  @unsafe
  public func makeInvocation(retainsArguments: Bool) -> Invocation {
    let invocation = unsafe Invocation(methodSignature, retainsArguments: retainsArguments)
    invocation.implementation = implementation
    return invocation
  }
}
