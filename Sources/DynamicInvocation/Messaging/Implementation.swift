/// The code that carries a message or a call out: a function pointer of the C calling convention, and its rule of
/// ownership.
///
/// Copies keep alive what the code needs, such as the library it was loaded from.
@safe
public struct Implementation: @unchecked Sendable {
  // Sendable by hand: the pointer is only ever called, and the owner is immutable.

  /// The address of the code.
  public let pointer: UnsafeRawPointer

  /// Whether an object that it returns is the caller's to release (+1), as Swift functions return one; C functions
  /// mostly do not (+0).
  @inlinable
  public var returnsRetained: Bool { traits & 1 != 0 }

  /// The types of the code, or nil when nobody said them.
  ///
  /// A ``MethodTable`` takes only implementations that have one.
  public var methodSignature: MethodSignature? { types.map(MethodSignature.init(storage:)) }

  /// What is behind ``methodSignature``: an optional struct would be copied by a call of the runtime.
  @usableFromInline let types: MethodSignature.Storage?

  /// Whether a call may end with an error of Swift, so that it must be offered a place for it.
  @inlinable
  package var mayThrow: Bool { traits & 2 != 0 }

  /// Whether the class of the targets is known: the code is a method of it.
  @inlinable @inline(__always)
  var hasTargetType: Bool { traits & 8 != 0 }

  /// Whether there is nothing to compare with a call, and no error to take from it.
  @inlinable @inline(__always)
  var isOpaque: Bool { traits & 0b1110 == 0 }

  /// All in one byte: a struct of more than four parts is passed in memory, and copied by calls of the runtime.
  ///
  /// The third bit says that the types are known.
  @usableFromInline let traits: UInt8

  /// What must stay alive as long as the code may be called.
  let owner: (any AnyObject & Sendable)?

  /// Creates an implementation from the address of its code.
  ///
  /// This is a promise that nothing can check: that the types are those of the code. Without types it is one for all
  /// who call the implementation: that they do so by the code's own types.
  ///
  /// - Parameters:
  ///   - pointer: A function of the C calling convention.
  ///   - methodSignature: The types of the function, if they are known. Every call is compared with them.
  ///   - returnsRetained: Whether an object result is the caller's to release.
  ///   - owner: What to keep alive, such as a ``DynamicLibrary``.
  @unsafe
  public init(
    _ pointer: UnsafeRawPointer, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false,
    keeping owner: (any AnyObject & Sendable)? = nil
  ) {
    unsafe self.init(pointer, methodSignature: methodSignature, returnsRetained: returnsRetained, mayThrow: false, keeping: owner)
  }

  /// Creates any implementation.
  ///
  /// - Parameter isMethod: Whether the owner is a ``MethodOwner``, which knows the class of the targets.
  init(
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
  /// A Swift closure does not compile: it is more than bits. Traps when `function` is not the size of a pointer.
  ///
  /// - Parameters:
  ///   - function: A value of a type `@convention(c) (...) -> ...`.
  ///   - methodSignature: The types of the function, if they are known; nothing can check that they are its own.
  ///   - returnsRetained: Whether an object result is the caller's to release: one made with `passRetained`.
  @unsafe
  public init<Function: BitwiseCopyable>(function: Function, methodSignature: MethodSignature? = nil, returnsRetained: Bool = false) {
    precondition(
      MemoryLayout<Function>.size == MemoryLayout<UInt>.size,
      "an implementation is a function of type @convention(c)")
    unsafe self.init(
      unsafeBitCast(function, to: UnsafeRawPointer.self), methodSignature: methodSignature, returnsRetained: returnsRetained)
  }
}

extension Implementation {
  /// Creates an implementation from what runs with the frame of each call.
  ///
  /// - Parameters:
  ///   - targetType: The class of the target.
  ///   - parameters: The types of the parameters after the selector.
  ///   - returnType: The type of the result, or nil for none.
  ///   - mayThrow: Whether a call may end with an error: of the Swift closure, or because an argument has no value of
  ///     the parameter's type.
  ///   - run: What runs; what it captures must be Sendable.
  @usableFromInline
  init(
    _ targetType: AnyClass, _ parameters: [any EncodedValue.Type], returning returnType: (any EncodedValue.Type)?, mayThrow: Bool,
    _ run: @escaping ClosureBody.Run
  ) throws(InvocationError) {
    let all: [any EncodedValue.Type] = unsafe [Unmanaged<AnyObject>.self, Selector?.self] + parameters
    let types = MethodTypes(result: returnType?.typeEncoding ?? TypeEncoding(.void), arguments: all.map { $0.typeEncoding })
    let closure = try Closure(MethodSignature(types), all, returning: returnType, run)
    unsafe self.init(
      closure.pointer, methodSignature: closure.methodSignature, returnsRetained: true, mayThrow: mayThrow,
      isMethod: true, keeping: MethodOwner(targetType: targetType, keeping: closure))
  }
}

/// The owner of the code of a method: what the code needs alive, and the class of the targets that it takes.
final class MethodOwner: Sendable {
  let targetType: AnyClass
  /// What the code needs alive.
  private let kept: (any AnyObject & Sendable)?

  init(targetType: AnyClass, keeping kept: (any AnyObject & Sendable)? = nil) {
    self.targetType = targetType
    self.kept = kept
  }
}
