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

/// Carries requests out, and remembers libraries, symbols and signatures for the next ones.
final class Caller {
  /// The most JSON values that a result or a buffer may be written with.
  static let mostValues = 1 << 22

  /// Past this many entries a cache starts anew, so that a batch of ever new names needs no more memory than another.
  private static let mostEntries = 4096

  /// Longer encodings are not remembered: a few thousand of them would fill the memory.
  private static let longestKey = 4096

  /// The number of missing symbols that are answered with names near to them.
  private static let mostSuggestions = 64

  private struct SymbolKey: Hashable {
    var library: String
    var symbol: String
  }

  private struct SignatureKey: Hashable {
    var types: String
    var dialect: TypeEncoding.Dialect
    var fixedCount: Int?
  }

  private var libraries: [String: DynamicLibrary] = [:]
  private var implementations: [SymbolKey: Implementation] = [:]
  private var signatures: [SignatureKey: MethodSignature] = [:]
  private var missingSymbols = 0

  /// Calls, and gives the result and the buffers.
  ///
  /// - Throws: What was wrong with the request; then nothing was called.
  func answer(_ request: CallRequest) throws(InvocationError) -> CallAnswer {
    let implementation = try implementation(request)
    let signature = try signature(request)
    let types = signature.types.arguments
    guard request.arguments.count == types.count else {
      throw InvocationError(
        .countMismatch, "\(request.arguments.count) arguments given, the signature takes \(types.count)", encoding: request.types)
    }
    // Everything that the callee sees stays alive until the answer is made: a result may point into an argument.
    let arena = BufferArena()
    let invocation = Invocation(signature, retainsArguments: false)
    var buffers: [(index: Int, buffer: ValueReader.Buffer)] = []
    for (index, type) in types.enumerated() {
      do {
        var reader = ValueReader(arena: arena)
        let argument = try reader.argument(request.arguments[index].value(for: type), as: type)
        try invocation.setArgument(from: argument.value, at: index)
        if let buffer = argument.buffer { buffers.append((index, buffer)) }
      } catch {
        throw error.at(.index(index))
      }
    }
    // The words name the code, so a null target is an argument like any other.
    try invocation.call(implementation)
    // What the callee printed comes before its answer.
    fflush(nil)
    let result = try result(of: invocation, arena)
    return withExtendedLifetime((arena, invocation)) {
      CallAnswer(
        result: result,
        buffers: buffers.map { ($0.index, ValueWriter.elements($0.buffer.count, of: $0.buffer.element, at: $0.buffer.address)) })
    }
  }

  private func result(of invocation: Invocation, _ arena: BufferArena) throws(InvocationError) -> JSONValue {
    let type = invocation.methodSignature.returnType
    let memory = try arena.allocate(byteCount: type.size ?? 0, alignment: max(type.alignment ?? 1, 16))
    try invocation.getReturnValue(into: memory)
    return ValueWriter.value(of: type, at: memory)
  }

  // MARK: What is remembered

  private func implementation(_ request: CallRequest) throws(InvocationError) -> Implementation {
    let key = SymbolKey(library: request.library, symbol: request.symbol)
    if let known = implementations[key] { return known }
    let library = try library(request.library)
    let implementation = Implementation(try symbol(request.symbol, of: library), keeping: library)
    if implementations.count >= Self.mostEntries { implementations = [:] }
    implementations[key] = implementation
    return implementation
  }

  /// Looks a symbol up.
  ///
  /// Near names for one that is missing take a walk over all names of a library, so only the first few come with them.
  private func symbol(_ name: String, of library: DynamicLibrary) throws(InvocationError) -> UnsafeRawPointer {
    guard missingSymbols >= Self.mostSuggestions, !Self.defines(name, library) else {
      do {
        return try library.symbol(name)
      } catch {
        missingSymbols += 1
        throw error
      }
    }
    throw InvocationError(.symbolNotFound, "\(library) has no symbol '\(name)'")
  }

  /// Whether a library that is loaded defines a symbol.
  private static func defines(_ symbol: String, _ library: DynamicLibrary) -> Bool {
    let isProcess = library === DynamicLibrary.process
    guard let handle = isProcess ? dlopen(nil, RTLD_NOW) : dlopen(library.name, RTLD_NOW | RTLD_LOCAL) else { return false }
    defer { dlclose(handle) }
    return dlsym(handle, symbol) != nil
  }

  private func library(_ name: String) throws(InvocationError) -> DynamicLibrary {
    if name == "-" { return .process }
    if let known = libraries[name] { return known }
    let library = try DynamicLibrary(name)
    // Libraries stay loaded: a later line may use an address that an earlier one got.
    libraries[name] = library
    return library
  }

  private func signature(_ request: CallRequest) throws(InvocationError) -> MethodSignature {
    let key = SignatureKey(types: request.types, dialect: request.dialect, fixedCount: request.fixedCount)
    if let known = signatures[key] { return known }
    let signature = try MethodSignature(
      types: request.types, dialect: request.dialect, fixedArgumentCount: request.fixedCount)
    guard signature.returnType.valueCount(limit: Self.mostValues) <= Self.mostValues, signature.returnLength <= 1 << 28 else {
      throw InvocationError(
        .limitExceeded, "a result of more than \(Self.mostValues) values", argument: .result,
        encoding: signature.returnType.description)
    }
    guard request.types.utf8.count <= Self.longestKey else { return signature }
    if signatures.count >= Self.mostEntries { signatures = [:] }
    signatures[key] = signature
    return signature
  }
}
