internal import DynamicInvocation
internal import Synchronization

/// Whether registrations have ended, which any thread may set, and the isolation domain that they are in.
///
/// The deinitializer of a class is isolated to no actor, also if the class is: it runs on the thread that releases the last
/// reference, while other code of the domain may be running. There it has to know whether it may remove handlers.
final class EndFlag: Sendable {
  private let state: Atomic<Bool> = Atomic(false)
  private let home: Atomic<UInt> = Atomic(0)

  var isSet: Bool { state.load(ordering: .relaxed) }

  func set() { state.store(true, ordering: .relaxed) }

  /// Notes that the code that is running is in the domain.
  ///
  /// Each event does it: a tree may be moved to another domain.
  func enter() { home.store(Self.domain, ordering: .relaxed) }

  /// Whether the code that is running is in the domain, as far as it is known.
  ///
  /// Code without an actor is taken to be in it on the same thread only.
  var isHere: Bool { home.load(ordering: .relaxed) == Self.domain }

  /// An address that stands for the actor on which this thread runs, or for the thread.
  private static var domain: UInt {
    if let executor = unsafe ThreadState.currentExecutor { return UInt(bitPattern: executor) }
    return ThreadState.isMainThread ? mainActor : UInt(bitPattern: unsafe ThreadState.identity)
  }

  /// The main thread is that of the main actor, also in code that no task runs: the callbacks of its run loop.
  private static let mainActor: UInt = unsafe unsafeBitCast(MainActor.sharedUnownedExecutor, to: (UInt, UInt).self).0
}

/// Ends a registration in the deinitializer of an object, wherever that runs.
struct RegistrationEnd {
  private let flag: EndFlag

  /// Must be created in the isolation domain of the registration.
  init(_ registration: EventRegistration) { flag = registration.endFlag() }

  /// Removes the handler; in another isolation domain, makes events remove it instead of calling it.
  func end(_ registration: @autoclosure () -> EventRegistration?) {
    if flag.isHere { registration()?.cancel() } else { flag.set() }
  }
}
