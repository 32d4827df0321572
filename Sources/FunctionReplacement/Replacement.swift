internal import CallFrames
internal import SwiftFunctions

/// A closure or a spy in the place of a function, until it is ended.
///
/// ``replace(_:in:reach:isNonsending:with:)`` makes one. See ``FunctionReplacement`` for what can be replaced.
@safe
public final class Replacement: Sendable {
  /// Whose calls a replacement answers.
  public enum Reach: Sendable {
    /// Calls by the task that runs the innermost `withReplacements` or ``replacing(_:in:reach:with:during:)``,
    /// and by its child tasks. All others find the function itself.
    case task
    /// Calls by all tasks and threads whose own task has no replacement in place.
    case global
  }

  let function: ReplacedFunction
  let plan: EntryPlan
  private let body: any ReplacementBody
  private let scope: ReplacementScope

  init(_ function: ReplacedFunction, _ plan: EntryPlan, _ body: any ReplacementBody, in scope: ReplacementScope) {
    self.function = function
    self.plan = plan
    self.body = body
    self.scope = scope
  }

  /// The name of the function, such as `Shop.Cart.total()`.
  public var name: String { function.types.name }

  /// Ends the replacement: the calls that begin from now on find what was there before, or was put there meanwhile.
  ///
  /// Replacements of one function end in any order. A call that is running goes on. Ending twice does nothing.
  public func end() { scope.remove(self) }
}

extension Replacement: CustomStringConvertible {
  /// The name of the function, as a replacement: `replacement of Shop.Cart.total()`.
  public var description: String { "replacement of \(name)" }
}

// MARK: - Which one answers

/// The replacements of a task and its children, or of all tasks.
final class ReplacementScope: Sendable {
  /// The scope of the task that is running.
  @TaskLocal static var current: ReplacementScope?
  /// The scope of all tasks and threads.
  static let global: ReplacementScope = ReplacementScope(in: nil)

  /// The scope around this one.
  let outer: ReplacementScope?
  /// The newest last.
  private let replacements: Locked<[Replacement]> = Locked([])

  init(in outer: ReplacementScope?) {
    self.outer = outer
  }

  func add(_ replacement: Replacement) { replacements.withLock { $0.append(replacement) } }

  func remove(_ replacement: Replacement) {
    let removed = replacements.withLock { replacements -> Replacement? in
      guard let index = replacements.lastIndex(where: { $0 === replacement }) else { return nil }
      return replacements.remove(at: index)
    }
    // What a closure has captured is released without the lock.
    withExtendedLifetime(removed) {}
  }

  /// Ends all replacements.
  func end() {
    let removed = replacements.withLock { replacements in
      defer { replacements = [] }
      return replacements
    }
    withExtendedLifetime(removed) {}
  }

  /// The replacements of a function, the newest first.
  fileprivate func replacements(of function: ReplacedFunction) -> [Replacement] {
    replacements.withLock { $0.reversed().filter { $0.function === function } }
  }
}

extension Replacement {
  /// A replacement that is answering a call, and those that were before.
  private final class Answering: Sendable {
    let replacement: Replacement
    let outer: Answering?
    /// Whether only the first call of the function is answered by what was replaced, and others are recorded.
    private let passesOne: Bool
    /// Whether that call was found.
    private let isPassed: Locked<Bool> = Locked(false)

    init(_ replacement: Replacement, in outer: Answering?, passesOne: Bool) {
      self.replacement = replacement
      self.outer = outer
      self.passesOne = passesOne
    }

    /// Whether a call of the function is answered by what was replaced.
    func takeCall() -> Bool {
      guard passesOne else { return true }
      return isPassed.withLock { isPassed in
        defer { isPassed = true }
        return !isPassed
      }
    }

    /// The replacements that are answering, the innermost first.
    @TaskLocal static var current: Answering?
  }

  /// The replacement that answers a call of a function by this task; nil if the function does itself.
  ///
  /// A call that a replacement makes of its own function is answered by what it replaced, so is the one that a spy passes on.
  ///
  /// - Parameter matches: Whether a replacement of a generic function has the types of the call.
  static func answering(_ function: ReplacedFunction, where matches: (Replacement) -> Bool) -> Replacement? {
    var all: [Replacement] = []
    var scope = ReplacementScope.current
    while let each = scope {
      all += each.replacements(of: function)
      scope = each.outer
    }
    all += ReplacementScope.global.replacements(of: function)
    all.removeAll { !matches($0) }
    var running = Answering.current
    while let each = running, each.replacement.function !== function || !matches(each.replacement) || !each.takeCall() {
      running = each.outer
    }
    guard let running else { return all.first }
    guard let index = all.firstIndex(where: { $0 === running.replacement }) else { return nil }
    return all.dropFirst(index + 1).first
  }

  /// Calls the user's predicate about a call.
  ///
  /// Calls of the function that the predicate itself makes are not recorded: they find
  /// what was replaced.
  static func asking<Result>(_ ask: () -> Result) -> Result {
    guard let current = Answering.current else { return ask() }
    return Answering.$current.withValue(Answering(current.replacement, in: current, passesOne: false), operation: ask)
  }

  /// Answers a call of a synchronous function.
  func answer(_ call: EnteredCall) {
    Answering.$current.withValue(Answering(self, in: Answering.current, passesOne: body.passesCalls)) { body.run(call) }
  }

  /// Answers a call of an asynchronous function.
  func answerAsynchronously(_ call: EnteredCall) async {
    await Answering.$current.withValue(Answering(self, in: Answering.current, passesOne: body.passesCalls)) {
      await body.runAsynchronously(call)
    }
  }
}
