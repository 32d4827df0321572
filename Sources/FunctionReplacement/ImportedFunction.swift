internal import CFunctionReplacement
internal import CallFrames
internal import SwiftFunctions
internal import SwiftSymbols

/// A function of another library, which images call through their tables.
@safe
struct ImportedFunction {
  let types: SwiftFunctionSignature
  /// The library that exports it.
  let library: DynamicLibrary
  /// The symbol whose address is in the tables.
  private let symbol: String
  /// What the symbol is the address of; the async function pointer of an asynchronous function.
  private let definition: UnsafeRawPointer

  private struct Known {
    /// By the handle of the library, which `ReplacedFunction` keeps open, and the name.
    var symbols: [String: SwiftLibrarySymbols] = [:]
    var entrances: [Place: Entrance] = [:]
  }

  /// What an entrance is for: the calls that an image makes through its table, or those through the table of a class.
  private struct Place: Hashable {
    let symbol: String
    let base: UInt
    let path: String
  }

  private static let known = Locked(Known())

  /// Finds a function that a loaded library exports; nil if none does.
  ///
  /// - Parameters:
  ///   - closure: The types of the closure that replaces it; a function of C gets these types.
  ///   - binding: Fixes the types of a generic function.
  /// - Throws: `InvocationError` `unsupportedType` with the reason.
  init?(
    _ name: String, in library: DynamicLibrary, _ closure: SwiftFunctionType?, binding: @escaping SwiftLibrarySymbols.Binding
  ) throws(InvocationError) {
    let query = SwiftNameQuery(name)
    if let owner = try Self.libraryOfC(query, in: library) {
      symbol = query.path[0].text
      if let reason = UnreplacedFunctionsOfC.reason(for: symbol) { throw InvocationError(.unsupportedType, reason).about(symbol) }
      guard let closure else {
        throw InvocationError(.unsupportedType, "it is a function of C, which states no types: write 'as:' with a closure's types")
          .about(symbol)
      }
      self.library = owner
      unsafe definition = try unsafe owner.code(symbol)
      types = try unsafe SwiftFunctionSignature(ofC: symbol, at: definition, closure)
      return
    }
    let key = unsafe "\(UInt(bitPattern: library.handle)) \(name)"
    var known = Self.known.withLock { $0.symbols[key] }
    if known == nil { known = try SwiftLibrarySymbols.exporting(name, in: library) }
    guard let symbols = known else { return nil }
    Self.known.withLock { $0.symbols[key] = symbols }
    types = closure == nil ? try symbols.function(name) : try symbols.function(name, binding: binding)
    self.library = symbols.library
    symbol = types.symbol
    if let reason = Self.refusal(of: types) { throw InvocationError(.unsupportedType, reason).about(types.name) }
    guard let definition = unsafe symbols.library.address(of: types.isAsync ? symbol + Self.pointerSuffix : symbol) else {
      throw InvocationError(.unsupportedType, "\(symbols.library) does not export it").about(types.name)
    }
    unsafe self.definition = unsafe definition
  }

  /// The end of the symbol of an async function pointer.
  private static let pointerSuffix = "Tu"

  /// Why a Swift function is not replaced, or nil.
  private static func refusal(of types: SwiftFunctionSignature) -> String? {
    if types.selfType.flatMap({ SwiftMetadata($0).descriptor })?.isGeneric == true { return "it is a member of a generic type" }
    return types.isDispatchThunk ? "it is overridable, and its library exports only a thunk for it" : types.consumes
  }

  /// The library of the function of C that a name means, or nil.
  private static func libraryOfC(_ query: SwiftNameQuery, in library: DynamicLibrary) throws(InvocationError) -> DynamicLibrary? {
    guard query.path.count == 1, query.labels == nil, let address = unsafe library.address(of: query.path[0].text),
      let owner = try unsafe DynamicLibrary.containing(address)
    else { return nil }
    guard !owner.isProcess else {
      throw InvocationError(.unsupportedType, "it is in the program itself, whose calls go through no table").about(query.path[0].text)
    }
    return owner
  }

  // MARK: Tables

  /// An image that has the address of the function in its table.
  @safe
  private struct Image {
    let base: UInt
    let caller: Entrance.Caller
    let bound: UnsafeRawPointer?
  }

  /// The address in words of data that are replaced although the program can write them: the tables of subclasses.
  ///
  /// It is null for a function of C, since a variable with its address is the program's, and for an asynchronous function, whose code
  /// is in no table.
  private var original: UnsafeRawPointer? { unsafe types.isOfC || types.isAsync ? nil : definition }

  /// The images that call the function, at this time.
  private var images: [Image] {
    var images: [Image] = []
    unsafe withUnsafeMutablePointer(to: &images) { context in
      unsafe creplace_visit_callers(
        symbol, original,
        { base, path, isNear, bound, context in
          let caller = unsafe Entrance.Caller(path: String(cString: path), isNear: isNear)
          // The context is the array above, valid during the visit.
          unsafe context?.assumingMemoryBound(to: [Image].self).pointee.append(unsafe Image(base: base, caller: caller, bound: bound))
        }, context)
    }
    return images
  }

  /// Lets the calls of some images get to the replacements of the function, for good; for an overridable method, the calls through its
  /// class.
  ///
  /// An image that was loaded later is found with the next replacement of the function.
  /// - Throws: `InvocationError` `unsupportedType` if there are no such calls.
  /// - Complexity: O(*n*) in the number of relocations of all images.
  func exchange(for function: ReplacedFunction, _ callers: Replacement.Callers) throws(InvocationError) {
    let images = images
    let chosen = images.filter { callers.contain($0.caller) }
    let method = unsafe tableEntry
    guard unsafe !chosen.isEmpty || method != nil else { throw notCalled(images) }
    for image in chosen {
      let place = Place(symbol: symbol, base: image.base, path: image.caller.path)
      // The code that an image has of an asynchronous function is in the async function pointer.
      let bound = unsafe types.isAsync ? nil : image.bound
      try unsafe enter(place, function, bound, image.caller) { entrance in
        unsafe creplace_exchange_slots(symbol, original, image.base, entrance.entryPoint)
        if types.isAsync { unsafe creplace_exchange_slots(symbol + Self.pointerSuffix, definition, image.base, entrance.code) }
      }
    }
    if let method = unsafe method {
      let place = Place(symbol: symbol, base: UInt(bitPattern: method), path: "")
      try unsafe enter(place, function, method.load(as: UnsafeRawPointer?.self), nil) { unsafe creplace_exchange_word(method, $0.code) }
    }
  }

  @unsafe
  private func enter(
    _ place: Place, _ function: ReplacedFunction, _ bound: UnsafeRawPointer?, _ caller: Entrance.Caller?,
    _ exchange: (Entrance) -> Void
  ) throws(InvocationError) {
    try Self.known.withLock { (known) throws(InvocationError) in
      if known.entrances[place] == nil {
        let original = unsafe bound ?? definition
        known.entrances[place] = try unsafe Entrance(of: function, original: original, from: caller)
      }
      // The dynamic linker may have bound an entry meanwhile: the entry is written again.
      if let entrance = known.entrances[place] { exchange(entrance) }
    }
  }

  /// The word with the address of an overridable method in the table of its class; nil for other functions.
  private var tableEntry: UnsafeMutableRawPointer? {
    guard let offset = SwiftMethodTable.offset(of: types), let type = types.selfType else { return nil }
    return unsafe UnsafeMutableRawPointer(mutating: SwiftMetadata(type).address + offset)
  }

  private func notCalled(_ images: [Image]) -> InvocationError {
    let others = images.map(\.caller.file).sorted()
    let instead =
      others.isEmpty
      ? "replace a function of yours that calls it, in a module compiled with '-Xfrontend -enable-implicit-dynamic'"
      : "of others, \(others.joined(separator: ", ")) do: state it, as in 'calledBy: .library(\"\(others[0])\")'"
    return InvocationError(
      .unsupportedType,
      "no image that is meant calls it through its table of functions of other libraries: calls within \(library), and those that "
        + "the compiler inlines, are not replaced; \(instead)"
    ).about(types.name)
  }
}

extension Entrance.Caller {
  /// The name of the file.
  var file: String { path.isEmpty ? "the program" : String(path.split(separator: "/").last ?? "") }
}

extension Replacement {
  /// Whose calls of a function of another library a replacement answers.
  ///
  ///     try replace("getenv", calledBy: [.package, .library("libFoundationEssentials.so")], with: { (name: UnsafePointer<CChar>) in ... })
  ///
  /// This has no effect for a function that was compiled with the flag, or for an overridable method: its class has one table for
  /// all callers.
  public struct Callers: Sendable, ExpressibleByArrayLiteral {
    private var includesPackage = false
    private var files: Set<String> = []

    /// The program, and the libraries in the folder of its file or below: what a package builds is there.
    public static let package: Callers = {
      var callers = Callers(arrayLiteral: [])
      callers.includesPackage = true
      return callers
    }()

    /// A library, by the name of its file, such as `libFoundation.so`.
    public static func library(_ file: String) -> Callers {
      var callers = Callers(arrayLiteral: [])
      callers.files = [file]
      return callers
    }

    /// Creates a value that includes several.
    public init(arrayLiteral all: Callers...) {
      includesPackage = all.contains { $0.includesPackage }
      files = all.reduce(into: []) { $0.formUnion($1.files) }
    }

    /// Whether calls of an image are answered; nil stands for an image that is not known.
    func contain(_ caller: Entrance.Caller?) -> Bool {
      guard let caller else { return true }
      return includesPackage && caller.isNear || !files.isEmpty && files.contains(caller.file)
    }
  }
}

/// The functions of C that neither a closure nor a spy replaces.
enum UnreplacedFunctionsOfC {
  /// Why a function is not replaced, or nil.
  static func reason(for name: String) -> String? {
    if variadic.contains(name) { return "it is variadic, and a call does not state its arguments" }
    if leaving.contains(name) { return "it does not return as other functions do" }
    let isOwn = own.contains(name) || ["swift_", "_swift_", "pthread_", "dl", "__"].contains { name.hasPrefix($0) }
    return isOwn ? "replacements need it themselves" : nil
  }

  private static let variadic = names(
    """
    open open64 openat openat64 fcntl fcntl64 ioctl syscall prctl ptrace clone mremap semctl sem_open mq_open execl execle execlp printf fprintf \
    dprintf sprintf snprintf asprintf scanf fscanf sscanf wprintf fwprintf swprintf wscanf fwscanf swscanf syslog err errx warn warnx error \
    ulimit
    """)
  private static let leaving = names(
    """
    exit _exit _Exit quick_exit abort setjmp _setjmp sigsetjmp longjmp _longjmp siglongjmp vfork getcontext setcontext swapcontext \
    makecontext
    """)
  private static let own = names(
    """
    malloc calloc realloc free posix_memalign aligned_alloc memalign malloc_usable_size memcpy memmove memset memcmp strlen strcmp strncmp \
    strrchr mmap munmap mprotect readlink realpath getpagesize
    """)

  private static func names(_ text: String) -> Set<String> { Set(text.split(separator: " ").map { String($0) }) }
}
