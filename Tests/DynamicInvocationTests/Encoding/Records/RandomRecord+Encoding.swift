import LayoutModel
@testable import TypeEncodings

@testable import DynamicInvocation

extension RandomRecord {
  /// Returns the type, built from parts without positions, so that the engine must compute all of them.
  func type() throws -> TypeEncoding {
    let members = try members.map { member -> (name: String?, type: TypeEncoding) in
      switch member {
      case .plain(let type): (nil, try Self.type(type))
      case .bitField(let container, let width): (nil, Self.bitField(container, width))
      case .unitEnd(let container): (nil, Self.bitField(container, 0))
      case .padding(let container, let width): (nil, Self.bitField(container, width))
      }
    }
    return try withAttribute(TypeEncoding(record: name, isUnion: isUnion, members: members))
  }

  /// Returns the type with the effects of the attribute, which encodings cannot express.
  func withAttribute(_ type: TypeEncoding) throws -> TypeEncoding {
    switch attribute {
    case .none: type
    case .packed: try type.packed()
    case .pragmaPack(let packing): try type.packed(to: packing)
    case .aligned(let alignment): try type.aligned(to: alignment)
    case .packedAndAligned(let alignment): try type.packed().aligned(to: alignment)
    }
  }

  private static func bitField(_ container: TypeEncoding.Scalar, _ width: Int) -> TypeEncoding {
    TypeEncoding(.bitField(TypeEncoding.BitField(width: width, container: container, position: nil)))
  }

  private static func type(_ type: CType) throws -> TypeEncoding {
    switch type {
    case .scalar(let scalar): TypeEncoding(.scalar(scalar))
    case .complex(let part): TypeEncoding(.complex(part))
    case .pointer: TypeEncoding(.pointer("v"))
    case .array(let count, let element): try TypeEncoding(arrayOf: Self.type(element), count: count)
    case .record(let record): try record.type()
    }
  }

  /// Returns the encoding in the GNU dialect, with the positions of a compiler: the first bit of each member of each
  /// record.
  func gnuText(positions: [String: [Int]]) -> String {
    let places = positions[name] ?? []
    var next = 0
    var end = 0
    var text = ""
    for member in members {
      switch member {
      case .plain(let type):
        text += Self.text(type) { $0.gnuText(positions: positions) }
        end = places[next + 1]
        next += 2
      case .bitField(let container, let width):
        text += "b\(places[next])\(Self.text(.scalar(container)) { _ in "" })\(width)"
        end = places[next + 1]
        next += 2
      case .padding: preconditionFailure("a compiler does not report where it is")
      case .unitEnd(let container):
        // A compiler cannot report its position, since it has no name. It is at the beginning of the next unit.
        let unit = 8 * container.size
        let position = isUnion ? 0 : (end + unit - 1) / unit * unit
        text += "b\(position)\(Self.text(.scalar(container)) { _ in "" })0"
        end = position
      }
    }
    return isUnion ? "(\(name)=\(text))" : "{\(name)=\(text)}"
  }

  /// The encoding in the NeXT dialect, which states only the widths of bit-fields.
  var nextText: String {
    let text = members.map { member in
      switch member {
      case .plain(let type): Self.text(type) { $0.nextText }
      case .bitField(_, let width): "b\(width)"
      case .unitEnd: "b0"
      case .padding(_, let width): "b\(width)"
      }
    }.joined()
    return isUnion ? "(\(name)=\(text))" : "{\(name)=\(text)}"
  }

  private static func text(_ type: CType, record: (RandomRecord) -> String) -> String {
    switch type {
    case .scalar(let scalar): String(Unicode.Scalar(scalar.rawValue))
    case .complex(let part): "j" + String(Unicode.Scalar(part.rawValue))
    case .pointer: "^v"
    case .array(let count, let element): "[\(count)\(text(element, record: record))]"
    case .record(let inner): record(inner)
    }
  }
}

extension TypeEncoding {
  /// What is seen of a type: size, alignment, and the first and the end bit of each named member.
  var places: [Int] {
    let fields: [Field] =
      switch kind {
      case .structure(let record), .union(let record): record.fields ?? []
      default: []
      }
    return fields.reduce(into: [size ?? -1, alignment ?? -1]) { places, field in
      let bits = field.bits ?? 8 * field.offset..<8 * (field.offset + (field.type.size ?? 0))
      if field.bits == nil || !bits.isEmpty { places += [bits.lowerBound, bits.upperBound] }
    }
  }
}
