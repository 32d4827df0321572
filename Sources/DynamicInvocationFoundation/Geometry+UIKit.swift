// The geometry of UIKit.

#if canImport(UIKit)

  public import DynamicInvocation
  internal import Foundation
  public import UIKit

  // MARK: UIEdgeInsets

  extension UIEdgeInsets: _BridgedGeometry {
    /// `{UIEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{UIEdgeInsets=dddd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
    /// Creates the same insets from the engine's struct.
    public init(cRepresentation value: Geometry.EdgeInsets) {
      self.init(top: CGFloat(value.top), left: CGFloat(value.left), bottom: CGFloat(value.bottom), right: CGFloat(value.right))
    }
    /// The same insets as the engine's struct.
    public var cRepresentation: Geometry.EdgeInsets {
      Geometry.EdgeInsets(top: Double(top), left: Double(left), bottom: Double(bottom), right: Double(right))
    }
  }

  extension UIEdgeInsets: FoundationBoxable {}

  extension BoxedValue {
    /// The insets, or a struct of the same layout; nil for any other value.
    public var uiEdgeInsets: UIEdgeInsets? { geometry(as: UIEdgeInsets.self) }
  }

  // MARK: UIOffset

  extension UIOffset: _BridgedGeometry {
    /// `{UIOffset=dd}`.
    public static let typeEncoding: TypeEncoding = "{UIOffset=dd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.Offset
    /// Creates the same offset from the engine's struct.
    public init(cRepresentation value: Geometry.Offset) {
      self.init(horizontal: CGFloat(value.horizontal), vertical: CGFloat(value.vertical))
    }
    /// The same offset as the engine's struct.
    public var cRepresentation: Geometry.Offset { Geometry.Offset(horizontal: Double(horizontal), vertical: Double(vertical)) }
  }

  extension UIOffset: FoundationBoxable {}

  extension BoxedValue {
    /// The offset, or a struct of the same layout; nil for any other value.
    public var uiOffset: UIOffset? { geometry(as: UIOffset.self) }
  }

  // MARK: NSDirectionalEdgeInsets

  /// Leading and trailing distances are no left and right ones: the insets are passed and read as this struct, and boxed as its bytes.
  extension NSDirectionalEdgeInsets: _BridgedGeometry {
    /// `{NSDirectionalEdgeInsets=dddd}`.
    public static let typeEncoding: TypeEncoding = "{NSDirectionalEdgeInsets=dddd}"

    /// The engine's struct.
    public typealias CRepresentation = Geometry.EdgeInsets
    /// Creates the same insets from the engine's struct, whose left and right are the leading and the trailing distance.
    public init(cRepresentation value: Geometry.EdgeInsets) {
      self.init(top: CGFloat(value.top), leading: CGFloat(value.left), bottom: CGFloat(value.bottom), trailing: CGFloat(value.right))
    }
    /// The same insets as the engine's struct, whose left and right are the leading and the trailing distance.
    public var cRepresentation: Geometry.EdgeInsets {
      Geometry.EdgeInsets(top: Double(top), left: Double(leading), bottom: Double(bottom), right: Double(trailing))
    }
  }

#endif
