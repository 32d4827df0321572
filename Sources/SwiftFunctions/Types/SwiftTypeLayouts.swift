internal import CallFrames
package import TypeEncodings

/// The layouts of Swift types, read from the runtime's metadata.
package struct SwiftTypeLayouts {
  private struct Key: Hashable {
    let metadata: SwiftMetadata
    let assumesFixed: Bool
  }

  private static let known: Locked<[Key: SwiftTypeLayout]> = Locked([:])

  /// Whether values are passed by their parts where nothing states how they are passed.
  let assumesFixed: Bool

  /// - Parameter promises: What the caller states of the types.
  package init(trusting promises: SwiftLibrary.Promises) {
    assumesFixed = promises.contains(.fixedLayouts)
  }

  /// Whether values of a type are passed by their address only.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason if that is not known.
  package func isAddressOnly(_ type: Any.Type) throws(InvocationError) -> Bool { try layout(of: type).isAddressOnly }

  /// Returns the layout of a type.
  ///
  /// - Throws: `InvocationError` `unsupportedType` with the reason if the metadata does not determine how values are
  ///   passed.
  /// - Complexity: O(*n*), where *n* is the number of parts, the first time; a look-up in a table afterwards.
  package func layout(of type: Any.Type) throws(InvocationError) -> SwiftTypeLayout {
    let metadata = SwiftMetadata(type)
    let key = Key(metadata: metadata, assumesFixed: assumesFixed)
    if let layout = Self.known.withLock({ $0[key] }) { return layout }
    let layout = try make(metadata)
    Self.known.withLock { $0[key] = layout }
    return layout
  }

  private func make(_ metadata: SwiftMetadata) throws(InvocationError) -> SwiftTypeLayout {
    guard metadata.isCopyable else { throw refused(metadata, "it cannot be copied") }
    var layout = SwiftTypeLayout(size: metadata.size, alignment: metadata.alignment)
    if metadata.kind == .tuple {
      layout.elements = try metadata.elements.map { (element) throws(InvocationError) in
        SwiftTypeLayout.Element(try self.layout(of: element.type.type), at: element.offset)
      }
    }
    do throws(Failure) {
      var leaves: [SwiftTypeLayout.Leaf] = []
      try add(metadata, at: 0, to: &leaves)
      layout.leaves = leaves
    } catch {
      switch error {
      case .addressOnly: layout.isAddressOnly = true
      case .refused(let error): throw error
      }
    }
    return layout
  }

  /// The reason for which a type has no parts.
  private enum Failure: Error {
    /// The type is passed by address only.
    case addressOnly
    /// The type is not known well enough to pass it.
    case refused(InvocationError)
  }

  private func refused(_ metadata: SwiftMetadata, _ reason: String) -> InvocationError {
    InvocationError(.unsupportedType, "\(metadata.name) cannot be passed: \(reason)")
  }

  private func add(
    _ metadata: SwiftMetadata, at offset: Int, to leaves: inout [SwiftTypeLayout.Leaf]
  ) throws(Failure) {
    guard metadata.isCopyable else { throw .refused(refused(metadata, "it cannot be copied")) }
    switch metadata.kind {
    case .structure, .enumeration:
      let doubt = try doubt(metadata)
      if metadata.kind == .structure {
        try addStructure(metadata, at: offset, to: &leaves)
      } else {
        try addEnumeration(metadata, at: offset, to: &leaves)
      }
      // If a part is passed only by address, so is the whole, whatever the doubt is.
      if let doubt { throw .refused(doubt) }
    case .optional: try addEnumeration(metadata, at: offset, to: &leaves)
    case .object: leaves.append(SwiftTypeLayout.Leaf(.pointer, at: offset))
    case .builtin: try addBuiltin(metadata, at: offset, to: &leaves)
    case .tuple:
      for element in metadata.elements {
        try requireBytes(element.type, in: metadata)
        try add(element.type, at: offset + element.offset, to: &leaves)
      }
    case .function:
      let convention = SwiftFunctionType(metadata)?.convention
      guard convention != .block else { throw .refused(refused(metadata, "it is a block")) }
      addPointers(convention == .swift ? 2 : 1, at: offset, to: &leaves)
    case .existential:
      let flags = metadata.half(8)
      if flags >> 24 & 0x3F == 1 {
        addPointers(1, at: offset, to: &leaves)  // any Error
      } else if flags & 0x8000_0000 != 0 {
        throw .addressOnly
      } else {
        addPointers(1 + Int(flags & 0xFF_FFFF), at: offset, to: &leaves)
      }
    case .metatype:
      if !metadata.isEmptyMetatype { addPointers(1, at: offset, to: &leaves) }
    case .existentialMetatype: addPointers(metadata.size / 8, at: offset, to: &leaves)
    case .extendedExistential:
      guard metadata.size > 0, let shape = unsafe UnsafeRawPointer(bitPattern: metadata.word(1)) else { throw .addressOnly }
      switch unsafe SwiftRecord(address: shape).half(0) & 0xFF {
      case 0: throw .addressOnly
      case 1: addPointers(metadata.size / 8, at: offset, to: &leaves)
      default: throw .refused(refused(metadata, "its kind of existential is not supported"))
      }
    case .foreignReference:
      throw .refused(refused(metadata, "its kind of metadata (\(metadata.word(0))) is not supported"))
    case .other:
      // The runtime has no name for it.
      throw .refused(InvocationError(.unsupportedType, "a type of a kind (\(metadata.word(0))) that is not supported cannot be passed"))
    }
  }

  private func addPointers(_ count: Int, at offset: Int, to leaves: inout [SwiftTypeLayout.Leaf]) {
    for index in 0..<count { leaves.append(SwiftTypeLayout.Leaf(.pointer, at: offset + 8 * index)) }
  }

  // MARK: Structs

  private func addStructure(
    _ metadata: SwiftMetadata, at offset: Int, to leaves: inout [SwiftTypeLayout.Leaf]
  ) throws(Failure) {
    guard let descriptor = metadata.descriptor, descriptor.fields != nil else {
      throw .refused(refused(metadata, "its module contains no description of its fields (-disable-reflection-metadata)"))
    }
    guard let fields = metadata.storedFields else { throw .refused(refused(metadata, "not all of its fields are known to Swift")) }
    for (field, fieldOffset) in fields {
      guard let name = field.type else { throw .refused(refused(metadata, "its field '\(field.name)' has no type")) }
      let type = try fieldType(name, named: field.name, of: metadata, descriptor, requiresBytes: descriptor.isGeneric)
      guard type.kind != .other else {
        throw .refused(refused(metadata, "its field '\(field.name)' is of a kind (\(type.word(0))) that is not supported"))
      }
      try add(type, at: offset + fieldOffset, to: &leaves)
    }
  }

  /// Throws if values are passed by address, since the module of the type was built for library evolution.
  ///
  /// - Returns: The error for a type that may be one, or nil.
  private func doubt(_ metadata: SwiftMetadata) throws(Failure) -> InvocationError? {
    switch SwiftModules.passing(of: metadata) {
    case .value: return nil
    case .address: throw .addressOnly
    case .unknown where assumesFixed: return nil
    case .unknown(let reason):
      let way = "'unsafe library.trusting(.fixedLayouts)' states that the module was not, or that the type is frozen"
      return refused(metadata, "\(reason); \(way)")
    }
  }

  /// Throws if a part is the metatype of a struct, enum or tuple.
  ///
  /// The compiler stores it without bytes, and its metadata, which describes the metatype in generic code, states eight.
  private func requireBytes(_ part: SwiftMetadata, in metadata: SwiftMetadata) throws(Failure) {
    guard part.isEmptyMetatype else { return }
    throw .refused(refused(metadata, "it contains \(part.name), whose size differs from that in its metadata"))
  }

  /// Returns the type of a field or payload.
  private func fieldType(
    _ name: SwiftRecord, named field: String, of metadata: SwiftMetadata, _ descriptor: SwiftRecord, requiresBytes: Bool = true
  ) throws(Failure) -> SwiftMetadata {
    guard let (type, mark) = metadata.field(name, in: descriptor) else {
      throw .refused(refused(metadata, "the type of '\(field)' is not known to the runtime"))
    }
    if mark == .weak { throw .addressOnly }
    if requiresBytes { try requireBytes(type, in: metadata) }
    return type
  }

  // MARK: Enums

  /// Appends the parts of an enum.
  ///
  /// An enum with one case is its payload. One without payloads is an integer. Any other one is its payload in words,
  /// followed by the bytes that tell the cases apart.
  private func addEnumeration(
    _ metadata: SwiftMetadata, at offset: Int, to leaves: inout [SwiftTypeLayout.Leaf]
  ) throws(Failure) {
    guard let descriptor = metadata.descriptor, let cases = descriptor.fields else {
      throw .refused(refused(metadata, "its module contains no description of its cases (-disable-reflection-metadata)"))
    }
    if cases.count == 1 {
      guard let name = cases[0].type else { return }
      if cases[0].isIndirect { return addPointers(1, at: offset, to: &leaves) }
      return try add(fieldType(name, named: cases[0].name, of: metadata, descriptor), at: offset, to: &leaves)
    }
    var payload = 0
    for each in cases {
      guard let name = each.type else { continue }
      if each.isIndirect {
        payload = max(payload, 8)
        continue
      }
      let type = try fieldType(name, named: each.name, of: metadata, descriptor)
      var parts: [SwiftTypeLayout.Leaf] = []
      try add(type, at: 0, to: &parts)
      payload = max(payload, type.size)
    }
    for start in stride(from: 0, to: payload, by: 8) {
      leaves.append(SwiftTypeLayout.Leaf(.integer(bits: min(8, payload - start) * 8), at: offset + start))
    }
    if metadata.size > payload {
      leaves.append(SwiftTypeLayout.Leaf(.integer(bits: (metadata.size - payload) * 8), at: offset + payload))
    }
  }

  // MARK: Builtin types

  private func addBuiltin(
    _ metadata: SwiftMetadata, at offset: Int, to leaves: inout [SwiftTypeLayout.Leaf]
  ) throws(Failure) {
    let name = metadata.name
    guard name != "Builtin.FPIEEE80" else {
      throw .refused(
        InvocationError(
          .unsupportedType, "Swift.Float80 cannot be passed: it is passed in x87 registers or on the stack, which is not supported"))
    }
    guard let kind = Self.builtin(name) else { throw .refused(refused(metadata, "it is not a known builtin type")) }
    leaves.append(SwiftTypeLayout.Leaf(kind, at: offset))
    if name == "Builtin.Executor" { leaves.append(SwiftTypeLayout.Leaf(kind, at: offset + 8)) }
  }

  /// Returns the part that a builtin type is, by its name.
  static func builtin(_ name: String) -> SwiftTypeLayout.Kind? {
    switch name {
    case "Builtin.RawPointer", "Builtin.NativeObject", "Builtin.BridgeObject", "Builtin.UnknownObject",
      "Builtin.RawUnsafeContinuation", "Builtin.Job":
      return .pointer
    case "Builtin.Word", "Builtin.Executor": return .integer(bits: 64)
    default: break
    }
    guard name.hasPrefix("Builtin.") else { return nil }
    let rest = name.dropFirst(8)
    if rest.hasPrefix("Vec") {
      let parts = rest.dropFirst(3).split(separator: "x", maxSplits: 1)
      guard parts.count == 2, let count = Int(parts[0]) else { return nil }
      switch number(parts[1]) {
      case .integer(let bits)?: return .vector(count: count, of: .integer(bits: bits))
      case .float(let bits)?: return .vector(count: count, of: .float(bits: bits))
      default: return nil
      }
    }
    return number(rest)
  }

  private static func number(_ name: Substring) -> SwiftTypeLayout.Kind? {
    // Wider ones are not passed in one vector register on each processor.
    if name.hasPrefix("FPIEEE") { return Int(name.dropFirst(6)).flatMap { $0 <= 64 ? .float(bits: $0) : nil } }
    if name.hasPrefix("Int") { return Int(name.dropFirst(3)).map { .integer(bits: $0) } }
    return nil
  }
}
