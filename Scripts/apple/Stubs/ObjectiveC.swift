// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/objectivec

public struct Selector: Hashable, Sendable {
  public init(_ text: String) {}
}

open class NSObject: Hashable, CustomStringConvertible {
  public init() {}
  open var description: String { "" }
  open var hash: Int { 0 }
  open func isEqual(_ object: Any?) -> Bool { false }
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
