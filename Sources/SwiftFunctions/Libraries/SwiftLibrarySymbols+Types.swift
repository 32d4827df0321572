internal import CFFIShim
internal import SwiftSymbols

extension SwiftLibrarySymbols {
  /// The classes, structs and enums that the library declares, internal ones included, without generic types and those
  /// whose values cannot be copied.
  ///
  /// - Complexity: O(types). The metadata of all types is created.
  package func types() throws(InvocationError) -> [Any.Type] {
    let contents = try contents()
    guard let section = contents.loaded.typeRecords,
      let records = unsafe contents.loaded.memory(at: section.address, count: Int(clamping: section.size)),
      let start = records.baseAddress
    else { return [] }
    var types: [Any.Type] = []
    for offset in stride(from: 0, to: records.count & ~3, by: 4) {
      let entry = unsafe start + offset
      let relative = unsafe entry.loadUnaligned(as: Int32.self)
      // The low two bits tell how the descriptor is referred to: 0 directly, 1 through a pointer.
      guard relative != 0, relative & 3 <= 1 else { continue }
      var descriptor = unsafe entry + Int(relative & ~3)
      guard unsafe cffi_readable_bytes(contents.loaded.base, descriptor) >= 16 else { continue }
      if relative & 3 == 1 {
        guard let target = unsafe descriptor.loadUnaligned(as: UnsafeRawPointer?.self) else { continue }
        unsafe descriptor = unsafe target
      }
      if let type = unsafe SwiftRecord(address: descriptor).type { types.append(type) }
    }
    return types
  }

  /// The types that the library declares and that conform to a protocol, as for ``types()``.
  ///
  /// - Parameter existential: The protocol as a type: `(any Plugin).self`. A composition asks for all its protocols.
  /// - Throws: `InvocationError` `unsupportedType` if the type is no existential type of Swift protocols without a
  ///   superclass or constraints.
  package func conformers(of existential: Any.Type) throws(InvocationError) -> [Any.Type] {
    guard let protocols = SwiftMetadata(existential).protocols, !protocols.isEmpty else {
      throw InvocationError(.unsupportedType, "'\(existential)' is no protocol that types can be asked for")
    }
    return try types().filter { type in
      protocols.allSatisfy { unsafe cffi_swift_conforms(SwiftMetadata(type).address, $0.address) }
    }
  }

  /// The types that the library declares and that conform to a protocol, which is found by its name.
  ///
  /// - Parameter name: The name, with the module if it is none of the library's.
  /// - Throws: `InvocationError` `symbolNotFound` if there is no such protocol, or several modules of the library have one.
  package func conformers(ofProtocol name: String) throws(InvocationError) -> [Any.Type] {
    let path = SwiftIdentifier.path(name)
    let modules = path.count == 1 ? try contents().index.modules.sorted() : path.dropLast().map(\.source)
    let found = modules.compactMap { module -> Any.Type? in
      guard let last = path.last, path.count <= 2 else { return nil }
      let type = SwiftTypeLookup.type(mangled: SwiftIdentifier.existentialName(ofProtocol: last, in: SwiftIdentifier(module)))
      // The runtime may make an existential type of the name of another type.
      let kindOfProtocol: UInt32 = 3
      guard let protocols = type.flatMap({ SwiftMetadata($0).protocols }), protocols.count == 1 else { return nil }
      return protocols[0].half(0) & 0x1F == kindOfProtocol ? type : nil
    }
    guard let existential = found.first else {
      throw InvocationError(.symbolNotFound, "\(library) has no protocol '\(name)'; state its module if it is of another one")
    }
    guard found.count == 1 else {
      let names = found.map { _typeName($0, qualified: true) }
      throw InvocationError(.symbolNotFound, "'\(name)' means \(found.count) protocols; state the module", candidates: names)
    }
    return try conformers(of: existential)
  }
}
