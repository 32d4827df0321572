// A proxy and a tree belong to the isolation domain in which they were made.
import DynamicInvocation
import EventRouting

func elsewhere(_ proxy: EventProxy) {
  Task { proxy.removeAllHandlers() }  // error: data races
}

@MainActor func shared(_ node: ResponderNode) {
  Task.detached { node.send("key") }  // error: data races
  node.send("key")
}
