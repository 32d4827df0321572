// A port is made on the actor of its tree, and takes only what may be sent there.
import DynamicInvocation
import EventRouting

final class Draft: EncodedObject {}

func refused(_ port: EventPort, _ draft: Draft) async {
  await port.post("k", draft)  // error: does not conform to the 'Sendable' protocol
  await port.post("k", arguments: [.object(draft)])  // error: does not conform to the 'Sendable' protocol
}

func portWithoutActor(_ node: ResponderNode) -> EventPort {
  node.port()  // error: call to actor-isolated instance method 'port(overflow:coalescing:isolation:)'
}
