internal import SwiftSymbols
internal import TypeEncodings

extension SwiftLibrary {
  /// What a caller states about functions, because their symbols do not.
  ///
  /// A wrong statement is undefined behavior. Functions of the modules of the toolchain need ``pointers`` at most: what
  /// their symbols do not state is known.
  public struct Promises: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Each function is called as its declaration demands, which its symbol does not state.
    ///
    /// A synchronous function of a global actor is called on that actor, and an `@unsafe` function as its documentation
    /// states. No method or accessor that is called is declared `consuming`.
    public static let declarations: Promises = Promises(rawValue: 1)

    /// Each synchronous member of an actor is called on that actor, or is nonisolated.
    public static let isolation: Promises = Promises(rawValue: 2)

    /// Functions with unsafe types, such as `UnsafeMutablePointer` and `Unmanaged`, are called with addresses that are
    /// valid for what the functions do, and are used so.
    public static let pointers: Promises = Promises(rawValue: 4)

    /// Each struct and enum of which nothing states how it is passed is frozen, or of a module that was not built for
    /// library evolution.
    public static let fixedLayouts: Promises = Promises(rawValue: 8)

    /// All promises.
    public static let all: Promises = [.declarations, .isolation, .pointers, .fixedLayouts]
  }
}

extension SwiftLibrary.Promises: CustomStringConvertible {
  /// The names of the promises: `[declarations, pointers]`.
  public var description: String {
    let names: [(SwiftLibrary.Promises, String)] = [
      (.declarations, "declarations"), (.isolation, "isolation"), (.pointers, "pointers"), (.fixedLayouts, "fixedLayouts"),
    ]
    return "[" + names.filter { contains($0.0) }.map(\.1).joined(separator: ", ") + "]"
  }
}

extension SwiftFunctionTypes {
  /// Whether the function is a member of an object of an actor.
  var isActorMember: Bool {
    guard selfKind == .object, let type = selfType else { return false }
    return SwiftMetadata(type).descriptor?.isActor ?? false
  }

  /// Throws `InvocationError` `unsupportedType` if safe code could not call the function, and no promise allows it.
  func require(_ promises: SwiftLibrary.Promises) throws(InvocationError) {
    func refused(_ reason: String) -> InvocationError { InvocationError(.unsupportedType, reason).about(name) }
    if SwiftToolchain.consuming.contains(symbol) { throw refused("it consumes its target, which is not supported") }
    if !promises.contains(.isolation), !isAsync, isActorMember, let type = selfType {
      throw refused(
        "it is a member of the actor \(_typeName(type, qualified: true)), and its symbol does not state its isolation; "
          + "call it on the actor, and state it with 'unsafe library.trusting(.isolation)'")
    }
    if !promises.contains(.pointers), let unsafeType {
      throw refused(
        "the type '\(unsafeType)' is unsafe: the function may read and write memory at any address; "
          + "state that its addresses are valid with 'unsafe library.trusting(.pointers)'")
    }
    guard let module, !promises.contains(.declarations) else { return }
    if SwiftToolchain.modules.contains(module), !SwiftToolchain.unsafeFunctions.contains(symbol) { return }
    let unknown = (isAsync ? [] : ["is isolated to a global actor"]) + (passesSelf ? ["consumes its target"] : []) + ["is unsafe"]
    throw refused(
      "its symbol does not state whether it \(unknown.joined(separator: " or ")); state that it is called as its declaration demands "
        + "with 'unsafe library.trusting(.declarations)'")
  }
}
