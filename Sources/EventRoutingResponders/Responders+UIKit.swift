#if canImport(UIKit) && !os(watchOS)
  public import EventRouting
  public import UIKit

  extension UIResponder {
    /// UIKit's next responder.
    public var nextResponder: (any Responder)? { next }

    /// For a view, the controllers of its subviews, or the subviews; for a controller, its view, the controllers in it whose view
    /// is nowhere else, and the controller that it presents; for a scene, its windows; for the application, its scenes, in no order.
    public var childResponders: [any Responder] {
      switch self {
      case let view as UIView: view.subviews.map { $0.controller ?? $0 }
      case let controller as UIViewController: controller.ownChildren
      case let scene as UIWindowScene: scene.windows
      case let application as UIApplication: Array(application.connectedScenes)
      default: []
      }
    }

    var isOuter: Bool { self is UIWindow || self is UIScene || self is UIApplication }

    var isController: Bool { self is UIViewController }
  }

  extension UIView {
    /// The controller whose view it is.
    fileprivate var controller: UIResponder? {
      guard let controller = next as? UIViewController, controller.viewIfLoaded === self else { return nil }
      return controller
    }
  }

  extension UIViewController {
    fileprivate var ownChildren: [any Responder] {
      var nodes: [any Responder] = children.filter { $0.viewIfLoaded?.superview == nil }
      if let view = viewIfLoaded { nodes.insert(view, at: 0) }
      // The property also has a controller that a controller around this one presents.
      if let presented = presentedViewController, presented.presentingViewController === self { nodes.append(presented) }
      return nodes
    }
  }

  extension UIControl {
    /// Sends an event up the responder chain whenever one of the control's own events occurs; the source is the control.
    ///
    ///     button.sends("row.tapped", for: .touchUpInside, arguments: [.int(row)])
    ///
    /// The other direction needs no method of its own: an action method `tapped(_:)` takes its sender first, as each handler
    /// does, so `register(_:target:selector:)` accepts the action method.
    ///
    /// - Returns: The action, to be removed with `removeAction(_:for:)`.
    @discardableResult
    public func sends(_ key: EventKey, for events: UIControl.Event, arguments: [BoxedValue] = []) -> UIAction {
      let action = UIAction { action in (action.sender as? UIControl)?.send(key, arguments: arguments) }
      addAction(action, for: events)
      return action
    }
  }
#endif
