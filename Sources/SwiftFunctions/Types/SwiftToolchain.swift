/// What is known of the modules of the toolchain.
///
/// Their non-frozen types and the ownership of their parameters are part of the stable binary interface. Names of modules
/// are those of the binary interface, in which `_Concurrency` is part of `Swift`.
enum SwiftToolchain {
  // MARK: Functions

  /// The modules whose public declarations are known: the functions that a symbol does not describe are listed below.
  static let modules: Set<String> = [
    "Swift", "_StringProcessing", "RegexBuilder", "Observation", "Synchronization", "Distributed", "Runtime", "_Differentiation",
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "FoundationXML",
  ]

  /// The exported functions that consume their target.
  static let consuming: Set<String> = [
    "$sSS12makeIteratorSS0B0VyF", "$sSS9UTF16ViewV12makeIteratorAB0D0VyF", "$sSS17UnicodeScalarViewV12makeIteratorAB0E0VyF",
    "$ss26DefaultStringInterpolationV4makeSSyF", "$ss6HasherV8finalizeSiyF",
  ]

  /// The exported functions that are `@unsafe`, although their types are safe.
  static let unsafeFunctions: Set<String> = [
    "$ss22_uncheckedUnsafeAssumeyySbF", "$ss8UTF8SpanV21UnicodeScalarIteratorV5reset11toUncheckedySi_tF",
    "$ss8UTF8SpanV17CharacterIteratorV5reset11toUncheckedySi_tF",
  ]

  /// The types that are `@unsafe`.
  static let unsafeTypes: Set<String> = Set(
    [
      "UnsafePointer", "UnsafeMutablePointer", "UnsafeRawPointer", "UnsafeMutableRawPointer", "UnsafeBufferPointer",
      "UnsafeMutableBufferPointer", "UnsafeRawBufferPointer", "UnsafeMutableRawBufferPointer", "AutoreleasingUnsafeMutablePointer",
      "OpaquePointer", "CVaListPointer", "Unmanaged", "UnsafeContinuation", "UnsafeCurrentTask", "UnownedSerialExecutor",
      "UnownedTaskExecutor", "__VaListBuilder", "__RawDictionaryStorage", "__EmptyDictionarySingleton", "_DictionaryStorage",
      "__RawSetStorage", "__EmptySetSingleton", "_SetStorage", "_HashTable", "_UnsafeBitset",
      "_UnsafePartiallyInitializedContiguousArrayBuffer",
    ].map { "Swift." + $0 })

  // MARK: Types

  /// How the values of a struct or enum are passed, or nil if it is not known.
  static func passing(of path: String, in module: String) -> SwiftModules.Passing? {
    if frozen[module]?.contains(path) ?? false { return .value }
    return resilient[module]?.contains(path) ?? false ? .address : nil
  }

  private static func names(_ text: String) -> Set<String> { Set(text.split(whereSeparator: \.isWhitespace).map(String.init)) }

  // From the module interfaces of the Swift 6.3 toolchain, with which a test compares them.

  /// The frozen structs and enums that the value witnesses do not tell from others.
  private static let frozen: [String: Set<String>] = [
    "Swift": names(
      """
      Character ClosedRange CollectionDifference.Change CollectionOfOne CollectionOfOne.Iterator DefaultIndices
      DefaultStringInterpolation DropFirstSequence DropWhileSequence DropWhileSequence.Iterator EnumeratedSequence
      EnumeratedSequence.Index EnumeratedSequence.Iterator FlattenSequence FlattenSequence.Index FlattenSequence.Iterator
      IndexingIterator InlineArray IteratorSequence JoinedSequence JoinedSequence.Iterator LazyDropWhileSequence
      LazyDropWhileSequence.Iterator LazyFilterSequence LazyFilterSequence.Iterator LazyMapSequence LazyMapSequence.Iterator
      LazyPrefixWhileSequence LazyPrefixWhileSequence.Index LazyPrefixWhileSequence.Iterator
      LazyPrefixWhileSequence._IndexRepresentation LazySequence Optional PartialRangeFrom PartialRangeFrom.Iterator
      PartialRangeThrough PartialRangeUpTo PrefixSequence PrefixSequence.Iterator Range Repeated Result ReversedCollection
      ReversedCollection.Index ReversedCollection.Iterator SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask Slice
      StrideThrough StrideThroughIterator StrideTo StrideToIterator String String.Iterator String.UTF16View
      String.UTF16View.Iterator String.UTF8View String.UnicodeScalarView String.UnicodeScalarView.Iterator Substring
      Substring.UTF16View Substring.UTF8View Substring.UnicodeScalarView UnfoldSequence Unicode.ParseResult Zip2Sequence
      Zip2Sequence.Iterator _ArrayBody _PlaygroundQuickLook _StringGuts
      """),
    "Synchronization": names(
      """
      Atomic AtomicLazyReference Mutex _Cell _MutexHandle
      """),
    "_Differentiation": names(
      """
      _ConcreteDerivativeBox
      """),
  ]

  /// The structs and enums that are not frozen.
  private static let resilient: [String: Set<String>] = [
    "Distributed": names(
      """
      DistributedActorCodingError ExecuteDistributedTargetError ExecuteDistributedTargetError.ErrorCode LocalTestingActorID
      LocalTestingDistributedActorSystemError LocalTestingInvocationEncoder LocalTestingInvocationResultHandler
      RemoteCallArgument RemoteCallTarget
      """),
    "Observation": names(
      """
      ObservationRegistrar ObservationTracking ObservationTracking._AccessList Observations Observations.Iteration
      Observations.Iterator
      """),
    "RegexBuilder": names(
      """
      AlternationBuilder Anchor Capture CharacterClass ChoiceOf Local Lookahead NegativeLookahead One OneOrMore Optionally
      Reference RegexComponentBuilder Repeat TryCapture ZeroOrMore
      """),
    "Runtime": names(
      """
      ARM64Context ARM64Register ARMContext ARMRegister Backtrace Backtrace.Address Backtrace.Frame Backtrace.Image
      Backtrace.SymbolicationOptions Backtrace.UnwindAlgorithm BacktraceFormatter BacktraceFormatter.Alignment
      BacktraceFormatter.TableRow BacktraceFormatter.Themes BacktraceFormatter.Themes.PlainTheme BacktraceFormattingOptions
      BacktraceFormattingOptions.ImagesToShow Base64Decoder Base64Decoder.Iterator Base64Encoder Base64Encoder.Iterator
      CompactImageMapFormat CompactImageMapFormat.Decoder CompactImageMapFormat.Encoder
      CompactImageMapFormat.Encoder.Iterator ContextError FramePointerUnwinder I386Context I386Register ImageMap
      LimitSequence LimitSequence.Iterator MemserverError POSIXError RichFrame SymbolicatedBacktrace
      SymbolicatedBacktrace.Frame SymbolicatedBacktrace.SourceLocation UncachedLocalMemoryReader
      UncachedMemserverMemoryReader UncachedRemoteMemoryReader UnsafeLocalMemoryReader X86_64Context X86_64Register
      """),
    "Swift": names(
      """
      AsyncCompactMapSequence AsyncCompactMapSequence.Iterator AsyncDropFirstSequence AsyncDropFirstSequence.Iterator
      AsyncDropWhileSequence AsyncDropWhileSequence.Iterator AsyncFilterSequence AsyncFilterSequence.Iterator
      AsyncFlatMapSequence AsyncFlatMapSequence.Iterator AsyncMapSequence AsyncMapSequence.Iterator AsyncPrefixSequence
      AsyncPrefixSequence.Iterator AsyncPrefixWhileSequence AsyncPrefixWhileSequence.Iterator AsyncStream
      AsyncStream.Continuation AsyncStream.Continuation.BufferingPolicy AsyncStream.Continuation.Termination
      AsyncStream.Continuation.YieldResult AsyncStream.Iterator AsyncThrowingCompactMapSequence
      AsyncThrowingCompactMapSequence.Iterator AsyncThrowingDropWhileSequence AsyncThrowingDropWhileSequence.Iterator
      AsyncThrowingFilterSequence AsyncThrowingFilterSequence.Iterator AsyncThrowingFlatMapSequence
      AsyncThrowingFlatMapSequence.Iterator AsyncThrowingMapSequence AsyncThrowingMapSequence.Iterator
      AsyncThrowingPrefixWhileSequence AsyncThrowingPrefixWhileSequence.Iterator AsyncThrowingStream
      AsyncThrowingStream.Continuation AsyncThrowingStream.Continuation.BufferingPolicy
      AsyncThrowingStream.Continuation.Termination AsyncThrowingStream.Continuation.YieldResult AsyncThrowingStream.Iterator
      CancellationError CheckedContinuation CodingUserInfoKey CollectionDifference ContinuousClock ContinuousClock.Instant
      DecodingError DecodingError.Context DiscontiguousSlice DiscontiguousSlice.Index EncodingError EncodingError.Context
      ExecutorJob.LocalAllocator FloatingPointRoundingRule KeyedDecodingContainer KeyedEncodingContainer Mirror
      Mirror.AncestorRepresentation Mirror.DisplayStyle PlatformExecutorFactory RangeSet RangeSet.Ranges SuspendingClock
      SuspendingClock.Instant TaskGroup.Iterator TaskPriority ThrowingTaskGroup.Iterator UTF8Span.CharacterIterator
      Unicode.CanonicalCombiningClass Unicode.GeneralCategory Unicode.NumericType Unicode.Scalar.Properties
      Unicode._CharacterRecognizer Unicode._NFC Unicode._NFC.Iterator Unicode._NFD Unicode._NFD.Iterator
      Unicode._RandomAccessWordRecognizer Unicode._WordRecognizer UnsafeCurrentTask _DependenceType _EachFieldOptions
      _MetadataKind _StringRepresentation _StringRepresentation._Form _SwiftifyExpr _SwiftifyInfo
      _SwiftifyProtocolMethodInfo
      """),
    "Testing": names(
      """
      Attachment Bug Comment Comment.StringInterpolation ConditionTrait Confirmation ExitStatus ExitTest ExitTest.Condition
      ExitTest.Result Expectation ExpectationFailedError Issue Issue.Kind Issue.Severity IssueHandlingTrait
      ParallelizationTrait SourceLocation Tag Tag.List Test Test.Case Test.ID TimeLimitTrait TimeLimitTrait.Duration
      __CommandLineArguments_v0 __Expression
      """),
    "_Differentiation": names(
      """
      AnyDifferentiable
      """),
    "_StringProcessing": names(
      """
      AnyRegexOutput AnyRegexOutput.Element DSLTree DSLTree.Atom DSLTree.Atom.Assertion DSLTree.Atom.CharacterClass
      DSLTree.CustomCharacterClass DSLTree.CustomCharacterClass.Member DSLTree._AST DSLTree._AST.ASTNode
      DSLTree._AST.AbsentFunction DSLTree._AST.Atom DSLTree._AST.ConditionKind DSLTree._AST.GroupKind
      DSLTree._AST.MatchingOptionSequence DSLTree._AST.QuantificationAmount DSLTree._AST.QuantificationKind
      DSLTree._AST.Reference ReferenceID Regex Regex.Match Regex._RegexInternalAction RegexRepetitionBehavior
      RegexSemanticLevel RegexWordBoundaryKind _CompileOptions _RegexFactory
      """),
  ]
}
