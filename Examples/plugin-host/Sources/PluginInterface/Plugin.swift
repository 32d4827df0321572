/// A plugin: a class that the host creates, and whose public functions it calls by their names.
public protocol Plugin: AnyObject {
  /// Creates the plugin.
  init()

  /// The name of the plugin.
  var name: String { get }
}
