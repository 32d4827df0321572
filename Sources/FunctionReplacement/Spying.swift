internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols
public import TypeEncodings

/// Records the calls of a function, until the end of the scope, and answers them if that is asked for.
///
/// The values of all calls are copied, whatever isolation they have: the test does not use an object that a function received on
/// another actor at the same time.
///
/// - Parameters:
///   - name: The name of the function, as for ``replace(_:in:reach:calledBy:isNonsending:with:)``.
///   - type: The type that a closure in the place of the function would have, such as `((Stack<Int>) -> Int?).self`. For a generic
///     function, or a member of a generic type or of a protocol, calls with these types are recorded. A function of C states no types,
///     and a wrong type is undefined behavior. For other functions the type need not be stated.
///   - library: The library that contains the function; by default the program, with all that is linked into it.
///   - reach: Whose calls are recorded: the task's, which must have a scope, or all. A spy made within a scope ends with the scope.
///   - callers: Whose calls of a function of another library are recorded.
///   - isMutating: Whether a method or accessor of a struct or enum is mutating, which its symbol does not state. A setter is, unless
///     it is declared `nonmutating`, and the getter of a `lazy` property is. State this where it decides how the target is passed.
///   - isNonsending: Whether the function is asynchronous and `nonisolated(nonsending)`, which its symbol does not state.
///   - keeping: What is kept of each call: by default copies of its values.
/// - Throws: As ``replace(_:in:reach:calledBy:isNonsending:with:)``, and `unsupportedType` for an asynchronous accessor, and for a
///   member of a struct or enum if `isMutating` must be stated.
@unsafe
public func spy(
  _ name: String, as type: Any.Type? = nil, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task,
  calledBy callers: Replacement.Callers = .package, isMutating: Bool? = nil, isNonsending: Bool = false,
  keeping: Spy.Keeping = .values
) throws(InvocationError) -> Spy {
  let signature = try type.map { (type) throws(InvocationError) in try ClosureTypes.signature(of: type) }
  let (function, types, generic) = try ReplacedFunction.find(name, in: library, calledBy: callers, for: signature)
  let isMutating = isMutating ?? (types.selfKind == .value ? signature?.parameters.first?.isInOut : nil)
  var plan = try EntryPlan(ofSpied: types, isMutating: isMutating, isNonsending: isNonsending, generic)
  plan.callers = callers
  if let signature, let type {
    do { try ClosureTypes.compare(signature, type, with: types, plan) } catch { throw error.about(types.name) }
  }
  let spy = Spy(function, types, keeping)
  try Replacement.make(function, plan, SpyBody(spy: spy), reach, name)
  return spy
}

/// Records the calls of all functions of a type, until the end of the scope, and answers them if that is asked for.
///
///     let mailer = try spyAll(of: "Shop.Mailer")
///     try order()
///     #expect(mailer.all.map(\.name) == ["Shop.Mailer.init(host:)", "Shop.Mailer.send(_:to:)"])
///
/// The functions are the methods, initializers and accessors of the type and of its extensions, private ones included. For the name of
/// a module, they are all of its functions that are not members. Functions that cannot be spied are in ``SpyGroup/refused`` with the
/// reason.
///
/// An answer that fails the test finds the first call that nobody has stated: replacements and spies that are made later, and
/// statements of each spy in the group, take precedence over this answer.
///
///     let answer = Spy.Answer.computed { call in
///       Issue.record("not stated: \(call)")
///       return .original
///     }
///     let mailer = try spyAll(of: "Shop.Mailer", otherwise: answer)
///     try mailer["send(_:to:)"]?.answer(.returning(1))
///
/// - Parameters:
///   - name: The name of the type or module, with the modules and types around it as far as they are needed.
///   - library: The library that contains the type; by default the program, with all that is linked into it.
///   - reach: Whose calls are recorded: the task's, which must have a scope, or all. A spy made within a scope ends with the scope.
///   - mutating: The members of a struct or enum that are mutating, such as `add(_:)` and `label.setter`: all others are not. Without
///     this list, members are refused where that decides how the target is passed.
///   - isNonsending: Whether the asynchronous functions are `nonisolated(nonsending)`, which their symbols do not state.
///   - keeping: What is kept of each call: by default copies of its values.
///   - answer: The answer to calls that no other statement answers; by default the functions themselves answer them.
/// - Throws: `InvocationError` `symbolNotFound` if no type or several have the name, or if no function of it can be spied, and as
///   ``Spy/answer(_:_:where:)`` and ``replace(_:in:reach:calledBy:isNonsending:with:)``.
@unsafe
public func spyAll(
  of name: String, in library: DynamicLibrary = .process, reach: Replacement.Reach = .task, mutating: [String]? = nil,
  isNonsending: Bool = false, keeping: Spy.Keeping = .values, otherwise answer: Spy.Answer? = nil
) throws(InvocationError) -> SpyGroup {
  var made: [(name: String, spy: Spy, plan: EntryPlan)] = []
  var refused: [(name: String, reason: InvocationError)] = []
  for (member, function) in try ReplacedFunction.all(of: name, in: library) {
    do throws(InvocationError) {
      let function = try function.get()
      let isMutating = mutating.map { $0.contains(member) }
      let plan = try EntryPlan(ofSpied: function.types, isMutating: isMutating, isNonsending: isNonsending)
      made.append((member, Spy(function, function.types, keeping), plan))
    } catch {
      refused.append((member, error))
    }
  }
  if made.isEmpty, let first = refused.first {
    throw InvocationError(.symbolNotFound, "no function of '\(name)' can be spied; the first reason: \(first.reason)")
  }
  if let answer { for each in made { try each.spy.answer(answer) } }
  for (_, spy, plan) in made { try Replacement.make(spy.function, plan, SpyBody(spy: spy), reach, spy.name) }
  return SpyGroup(made.map { ($0.name, $0.spy) }, refused)
}

/// Several spies, whose calls are in one order.
public struct SpyGroup: Sendable {
  private let members: [(name: String, spy: Spy)]
  /// The functions that could not be spied, with the reasons.
  public let refused: [(name: String, reason: InvocationError)]

  init(_ members: [(name: String, spy: Spy)], _ refused: [(name: String, reason: InvocationError)]) {
    self.members = members
    self.refused = refused
  }

  /// Makes a group of spies, with the names of their functions.
  public init(_ spies: Spy...) { self.init(spies.map { ($0.name, $0) }, []) }

  /// The spies.
  public var spies: [Spy] { members.map(\.spy) }

  /// The calls of all spies so far, in the order in which they began.
  ///
  /// - Complexity: O(*n* log *n*) in the number of calls.
  public var all: [Spy.Call] { spies.flatMap(\.all).sorted { $0.order < $1.order } }

  /// Returns the spy of a function; nil if there is none.
  ///
  /// - Parameter name: The name of the function, without the type around it: `send(_:to:)`, `label`, `label.setter`. In a group of single
  ///   spies it is the whole name.
  public subscript(name: String) -> Spy? { members.first { $0.name == name }?.spy }

  /// Forgets the calls of all spies so far; what is answered stays.
  public func reset() { for spy in spies { spy.reset() } }
}

extension SpyGroup: CustomStringConvertible {
  /// The number of calls of each function that was called, and what could not be spied.
  public var description: String {
    let counts = spies.filter { $0.count > 0 }.map(\.description)
    let rest = refused.isEmpty ? [] : ["not spied: " + refused.map(\.name).joined(separator: ", ")]
    return (counts.isEmpty && rest.isEmpty ? ["no calls"] : counts + rest).joined(separator: "; ")
  }
}

extension EntryPlan {
  /// Plans the entries of a function that is spied.
  fileprivate init(
    ofSpied types: SwiftFunctionSignature, isMutating: Bool?, isNonsending: Bool, _ generic: GenericTypes? = nil
  ) throws(InvocationError) {
    let isAccessor = types.kind != .function && types.kind != .initializer
    if types.isAsync, isAccessor {
      throw InvocationError(.unsupportedType, "it is an asynchronous accessor, and its symbol does not state whether it throws")
        .about(types.name)
    }
    let isValue = types.selfKind == .value
    try self.init(types, changesTarget: isValue && isMutating ?? false, isNonsending: isNonsending, generic: generic)
    if isValue, isMutating == nil, !passesTargetByAddress {
      throw InvocationError(
        .unsupportedType,
        "its symbol does not state whether it is mutating, which changes how its target is passed: "
          + "write 'isMutating: true' or 'isMutating: false'"
      ).about(types.name)
    }
  }
}
