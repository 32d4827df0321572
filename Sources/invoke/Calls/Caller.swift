import DynamicInvocation

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Executes requests, and caches libraries, symbols and signatures for later ones.
final class Caller {
  /// The maximum number of JSON values of a result or a buffer.
  static let mostValues = 1 << 22

  /// The maximum number of bytes of all texts of types that are cached, and of one of them.
  ///
  /// A signature takes a few hundred times the memory of its text. A full cache is emptied, so that a batch of ever new
  /// types needs bounded memory.
  private static let mostBytes = 1 << 16
  private static let longestKey = 1 << 10

  private struct TypesKey: Hashable {
    var types: String
    var context: [String]
    var dialect: TypeEncoding.Dialect
    var hints: TypeEncoding.LayoutHints
    var fixedCount: Int?

    var byteCount: Int { context.reduce(types.utf8.count) { $0 + $1.utf8.count } }
  }

  private struct Plan {
    /// The types as written, which specify how values are read and shown.
    var types: MethodTypes
    /// The types with an address for each reference, so that the call does not retain, release or read a C string.
    var signature: MethodSignature
  }

  private let symbols = SymbolFinder()
  private var plans: [TypesKey: Plan] = [:]
  /// The number of bytes of the texts in `plans`.
  private var planBytes = 0

  /// Executes the request of a line, and returns its answer or its error as a line.
  func answer(line: [UInt8], takesWords: Bool = false) -> JSONValue {
    do throws(InvocationError) {
      return try answer(CallRequest(line: line, takesWords: takesWords)).line
    } catch {
      return error.line
    }
  }

  /// Calls the function or reads the variable, and returns the result and the buffers.
  ///
  /// - Throws: The error of the request; then nothing was called.
  func answer(_ request: CallRequest) throws(InvocationError) -> CallAnswer {
    if request.isVariable { return try read(request) }
    let implementation = try symbols.function(request.symbol, library: request.library)
    do throws(InvocationError) { return try call(request, implementation) } catch {
      throw error.about(request.callee)
    }
  }

  // MARK: Functions

  private func call(_ request: CallRequest, _ implementation: Implementation) throws(InvocationError) -> CallAnswer {
    let plan = try plan(request)
    let types = plan.types.arguments
    guard request.arguments.count == types.count else {
      let given = request.arguments.count.counted("argument")
      throw InvocationError(.countMismatch, "\(given) given, the signature takes \(types.count)", encoding: request.types)
    }
    // All memory that the callee receives stays alive until the answer is made: a result may point into an argument.
    let arena = BufferArena()
    let invocation = Invocation(plan.signature, retainsArguments: false)
    invocation.capturesErrno = request.capturesErrno
    var buffers: [(index: Int, buffer: ValueReader.Buffer)] = []
    for (index, type) in types.enumerated() {
      do throws(InvocationError) {
        var reader = ValueReader(arena: arena) { [symbols] (name) throws(InvocationError) in
          try symbols.callback(name, library: request.library)
        }
        let argument = try reader.argument(request.arguments[index].value(for: type), as: type)
        if let buffer = argument.buffer {
          try requireDeclared(buffer.element, request)
          buffers.append((index, buffer))
        }
        try invocation.setArgument(from: argument.value, at: index)
      } catch {
        throw error.at(.index(index))
      }
    }
    // The request names the function, so a null target is an ordinary argument.
    try invocation.call(implementation)
    // Output that the callee printed precedes its answer.
    fflush(nil)
    let result = try result(of: invocation, as: plan.types.result, arena)
    return withExtendedLifetime((arena, invocation)) {
      CallAnswer(
        result: result,
        buffers: buffers.map { ($0.index, ValueWriter.elements($0.buffer.count, of: $0.buffer.element, at: $0.buffer.address)) },
        errorNumber: request.capturesErrno ? invocation.capturedErrno : nil)
    }
  }

  private func result(of invocation: Invocation, as type: TypeEncoding, _ arena: BufferArena) throws(InvocationError) -> JSONValue {
    let memory = try arena.allocate(byteCount: type.size ?? 0, alignment: max(type.alignment ?? 1, 16))
    try invocation.getReturnValue(into: memory)
    return ValueWriter.value(of: type, at: memory)
  }

  private func plan(_ request: CallRequest) throws(InvocationError) -> Plan {
    let key = TypesKey(
      types: request.types, context: request.context, dialect: request.dialect, hints: request.hints, fixedCount: request.fixedCount)
    if let known = plans[key] { return known }
    let types = try request.parsedTypes()
    let words = MethodTypes(result: types.result.asAddress, arguments: types.arguments.map(\.asAddress))
    let signature = try MethodSignature(words, fixedArgumentCount: request.fixedCount)
    do {
      try requireBounded(types.result)
      try requireDeclared(types.result, request)
    } catch {
      throw error.at(.result)
    }
    for (index, type) in types.arguments.enumerated() {
      if case .array = type.kind { continue }
      do { try requireDeclared(type, request) } catch { throw error.at(.index(index)) }
    }
    let plan = Plan(types: types, signature: signature)
    guard key.byteCount <= Self.longestKey else { return plan }
    if planBytes + key.byteCount > Self.mostBytes { (plans, planBytes) = ([:], 0) }
    plans[key] = plan
    planBytes += key.byteCount
    return plan
  }

  // MARK: Variables

  private func read(_ request: CallRequest) throws(InvocationError) -> CallAnswer {
    let type: TypeEncoding
    do throws(InvocationError) {
      type = try request.parsedTypes().result
      try requireBounded(type)
      try requireDeclared(type, request)
    } catch {
      throw error.about(request.callee)
    }
    let address = try symbols.variable(request.symbol, library: request.library, type: type)
    // Read from a copy, because another thread may write to the variable while it is converted to JSON.
    let copy = BufferArena()
    let memory = try copy.allocate(byteCount: type.size ?? 0, alignment: max(type.alignment ?? 1, 16))
    memory.copyMemory(from: address, byteCount: type.size ?? 0)
    return withExtendedLifetime(copy) { CallAnswer(result: ValueWriter.value(of: type, at: memory)) }
  }

  // MARK: Rejected requests

  private func requireBounded(_ type: TypeEncoding) throws(InvocationError) {
    guard type.valueCount(limit: Self.mostValues) <= Self.mostValues, type.size ?? 0 <= 1 << 28 else {
      throw InvocationError(.limitExceeded, "a result of more than \(Self.mostValues) values", encoding: type.description)
    }
  }

  /// Throws if the declared type of a NeXT bit-field is unknown.
  ///
  /// Its encoding does not state that type, but its location in memory depends on it.
  private func requireDeclared(_ type: TypeEncoding, _ request: CallRequest) throws(InvocationError) {
    guard request.hints.bitFieldType == nil, let width = type.undeclaredBitField else { return }
    throw InvocationError(
      .unsupportedType,
      "b\(width) does not tell the declared type of the bit-field, on which the layout depends: "
        + "state it as the request's bitfield, or in the type as b<first bit><type>\(width)",
      encoding: type.description)
  }
}
