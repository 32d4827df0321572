// Short descriptions of the parts of a type. Quoted encodings are truncated, so that the cost of a description is
// bounded by the length of its text.

extension TypeEncoding.Kind: CustomStringConvertible {
  /// The kind as text: `Int32`, `struct Rect`, `array of 4 i`, `pointer to {Point=dd}`.
  public var description: String {
    switch self {
    case .void: "void"
    case .scalar(let scalar): scalar.swiftName
    case .complex(let part): "complex \(part.swiftName)"
    case .vector(let element, let count, _, _): "vector of \(count) \(element.swiftName)"
    case .cString: "C string"
    case .atom: "atom"
    case .object(let annotation): annotation.map { "object of \($0)".shortened(to: 120).escaped } ?? "object"
    case .block(let types): types.map { "block '\($0.shortText)'" } ?? "block"
    case .classObject: "class"
    case .selector: "selector"
    case .pointer(let target): "pointer to \(target.shortText)"
    case .unknown: "unknown"
    case .array(let count, let element): "array of \(count) \(element.shortText)"
    case .structure(let record): "struct \(record)"
    case .union(let record): "union \(record)"
    case .bitField(let field): "\(field)"
    }
  }
}

extension TypeEncoding.Record: CustomStringConvertible {
  /// The name and the number of members: `Rect with 2 members`.
  public var description: String {
    "\(name.shortened(to: 120).escaped) " + (fields.map { "with " + $0.count.counted("member") } ?? "without a layout")
  }
}

extension TypeEncoding.Field: CustomStringConvertible {
  /// The name, the type and the offset: `origin {Point=dd} at byte 0`, `b3 at bit 5`.
  public var description: String {
    let place = bits.map { "bit \($0.lowerBound)" } ?? "byte \(offset)"
    return (name.map { $0.shortened(to: 120).escaped + " " } ?? "") + "\(type.shortText) at \(place)"
  }
}

extension TypeEncoding.BitField: CustomStringConvertible {
  /// The width and the declared type: `3 bits of UInt32`.
  public var description: String { width.counted("bit") + " of \(container.swiftName)" }
}

extension TypeEncoding.LayoutOverride: CustomStringConvertible {
  /// The attributes as text: `packed to 1, aligned to 16`.
  public var description: String {
    let parts = [packing.map { "packed to \($0)" }, minimumAlignment.map { "aligned to \($0)" }].compactMap(\.self)
    if let stated { return "\(stated.size) bytes aligned to \(stated.alignment), as declared" }
    return parts.isEmpty ? "none" : parts.joined(separator: ", ")
  }
}

extension TypeEncoding.LayoutHints: CustomStringConvertible {
  /// The number of names that have a layout, and the type of bit-fields: `2 layouts, bit-fields of UInt8`.
  public var description: String {
    records.count.counted("layout") + (bitFieldType.map { ", bit-fields of \($0.swiftName)" } ?? "")
  }
}

extension TypeEncoding.Qualifiers: CustomStringConvertible {
  /// The qualifiers by name: `[const, out]`.
  public var description: String {
    text([
      (.const, "const"), (.in, "in"), (.inout, "inout"), (.out, "out"), (.byCopy, "byCopy"), (.byReference, "byReference"),
      (.oneway, "oneway"), (.atomic, "atomic"), (.collectorInvisible, "collectorInvisible"),
    ])
  }
}

extension TypeEncoding.TextOptions: CustomStringConvertible {
  /// The options by name: `[structNames, qualifiers]`.
  public var description: String {
    text([
      (.structNames, "structNames"), (.fieldNames, "fieldNames"), (.annotations, "annotations"), (.qualifiers, "qualifiers"),
      (.layoutOverrides, "layoutOverrides"), (.atomicParts, "atomicParts"),
      (.bitFieldDeclarations, "bitFieldDeclarations"),
    ])
  }
}

extension MethodTypes: CustomStringConvertible {
  /// The encoding of the types, with everything that was parsed except the frame offsets.
  public var description: String { text() }
}

extension ValueKind: CustomStringConvertible {
  /// The character of a scalar or a reference (`d`, `@`), or the number of a layout (`layout 256`).
  public var description: String {
    guard !isAggregate, let scalar = Unicode.Scalar(rawValue) else { return "layout \(rawValue)" }
    return self == .block ? "@?" : String(scalar).escaped
  }
}
