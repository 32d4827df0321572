// The callees of the suite of Swift functions. They are never inlined, so that a direct call is a call.

/// Adds two integers.
@inline(never)
public func add(_ a: Int, _ b: Int) -> Int { a &+ b }

/// A rectangle, which is passed in vector registers.
public struct Frame: Sendable {
  /// The left edge.
  public var x: Double
  /// The top edge.
  public var y: Double
  /// The width.
  public var width: Double
  /// The height.
  public var height: Double

  /// Creates a rectangle.
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// Moves a rectangle.
@inline(never)
public func moved(_ frame: Frame, x: Double, y: Double) -> Frame {
  Frame(x: frame.x + x, y: frame.y + y, width: frame.width, height: frame.height)
}

/// Counts the bytes of a text.
@inline(never)
public func length(of text: String) -> Int { text.utf8.count }

/// The error of ``checked(_:)``.
public struct NegativeNumber: Error {}

/// Returns a number, and throws an error for a negative one.
@inline(never)
public func checked(_ number: Int) throws -> Int {
  guard number >= 0 else { throw NegativeNumber() }
  return number
}

/// The source and an argument of an event.
public final class Control: Sendable {
  /// The number of the control.
  public let tag: Int

  /// Creates a control.
  public init(tag: Int) { self.tag = tag }
}

/// A class with a method for an event, which a subclass may override.
open class Page {
  /// The sum of the events.
  public var sum: Double = 0

  fileprivate init() {}

  /// Handles an event.
  open func pressed(_ source: Control, control: Control, index: Int, frame: Frame, other: Control?) {
    sum += frame.width + Double(source.tag &+ control.tag &+ index &+ (other?.tag ?? 0))
  }

  /// Returns a number that depends on the object.
  open func row(at index: Int) -> Int { index &+ 1 }
}

/// Creates a page whose class the caller does not know.
@inline(never)
public func makePage() -> Page { Page() }
