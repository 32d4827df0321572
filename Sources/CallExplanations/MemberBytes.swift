import CallFrames

/// The bytes of a member without members of its own.
struct MemberBytes {
  /// The bytes, from the start of the whole value.
  var bytes: Range<Int>
  /// The members that lead to it: `.origin.x`, `[1]`, empty for the whole value.
  var path: String

  /// Adds the bytes of a bit-field that starts in the last byte.
  fileprivate mutating func join(_ other: MemberBytes) {
    bytes = bytes.lowerBound..<max(bytes.upperBound, other.bytes.upperBound)
    let name = other.path.hasPrefix(".") ? String(other.path.dropFirst()) : other.path
    path = (path + "," + name).shortened(to: Builder.longestPath)
  }
}

extension MemberBytes {
  /// Finds the members of types.
  struct Builder {
    fileprivate static let longestPath = 120
    private static let longestName = 60

    /// The number of bytes of a `long double` that are not padding: 10 on x86-64.
    private let longDoubleSize: Int

    /// The number of members that may still be added.
    ///
    /// An encoding can describe far more members than it has bytes: arrays in unions in arrays. When the number is
    /// used up, a type is one member.
    private var remaining = 65_536

    init(longDoubleSize: Int) { self.longDoubleSize = longDoubleSize }

    /// Returns the members of a type in the order of their bytes, without those that start at a limit or after it.
    ///
    /// A union is one member with the bytes of all its members.
    mutating func members(of type: TypeEncoding, limit: Int) -> [MemberBytes] {
      guard let size = type.size, size > 0, limit > 0 else { return [] }
      let whole = MemberBytes(bytes: 0..<size, path: "")
      guard remaining > 0 else { return [whole] }
      switch type.kind {
      case .scalar(.longDouble):
        return [MemberBytes(bytes: 0..<min(size, longDoubleSize), path: "")]
      case .complex(let part):
        let bytes = part == .longDouble ? min(part.size, longDoubleSize) : part.size
        return [
          MemberBytes(bytes: 0..<bytes, path: ".re"), MemberBytes(bytes: part.size..<part.size + bytes, path: ".im"),
        ]
      case .array(let count, let element): return elements(count, element, limit: limit)
      case .structure(let record): return members(of: record.fields ?? [], limit: limit)
      case .union(let record): return union(of: record.fields ?? [], limit: limit)
      case .void, .scalar, .vector, .cString, .atom, .object, .block, .classObject, .selector, .pointer, .unknown, .bitField:
        return [whole]
      }
    }

    private mutating func elements(_ count: Int, _ element: TypeEncoding, limit: Int) -> [MemberBytes] {
      guard let stride = element.stride, stride > 0 else { return [] }
      let inner = members(of: element, limit: limit)
      var all: [MemberBytes] = []
      for index in 0..<min(count, (limit + stride - 1) / stride) {
        append(inner, to: &all, at: index * stride, path: "[\(index)]")
      }
      return all
    }

    private mutating func members(of fields: [TypeEncoding.Field], limit: Int) -> [MemberBytes] {
      var all: [MemberBytes] = []
      for (index, field) in fields.enumerated() where field.offset < limit {
        let path = field.name.flatMap { $0.isEmpty ? nil : ".\($0.shortened(to: Self.longestName))" } ?? "[\(index)]"
        append(members(of: field, limit: limit), to: &all, at: field.offset, path: path)
      }
      return all
    }

    /// Returns the members of a member, from its first byte.
    private mutating func members(of field: TypeEncoding.Field, limit: Int) -> [MemberBytes] {
      guard case .bitField = field.type.kind else { return members(of: field.type, limit: limit - field.offset) }
      guard let bits = field.bits, !bits.isEmpty else { return [] }
      return [MemberBytes(bytes: 0..<(bits.upperBound + 7) / 8 - field.offset, path: "")]
    }

    private mutating func union(of fields: [TypeEncoding.Field], limit: Int) -> [MemberBytes] {
      var ranges: [Range<Int>] = []
      for field in fields { ranges += members(of: field, limit: limit).map(\.bytes) }
      ranges.sort { $0.lowerBound < $1.lowerBound }
      var all: [MemberBytes] = []
      for range in ranges {
        if let last = all.last, last.bytes.upperBound >= range.lowerBound {
          all[all.count - 1].bytes = last.bytes.lowerBound..<max(last.bytes.upperBound, range.upperBound)
        } else {
          all.append(MemberBytes(bytes: range, path: ""))
        }
      }
      return all
    }

    private mutating func append(_ members: [MemberBytes], to all: inout [MemberBytes], at offset: Int, path: String) {
      for member in members {
        remaining -= 1
        let moved = MemberBytes(
          bytes: member.bytes.lowerBound + offset..<member.bytes.upperBound + offset,
          path: (path + member.path).shortened(to: Self.longestPath))
        if let last = all.last, last.bytes.upperBound > moved.bytes.lowerBound {
          all[all.count - 1].join(moved)
        } else {
          all.append(moved)
        }
      }
    }
  }
}
