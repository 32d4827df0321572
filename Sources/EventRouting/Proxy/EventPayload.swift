public import DynamicInvocation

/// The arguments of an event on its way, boxed or typed.
///
/// What routes an event is generic over its payload, so that a typed one is never boxed unless somebody asks for boxes.
public protocol EventPayload {
  /// The arguments as boxed values, without the source.
  ///
  /// - Complexity: A typed payload allocates them.
  var boxed: [BoxedValue] { get }
}

/// Arguments that came boxed.
public struct BoxedPayload: EventPayload {
  /// The arguments, without the source.
  public let boxed: [BoxedValue]

  /// Creates a payload of boxed arguments.
  @inlinable
  public init(_ boxed: [BoxedValue]) { self.boxed = boxed }
}
