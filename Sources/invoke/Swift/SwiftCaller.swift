import DynamicInvocation

/// Finds the function of a Swift library that a name and arguments mean, and calls it.
struct SwiftCaller {
  let symbols: SwiftLibrarySymbols
  /// What is stated about the functions: the call is made apart, at the user's own risk.
  private let promises: SwiftLibrary.Promises

  /// A function with its arguments.
  struct Call {
    let function: SwiftFunction
    let arguments: [Any]
  }

  /// The result of a call.
  struct Answer {
    var result: JSONValue
    /// The values of `inout` parameters after the call, and self if it has changed, with their numbers.
    var updated: [JSONValue.Member]
  }

  /// What a function throws.
  struct Thrown: Error, CustomStringConvertible {
    let function: String
    let error: any Error

    var description: String { "\(function) threw \(_typeName(type(of: error), qualified: true)): \(error)" }
  }

  /// Opens a library; `-` is the process itself.
  ///
  /// - Parameter assumesFixedLayouts: Whether types of which nothing states how they are passed are passed by value.
  init(library name: String, assumesFixedLayouts: Bool = false) throws(InvocationError) {
    promises = assumesFixedLayouts ? .all : .all.subtracting(.fixedLayouts)
    symbols = SwiftLibrarySymbols(name == "-" ? .process : try DynamicLibrary(name))
  }

  // MARK: Finding

  /// Finds a function and converts its arguments.
  ///
  /// Of overloads, it is the one with the right number of parameters whose types accept the JSON values.
  ///
  /// - Throws: An error if no function has the name, if several accept the arguments or none does, or if the function
  ///   cannot be called or does not accept the arguments.
  func prepare(_ name: String, _ words: [String]) throws(InvocationError) -> Call {
    let found = try symbols.declarations(named: name)
    if let only = found.first, found.count == 1 {
      let function = try self.function(only)
      return Call(function: function, arguments: try arguments(words, of: function))
    }
    let functions = found.compactMap { try? self.function($0) }.filter { $0.argumentTypes.count == words.count }
    if let only = functions.first, functions.count == 1 { return Call(function: only, arguments: try arguments(words, of: only)) }
    let calls = functions.compactMap { function in
      (try? arguments(words, of: function, takesAnyWord: false)).map { Call(function: function, arguments: $0) }
    }
    if let only = calls.first, calls.count == 1 { return only }
    let reason = calls.isEmpty ? "none of which accepts the arguments" : "\(calls.count) of which accept the arguments"
    let texts = calls.isEmpty ? found.map(\.text) : calls.map { call in found.first { $0.symbol == call.function.symbol }?.text ?? "" }
    throw InvocationError(
      .symbolNotFound,
      "'\(name)' means \(found.count) functions of \(symbols.library), \(reason); state the module, labels or types: "
        + texts.prefix(16).joined(separator: "; ") + (texts.count > 16 ? "; and \(texts.count - 16) more" : ""))
  }

  private func function(_ declaration: SwiftDeclaration) throws(InvocationError) -> SwiftFunction {
    do { return try symbols.function(declaration, trusting: promises) } catch {
      // The promise of the interface is an option here.
      let reason = error.reason.replacing("'unsafe library.trusting(.fixedLayouts)'", with: "--fixed-layouts")
      throw InvocationError(error.code, reason, argument: error.argument).about(declaration.name)
    }
  }

  private func arguments(
    _ words: [String], of function: SwiftFunction, takesAnyWord: Bool = true
  ) throws(InvocationError) -> [Any] {
    let types = function.argumentTypes
    guard words.count == types.count else {
      let given = "\(words.count) \(words.count == 1 ? "argument" : "arguments") given"
      throw InvocationError(.countMismatch, "\(given), the function takes \(types.count): \(function)")
    }
    var values: [Any] = []
    for (index, type) in types.enumerated() {
      var reader = SwiftValueReader(takesAnyWord: takesAnyWord)
      do throws(InvocationError) { values.append(try reader.argument(words[index], as: type)) } catch {
        throw error.at(.index(index)).about(function.name)
      }
    }
    return values
  }

  // MARK: Calling

  /// Calls a function in this process.
  ///
  /// - Throws: ``Thrown`` with what the function throws, or an `InvocationError` for a result that cannot be shown.
  func perform(_ call: Call) throws -> Answer {
    let function = call.function
    let former = try function.valueSelf.map { try SwiftValueWriter.json(call.arguments[$0]).text }
    var arguments = call.arguments
    let result: Any
    do { result = try function.call(updating: &arguments) } catch { throw Thrown(function: function.name, error: error) }
    var updated: [JSONValue.Member] = []
    for index in 0..<arguments.count where index == function.valueSelf || function.variables.contains(index) {
      let value = try SwiftValueWriter.json(arguments[index])
      // The symbol does not state whether a method changes self.
      if index == function.valueSelf, value.text == former { continue }
      updated.append(JSONValue.Member("\(index)", value))
    }
    return Answer(result: try SwiftValueWriter.json(result), updated: updated)
  }
}
