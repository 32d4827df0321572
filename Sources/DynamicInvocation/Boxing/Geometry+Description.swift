extension Point: @retroactive CustomStringConvertible {
  /// The numbers in parentheses, such as `(1.0, 2.0)`.
  public var description: String {
    "(\(x), \(y))"
  }
}

extension Size: @retroactive CustomStringConvertible {
  /// The two numbers in parentheses.
  public var description: String {
    "(\(width), \(height))"
  }
}

extension Rect: @retroactive CustomStringConvertible {
  /// The numbers of the origin and the size in parentheses, such as `(0.0, 0.0, 3.0, 4.0)`.
  public var description: String {
    "(\(origin.x), \(origin.y), \(size.width), \(size.height))"
  }
}

extension Vector: @retroactive CustomStringConvertible {
  /// The two numbers in parentheses.
  public var description: String {
    "(\(dx), \(dy))"
  }
}

extension IndexRange: @retroactive CustomStringConvertible {
  /// The location and the length in parentheses, such as `(2, 3)`.
  public var description: String {
    "(\(location), \(length))"
  }
}

extension EdgeInsets: @retroactive CustomStringConvertible {
  /// The top, left, bottom and right distances in parentheses.
  public var description: String {
    "(\(top), \(left), \(bottom), \(right))"
  }
}

extension Offset: @retroactive CustomStringConvertible {
  /// The two numbers in parentheses.
  public var description: String {
    "(\(horizontal), \(vertical))"
  }
}

extension Transform2D: @retroactive CustomStringConvertible {
  /// The six numbers in parentheses, the translation last.
  public var description: String {
    "(\(a), \(b), \(c), \(d), \(tx), \(ty))"
  }
}

extension Transform3D: @retroactive CustomStringConvertible {
  /// The sixteen numbers in parentheses, row by row.
  public var description: String {
    let rows = [[m11, m12, m13, m14], [m21, m22, m23, m24], [m31, m32, m33, m34], [m41, m42, m43, m44]]
    return "(" + rows.joined().map(\.description).joined(separator: ", ") + ")"
  }
}
