/// A selector and its implementation: an entry of a ``MethodTable``.
package final class Method: Sendable {
  let selector: MethodSelector
  let methodSignature: MethodSignature
  let implementation: Implementation

  init(_ selector: MethodSelector, _ implementation: Implementation, _ methodSignature: MethodSignature) {
    self.selector = selector
    self.methodSignature = methodSignature
    self.implementation = implementation
  }

  /// The address of the code.
  @inline(__always)
  var code: UnsafeRawPointer { unsafe implementation.pointer }
}

/// An immutable snapshot of the methods of one class.
@safe
final class MethodSnapshot: @unchecked Sendable {
  // Unchecked Sendable: it is immutable, and the methods are Sendable.

  /// The methods in the order in which they were added.
  let methods: [Method]
  /// The methods by selector; the array retains them.
  private let table: PointerTable<Unmanaged<Method>>

  init(_ methods: [Method]) {
    var table: PointerTable<Unmanaged<Method>> = unsafe PointerTable()
    for method in methods { unsafe table[UInt(bitPattern: method.selector.pointer)] = .passUnretained(method) }
    self.methods = methods
    unsafe self.table = table
  }

  /// Returns the types of the method of a selector.
  func signature(for selector: MethodSelector) -> MethodSignature? {
    unsafe table[UInt(bitPattern: selector.pointer)]?._withUnsafeGuaranteedRef { $0.methodSignature }
  }

  /// Returns the method of a selector.
  func method(for selector: MethodSelector) -> Method? { unsafe table[UInt(bitPattern: selector.pointer)]?.takeUnretainedValue() }
}
