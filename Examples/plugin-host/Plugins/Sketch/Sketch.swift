import PluginInterface

/// A plugin that the host does not know: a list of shapes.
public final class Canvas: Plugin {
  /// The name of the plugin.
  public let name = "sketch"
  /// The title of the list.
  public var title = "untitled"
  private var shapes: [String] = []

  /// Creates an empty list.
  public init() {}

  /// Adds a shape and returns the number of shapes.
  public func add(_ shape: String, sides: Int) throws -> Int {
    guard sides > 2 else { throw TooFewSides(sides: sides) }
    shapes.append(shape)
    return shapes.count
  }

  /// Removes a shape.
  public func remove(_ shape: String) { shapes.removeAll { $0 == shape } }

  /// Returns the title and the shapes.
  public func summary() -> String { "\(title): \(shapes.joined(separator: ", "))" }
}

/// The error for a shape that does not enclose an area.
public struct TooFewSides: Error {
  let sides: Int
}

/// Returns the perimeter of a regular polygon.
public func perimeter(sides: Int, length: Double) -> Double { Double(sides) * length }
