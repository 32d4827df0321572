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

  /// Creates a function from its code and its types.
  ///
  /// - Parameters:
  ///   - implementation: The code. Calling code of other types than `methodSignature` says is undefined.
  ///   - methodSignature: The types of a plain function, or of a method with its target and selector.
  public init(_ implementation: Implementation, _ methodSignature: MethodSignature) {
    self.implementation = implementation
    self.methodSignature = methodSignature
  }

  /// Returns an invocation of the function, its arguments not set.
  public func makeInvocation(retainsArguments: Bool = true) -> Invocation {
    let invocation = Invocation(methodSignature, retainsArguments: retainsArguments)
    invocation.implementation = implementation
    return invocation
  }
}
