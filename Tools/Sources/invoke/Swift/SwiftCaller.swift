import DynamicInvocation
import Foundation
@_spi(Tools) import SwiftFunctions

/// Finds the function of a Swift library that a name and arguments mean, and calls it.
struct SwiftCaller {
  /// The library, with what is stated about its functions: the call is made in another process, at the user's own risk.
  let library: SwiftLibrary
  /// Whether asynchronous functions are `nonisolated(nonsending)`; nil if that is not stated.
  private let isNonsending: Bool?

  /// A function with its arguments.
  struct Call {
    let function: any SwiftCallee
    let arguments: [Any]

    /// Calls the function in this process; for an asynchronous one, waits for its result.
    ///
    /// - Throws: ``Thrown`` with what the function throws, or an `InvocationError` for a result that cannot be shown.
    func perform() throws -> CallResult { try function.perform(arguments) }
  }

  /// What a call returned and changed.
  struct CallResult {
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
  /// - Parameters:
  ///   - assumesFixedLayouts: Whether a type is passed by value if nothing states how it is passed.
  ///   - isNonsending: Whether asynchronous functions are `nonisolated(nonsending)`; nil if that is not stated.
  init(library name: String, assumesFixedLayouts: Bool, isNonsending: Bool?) throws(InvocationError) {
    let library = name == "-" ? .process : try SwiftLibrary(name)
    self.library = unsafe library.trusting(assumesFixedLayouts ? .all : .all.subtracting(.fixedLayouts))
    self.isNonsending = isNonsending
  }

  /// Returns why a function cannot be called, or nil if it can.
  func refusal(of function: SwiftLibrary.ListedFunction) -> InvocationError? {
    do throws(InvocationError) {
      // With a statement about the function's isolation, which a call needs.
      if function.isAsync {
        _ = try unsafe library.asyncFunction(function, isNonsending: false)
      } else {
        _ = try library.function(function)
      }
      return nil
    } catch {
      return error
    }
  }

  // MARK: Finding

  /// Finds a function and converts its arguments.
  ///
  /// Of overloads, it is the one with the right number of parameters whose types accept the JSON values.
  ///
  /// - Throws: An error if no function has the name, if several accept the arguments or none does, or if the function
  ///   cannot be called or does not accept the arguments.
  func prepare(_ name: String, _ words: [String]) throws(InvocationError) -> Call {
    let found = try library.listedFunctions(named: name)
    if let only = found.first, found.count == 1 {
      let function = try callee(only)
      return Call(function: function, arguments: try arguments(words, of: function))
    }
    let functions = found.compactMap { try? callee($0) }.filter { $0.argumentTypes.count == words.count }
    if let only = functions.first, functions.count == 1 { return Call(function: only, arguments: try arguments(words, of: only)) }
    let calls = functions.compactMap { function in
      (try? arguments(words, of: function, takesAnyWord: false)).map { Call(function: function, arguments: $0) }
    }
    if let only = calls.first, calls.count == 1 { return only }
    let reason = calls.isEmpty ? "none of them accepts the arguments" : "\(calls.count) of them accept the arguments"
    let texts = calls.isEmpty ? found.map(\.text) : calls.map { call in found.first { $0.symbol == call.function.symbol }?.text ?? "" }
    throw InvocationError(
      .symbolNotFound,
      "'\(name)' means \(found.count) functions of \(library.library), \(reason); state the module, labels or types: "
        + texts.prefix(16).joined(separator: "; ") + (texts.count > 16 ? "; and \(texts.count - 16) more" : ""))
  }

  private func callee(_ function: SwiftLibrary.ListedFunction) throws(InvocationError) -> any SwiftCallee {
    do throws(InvocationError) {
      return function.isAsync ? try asynchronous(function) : try library.function(function)
    } catch {
      // The promise of the interface is an option here.
      let reason = error.reason.replacing("'unsafe library.trusting(.fixedLayouts)'", with: "--fixed-layouts")
      throw InvocationError(error.code, reason, argument: error.argument).about(function.name)
    }
  }

  private func asynchronous(_ function: SwiftLibrary.ListedFunction) throws(InvocationError) -> AsyncSwiftFunction {
    do { return try unsafe library.asyncFunction(function, isNonsending: isNonsending) } catch {
      // If only that statement is missing, the error names the options for it.
      guard isNonsending == nil, (try? unsafe library.asyncFunction(function, isNonsending: false)) != nil else { throw error }
      throw InvocationError(
        .unsupportedType,
        "it is asynchronous, and its symbol does not state whether it is nonisolated(nonsending), which moves its arguments: "
          + "pass --nonsending if it is, else --no-nonsending, before the library"
      ).about(function.name)
    }
  }

  private func arguments(
    _ words: [String], of function: any SwiftCallee, takesAnyWord: Bool = true
  ) throws(InvocationError) -> [Any] {
    let types = function.argumentTypes
    guard words.count == types.count else { throw function.countMismatch(words.count) }
    var values: [Any] = []
    for (index, type) in types.enumerated() {
      do throws(InvocationError) {
        values.append(try SwiftValueReader.argument(words[index], as: type, takesAnyWord: takesAnyWord))
      } catch {
        throw error.at(.index(index)).about(function.name)
      }
    }
    return values
  }
}

/// A Swift function that is called, synchronous or not.
protocol SwiftCallee {
  var name: String { get }
  var symbol: String { get }
  var argumentTypes: [Any.Type] { get }

  /// The error for a number of arguments that is not the function's.
  func countMismatch(_ given: Int) -> InvocationError

  /// Calls the function.
  func perform(_ arguments: [Any]) throws -> SwiftCaller.CallResult
}

extension SwiftFunction: SwiftCallee {
  func perform(_ arguments: [Any]) throws -> SwiftCaller.CallResult {
    let former = try valueSelf.map { try SwiftValueWriter.json(arguments[$0]).text }
    var arguments = arguments
    let result: Any
    do { result = try call(updating: &arguments) } catch { throw SwiftCaller.Thrown(function: name, error: error) }
    var updated: [JSONValue.Member] = []
    for index in 0..<arguments.count where index == valueSelf || variables.contains(index) {
      let value = try SwiftValueWriter.json(arguments[index])
      // The symbol does not state whether a method changes self.
      if index == valueSelf, value.text == former { continue }
      updated.append(JSONValue.Member("\(index)", value))
    }
    return SwiftCaller.CallResult(result: try SwiftValueWriter.json(result), updated: updated)
  }
}

extension AsyncSwiftFunction: SwiftCallee {
  func perform(_ arguments: [Any]) throws -> SwiftCaller.CallResult {
    let result: Any
    do { result = try AwaitedCall(self, arguments).result() } catch { throw SwiftCaller.Thrown(function: name, error: error) }
    return SwiftCaller.CallResult(result: try SwiftValueWriter.json(result), updated: [])
  }
}

/// An asynchronous call for which the main thread waits.
///
/// The main thread runs its run loop meanwhile, so that functions of the main actor run, too.
private final class AwaitedCall: @unchecked Sendable {
  // Unchecked Sendable: the task writes the result before it wakes the main thread, which reads it then.

  private let function: AsyncSwiftFunction
  private let arguments: [Any]
  private var outcome: Result<Any, any Error>?

  init(_ function: AsyncSwiftFunction, _ arguments: [Any]) {
    self.function = function
    self.arguments = arguments
  }

  /// Makes the call on the main thread.
  ///
  /// - Throws: What the function throws.
  func result() throws -> Any {
    Task.detached { [self] in
      let outcome = await awaited()
      DispatchQueue.main.async { self.outcome = outcome }
    }
    while outcome == nil { _ = RunLoop.main.run(mode: .default, before: Date(timeIntervalSinceNow: 1)) }
    return try outcome.unsafelyUnwrapped.get()
  }

  private func awaited() async -> Result<Any, any Error> {
    do { return .success(try await unsafe function.call(arguments)) } catch { return .failure(error) }
  }
}
