// What an application writes for the responder chain, as the page "From NSInvocation, in an app with Objective-C" shows it.

import EventRoutingResponders
import ObjectiveCMessages

#if canImport(UIKit)
  import UIKit
  typealias Controller = UIViewController
  typealias View = UIView
  typealias Control = UIControl
#else
  import AppKit
  typealias Controller = NSViewController
  typealias View = NSView
  typealias Control = NSControl
#endif

final class ListController: Controller {
  func register() throws {
    try proxy.register("row.tapped", target: self, selector: "tapped(_:tag:)")
    try proxy.register("row.selected", target: self, selector: MethodSelector(objectiveC: #selector(selected(_:))))
    try proxy.register("row.inserted", Invocation(target: self, selector: "tapped:tag:"))
    try proxy.register("row.copied") { [weak self] (source: View?, row: Int, frame: CGRect) in self?.tapped(source, tag: row) }
    routingState.nextOverride = nil
  }

  @objc func tapped(_ source: AnyObject?, tag: Int) {}
  @objc func selected(_ sender: AnyObject?) {}
}

final class Cell: View {
  func buttonTapped(_ button: Control) throws {
    send("row.tapped", any: [button, 7, CGRect(origin: CGPoint(x: 0.0, y: 0.0), size: CGSize(width: 1.0, height: 1.0)), nil])
    let outcome = button.send("row.copied", arguments: [7, .rect(Geometry.Rect())])
    _ = outcome.isUnhandled
    let height: Double? = try button.ask("row.height", 3)
    _ = height
    // From above: to all views of a controller.
    let above: View? = superview
    above?.send("reload", rules: .busDown)
    let next: (any Responder)? = button.nextResponder
    _ = next
    button.routeEvent("row.selected", source: self, objects: [button])
    #if canImport(UIKit)
      button.sends("row.selected", for: .touchUpInside, arguments: [7])
    #else
      button.sends("row.selected", arguments: [7])
      let responder = button.nextResponder
      let same: NSResponder? = responder
      _ = same
    #endif
  }
}
