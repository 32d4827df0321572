public import Distributed
internal import DynamicInvocation
public import EventRouting
public import InvocationRecords

/// What a host lends: objects by their names, a tree of responders, and what of both may be reached.
public struct HostContents {
  /// The objects that get calls.
  public var targets: [String: AnyObject]
  /// The node that events are sent from, up its chain.
  ///
  /// A child does not keep its parent: a root stays here.
  public var responder: ResponderNode
  /// The selectors of the calls that are made.
  ///
  /// All else is an error.
  public var selectors: Set<String>
  /// The keys of the events that are sent.
  ///
  /// All else is an error.
  public var keys: Set<String>

  /// Creates contents.
  public init(targets: [String: AnyObject], responder: ResponderNode, selectors: Set<String>, keys: Set<String>) {
    (self.targets, self.responder, self.selectors, self.keys) = (targets, responder, selectors, keys)
  }
}

/// An actor, perhaps in another process, that makes calls and sends events for others.
///
/// Any actor system whose values are `Codable` carries them. A record is checked against its types when it is decoded, and contains no
/// address. What it may reach is the host's to say: a selector that is on no list is not called, whatever the class of the target answers.
public distributed actor RemoteHost<ActorSystem: DistributedActorSystem<any Codable>> {
  private let contents: HostContents

  /// Creates a host.
  ///
  /// - Parameter contents: Makes what the host lends, in the host's isolation.
  public init(actorSystem: ActorSystem, contents: @Sendable () throws -> HostContents) rethrows {
    self.actorSystem = actorSystem
    self.contents = try contents()
  }

  /// Makes a call, and returns its result.
  public distributed func invoke(_ record: InvocationRecord, on name: String) throws -> RemoteValue {
    guard let target = contents.targets[name] else { throw RemoteError.noTarget(name) }
    guard let selector = record.selector, contents.selectors.contains(selector.name) else {
      throw RemoteError.notAccepted(record.selector?.name ?? "a function")
    }
    do {
      let invocation = try record.makeInvocation(target: target)
      try invocation.invoke()
      return try RemoteValue(invocation.boxedReturnValue())
    } catch let error as InvocationError {
      throw RemoteError.failed(error.description)
    }
  }

  /// Sends an event.
  ///
  /// - Returns: Whether a handler handled it.
  public distributed func send(_ key: String, _ arguments: [RemoteValue]) throws -> Bool {
    guard contents.keys.contains(key) else { throw RemoteError.notAccepted(key) }
    return contents.responder.report(EventKey(key), arguments: arguments.map(\.boxed)).outcome.isHandled
  }
}
