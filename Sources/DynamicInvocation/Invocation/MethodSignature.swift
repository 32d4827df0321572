/// The types of a method or function and the plan for calling it, immutable and shared.
///
/// Signatures are interned: while one is in use, creating it again from the same types returns the same object, on
/// every thread. The first texts that a process looks up are found without a lock, and their signatures are never
/// deallocated.
///
/// For a method, index 0 is the target and index 1 the selector, as in NSMethodSignature. For a plain function, index 0
/// is its first argument.
///
/// - Complexity: One word. Creating a signature takes O(bytes of the text) and a few allocations. Finding an existing
///   one takes a few loads for a text of at most 15 bytes that was looked up recently, otherwise one hash of the text.
public struct MethodSignature: Sendable {
  @usableFromInline package let storage: PlannedSignature

  init(storage: PlannedSignature) { self.storage = storage }

  /// Creates or finds the signature that a text encodes.
  ///
  /// - Parameters:
  ///   - types: The return type and the argument types, with or without frame offsets:
  ///     `d@:q{Rect={Point=dd}{Size=dd}}`, `ddd`.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis. The encoding does
  ///     not contain it.
  ///   - backend: The backend that executes the call. Signatures of different backends are equal when their types are.
  /// - Throws: `InvocationError`: `malformedEncoding` with the byte offset, `limitExceeded`, `outOfRange` for a fixed
  ///   count greater than the number of arguments, and `unsupportedType` for a type that cannot be passed correctly on
  ///   this platform or a variadic type that C promotes.
  public init(
    types: String, dialect: TypeEncoding.Dialect = .next, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, dialect: dialect, fixedCount: fixedArgumentCount, backend: backend)
  }

  /// Creates or finds the signature of existing types.
  ///
  /// Use this for packed or over-aligned structs, whose layout cannot be written in a type encoding.
  ///
  /// - Throws: `InvocationError` as ``init(types:dialect:fixedArgumentCount:backend:)`` does, except for malformed
  ///   text.
  public init(
    _ types: MethodTypes, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, fixedCount: fixedArgumentCount, backend: backend)
  }

  /// The types.
  public var types: MethodTypes { storage.types }

  /// The number of arguments; for a method, including the target and the selector.
  public var numberOfArguments: Int { storage.types.arguments.count }

  /// The return type.
  public var returnType: TypeEncoding { storage.types.result }

  /// The size of the return value in bytes; 0 for void.
  public var returnLength: Int { storage.types.result.size ?? 0 }

  /// The size of a frame in bytes: the memory for the arguments and the result of one call.
  ///
  /// The number depends on the platform and the backend, as on Apple's platforms.
  public var frameLength: Int { storage.plan.frameSize }

  /// Whether the caller does not wait for the result: the return type has the qualifier `V`.
  public var isOneway: Bool { storage.types.isOneway }

  /// Whether the first two arguments are a target and a selector.
  public var isMethod: Bool { storage.plan.isMethod }

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public var fixedArgumentCount: Int? { storage.fixedCount }

  /// Returns the type of an argument.
  ///
  /// - Throws: `InvocationError` `indexOutOfRange`.
  public func argumentType(at index: Int) throws(InvocationError) -> TypeEncoding {
    guard index >= 0, index < numberOfArguments else { throw indexOutOfRange(index) }
    return storage.types.arguments[index]
  }
}

extension MethodSignature: Hashable, CustomStringConvertible {
  /// Returns whether two signatures have equal types and, if variadic, the same number of fixed arguments.
  ///
  /// Class names, qualifiers and frame offsets are not compared; struct names and members are.
  public static func == (left: MethodSignature, right: MethodSignature) -> Bool {
    left.storage === right.storage || left.storage.identity == right.storage.identity
  }

  /// Hashes the text that equality compares.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.identity) }

  /// The types as text, without frame offsets.
  ///
  /// The code of `_Float16` is a blank, which `MethodTypes` reads with `blankIsFloat16: true` only.
  public var description: String { types.text() }
}

extension PlannedSignature {
  /// Returns whether a Swift type matches an argument or the result.
  ///
  /// The index is that of an argument, or the number of arguments for the result.
  @inlinable @inline(__always)
  func accepts<Value: EncodedValue>(_ type: Value.Type, at index: Int) -> Bool {
    unsafe Value.matches(plan.slots, at: index, pointsRight(type, at: index))
  }
}
