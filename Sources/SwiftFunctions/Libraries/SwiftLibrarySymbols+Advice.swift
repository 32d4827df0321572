internal import SwiftSymbols
internal import TypeEncodings

// Why a name is not found, and what to do. All of it is read when a look-up has failed.

extension SwiftLibrarySymbols {
  /// Why a library exports no functions, and what to do.
  func adviceForNoFunctions() -> String {
    if library.isProcess { return "link the program with '-Xlinker -export-dynamic', and declare the functions public" }
    guard let (loaded, file) = try? LoadedLibrary.open(library) else { return "it is no Swift library" }
    if file.sections.isEmpty { return "it is no Swift library, or its functions are not public" }
    if loaded.typeRecords == nil { return "it is no Swift library" }
    return "it is a Swift library; declare the functions public, and do not hide their symbols in the linker"
  }

  /// What is known about a name that no exported function has, as the end of an error, or nil.
  func advice(for query: SwiftNameQuery) -> String? {
    guard let (_, file) = try? LoadedLibrary.open(library) else { return nil }
    guard let table = ELFSymbolTable.all(file, where: SwiftSymbolIndex.isWanted) else {
      return "only public functions have exported symbols, and the library is stripped of the others; declare it public"
    }
    let found = SwiftSymbolIndex(table).find(query)
    guard let entry = found.first else { return nil }
    return "the library has '\(entry.name)', which is private or internal; declare it public"
  }

  /// What to do about a library that another version of Swift has compiled, as the end of an error; empty for any other.
  ///
  /// Compilers leave a comment with the revision of LLVM in a library. A library that has none of the revisions that
  /// the library of the runtime has was compiled by another version.
  func adviceForOtherVersion() -> String {
    let runtime = Self.runtimeRevisions
    guard !runtime.isEmpty, let (_, file) = try? LoadedLibrary.open(library) else { return "" }
    let own = Self.revisions(file)
    guard !own.isEmpty, own.isDisjoint(with: runtime) else { return "" }
    return "; another version of Swift has compiled the library, and types may differ: compile it with the version of this program"
  }

  /// The revisions of Swift's LLVM that compiled the library of the runtime.
  static let runtimeRevisions: Set<String> = {
    guard let library = try? DynamicLibrary("libswiftCore.so"), let (_, file) = try? LoadedLibrary.open(library) else { return [] }
    return revisions(file)
  }()

  /// The revisions of Swift's LLVM in the comments of a library.
  static func revisions(_ file: ELFFile) -> Set<String> {
    guard let section = file.section(named: ".comment"), section.size <= 65_536 else { return [] }
    let comments = file.bytes(of: section).split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    return Set(comments.filter { $0.contains("swiftlang") && $0.contains("clang") })
  }
}
