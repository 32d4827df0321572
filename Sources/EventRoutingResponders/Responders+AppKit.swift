#if canImport(AppKit) && !canImport(UIKit)
  public import AppKit
  public import EventRouting
  import ObjectiveC

  // In an extension of the protocol: the class has a property of the same name and another type, which stays what its name means.
  extension Responder where Self: NSResponder {
    /// AppKit's next responder.
    @MainActor public var nextResponder: (any Responder)? {
      let next: NSResponder? = self.nextResponder
      return next
    }
  }

  extension NSResponder {
    /// For a view, the controllers of its subviews, or the subviews; for a controller, its view, and the controllers in it whose
    /// view is nowhere else; for a window, its content; for a window's controller, the window; for the application, its windows.
    public var childResponders: [any Responder] {
      switch self {
      case let view as NSView: view.subviews.map { $0.controller ?? $0 }
      case let controller as NSViewController: controller.ownChildren
      case let window as NSWindow: window.contentView.map { [$0.controller ?? $0] } ?? []
      case let controller as NSWindowController: controller.isWindowLoaded ? controller.window.map { [$0] } ?? [] : []
      case let application as NSApplication: application.windows.map { $0.windowController ?? $0 }
      default: []
      }
    }

    var isOuter: Bool { self is NSWindow || self is NSApplication }

    var isController: Bool { self is NSViewController || self is NSWindowController }
  }

  extension NSView {
    /// The controller whose view it is.
    fileprivate var controller: NSResponder? {
      let next: NSResponder? = nextResponder
      guard let controller = next as? NSViewController, controller.isViewLoaded, controller.view === self else { return nil }
      return controller
    }
  }

  extension NSViewController {
    fileprivate var ownChildren: [any Responder] {
      var nodes: [any Responder] = children.filter { !$0.isViewLoaded || $0.view.superview == nil }
      if isViewLoaded { nodes.insert(view, at: 0) }
      return nodes
    }
  }

  extension NSControl {
    /// Sends an event up the responder chain whenever the control would send its action; the source is the control.
    ///
    ///     button.sends("row.tapped", arguments: [.int(row)])
    ///
    /// It replaces the target and the action of the control. The other direction needs no method of its own: an action method
    /// `tapped(_:)` takes its sender first, as each handler does, so `register(_:target:selector:)` accepts the action method.
    public func sends(_ key: EventKey, arguments: [BoxedValue] = []) {
      let sender = ActionEvent(key, arguments)
      // The control does not retain its target.
      unsafe objc_setAssociatedObject(self, &actionEventKey, sender, .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
      target = sender
      action = #selector(ActionEvent.send(_:))
    }
  }

  @MainActor private var actionEventKey: UInt8 = 0

  /// The event of a control, as the target of its action.
  @MainActor
  private final class ActionEvent: NSObject {
    private let key: EventKey
    private let arguments: [BoxedValue]

    init(_ key: EventKey, _ arguments: [BoxedValue]) {
      self.key = key
      self.arguments = arguments
    }

    @objc func send(_ sender: AnyObject?) { (sender as? NSControl)?.send(key, arguments: arguments) }
  }
#endif
