import DynamicInvocation
import Foundation
import Workloads

/// Sends the workload's event through a `NotificationCenter`.
struct NotificationLoop {
  /// Posts `count` times and returns the handler's sum, to be checked.
  func run(_ phase: Phase, count: Int) -> Double {
    let center = NotificationCenter()
    let name = Notification.Name("button.pressed")
    let rect = Geometry.Rect(x: 1, y: 2, width: 3, height: 4)
    let observer = center.addObserver(forName: name, object: nil, queue: nil) { notification in
      guard let source = notification.object as? Button, let button = notification.userInfo?["button"] as? Button,
        let tag = notification.userInfo?["tag"] as? Int, let rect = notification.userInfo?["rect"] as? Geometry.Rect
      else { return }
      handle(source, button, tag, rect, notification.userInfo?["other"] as? Button)
    }
    defer { center.removeObserver(observer) }
    let (source, button) = (Button(), Button())
    let arguments: [AnyHashable: Any] = ["button": button, "tag": 7, "rect": rect]
    let before = workload_we_sum()
    for _ in 0..<count {
      center.post(name: name, object: source, userInfo: phase == .boxing ? ["button": button, "tag": 7, "rect": rect] : arguments)
    }
    return workload_we_sum() - before
  }
}
