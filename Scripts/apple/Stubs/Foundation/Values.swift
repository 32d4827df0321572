// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// https://developer.apple.com/documentation/foundation
//
// As Apple's, it shows the names of CoreFoundation's MacTypes.h and of ObjectiveC.

@_exported public import CoreGraphics
@_exported public import Dispatch
@_exported public import MacTypes
@_exported public import ObjectiveC

public struct NSRange: Sendable, BitwiseCopyable {
  public var location, length: Int
  public init(location: Int, length: Int) { (self.location, self.length) = (location, length) }
}

open class NSValue: NSObject {
  public init(bytes value: UnsafeRawPointer, objCType type: UnsafePointer<CChar>) {}
  public init(range: NSRange) {}
  open var objCType: UnsafePointer<CChar> { fatalError() }
  open func getValue(_ value: UnsafeMutableRawPointer) {}
  public var rangeValue: NSRange { fatalError() }
}

open class NSNumber: NSValue, @unchecked Sendable {
  public init(value: Bool) { fatalError() }
  public init(value: Int) { fatalError() }
  public init(value: UInt) { fatalError() }
  public init(value: Int64) { fatalError() }
  public init(value: UInt64) { fatalError() }
  public init(value: Float) { fatalError() }
  public init(value: Double) { fatalError() }
  public var boolValue: Bool { fatalError() }
  public var int64Value: Int64 { fatalError() }
  public var uint64Value: UInt64 { fatalError() }
  public var floatValue: Float { fatalError() }
  public var doubleValue: Double { fatalError() }
}

public struct Decimal: Hashable, Sendable, CustomStringConvertible {
  public var isNaN: Bool { fatalError() }
  public var significand: Decimal { fatalError() }
  public var exponent: Int { fatalError() }
  public var sign: FloatingPointSign { fatalError() }
  public var magnitude: Decimal { fatalError() }
  public var description: String { fatalError() }
}

open class NSDecimalNumber: NSNumber, @unchecked Sendable {
  public init(string text: String?) { fatalError() }
  public init(decimal: Decimal) { fatalError() }
  public var decimalValue: Decimal { fatalError() }
}

open class NSString: NSObject {
  public init(string: String) {}
  public convenience init(_ string: String) { self.init(string: string) }
}

open class NSArray: NSObject {}

extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { fatalError() }
}

extension Array: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSArray { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSArray, result: inout [Element]?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSArray?) -> [Element] { fatalError() }
}

open class NSNull: NSObject {}

open class Operation: NSObject, @unchecked Sendable {
  open func main() {}
  open func cancel() {}
  open var isCancelled: Bool { fatalError() }
  open var isExecuting: Bool { fatalError() }
  open var isFinished: Bool { fatalError() }
  open var isReady: Bool { fatalError() }
}

#if os(macOS)
  public struct NSEdgeInsets: BitwiseCopyable {
    public var top, left, bottom, right: CGFloat
    public init(top: CGFloat, left: CGFloat, bottom: CGFloat, right: CGFloat) { fatalError() }
  }

  public struct AffineTransform: Hashable, Sendable, BitwiseCopyable {
    public var m11, m12, m21, m22, tX, tY: CGFloat
    public init(m11: CGFloat, m12: CGFloat, m21: CGFloat, m22: CGFloat, tX: CGFloat, tY: CGFloat) { fatalError() }
  }

  public struct NSAffineTransformStruct {
    public var m11, m12, m21, m22, tX, tY: CGFloat
  }

  open class NSAffineTransform: NSObject {
    public init(transform: AffineTransform) {}
    open var transformStruct: NSAffineTransformStruct { fatalError() }
  }
#endif
