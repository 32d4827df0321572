import SwiftFunctions
import DynamicInvocation
import SwiftWorkloads

/// Runs the callees of ``Suite/swift``: directly, and found by their names in this program.
///
/// The program is linked so that it exports them.
struct SwiftLoop {
  let phase: Phase

  /// Calls `count` times and returns the last result, or the sum of the events, to be checked.
  func run(_ engine: Engine, count: Int) throws -> Double {
    engine == .direct ? try runDirect(count: count) : try runFunction(count: count)
  }

  private static let frame = Frame(x: 1, y: 2, width: 3, height: 4)
  private static let text = "a text that is too long for its inline form"

  private func runDirect(count: Int) throws -> Double {
    switch phase {
    case .integers:
      var last = 0
      for index in 0..<count { last = add(index, 2) }
      return Double(last)
    case .structure:
      var last = 0.0
      for index in 0..<count { last = moved(Self.frame, x: Double(index), y: 1).x }
      return last
    case .string:
      var last = 0
      for _ in 0..<count { last = length(of: Self.text) }
      return Double(last)
    case .throwing:
      var last = 0
      for index in 0..<count { last = try checked(index) }
      return Double(last)
    case .row:
      let page = makePage()
      var last = 0
      for index in 0..<count { last = page.row(at: index) }
      return Double(last)
    default:
      let (page, source, control) = (makePage(), Control(tag: 1), Control(tag: 2))
      for index in 0..<count { page.pressed(source, control: control, index: index, frame: Self.frame, other: nil) }
      return page.sum
    }
  }

  private func runFunction(count: Int) throws -> Double {
    let function = try function()
    switch phase {
    case .integers:
      var last = 0
      for index in 0..<count { last = try function(index, 2) }
      return Double(last)
    case .structure:
      var last = 0.0
      for index in 0..<count { last = try function(Self.frame, Double(index), 1.0, as: Frame.self).x }
      return last
    case .string:
      var last = 0
      for _ in 0..<count { last = try function(Self.text) }
      return Double(last)
    case .throwing:
      var last = 0
      for index in 0..<count { last = try function(index) }
      return Double(last)
    case .row:
      let page = makePage()
      var last = 0
      for index in 0..<count { last = try function(page, index) }
      return Double(last)
    default:
      let (page, source, control) = (makePage(), Control(tag: 1), Control(tag: 2))
      for index in 0..<count { try function(page, source, control, index, Self.frame, Control?.none) }
      return page.sum
    }
  }

  private func function() throws -> SwiftFunction {
    let name =
      switch phase {
      case .integers: "SwiftWorkloads.add(_:_:)"
      case .structure: "SwiftWorkloads.moved(_:x:y:)"
      case .string: "SwiftWorkloads.length(of:)"
      case .throwing: "SwiftWorkloads.checked(_:)"
      case .row: "SwiftWorkloads.Page.row(at:)"
      default: "SwiftWorkloads.Page.pressed(_:control:index:frame:other:)"
      }
    return try unsafe SwiftLibrary.process.trusting(.declarations).function(name)
  }
}
