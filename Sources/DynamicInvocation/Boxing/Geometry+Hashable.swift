extension Point: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(x)
    hasher.combine(y)
  }
}

extension Size: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(width)
    hasher.combine(height)
  }
}

extension Rect: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(origin)
    hasher.combine(size)
  }
}

extension Vector: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(dx)
    hasher.combine(dy)
  }
}

extension IndexRange: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(location)
    hasher.combine(length)
  }
}

extension EdgeInsets: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(top)
    hasher.combine(left)
    hasher.combine(bottom)
    hasher.combine(right)
  }
}

extension Offset: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(horizontal)
    hasher.combine(vertical)
  }
}

extension Transform2D: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(a)
    hasher.combine(b)
    hasher.combine(c)
    hasher.combine(d)
    hasher.combine(tx)
    hasher.combine(ty)
  }
}

extension Transform3D: @retroactive Hashable {
  /// Feeds all numbers to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(m11)
    hasher.combine(m12)
    hasher.combine(m13)
    hasher.combine(m14)
    hasher.combine(m21)
    hasher.combine(m22)
    hasher.combine(m23)
    hasher.combine(m24)
    hasher.combine(m31)
    hasher.combine(m32)
    hasher.combine(m33)
    hasher.combine(m34)
    hasher.combine(m41)
    hasher.combine(m42)
    hasher.combine(m43)
    hasher.combine(m44)
  }
}
