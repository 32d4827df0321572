internal import DynamicInvocation
internal import Synchronization

/// The isolation domain in which an object was created, to tell in its deinitializer whether that runs there.
///
/// The deinitializer of a class is isolated to no actor, also if the class is: it runs on the thread that releases the last
/// reference, while other code of the domain may be running.
struct HomeIsolation: Sendable {
  private let executor: UInt

  init() { executor = Self.current }

  /// Whether the code that is running is certainly in the domain.
  ///
  /// Code without an actor is taken to be in it on the same thread only.
  var isHere: Bool { executor == Self.current }

  private static var current: UInt {
    if let executor = unsafe ThreadState.currentExecutor { return UInt(bitPattern: executor) }
    return UInt(bitPattern: unsafe ThreadState.identity)
  }
}

/// Whether registrations have ended; any thread may set it.
final class EndFlag: Sendable {
  private let state: Atomic<Bool> = Atomic(false)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }
}

/// Ends a registration in the deinitializer of an object, wherever that runs.
struct RegistrationEnd {
  private let flag: EndFlag
  private let home: HomeIsolation

  /// Must be created in the isolation domain of the registration.
  init(_ registration: EventRegistration) {
    flag = registration.endFlag()
    home = HomeIsolation()
  }

  /// Removes the handler; in another isolation domain, makes events remove it instead of calling it.
  func end(_ registration: @autoclosure () -> EventRegistration?) {
    if home.isHere { registration()?.cancel() } else { flag.set() }
  }
}
