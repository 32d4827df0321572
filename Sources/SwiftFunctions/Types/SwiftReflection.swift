internal import SwiftSymbols

/// The fields, elements and cases of types, as the metadata states them, and values made of such parts.
///
/// Offsets are right for values in memory, whatever the module of the type was built for.
@_spi(Tools) public enum SwiftReflection {
  /// A field of a struct or an element of a tuple.
  @_spi(Tools) public struct Part {
    /// The name of the field without backticks, or the label or else the number of the element.
    @_spi(Tools) public let name: String
    /// The type.
    @_spi(Tools) public let type: Any.Type
    let offset: Int
  }

  /// A case of an enum.
  @_spi(Tools) public struct Case {
    /// The name without backticks.
    @_spi(Tools) public let name: String
    /// The type of the payload, which is a tuple for several values, or nil for none.
    @_spi(Tools) public let payload: Any.Type?
    let tag: UInt32
  }

  // MARK: Types

  /// The elements of a tuple type, or nil for another type.
  @_spi(Tools) public static func elements(of type: Any.Type) -> [Part]? {
    let metadata = SwiftMetadata(type)
    guard metadata.kind == .tuple else { return nil }
    // Each label is followed by a space, also an empty one.
    let text = unsafe UnsafePointer<CChar>(bitPattern: metadata.word(2)).map { unsafe String(cString: $0) } ?? ""
    let labels = text.split(separator: " ", omittingEmptySubsequences: false).map { SwiftIdentifier($0).text }
    return metadata.elements.enumerated().map { index, element in
      let name = index < labels.count && !labels[index].isEmpty ? labels[index] : "\(index)"
      return Part(name: name, type: element.type.type, offset: element.offset)
    }
  }

  /// The name of a field or a case without backticks, which a raw identifier has in metadata.
  @_spi(Tools) public static func plainName(_ name: String) -> String { SwiftIdentifier(name).text }

  /// The stored properties of a struct.
  ///
  /// - Returns: nil for another type, and for a struct whose metadata does not describe all its fields or that holds a
  ///   `weak` or `unowned` reference or a tuple with the metatype of a struct, enum or tuple.
  @_spi(Tools) public static func fields(of type: Any.Type) -> [Part]? {
    let metadata = SwiftMetadata(type)
    guard metadata.isCopyable, let descriptor = metadata.descriptor, let fields = metadata.storedFields else { return nil }
    var parts: [Part] = []
    for (field, offset) in fields {
      guard let name = field.type, let type = Self.type(name, in: metadata, descriptor) else { return nil }
      parts.append(Part(name: plainName(field.name), type: type, offset: offset))
    }
    return parts
  }

  /// Whether a struct or class has a stored property of its own with a name.
  package static func hasField(_ name: String, in type: Any.Type) -> Bool {
    SwiftMetadata(type).descriptor?.fields?.contains { plainName($0.name) == name } ?? false
  }

  /// The cases of an enum in the order of their tags: those with payloads first.
  ///
  /// - Returns: nil for another type and an enum that its metadata does not describe. A case whose payload is stored in
  ///   a box, or has a type that the runtime does not find, is left out.
  @_spi(Tools) public static func cases(of type: Any.Type) -> [Case]? {
    let metadata = SwiftMetadata(type)
    guard metadata.kind == .enumeration, metadata.isCopyable, metadata.hasEnumWitnesses, let descriptor = metadata.descriptor,
      let cases = descriptor.fields
    else { return nil }
    return cases.enumerated().compactMap { index, each in
      let tag = UInt32(truncatingIfNeeded: index)
      guard let name = each.type else { return Case(name: plainName(each.name), payload: nil, tag: tag) }
      guard !each.isIndirect, let payload = Self.type(name, in: metadata, descriptor) else { return nil }
      return Case(name: plainName(each.name), payload: payload, tag: tag)
    }
  }

  private static func type(_ name: SwiftRecord, in metadata: SwiftMetadata, _ descriptor: SwiftRecord) -> Any.Type? {
    guard let (type, mark) = metadata.field(name, in: descriptor), mark == nil, !type.isTupleOfEmptyMetatypes else { return nil }
    return type.type
  }

  // MARK: Values

  /// The name of the case of an enum value, or nil for a value of another type.
  @_spi(Tools) public static func caseName(of value: Any) -> String? {
    func name<T>(_ value: T) -> String? {
      let metadata = SwiftMetadata(T.self)
      guard metadata.kind == .enumeration, metadata.hasEnumWitnesses, let cases = metadata.descriptor?.fields else { return nil }
      let tag = unsafe withUnsafePointer(to: value) { unsafe metadata.tag(of: $0) }
      return cases.indices.contains(Int(tag)) ? plainName(cases[Int(tag)].name) : nil
    }
    return _openExistential(value, do: name)
  }

  /// Makes a tuple, or a struct without its initializers.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - parts: All its parts.
  ///   - values: A value of exactly its type for each part.
  /// - Returns: nil if the number or the type of a value is wrong.
  @unsafe
  @_spi(Tools) public static func value(of type: Any.Type, parts: [Part], _ values: [Any]) -> Any? {
    guard parts.count == values.count, zip(parts, values).allSatisfy({ SwiftMetadata($0.type).contains($1) }) else { return nil }
    return unsafe make(type) { memory in
      for (part, value) in zip(parts, values) { unsafe SwiftMetadata(part.type).store(value, at: memory + part.offset) }
    }
  }

  /// Makes the value of a case of an enum.
  ///
  /// - Parameter payload: A value of exactly the type of the payload, or nil for none.
  /// - Returns: nil if the type of the payload is wrong.
  @unsafe
  @_spi(Tools) public static func value(of type: Any.Type, _ given: Case, payload: Any?) -> Any? {
    switch (given.payload, payload) {
    case (nil, nil): break
    case (let type?, let value?) where SwiftMetadata(type).contains(value): break
    default: return nil
    }
    return unsafe make(type) { memory in
      if let payload, let type = given.payload { unsafe SwiftMetadata(type).store(payload, at: memory) }
      unsafe SwiftMetadata(type).inject(given.tag, into: memory)
    }
  }

  /// Makes a value in memory that was zero.
  @unsafe
  private static func make(_ type: Any.Type, _ fill: (UnsafeMutableRawPointer) -> Void) -> Any {
    func make<T>(_: T.Type) -> Any {
      let memory = UnsafeMutablePointer<T>.allocate(capacity: 1)
      defer { unsafe memory.deallocate() }
      unsafe UnsafeMutableRawPointer(memory).initializeMemory(as: UInt8.self, repeating: 0, count: MemoryLayout<T>.size)
      unsafe fill(memory)
      return unsafe memory.move()
    }
    return _openExistential(type, do: make)
  }
}
