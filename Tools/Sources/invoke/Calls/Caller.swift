@_spi(Tools) import DynamicInvocation
import Foundation

/// Executes requests, and caches libraries, symbols and signatures for later ones.
final class Caller {
  /// The maximum number of JSON values of a result or a buffer.
  static let mostValues = 1 << 22

  /// Called before code of a library runs, and before memory is read that may not be readable because a callee or a variable
  /// points to it; gets the subject of the sentence that says how the process ended, if it does.
  private let begin: (_ subject: String) -> Void

  private let symbols = SymbolFinder()

  init(begin: @escaping (_ subject: String) -> Void = { _ in }) { self.begin = begin }

  /// Executes the request of a line, and returns its answer or its error as a line.
  func answer(line: [UInt8]) -> JSONValue {
    do throws(InvocationError) {
      return try answer(CallRequest(line: line))
    } catch {
      return error.line
    }
  }

  /// Calls the function or reads the variable, and returns the answer: the result, and beside it the
  /// contents after the call of the buffers that were passed as arguments, and `errno` if it was asked for.
  ///
  /// - Throws: The error of the request; then nothing was called.
  func answer(_ request: CallRequest) throws(InvocationError) -> JSONValue {
    let isOpen = symbols.isOpen(request.library)
    begin(isOpen ? request.subject : "opening '\(request.library)'")
    if request.isVariable { return try read(request) }
    let implementation: Implementation
    do throws(InvocationError) {
      implementation = try symbols.function(request.symbol, library: request.library)
    } catch {
      guard error.code == .symbolNotFound, let reason = request.missingReason else { throw error }
      throw InvocationError(error.code, "\(error.reason); \(reason)", candidates: error.candidates)
    }
    if !isOpen { begin(request.subject) }
    do throws(InvocationError) { return try call(request, implementation) } catch {
      throw error.about(request.symbol)
    }
  }

  // MARK: Functions

  private func call(_ request: CallRequest, _ implementation: Implementation) throws(InvocationError) -> JSONValue {
    let declared = try request.parsedTypes()
    let (resultType, types) = (declared.result, declared.arguments)
    // An address for each reference, so that the call does not retain, release or read a C string.
    let signature = try MethodSignature(
      MethodTypes(result: resultType.asAddress, arguments: types.map(\.asAddress)), fixedArgumentCount: request.fixedCount)
    try requirePassable(declared, request)
    guard request.arguments.count == types.count else {
      let given = request.arguments.count.counted("argument")
      throw InvocationError(.countMismatch, "\(given) given, the signature takes \(types.count)", encoding: request.types)
    }
    if request.follows { _ = try followed(resultType, request) }
    // All memory that the callee receives stays alive until the answer is made: a result may point into an argument.
    let arena = BufferArena()
    let invocation = Invocation(signature, retainsArguments: false)
    invocation.capturesErrno = request.capturesErrno
    var buffers: [(index: Int, buffer: ValueReader.Buffer)] = []
    let reader = ValueReader(
      arena: arena, function: { [symbols] (name) throws(InvocationError) in try symbols.callback(name, library: request.library) },
      type: { (text) throws(InvocationError) in try request.type(text) },
      requireLayout: { (type) throws(InvocationError) in try Self.requireDeclared(type, request) })
    for (index, type) in types.enumerated() {
      do throws(InvocationError) {
        var reader = reader
        let declared = request.variadicTypes[safe: index - (request.fixedCount ?? 0)] ?? type
        let argument = try reader.argument(request.arguments[index].value(for: declared), as: declared)
        if let buffer = argument.buffer { buffers.append((index, buffer)) }
        try declared.promote(argument.value, to: type)
        try invocation.setArgument(from: argument.value, at: index)
      } catch {
        throw error.at(.index(index))
      }
    }
    // The request names the function, so a null target is an ordinary argument.
    try invocation.call(implementation)
    // Output that the callee printed precedes its answer.
    fflush(nil)
    if resultType.holdsText || request.follows || buffers.contains(where: { $0.buffer.type.holdsText }) {
      begin("\(request.subject) returned; reading its result")
    }
    let memory = try arena.allocate(byteCount: resultType.size ?? 0, alignment: max(resultType.alignment ?? 1, 16))
    try invocation.getReturnValue(into: memory)
    let result = try value(of: resultType, at: memory, request)
    return withExtendedLifetime((arena, invocation)) {
      let values = buffers.map { (index, buffer) in
        JSONValue.Member("\(index)", ValueWriter.value(of: buffer.type, at: buffer.address))
      }
      return [
        "result": result, "buffers": values.isEmpty ? nil : .object(values),
        "errno": request.capturesErrno ? .integer(invocation.capturedErrno) : nil,
      ]
    }
  }

  /// Returns a value, or the value that it points to.
  private func value(of type: TypeEncoding, at memory: UnsafeRawPointer, _ request: CallRequest) throws(InvocationError) -> JSONValue {
    guard request.follows else { return ValueWriter.value(of: type, at: memory) }
    let target = try followed(type, request)
    guard let address = UnsafeRawPointer(bitPattern: memory.loadUnaligned(as: UInt.self)) else { return .null }
    return ValueWriter.value(of: target, at: address)
  }

  /// Returns the type of what a pointer points to.
  private func followed(_ type: TypeEncoding, _ request: CallRequest) throws(InvocationError) -> TypeEncoding {
    guard case .pointer(let target) = type.kind, target.size != nil else {
      throw InvocationError(
        .unsupportedType, "there is nothing to follow: it is no pointer to a type with a size", argument: .result,
        encoding: type.description)
    }
    try requireBounded(target)
    try Self.requireDeclared(target, request)
    return target
  }

  // MARK: Variables

  private func read(_ request: CallRequest) throws(InvocationError) -> JSONValue {
    let type: TypeEncoding
    do throws(InvocationError) {
      type = try request.parsedTypes().result
      try requireBounded(type)
      try Self.requireDeclared(type, request)
      if request.follows { _ = try followed(type, request) }
    } catch {
      throw error.about(request.symbol)
    }
    let address = try symbols.variable(request.symbol, library: request.library, type: type)
    let shown = try unbounded(type, request) ?? type
    let size = shown.size ?? 0
    // Read from a copy, because another thread may write to the variable while it is converted to JSON.
    let copy = BufferArena()
    let memory = try copy.allocate(byteCount: size, alignment: max(type.alignment ?? 1, 16))
    begin("reading \(request.subject)")
    memory.copyMemory(from: address, byteCount: size)
    return try withExtendedLifetime(copy) { () throws(InvocationError) in ["result": try value(of: shown, at: memory, request)] }
  }

  /// Returns the type of the whole array if its declaration states no number of elements; the library states the array's size.
  private func unbounded(_ type: TypeEncoding, _ request: CallRequest) throws(InvocationError) -> TypeEncoding? {
    guard request.declarations != nil, case .array(0, let element) = type.kind, let stride = element.stride, stride > 0 else { return nil }
    guard let size = try symbols.size(ofVariable: request.symbol, library: request.library) else {
      throw InvocationError(.unsupportedType, "the library does not state the size of the array", encoding: type.description)
        .about(request.symbol)
    }
    do {
      let array = try TypeEncoding(count: size / stride, of: element)
      try requireBounded(array)
      return array
    } catch {
      throw error.about(request.symbol)
    }
  }

  // MARK: Rejected requests

  /// Throws if a result has more values than are shown, or if it is not known how a value is laid out.
  private func requirePassable(_ types: MethodTypes, _ request: CallRequest) throws(InvocationError) {
    do {
      try requireBounded(types.result)
      try Self.requireDeclared(types.result, request)
    } catch {
      throw error.at(.result)
    }
    for (index, type) in types.arguments.enumerated() {
      if case .array = type.kind { continue }
      do { try Self.requireDeclared(type, request) } catch { throw error.at(.index(index)) }
    }
  }

  private func requireBounded(_ type: TypeEncoding) throws(InvocationError) {
    guard type.valueCount(limit: Self.mostValues) <= Self.mostValues, type.size ?? 0 <= 1 << 28 else {
      throw InvocationError(.limitExceeded, "a result of more than \(Self.mostValues) values", encoding: type.description)
    }
  }

  /// Throws if the declared type of a NeXT bit-field is unknown.
  ///
  /// Its encoding does not state that type, but its location in memory depends on it.
  private static func requireDeclared(_ type: TypeEncoding, _ request: CallRequest) throws(InvocationError) {
    guard request.hints.bitFieldType == nil, let width = type.undeclaredBitField else { return }
    throw InvocationError(
      .unsupportedType,
      "b\(width) does not tell the declared type of the bit-field, on which the layout depends: "
        + "state it as the request's bitfield, or in the type as b<first bit><type>\(width)",
      encoding: type.description)
  }
}
