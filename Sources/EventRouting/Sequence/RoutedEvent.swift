public import DynamicInvocation

/// An event as a sequence gives it.
public struct RoutedEvent {
  /// The key with which it reached the node.
  public let key: EventKey
  /// Who sent it; it is kept alive until the event is dropped.
  public let source: AnyObject?
  /// The other arguments.
  public let arguments: [BoxedValue]
}
