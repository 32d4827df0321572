// What is given to a port, and a tree that has a port, stay where they are.
import DynamicInvocation
import EventRouting

func given(_ port: EventPort, _ boxes: [BoxedValue]) async {
  await port.post("k", giving: boxes)  // error: risks causing data races
}

@MainActor func treeSentAfterItsPort() async {
  let node = ResponderNode("root")
  let port = node.port()
  Task.detached { node.send("k") }  // error: data races
  await port.post("k")
}
