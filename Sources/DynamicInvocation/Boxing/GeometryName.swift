/// Names the types of geometry in messages.
enum GeometryName {
  /// The name of a type as a Swift programmer knows it: at run time a struct imported from C has the name that C gives it.
  static func of<Value>(_ type: Value.Type) -> String {
    switch type {
    case is Point.Type: "Point"
    case is Size.Type: "Size"
    case is Rect.Type: "Rect"
    case is Vector.Type: "Vector"
    case is IndexRange.Type: "IndexRange"
    case is EdgeInsets.Type: "EdgeInsets"
    case is Offset.Type: "Offset"
    case is Transform2D.Type: "Transform2D"
    case is Transform3D.Type: "Transform3D"
    default: "\(type)"
    }
  }

  /// Whether a struct of a name may be geometry, so that its layout is worth a look.
  static func isGeometry(_ name: String) -> Bool {
    switch name {
    case "Point", "CGPoint", "NSPoint", "_NSPoint", "Size", "CGSize", "NSSize", "_NSSize", "Rect", "CGRect", "NSRect", "_NSRect", "Vector",
      "CGVector", "Range", "NSRange", "_NSRange", "EdgeInsets", "NSEdgeInsets", "UIEdgeInsets", "Offset", "UIOffset", "AffineTransform",
      "CGAffineTransform", "Transform3D", "CATransform3D":
      true
    default: false
    }
  }
}
