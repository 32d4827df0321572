import SwiftFunctions
import DynamicInvocation
import Foundation

/// A Swift function that is called, synchronous or not.
enum SwiftCallee {
  case synchronous(SwiftFunction)
  case asynchronous(AsyncSwiftFunction)

  var name: String {
    switch self {
    case .synchronous(let function): function.name
    case .asynchronous(let function): function.name
    }
  }

  var symbol: String {
    switch self {
    case .synchronous(let function): function.symbol
    case .asynchronous(let function): function.symbol
    }
  }

  var argumentTypes: [Any.Type] {
    switch self {
    case .synchronous(let function): function.argumentTypes
    case .asynchronous(let function): function.argumentTypes
    }
  }

  /// The error for a number of arguments that is not the function's.
  func countMismatch(_ given: Int) -> InvocationError {
    switch self {
    case .synchronous(let function): function.countMismatch(given)
    case .asynchronous(let function): function.countMismatch(given)
    }
  }
}

/// An asynchronous call for which the main thread waits.
///
/// The main thread runs its run loop meanwhile, so that functions of the main actor run, too.
final class AwaitedCall: @unchecked Sendable {
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
