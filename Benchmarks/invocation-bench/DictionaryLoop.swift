import DynamicInvocation
import Workloads

/// Sends the workload's event without a library, through a dictionary of closures.
struct DictionaryLoop {
  private let key = "button.pressed"
  private let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)

  /// Sends to closures that cast their arguments, and returns the handler's sum, to be checked.
  func runCasts(_ phase: Phase, count: Int) -> Double {
    var handlers: [String: (Any?, [Any?]) -> Void] = [:]
    handlers[key] = { source, arguments in
      guard let source = source as? Button, arguments.count == 4, let button = arguments[0] as? Button, let tag = arguments[1] as? Int,
        let rect = arguments[2] as? Geometry.Rect
      else { return }
      handle(source, button, tag, rect, arguments[3] as? Button)
    }
    let (source, button) = (Button(), Button())
    let arguments: [Any?] = [button, 7, rect, nil]
    let before = workload_we_sum()
    for _ in 0..<count { handlers[key]?(source, phase == .boxing ? [button, 7, rect, nil] : arguments) }
    return workload_we_sum() - before
  }

  /// Sends to closures with the event's types.
  func runTyped(count: Int) -> Double {
    var handlers: [String: (Button, Button, Int, Geometry.Rect, Button?) -> Void] = [:]
    handlers[key] = { handle($0, $1, $2, $3, $4) }
    let (source, button) = (Button(), Button())
    let before = workload_we_sum()
    for _ in 0..<count { handlers[key]?(source, button, 7, rect, nil) }
    return workload_we_sum() - before
  }
}
