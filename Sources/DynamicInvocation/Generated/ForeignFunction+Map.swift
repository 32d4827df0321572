// Written by make generate from Scripts/Templates/DynamicInvocation/ForeignFunction+Map.swift.template.

extension ForeignFunction {
  /// Calls the function with each element of an array.
  ///
  ///     let roots: [Double] = try sqrt.map([1, 4, 9])                // [1, 2, 3]
  ///
  /// - Parameters:
  ///   - a: The argument of each call.
  ///   - type: The type of the results; mostly it follows from the context.
  /// - Returns: The results, in order.
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, and for literals as a call does.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each, and the result.
  public func map<A: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ a: [A], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map([ColumnCopy(a, 0, of: self)])
  }

  /// Calls the function with the first elements of two arrays, then with the second, and so on.
  ///
  ///     let powers: [Double] = try pow.map([1, 2, 3], [2, 2, 2])     // [1, 4, 9]
  ///
  /// The arrays are of one length. See the form with one array. For more than four, see ``callEach(rows:_:results:)``.
  public func map<A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ a: [A], _ b: [B], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self)])
  }

  /// Calls the function with the first elements of three arrays, then with the second, and so on; see the form with two.
  public func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    Result: EncodedValue & BitwiseCopyable
  >(
    _ a: [A], _ b: [B], _ c: [C], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self)])
  }

  /// Calls the function with the first elements of four arrays, then with the second, and so on; see the form with two.
  public func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    D: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable
  >(
    _ a: [A], _ b: [B], _ c: [C], _ d: [D], as type: Result.Type = Result.self
  ) throws(InvocationError) -> [Result] {
    try map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self), ColumnCopy(d, 3, of: self)])
  }

  /// Calls the function with each row of one array, and stores the results in an array of that length.
  ///
  ///     var roots = [0.0, 0, 0]
  ///     try sqrt.map([1, 4, 9], into: &roots)                        // [1, 2, 3]
  ///
  /// If an error is thrown, the results of the rows before it are stored.
  ///
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, `countMismatch` also for arrays of different lengths.
  public func map<A: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ a: [A], into results: inout [Result]
  ) throws(InvocationError) {
    try map([ColumnCopy(a, 0, of: self)], into: &results)
  }

  /// Calls the function with each row of two arrays, and stores the results in an array of that length.
  ///
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, `countMismatch` also for arrays of different lengths.
  public func map<A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable>(
    _ a: [A], _ b: [B], into results: inout [Result]
  ) throws(InvocationError) {
    try map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self)], into: &results)
  }

  /// Calls the function with each row of three arrays, and stores the results in an array of that length.
  ///
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, `countMismatch` also for arrays of different lengths.
  public func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    Result: EncodedValue & BitwiseCopyable
  >(
    _ a: [A], _ b: [B], _ c: [C], into results: inout [Result]
  ) throws(InvocationError) {
    try map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self)], into: &results)
  }

  /// Calls the function with each row of four arrays, and stores the results in an array of that length.
  ///
  /// - Throws: `InvocationError` as ``callEach(rows:_:results:)`` does, `countMismatch` also for arrays of different lengths.
  public func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    D: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable
  >(
    _ a: [A], _ b: [B], _ c: [C], _ d: [D], into results: inout [Result]
  ) throws(InvocationError) {
    try map(
      [ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self), ColumnCopy(d, 3, of: self)], into: &results)
  }

  /// Calls the function with each row of one array on several threads, and returns the results in order.
  ///
  ///     let roots: [Double] = try await sqrt.map(numbers, concurrently: .threadSafe())
  ///
  /// - Throws: `InvocationError` with the row of the first call that fails, and `CancellationError`: see
  ///   ``RowConcurrency``.
  /// - Complexity: O(bytes of the arrays); allocates a copy of each, the result, and a task for each chunk of rows.
  public nonisolated(nonsending) func map<A: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable & SendableMetatype>(
    _ a: [A], as type: Result.Type = Result.self, concurrently concurrency: RowConcurrency
  ) async throws -> [Result] {
    try await map([ColumnCopy(a, 0, of: self)], concurrency)
  }

  /// Calls the function with each row of two arrays on several threads, and returns the results in order.
  public nonisolated(nonsending) func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable & SendableMetatype
  >(
    _ a: [A], _ b: [B], as type: Result.Type = Result.self, concurrently concurrency: RowConcurrency
  ) async throws -> [Result] {
    try await map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self)], concurrency)
  }

  /// Calls the function with each row of three arrays on several threads, and returns the results in order.
  public nonisolated(nonsending) func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    Result: EncodedValue & BitwiseCopyable & SendableMetatype
  >(
    _ a: [A], _ b: [B], _ c: [C], as type: Result.Type = Result.self, concurrently concurrency: RowConcurrency
  ) async throws -> [Result] {
    try await map([ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self)], concurrency)
  }

  /// Calls the function with each row of four arrays on several threads, and returns the results in order.
  public nonisolated(nonsending) func map<
    A: EncodedValue & BitwiseCopyable, B: EncodedValue & BitwiseCopyable, C: EncodedValue & BitwiseCopyable,
    D: EncodedValue & BitwiseCopyable, Result: EncodedValue & BitwiseCopyable & SendableMetatype
  >(
    _ a: [A], _ b: [B], _ c: [C], _ d: [D], as type: Result.Type = Result.self, concurrently concurrency: RowConcurrency
  ) async throws -> [Result] {
    try await map(
      [ColumnCopy(a, 0, of: self), ColumnCopy(b, 1, of: self), ColumnCopy(c, 2, of: self), ColumnCopy(d, 3, of: self)], concurrency)
  }
}
