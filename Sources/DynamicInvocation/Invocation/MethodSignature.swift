import Synchronization

/// The types of a method or function and the plan to call it, immutable and shared.
///
/// Signatures are interned: as long as one is in use, making it again from the same types gives the same object, on every thread. The first
/// texts that a process looks up are found again without a lock, and their signatures kept.
///
/// Index 0 is the target and index 1 the selector of a method, as in NSMethodSignature; the index 0 of a plain function is its first argument.
///
/// - Complexity: One word. Made anew: O(bytes of the text) and a few allocations; found again: a few loads for a text of at most 15 bytes that was
///   looked up of late, else one hash of the text.
public struct MethodSignature: Sendable {
  @usableFromInline let storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// Creates or finds the signature that a text encodes.
  ///
  /// - Parameters:
  ///   - types: The return type and the argument types, with or without frame offsets: `d@:q{Rect={Point=dd}{Size=dd}}`, `ddd`.
  ///   - dialect: The dialect, which decides what `l` and `L` mean.
  ///   - fixedArgumentCount: For a variadic function, the number of arguments before the ellipsis. The encoding carries no trace of it.
  ///   - backend: The way to carry the call out; signatures of different backends are equal when their types are.
  /// - Throws: ``InvocationError``: `malformedEncoding` with the byte offset, `limitExceeded`, `outOfRange` for a fixed count past the
  ///   arguments, and `unsupportedType` for a type that cannot be passed right on this platform or a variadic type that C promotes.
  public init(
    types: String, dialect: TypeEncoding.Dialect = .next, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, dialect: dialect, fixedCount: fixedArgumentCount, backend: backend)
  }

  /// Creates or finds the signature of types that were read or built already.
  ///
  /// This is the way to pass packed or over-aligned structs, whose layout no text tells.
  ///
  /// - Throws: ``InvocationError`` as ``init(types:dialect:fixedArgumentCount:backend:)`` does, save for malformed
  ///   text.
  public init(
    _ types: MethodTypes, fixedArgumentCount: Int? = nil, backend: CallBackend = .automatic
  ) throws(InvocationError) {
    storage = try SignatureTable.shared.signature(types, fixedCount: fixedArgumentCount, backend: backend)
  }

  // Emitted into clients, so that the initializers above keep one caller in this module, which inlines the search.

  /// The former name of ``init(types:dialect:fixedArgumentCount:backend:)``.
  @available(*, deprecated, renamed: "init(types:dialect:fixedArgumentCount:backend:)")
  @_alwaysEmitIntoClient
  public init(
    types: String, dialect: TypeEncoding.Dialect = .next, fixedArgumentCount: Int? = nil, lane: CallBackend
  ) throws(InvocationError) {
    try self.init(types: types, dialect: dialect, fixedArgumentCount: fixedArgumentCount, backend: lane)
  }

  /// The former name of ``init(_:fixedArgumentCount:backend:)``.
  @available(*, deprecated, renamed: "init(_:fixedArgumentCount:backend:)")
  @_alwaysEmitIntoClient
  public init(_ types: MethodTypes, fixedArgumentCount: Int? = nil, lane: CallBackend) throws(InvocationError) {
    try self.init(types, fixedArgumentCount: fixedArgumentCount, backend: lane)
  }

  /// The types.
  public var types: MethodTypes { storage.types }

  /// The number of arguments; of a method including the target and the selector.
  public var numberOfArguments: Int { storage.types.arguments.count }

  /// The return type.
  public var returnType: TypeEncoding { storage.types.result }

  /// The size of the return value in bytes; 0 for void.
  public var returnLength: Int { storage.types.result.size ?? 0 }

  /// The bytes of a frame: what one call takes to hold its arguments and result.
  ///
  /// The number depends on the platform and the backend, as it did on Apple's platforms.
  public var frameLength: Int { storage.plan.frameSize }

  /// Whether the caller does not wait for the result: the return type is qualified `V`.
  public var isOneway: Bool { storage.types.isOneway }

  /// Whether the first two arguments are a target and a selector.
  public var isMethod: Bool { storage.plan.isMethod }

  /// The number of arguments before the ellipsis of a variadic function, or nil.
  public var fixedArgumentCount: Int? { storage.fixedCount }

  /// Returns the type of an argument.
  ///
  /// - Throws: ``InvocationError`` `indexOutOfRange`.
  public func argumentType(at index: Int) throws(InvocationError) -> TypeEncoding {
    guard index >= 0, index < numberOfArguments else { throw indexOutOfRange(index) }
    return storage.types.arguments[index]
  }
}

extension MethodSignature {
  /// The shared object behind equal signatures.
  @usableFromInline
  final class Storage: Sendable {
    @usableFromInline let types: MethodTypes
    @usableFromInline let plan: CallPlan
    let fixedCount: Int?
    /// What equality compares, written once.
    let identity: String
    /// Whether the object of an invocation has room for a frame.
    let fitsInline: Bool
    /// The address of a word for each argument and the result, or 0 as long as nobody needed them: see ``knownPointees``.
    private let pointeeWords: Atomic<UInt> = Atomic(0)

    init(types: MethodTypes, fixedCount: Int?, backend: CallBackend) throws(InvocationError) {
      plan = try CallPlan.make(types, fixedCount: fixedCount, backend: backend)
      fitsInline = InlineFrame.hasRoom(for: plan)
      self.types = types
      self.fixedCount = fixedCount
      identity = types.text(dialect: .gnu, options: [.structNames, .layoutOverrides]) + (fixedCount.map { "...\($0)" } ?? "")
    }

    /// Whether a Swift type is that of a slot, whose index is that of an argument or, behind the last one, of the result.
    @inlinable @inline(__always)
    func accepts<Value: EncodedValue>(_ type: Value.Type, _ slot: Slot, at index: Int) -> Bool {
      Value.accepts(slot.kind) && (Value.pointeeType == nil || pointsRight(type, at: index))
    }

    deinit {
      unsafe UnsafeMutablePointer<Atomic<UInt>>(bitPattern: pointeeWords.load(ordering: .acquiring))?.deallocate()
    }

    /// For each argument and the result the address of the Swift type that a pointer given for it was last found to point to, or 0.
    var knownPointees: UnsafeMutablePointer<Atomic<UInt>> {
      if let words = unsafe UnsafeMutablePointer<Atomic<UInt>>(bitPattern: pointeeWords.load(ordering: .acquiring)) { return unsafe words }
      let words = UnsafeMutablePointer<Atomic<UInt>>.allocate(capacity: plan.count + 1)
      for index in 0...plan.count { unsafe (words + index).initialize(to: Atomic(0)) }
      let (isFirst, others) = pointeeWords.compareExchange(
        expected: 0, desired: UInt(bitPattern: words), ordering: .acquiringAndReleasing)
      if isFirst { return unsafe words }
      // Another thread was quicker.
      unsafe words.deallocate()
      return unsafe UnsafeMutablePointer<Atomic<UInt>>(bitPattern: others).unsafelyUnwrapped
    }
  }
}

extension MethodSignature: Hashable, CustomStringConvertible {
  /// Returns whether two signatures have equal types, and the same number of fixed arguments if variadic.
  ///
  /// Names of classes, qualifiers and frame offsets do not count; struct names and members do.
  public static func == (left: MethodSignature, right: MethodSignature) -> Bool {
    left.storage === right.storage || left.storage.identity == right.storage.identity
  }

  /// Feeds what equality compares into a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(storage.identity) }

  /// The types as one text, without frame offsets.
  public var description: String { types.text() }
}
