// Written by make generate (Scripts/toolchain-types.py) from the interfaces of the toolchain's modules.

extension SwiftToolchain {
  /// The structs and enums that are frozen.
  static let frozen: [String: Set<String>] = [
    "Swift": names(
      """
      AnyBidirectionalCollection AnyCollection AnyHashable AnyIndex AnyIterator AnyRandomAccessCollection AnySequence Array
      ArraySlice Bool CVaListPointer Character ClosedRange ClosedRange.Index CollectionDifference.Change CollectionDifference.Index
      CollectionOfOne CollectionOfOne.Iterator CommandLine ContiguousArray DefaultIndices DefaultStringInterpolation Dictionary
      Dictionary.Index Dictionary.Index._Variant Dictionary.Iterator Dictionary.Iterator._Variant Dictionary.Keys
      Dictionary.Keys.Iterator Dictionary.Values Dictionary.Values.Iterator Dictionary._Variant DiscardingTaskGroup Double
      Double.SIMD16Storage Double.SIMD2Storage Double.SIMD32Storage Double.SIMD4Storage Double.SIMD64Storage Double.SIMD8Storage
      DropFirstSequence DropWhileSequence DropWhileSequence.Iterator Duration EmptyCollection EmptyCollection.Iterator
      EnumeratedSequence EnumeratedSequence.Index EnumeratedSequence.Iterator ExecutorJob ExecutorJob.Kind FlattenSequence
      FlattenSequence.Index FlattenSequence.Iterator Float Float.SIMD16Storage Float.SIMD2Storage Float.SIMD32Storage
      Float.SIMD4Storage Float.SIMD64Storage Float.SIMD8Storage Float16 Float16.SIMD16Storage Float16.SIMD2Storage
      Float16.SIMD32Storage Float16.SIMD4Storage Float16.SIMD64Storage Float16.SIMD8Storage Float80 Float80._Representation
      FloatingPointClassification FloatingPointSign Hasher Hasher._Core Hasher._State Hasher._TailBuffer IndexingIterator
      InlineArray Int Int.SIMD16Storage Int.SIMD2Storage Int.SIMD32Storage Int.SIMD4Storage Int.SIMD64Storage Int.SIMD8Storage
      Int.Words Int128 Int16 Int16.SIMD16Storage Int16.SIMD2Storage Int16.SIMD32Storage Int16.SIMD4Storage Int16.SIMD64Storage
      Int16.SIMD8Storage Int16.Words Int32 Int32.SIMD16Storage Int32.SIMD2Storage Int32.SIMD32Storage Int32.SIMD4Storage
      Int32.SIMD64Storage Int32.SIMD8Storage Int32.Words Int64 Int64.SIMD16Storage Int64.SIMD2Storage Int64.SIMD32Storage
      Int64.SIMD4Storage Int64.SIMD64Storage Int64.SIMD8Storage Int64.Words Int8 Int8.SIMD16Storage Int8.SIMD2Storage
      Int8.SIMD32Storage Int8.SIMD4Storage Int8.SIMD64Storage Int8.SIMD8Storage Int8.Words IteratorSequence Job JobPriority
      JoinedSequence JoinedSequence.Iterator JoinedSequence.Iterator._JoinIteratorState KeyValuePairs LazyDropWhileSequence
      LazyDropWhileSequence.Iterator LazyFilterSequence LazyFilterSequence.Iterator LazyMapSequence LazyMapSequence.Iterator
      LazyPrefixWhileCollection.Index LazyPrefixWhileCollection._IndexRepresentation LazyPrefixWhileSequence
      LazyPrefixWhileSequence.Index LazyPrefixWhileSequence.Iterator LazyPrefixWhileSequence._IndexRepresentation LazySequence
      ManagedBufferPointer MemoryLayout MutableRawSpan MutableSpan Never ObjectIdentifier OpaquePointer Optional OutputRawSpan
      OutputSpan PartialRangeFrom PartialRangeFrom.Iterator PartialRangeThrough PartialRangeUpTo PrefixSequence
      PrefixSequence.Iterator Range RawSpan Repeated Result ReversedCollection ReversedCollection.Index ReversedCollection.Iterator
      SIMD16 SIMD2 SIMD3 SIMD32 SIMD4 SIMD64 SIMD8 SIMDMask Set Set.Index Set.Index._Variant Set.Iterator Set.Iterator._Variant
      Set._Variant Slice Span StaticBigInt StaticString StrideThrough StrideThroughIterator StrideTo StrideToIterator String
      String.Index String.Iterator String.UTF16View String.UTF16View.Iterator String.UTF8View String.UnicodeScalarView
      String.UnicodeScalarView.Iterator Substring Substring.UTF16View Substring.UTF8View Substring.UnicodeScalarView
      SystemRandomNumberGenerator Task TaskGroup ThrowingDiscardingTaskGroup ThrowingTaskGroup UInt UInt.SIMD16Storage
      UInt.SIMD2Storage UInt.SIMD32Storage UInt.SIMD4Storage UInt.SIMD64Storage UInt.SIMD8Storage UInt.Words UInt128 UInt128.Words
      UInt16 UInt16.SIMD16Storage UInt16.SIMD2Storage UInt16.SIMD32Storage UInt16.SIMD4Storage UInt16.SIMD64Storage
      UInt16.SIMD8Storage UInt16.Words UInt32 UInt32.SIMD16Storage UInt32.SIMD2Storage UInt32.SIMD32Storage UInt32.SIMD4Storage
      UInt32.SIMD64Storage UInt32.SIMD8Storage UInt32.Words UInt64 UInt64.SIMD16Storage UInt64.SIMD2Storage UInt64.SIMD32Storage
      UInt64.SIMD4Storage UInt64.SIMD64Storage UInt64.SIMD8Storage UInt64.Words UInt8 UInt8.SIMD16Storage UInt8.SIMD2Storage
      UInt8.SIMD32Storage UInt8.SIMD4Storage UInt8.SIMD64Storage UInt8.SIMD8Storage UInt8.Words UTF8Span
      UTF8Span.UnicodeScalarIterator UnboundedRange_ UnfoldSequence Unicode Unicode.ASCII Unicode.ASCII.Parser Unicode.ParseResult
      Unicode.Scalar Unicode.Scalar.UTF16View Unicode.Scalar.UTF8View Unicode.UTF16 Unicode.UTF16.ForwardParser
      Unicode.UTF16.ReverseParser Unicode.UTF32 Unicode.UTF32.Parser Unicode.UTF8 Unicode.UTF8.ForwardParser
      Unicode.UTF8.ReverseParser Unicode.UTF8.ValidationError Unicode.UTF8.ValidationError.Kind UnicodeDecodingResult Unmanaged
      UnownedJob UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeBufferPointer.Iterator UnsafeContinuation
      UnsafeMutableBufferPointer UnsafeMutablePointer UnsafeMutableRawBufferPointer UnsafeMutableRawPointer UnsafePointer
      UnsafeRawBufferPointer UnsafeRawBufferPointer.Iterator UnsafeRawPointer Zip2Sequence Zip2Sequence.Iterator _ArrayBody
      _BridgeStorage _ClosureBasedIterator _ClosureBasedSequence _ContiguousArrayBuffer _DebuggerSupport _DependenceToken
      _DictionaryBuilder _HashTable _HashTable.Bucket _HashTable.Index _HashTable.Iterator _MergeError _NativeDictionary
      _NativeDictionary.Iterator _NativeSet _NativeSet.Iterator _OpaqueStringSwitchCache _OptionalNilComparisonType
      _PlaygroundQuickLook _SetBuilder _SliceBuffer _SmallString _StringComparisonResult _StringGuts _StringObject
      _StringObject.CountAndFlags _StringObject.Nibbles _UIntBuffer _UIntBuffer.Index _UIntBuffer.Iterator _UnsafeBitset
      _UnsafeBitset.Iterator _UnsafeBitset.Word _UnsafePartiallyInitializedContiguousArrayBuffer _ValidUTF8Buffer
      _ValidUTF8Buffer.Index _ValidUTF8Buffer.Iterator __VaListBuilder.Header
      """),
    "Synchronization": names(
      """
      Atomic AtomicLazyReference AtomicLoadOrdering AtomicStoreOrdering AtomicUpdateOrdering Mutex WordPair _Atomic128BitStorage
      _Atomic16BitStorage _Atomic32BitStorage _Atomic64BitStorage _Atomic8BitStorage _Cell _MutexHandle
      """),
    "_Differentiation": names(
      """
      AnyDerivative AnyDerivative.OpaqueZero Array.DifferentiableView Optional.TangentVector _ConcreteDerivativeBox
      """),
  ]

  /// The structs and enums that are not frozen.
  static let resilient: [String: Set<String>] = [
    "Distributed": names(
      """
      DistributedActorCodingError ExecuteDistributedTargetError ExecuteDistributedTargetError.ErrorCode LocalTestingActorID
      LocalTestingDistributedActorSystemError LocalTestingInvocationEncoder LocalTestingInvocationResultHandler RemoteCallArgument
      RemoteCallTarget
      """),
    "Observation": names(
      """
      ObservationRegistrar ObservationTracking ObservationTracking._AccessList Observations Observations.Iteration
      Observations.Iterator
      """),
    "RegexBuilder": names(
      """
      AlternationBuilder Anchor Capture CharacterClass ChoiceOf Local Lookahead NegativeLookahead One OneOrMore Optionally Reference
      RegexComponentBuilder Repeat TryCapture ZeroOrMore
      """),
    "Runtime": names(
      """
      ARM64Context ARM64Register ARMContext ARMRegister Backtrace Backtrace.Address Backtrace.Frame Backtrace.Image
      Backtrace.SymbolicationOptions Backtrace.UnwindAlgorithm BacktraceFormatter BacktraceFormatter.Alignment
      BacktraceFormatter.TableRow BacktraceFormatter.Themes BacktraceFormatter.Themes.PlainTheme BacktraceFormattingOptions
      BacktraceFormattingOptions.ImagesToShow Base64Decoder Base64Decoder.Iterator Base64Encoder Base64Encoder.Iterator
      CompactImageMapFormat CompactImageMapFormat.Decoder CompactImageMapFormat.Encoder CompactImageMapFormat.Encoder.Iterator
      ContextError FramePointerUnwinder I386Context I386Register ImageMap LimitSequence LimitSequence.Iterator MemserverError
      POSIXError RichFrame SymbolicatedBacktrace SymbolicatedBacktrace.Frame SymbolicatedBacktrace.SourceLocation
      UncachedLocalMemoryReader UncachedMemserverMemoryReader UncachedRemoteMemoryReader UnsafeLocalMemoryReader X86_64Context
      X86_64Register
      """),
    "Swift": names(
      """
      AsyncCompactMapSequence AsyncCompactMapSequence.Iterator AsyncDropFirstSequence AsyncDropFirstSequence.Iterator
      AsyncDropWhileSequence AsyncDropWhileSequence.Iterator AsyncFilterSequence AsyncFilterSequence.Iterator AsyncFlatMapSequence
      AsyncFlatMapSequence.Iterator AsyncMapSequence AsyncMapSequence.Iterator AsyncPrefixSequence AsyncPrefixSequence.Iterator
      AsyncPrefixWhileSequence AsyncPrefixWhileSequence.Iterator AsyncStream AsyncStream.Continuation
      AsyncStream.Continuation.BufferingPolicy AsyncStream.Continuation.Termination AsyncStream.Continuation.YieldResult
      AsyncStream.Iterator AsyncThrowingCompactMapSequence AsyncThrowingCompactMapSequence.Iterator AsyncThrowingDropWhileSequence
      AsyncThrowingDropWhileSequence.Iterator AsyncThrowingFilterSequence AsyncThrowingFilterSequence.Iterator
      AsyncThrowingFlatMapSequence AsyncThrowingFlatMapSequence.Iterator AsyncThrowingMapSequence AsyncThrowingMapSequence.Iterator
      AsyncThrowingPrefixWhileSequence AsyncThrowingPrefixWhileSequence.Iterator AsyncThrowingStream
      AsyncThrowingStream.Continuation AsyncThrowingStream.Continuation.BufferingPolicy AsyncThrowingStream.Continuation.Termination
      AsyncThrowingStream.Continuation.YieldResult AsyncThrowingStream.Iterator CancellationError CheckedContinuation
      CodingUserInfoKey CollectionDifference ContinuousClock ContinuousClock.Instant DecodingError DecodingError.Context
      DiscontiguousSlice DiscontiguousSlice.Index EncodingError EncodingError.Context ExecutorJob.LocalAllocator
      FloatingPointRoundingRule KeyedDecodingContainer KeyedEncodingContainer Mirror Mirror.AncestorRepresentation
      Mirror.DisplayStyle PlatformExecutorFactory RangeSet RangeSet.Ranges SuspendingClock SuspendingClock.Instant
      TaskGroup.Iterator TaskPriority ThrowingTaskGroup.Iterator UTF8Span.CharacterIterator Unicode.CanonicalCombiningClass
      Unicode.GeneralCategory Unicode.NumericType Unicode.Scalar.Properties Unicode._CharacterRecognizer Unicode._NFC
      Unicode._NFC.Iterator Unicode._NFD Unicode._NFD.Iterator Unicode._RandomAccessWordRecognizer Unicode._WordRecognizer
      UnsafeCurrentTask _DependenceType _EachFieldOptions _MetadataKind _StringRepresentation _StringRepresentation._Form
      _SwiftifyExpr _SwiftifyInfo _SwiftifyProtocolMethodInfo
      """),
    "Testing": names(
      """
      Attachment Bug Comment Comment.StringInterpolation ConditionTrait Confirmation ExitStatus ExitTest ExitTest.Condition
      ExitTest.Result Expectation ExpectationFailedError Issue Issue.Kind Issue.Severity IssueHandlingTrait ParallelizationTrait
      SourceLocation Tag Tag.List Test Test.Case Test.ID TimeLimitTrait TimeLimitTrait.Duration __CommandLineArguments_v0
      __Expression
      """),
    "_Differentiation": names(
      """
      AnyDifferentiable
      """),
    "_StringProcessing": names(
      """
      AnyRegexOutput AnyRegexOutput.Element DSLTree DSLTree.Atom DSLTree.Atom.Assertion DSLTree.Atom.CharacterClass
      DSLTree.CustomCharacterClass DSLTree.CustomCharacterClass.Member DSLTree._AST DSLTree._AST.ASTNode DSLTree._AST.AbsentFunction
      DSLTree._AST.Atom DSLTree._AST.ConditionKind DSLTree._AST.GroupKind DSLTree._AST.MatchingOptionSequence
      DSLTree._AST.QuantificationAmount DSLTree._AST.QuantificationKind DSLTree._AST.Reference ReferenceID Regex Regex.Match
      Regex._RegexInternalAction RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind _CompileOptions _RegexFactory
      """),
  ]
}
