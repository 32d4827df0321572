/// A writer that converts type encodings to text.
struct TypeEncodingWriter {
  /// The dialect, or nil to write each bit-field in the form that it was parsed from.
  private let dialect: TypeEncoding.Dialect?
  private let options: TypeEncoding.TextOptions
  /// The length in bytes at which writing stops.
  private let limit: Int
  private(set) var text = ""

  init(dialect: TypeEncoding.Dialect?, options: TypeEncoding.TextOptions, limit: Int = .max) {
    self.dialect = dialect
    self.options = options
    self.limit = limit
  }

  /// Returns what is written, truncated to 120 bytes or fewer; only the text that is shown is generated.
  static func shortText(_ write: (inout TypeEncodingWriter) -> Void) -> String {
    var writer = TypeEncodingWriter(dialect: nil, options: .all, limit: 128)
    write(&writer)
    return writer.text.utf8.count <= 120 ? writer.text : String(writer.text.unicodeScalars.prefix(117)) + "..."
  }

  private var isFull: Bool { text.utf8.count >= limit }

  mutating func write(_ type: TypeEncoding) {
    guard !isFull else { return }
    if options.contains(.qualifiers) { text += type.qualifiers.text }
    switch type.kind {
    case .void: text += "v"
    case .scalar(let scalar): write(scalar)
    case .complex(let part):
      // The qualifier decides the alignment.
      if !options.contains(.qualifiers), type.qualifiers.contains(.atomic) { text += "A" }
      text += "j"
      write(part)
    case .vector(let element, let count, let size, let alignment): writeVector(element, count, size, alignment)
    case .cString: text += "*"
    case .atom: text += "%"
    case .object(let annotation):
      text += "@"
      if options.contains(.annotations), let annotation { text += "\"\(annotation)\"" }
    case .block(let types):
      text += "@?"
      if options.contains(.annotations), let types {
        text += "<"
        write(types)
        text += ">"
      }
    case .classObject: text += "#"
    case .selector: text += ":"
    case .pointer(let target):
      text += "^"
      write(target)
    case .unknown:
      // An empty class name prevents a preceding object from being parsed as a block.
      text += text.utf8.last == Ascii.at ? "\"\"?" : "?"
    case .array(let count, let element):
      text += "[\(count)"
      write(part: element)
      text += "]"
    case .structure(let record): write(record, "{", "}", type.layoutOverride)
    case .union(let record): write(record, "(", ")", type.layoutOverride)
    case .bitField(let field): write(field, at: field.position)
    }
  }

  /// Writes the frame offset after a type.
  mutating func write(offset: Int) { text += "\(offset)" }

  /// Writes a return type and argument types, without frame offsets.
  mutating func write(_ types: MethodTypes) {
    write(types.result)
    for argument in types.arguments where !isFull { write(argument) }
  }

  private mutating func write(_ scalar: TypeEncoding.Scalar) {
    text.unicodeScalars.append(Unicode.Scalar(scalar.rawValue))
  }

  private mutating func writeVector(_ element: TypeEncoding.Scalar, _ count: Int, _ size: Int, _ alignment: Int) {
    // The short form implies a size rounded up to a power of two, which a three-element vector needs. The GNU form
    // states the size.
    if count * element.size != size {
      text += "<\(count)"
      write(element)
      text += ">"
    } else {
      text += "![\(size),\(alignment)"
      write(element)
      text += "]"
    }
  }

  private mutating func write(
    _ record: TypeEncoding.Record, _ open: String, _ close: String, _ override: TypeEncoding.LayoutOverride?
  ) {
    text += open
    text += options.contains(.structNames) ? record.name : "?"
    if let fields = record.fields {
      text += "="
      for field in fields where !isFull {
        if options.contains(.fieldNames), let name = field.name { text += "\"\(name)\"" }
        if case .bitField(let bitField) = field.type.kind {
          write(bitField, at: position(of: field, bitField))
        } else {
          write(part: field.type)
        }
      }
    }
    text += close
    if options.contains(.layoutOverrides), let override {
      if let packing = override.packing { text += "%p\(packing)" }
      if let alignment = override.minimumAlignment { text += "%a\(alignment)" }
      if let stated = override.stated {
        let layout = stated.layout
        text += "%s\(layout.size),\(layout.alignment),\(layout.memberAlignment):"
        text += stated.positions.map(String.init).joined(separator: ",") + ";"
      }
    }
  }

  /// Writes a member of a struct or union, or an element of an array.
  private mutating func write(part type: TypeEncoding) {
    var isComplex: Bool { if case .complex = type.kind { true } else { false } }
    if options.contains(.atomicParts), !options.contains(.qualifiers), type.qualifiers.contains(.atomic), !isComplex { text += "A" }
    write(type)
  }

  private func position(of field: TypeEncoding.Field, _ bitField: TypeEncoding.BitField) -> Int? {
    switch dialect {
    case .gnu: field.bits?.lowerBound
    case .next: nil
    case nil: bitField.position
    }
  }

  private mutating func write(_ field: TypeEncoding.BitField, at position: Int?) {
    if let position {
      text += "b\(position)"
      write(field.container)
      text += "\(field.width)"
    } else {
      text += "b\(field.width)"
    }
    if options.contains(.bitFieldDeclarations), let declaration = field.declaration { text += "%d\(declaration.rawValue)" }
  }
}
