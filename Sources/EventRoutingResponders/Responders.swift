#if canImport(UIKit) && !os(watchOS)
  public import EventRouting
  import EventRoutingFoundation
  import ObjectiveC
  public import UIKit

  /// The class of the objects of the responder chain: on this platform UIKit's.
  public typealias SystemResponder = UIResponder
#elseif canImport(AppKit)
  public import AppKit
  public import EventRouting
  import EventRoutingFoundation
  import ObjectiveC

  /// The class of the objects of the responder chain: on this platform AppKit's.
  public typealias SystemResponder = NSResponder
#endif

#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
  /// Views, view controllers, windows and the application are nodes of one tree.
  ///
  /// A pass up follows the responder chain. A pass down goes the same ways back: from a controller to its view if that is
  /// loaded, from a view to the controllers of its subviews, or to the subviews. It loads no view.
  extension SystemResponder: @MainActor Responder {
    /// The state, or nil if the object has no handlers and nothing was set.
    ///
    /// - Complexity: O(1); takes no lock and reads no associated object.
    public var responderState: ResponderState? { ResponderStates.state(of: self) }

    /// The handlers of the object, created on first access.
    public var proxy: EventProxy { routingState.proxy }

    /// Whether a pass up that respects boundaries ends before the object: by default, if it is a window or the application.
    public var isBoundary: Bool { responderState?.isBoundary ?? isOuter }
  }

  extension SystemResponder {
    /// The state, to be changed; created on first access.
    ///
    /// A new state of a view controller is terminal for its own keys. The state lives as long as the object.
    public var routingState: ResponderState {
      if let state = responderState { return state }
      let state = ResponderStates.makeState(of: self)
      state.isBoundary = isOuter
      if isController { state.terminality = .forOwnKeys }
      unsafe objc_setAssociatedObject(self, &stateEndKey, StateEnd(ResponderStates.address(of: self)), .OBJC_ASSOCIATION_RETAIN_NONATOMIC)
      return state
    }
  }

  @MainActor private var stateEndKey: UInt8 = 0

  /// Notes the end of the object that it is associated with.
  private final class StateEnd {
    private let address: UInt

    init(_ address: UInt) { self.address = address }

    deinit { ResponderStates.noteEnd(of: address) }
  }

  /// The same for Objective-C.
  extension SystemResponder {
    /// Sends an event from this object up the responder chain.
    ///
    ///     [self routeEvent:@"row.tapped" source:self objects:@[button, @(button.tag), NSNull.null]];
    ///
    /// - Parameters:
    ///   - key: The name of the event.
    ///   - source: The first argument of the handlers.
    ///   - objects: The other arguments. An NSNumber or NSValue is converted for a parameter that is not an object; NSNull is nil.
    /// - Returns: Whether a handler was called.
    @objc(routeEvent:source:objects:)
    @discardableResult
    public func routeEvent(_ key: String, source: AnyObject?, objects: [Any]?) -> Bool {
      !send(EventKey(key), source: source, any: objects ?? []).isUnhandled
    }

    /// Registers a method of an object as the handler of an event.
    ///
    ///     [self registerEvent:@"row.tapped" target:self selector:@selector(tapped:index:) error:nil];
    ///
    /// The program also links ObjectiveCMessages, which finds the method and its types. A method of a `MethodTable` takes precedence.
    ///
    /// - Parameters:
    ///   - key: The name of the event.
    ///   - target: The object that handles it, which is not retained.
    ///   - selector: The selector of a method that takes the source first.
    /// - Throws: The errors of `register(_:target:selector:options:)`.
    @objc(registerEvent:target:selector:error:)
    public func registerEvent(_ key: String, target: AnyObject, selector: Selector) throws {
      try proxy.register(EventKey(key), target: target, selector: MethodSelector("\(selector)"))
    }
  }
#endif
