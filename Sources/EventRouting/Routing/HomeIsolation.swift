internal import DynamicInvocation
internal import Synchronization

/// The isolation domain in which an object was created, to tell in its deinitializer whether that runs there.
///
/// The deinitializer of a class is isolated to no actor, also if the class is: it runs on the thread that releases the last
/// reference, while other code of the domain may be running.
struct HomeIsolation: Sendable {
  private let executor: UInt

  init() { executor = Self.current }

  /// Whether the code that is running is in the domain.
  ///
  /// Code without an actor is in one domain, but for that of the main thread, which is the main actor's: the compiler makes
  /// sure that an object of such code is used by one thread at a time.
  var isHere: Bool { executor == Self.current }

  private static var current: UInt {
    if let executor = unsafe ThreadState.currentExecutor { return UInt(bitPattern: executor) }
    return ThreadState.isMainThread ? mainExecutor : 0
  }

  /// The address that identifies the executor of the main actor: the first of the executor's two words.
  private static var mainExecutor: UInt { unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0 }
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
