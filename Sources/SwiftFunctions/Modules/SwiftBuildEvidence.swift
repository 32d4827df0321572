internal import CFFIShim
internal import SwiftSymbols
internal import TypeEncodings

/// What the file of a library states about how its modules were compiled.
///
/// These exported symbols tell whether a module was built for library evolution; each was compared with the compiler in
/// both modes:
/// - Such a module exports the offset of the metadata of each of its classes (`Mo`). Another module does so only for the
///   subclasses of classes of such modules, as of `ManagedBuffer`, which state nothing.
/// - It exports a descriptor for each case of each enum that is not frozen (`WC`).
/// - Its property descriptors (`MV`) of stored properties state where these are. Another module's are empty.
/// - Only another module names a derived comparison of an enum `__derived_enum_equals`.
final class SwiftBuildEvidence: Sendable {
  /// The revisions of Swift's LLVM that compiled the library of the runtime.
  static let runtimeRevisions: Set<String> = {
    guard let library = try? DynamicLibrary("libswiftCore.so"), let (_, file) = try? LoadedLibrary.open(library) else { return [] }
    return file.compilerRevisions
  }()

  /// True if the library was built by the runtime's own compiler, whose value witnesses mark types that are not frozen.
  let marksAddressableTypes: Bool

  private let library: DynamicLibrary
  private let symbols: Locked<Symbols?>

  /// The evidence by the address at which a library begins.
  private static let known: Locked<[UInt: SwiftBuildEvidence]> = Locked([:])

  /// Returns the evidence for the library that contains a type descriptor, or nil if its file cannot be read.
  static func of(_ descriptor: SwiftRecord) -> SwiftBuildEvidence? {
    var start: UnsafeRawPointer?
    var path: UnsafePointer<CChar>?
    guard unsafe cffi_find_object(descriptor.address, &start, &path) != 0 else { return nil }
    let key = UInt(bitPattern: start)
    if let evidence = known.withLock({ $0[key] }) { return evidence }
    guard let library = try? unsafe DynamicLibrary.containing(descriptor.address), let evidence = SwiftBuildEvidence(library) else {
      return nil
    }
    known.withLock { $0[key] = evidence }
    return evidence
  }

  private init?(_ library: DynamicLibrary) {
    guard let (_, file) = try? LoadedLibrary.open(library) else { return nil }
    self.library = library
    let own = file.compilerRevisions
    marksAddressableTypes = !own.isEmpty && own.isSubset(of: Self.runtimeRevisions)
    symbols = Locked(nil)
  }

  /// How the values of a public type of the library are passed, as far as symbols state it.
  func passing(of descriptor: SwiftRecord, in module: String) -> SwiftModules.Passing {
    let symbols = symbols.withLock { state in
      if let symbols = state { return symbols }
      let made = Symbols(library)
      state = made
      return made
    }
    let address = unsafe UInt(bitPattern: descriptor.address)
    if symbols.openEnums.contains(address) { return .address }
    if symbols.plainModules.contains(module) { return .value }
    // An enum without cases exports no descriptor of one.
    if descriptor.isEnumDescriptor, symbols.exported.contains(address), !(descriptor.fields ?? []).isEmpty { return .value }
    return .unknown(
      symbols.evolutionModules.contains(module)
        ? "its module '\(module)' was built for library evolution, and nothing states whether the type is frozen"
        : "nothing states whether its module '\(module)' was built for library evolution")
  }

  /// What the exported symbols state.
  private struct Symbols: Sendable {
    /// The modules that were not built for library evolution.
    var plainModules: Set<String> = []
    /// The modules that were.
    var evolutionModules: Set<String> = []
    /// The addresses of the exported type descriptors.
    var exported: Set<UInt> = []
    /// The enums that are not frozen.
    var openEnums: Set<UInt> = []

    /// A type whose descriptor is exported.
    private struct Owner {
      let descriptor: SwiftRecord
      let module: String
    }

    init(_ library: DynamicLibrary) {
      guard let (loaded, file) = try? LoadedLibrary.open(library), let table = try? ELFSymbolTable.exported(file, where: Self.isWanted)
      else { return }
      var owners: [ArraySlice<UInt8>: Owner] = [:]
      var others: [ELFSymbolTable.Symbol] = []
      var offsets: Set<ArraySlice<UInt8>> = []
      for symbol in table.symbols {
        let name = table.name(of: symbol)
        switch name.suffix(2) {
        case let suffix where suffix.elementsEqual("Mn".utf8):
          guard let address = unsafe loaded.memory(at: symbol.value, count: 28)?.baseAddress else { continue }
          let descriptor = unsafe SwiftRecord(address: address)
          guard descriptor.contextKind == .type, let module = SwiftTypeContext(descriptor).module else { continue }
          owners[name.dropLast(2)] = Owner(descriptor: descriptor, module: module)
          exported.insert(UInt(bitPattern: address))
        case let suffix where suffix.elementsEqual("Mo".utf8): offsets.insert(name.dropLast(2))
        default: others.append(symbol)
        }
      }
      for (name, owner) in owners where owner.descriptor.isClassDescriptor {
        if !offsets.contains(name) {
          plainModules.insert(owner.module)
        } else if !owner.descriptor.hasResilientSuperclass {
          evolutionModules.insert(owner.module)
        }
      }
      for symbol in others {
        let name = table.name(of: symbol)
        guard let (owner, rest) = Self.owner(of: name, in: owners) else { continue }
        if name.suffix(2).elementsEqual("WC".utf8) {
          openEnums.insert(unsafe UInt(bitPattern: owner.descriptor.address))
          evolutionModules.insert(owner.module)
        } else if rest.starts(with: Self.derivedEquality) {
          plainModules.insert(owner.module)
        } else if name.suffix(2).elementsEqual("MV".utf8), !plainModules.contains(owner.module), Self.isStored(name, in: owner.descriptor),
          let header = unsafe loaded.memory(at: symbol.value, count: 4)
        {
          if unsafe header.load(as: UInt32.self) == 0 { plainModules.insert(owner.module) } else { evolutionModules.insert(owner.module) }
        }
      }
      // Contradictions prove nothing.
      plainModules.subtract(evolutionModules)
    }

    private static let derivedEquality = Array("21__derived_enum_equals".utf8)

    private static func isWanted(_ name: ArraySlice<UInt8>) -> Bool {
      guard name.starts(with: "$s".utf8) else { return false }
      switch name.suffix(2) {
      case let suffix where ["Mn", "Mo", "WC", "MV"].contains { suffix.elementsEqual($0.utf8) }: return true
      case let suffix where suffix.elementsEqual("FZ".utf8):
        return name.indices.contains { name[$0...].starts(with: derivedEquality) }
      default: return false
      }
    }

    /// The innermost type whose mangled name begins the member's name, and the rest of the member's name.
    private static func owner(
      of name: ArraySlice<UInt8>, in owners: [ArraySlice<UInt8>: Owner]
    ) -> (Owner, rest: ArraySlice<UInt8>)? {
      for index in name.indices.dropLast().reversed() where "VOC".utf8.contains(name[index]) {
        if let owner = owners[name[...index]] { return (owner, name[(index + 1)...]) }
      }
      return nil
    }

    /// Whether a property descriptor describes a stored property.
    private static func isStored(_ name: ArraySlice<UInt8>, in descriptor: SwiftRecord) -> Bool {
      let variable = name.dropLast(2)
      guard let symbol = try? SwiftSymbol(mangledName: variable), !symbol.isStatic, let fields = descriptor.fields else { return false }
      return fields.contains { $0.name == symbol.baseName }
    }
  }
}

extension ELFFile {
  /// The revisions of Swift's LLVM that compiled the library, which compilers leave in its comments.
  var compilerRevisions: Set<String> {
    guard let section = section(named: ".comment"), section.size <= 65_536 else { return [] }
    let comments = bytes(of: section).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return Set(comments.filter { $0.contains("swiftlang") && $0.contains("clang") })
  }
}

extension SwiftLibrarySymbols {
  /// Whether another version of Swift has compiled the library: it has none of the revisions of the runtime's library.
  var isOfOtherVersion: Bool {
    let runtime = SwiftBuildEvidence.runtimeRevisions
    guard !runtime.isEmpty, let (_, file) = try? LoadedLibrary.open(library) else { return false }
    let own = file.compilerRevisions
    return !own.isEmpty && own.isDisjoint(with: runtime)
  }
}
