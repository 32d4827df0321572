/// A selector with its implementation, an entry of a ``MethodTable``.
final class Method: Sendable {
  let selector: Selector
  let methodSignature: MethodSignature
  let implementation: Implementation

  init(_ selector: Selector, _ implementation: Implementation, _ methodSignature: MethodSignature) {
    self.selector = selector
    self.methodSignature = methodSignature
    self.implementation = implementation
  }

  /// The address of the code.
  @inline(__always)
  var code: UnsafeRawPointer { unsafe implementation.pointer }
}
