/// The code that executes a message or a call: a function pointer of the C calling convention, and the ownership rule
/// of its result.
///
/// Each copy keeps alive what the code depends on, such as the library that it was loaded from.
@safe
public struct Implementation: @unchecked Sendable {
  // Unchecked Sendable: the pointer is only called, and the owner is immutable.

  /// The address of the code.
  public let pointer: UnsafeRawPointer

  /// Whether the caller must release an object result (+1), as with Swift functions.
  ///
  /// Most C functions return their results unretained (+0).
  @inlinable
  public var returnsRetained: Bool { traits & 1 != 0 }

  /// The types of the code, or nil if they were not specified.
  ///
  /// A ``MethodTable`` accepts only implementations that have a signature.
  public var methodSignature: MethodSignature? { types.map(MethodSignature.init(storage:)) }

  /// The storage of ``methodSignature``.
  ///
  /// It is not an optional struct, because copying one is a call of the runtime.
  @usableFromInline let types: PlannedSignature?

  /// Whether a call may throw a Swift error, so that the caller must provide a location for it.
  @inlinable
  package var mayThrow: Bool { traits & 2 != 0 }

  /// Whether the code is a method of a known class, which its targets must be of.
  @inlinable @inline(__always)
  package var hasTargetType: Bool { traits & 8 != 0 }

  /// Whether a call needs no checks and no error handling: no types and no class of targets are known, and the code
  /// does not throw.
  @inlinable @inline(__always)
  var isOpaque: Bool { traits & 0b1110 == 0 }

  /// The properties of the code as bits of one byte: a struct of more than four fields is passed in memory, and copied
  /// by calls of the runtime.
  ///
  /// Bit 0: `returnsRetained`. Bit 1: `mayThrow`. Bit 2: the types are known. Bit 3: `hasTargetType`.
  @usableFromInline let traits: UInt8

  /// An object that must stay alive as long as the code may be called.
  @usableFromInline package let owner: (any AnyObject & Sendable)?

  /// Creates an implementation from the address of its code.
  ///
  /// It is unsafe because nothing can check that the types are those of the code. Without types, every caller of the
  /// implementation must call it with the code's own types.
  ///
  /// - Parameters:
  ///   - pointer: A function of the C calling convention.
  ///   - methodSignature: The types of the function, if they are known. Every call is checked against them.
  ///   - returnsRetained: Whether the caller must release an object result.
  ///   - owner: An object to retain, such as a ``DynamicLibrary``.
  @unsafe @inlinable
  public init(
    _ pointer: UnsafeRawPointer, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false,
    keeping owner: (any AnyObject & Sendable)? = nil
  ) {
    unsafe self.init(pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: false, keeping: owner)
  }

  /// Creates an implementation with all its properties.
  ///
  /// - Parameter isMethod: Whether the owner is a ``MethodOwner``, which has the class of the targets.
  @inlinable
  package init(
    _ pointer: UnsafeRawPointer, methodSignature: MethodSignature?, returnsRetained: Bool, mayThrow: Bool, isMethod: Bool = false,
    keeping owner: (any AnyObject & Sendable)?
  ) {
    unsafe self.pointer = pointer
    types = methodSignature?.storage
    traits = (returnsRetained ? 1 : 0) | (mayThrow ? 2 : 0) | (methodSignature != nil ? 4 : 0) | (isMethod ? 8 : 0)
    self.owner = owner
  }

  /// Creates an implementation from a Swift function of the C calling convention.
  ///
  /// A Swift closure does not compile, because its type is not `BitwiseCopyable`. Traps if the size of `function` is
  /// not that of a pointer.
  ///
  /// - Parameters:
  ///   - function: A value of a type `@convention(c) (...) -> ...`.
  ///   - methodSignature: The types of the function, if they are known. Nothing can check that they are correct.
  ///   - returnsRetained: Whether the caller must release an object result, such as one created with `passRetained`.
  @unsafe @inlinable
  public init<Function: BitwiseCopyable>(function: Function, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false) {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UInt>.size,
      "an implementation is a function of type @convention(c)")
    unsafe self.init(
      unsafeBitCast(function, to: UnsafeRawPointer.self), methodSignature: methodSignature, returnsRetained: returnsRetained)
  }
}

extension Implementation {
  /// Creates an implementation from a function that runs with the frame of each call.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil if there is no result.
  ///   - mayThrow: Whether a call may throw an error: the closure's own, or because an argument is not a value of the
  ///     parameter's type.
  ///   - run: The function that runs. What it captures must be Sendable.
  @usableFromInline
  package init(
    _ targetType: AnyClass, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?, mayThrow: Bool,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, MethodSelector?.self] + parameters
    let types = MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding })
    let closure = try Closure(MethodSignature(types), all, returning: returnType, run)
    unsafe self.init(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: targetType, keeping: closure, parameters: all))
  }
}

/// The owner of a method's code: the object that the code depends on, and the class of the targets that it accepts.
package final class MethodOwner: Sendable {
  let targetType: AnyClass
  /// The types of the arguments, the target first; empty if they are not known.
  let parameters: [any EncodedValue.Type]
  /// The types of the values in the objects that the arguments after the selector are; empty if they are not known.
  let valueTypes: [Any.Type]
  /// The object that the code depends on.
  private let kept: (any AnyObject & Sendable)?

  package init(
    targetType: AnyClass, keeping kept: (any AnyObject & Sendable)? = nil, parameters: [any EncodedValue.Type] = [],
    valueTypes: [Any.Type] = []
  ) {
    self.targetType = targetType
    self.kept = kept
    self.parameters = parameters
    self.valueTypes = valueTypes
  }
}

extension Implementation {
  /// The class of the objects that an argument takes; nil if it is no object or if that is not known.
  ///
  /// - Parameter index: The index of the argument in the signature.
  package func parameterClass(at index: Int) -> AnyClass? {
    let types = (owner as? MethodOwner)?.parameters ?? (owner as? Closure)?.parameters ?? []
    return types.indices.contains(index) ? types[index].objectClass : nil
  }
}
