/// A node as reports name it; the node itself is not kept alive.
public struct ResponderIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The name of the node when the report was made.
  public let name: String
  /// Which object it was; another may have the same one after the node has died.
  public let id: ObjectIdentifier

  init(_ responder: some Responder) {
    name = responder.responderName
    id = ObjectIdentifier(responder)
  }

  /// The name.
  public var description: String { name }
}
