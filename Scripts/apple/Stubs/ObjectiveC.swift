// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/objectivec

public struct Selector: Hashable, @unchecked Sendable, CustomStringConvertible {
  private var pointer: OpaquePointer
  public init(_ text: String) { fatalError() }
  public var description: String { fatalError() }
}

// What the compiler refers to for the result of a method of Objective-C.
@frozen public struct ObjCBool: ExpressibleByBooleanLiteral {
  private var value: Bool
  public init(booleanLiteral value: Bool) { self.value = value }
}

public func _convertBoolToObjCBool(_ value: Bool) -> ObjCBool { fatalError() }
public func _convertObjCBoolToBool(_ value: ObjCBool) -> Bool { fatalError() }

public enum objc_AssociationPolicy: UInt {
  case OBJC_ASSOCIATION_RETAIN_NONATOMIC
}

public func objc_setAssociatedObject(_ object: Any, _ key: UnsafeRawPointer, _ value: Any?, _ policy: objc_AssociationPolicy) {}

open class NSObject: Hashable, CustomStringConvertible {
  public init() {}
  open var description: String { "" }
  open var hash: Int { 0 }
  open func isEqual(_ object: Any?) -> Bool { false }
  public static func == (left: NSObject, right: NSObject) -> Bool { left === right }
  public func hash(into hasher: inout Hasher) {}
}
