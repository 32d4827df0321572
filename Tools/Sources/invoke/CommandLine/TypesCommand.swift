import ArgumentParser
@_spi(Tools) import CDeclarations
import DynamicInvocation
import Foundation

/// `invoke types`: prints what a header declares, or what a library exports.
struct TypesCommand: CommandApart {
  static let configuration = CommandConfiguration(
    commandName: "types",
    abstract: "Lists the functions or the constants of a header, or the names that a library exports.",
    discussion: """
      Each function of HEADER, and then of the headers that it includes, is a line: \
      its name, its types, its declaration. With --json it is an object

        {"symbol": "crc32", "types": "QQr*I",
         "declaration": "uLong crc32(uLong crc, ...);",
         "variadic": false, "exported": true}

      with "exported" if a library is named, and with "error" in place of "types" \
      for a function that cannot be called. A declaration that cannot be read is \
      skipped, and named on standard error. With --constants each constant is a \
      line: its name, its value; {"constant": "Z_OK", "value": 0}. Constants of other \
      headers whose names begin with _ are left out. A file whose name contains .so or \
      .dylib, one with machine code, and -, is a library: each name that it \
      exports is a line.

      EXAMPLES:
        invoke types zlib.h --library libz.so.1
        invoke types zlib.h --constants
        invoke types bzlib.h --header stdio.h
        invoke types libz.so.1
      """)

  @Argument(help: "The header, as after #include, or the library.", completion: .file())
  var file: String

  @Option(name: .long, help: ArgumentHelp("Only list functions that the library exports; with --json, tell which.", valueName: "library"))
  var library: String?

  @Flag(name: .long, help: "List constants: enumerators, and variables and macros that are numbers, texts or addresses.")
  var constants = false

  @OptionGroup var headers: HeaderOptions

  @Flag(name: .long, help: "Print JSON Lines.")
  var json = false

  func run(in workplace: Workplace) throws {
    if isLibrary { return try listLibrary(workplace) }
    try listHeader(workplace)
  }

  /// Whether the file is a library: by its name, which the loader may search for, or by its first bytes.
  private var isLibrary: Bool {
    if file == "-" || file.contains(".so") || file.contains(".dylib") { return true }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var magic: UInt32 = 0
    // ELF, Mach-O for one or for several processors, and static archives, which the loader refuses.
    return read(descriptor, &magic, 4) == 4
      && [0x464C_457F, 0xFEED_FACF, 0xBEBA_FECA, 0x7261_3C21, 0x6874_3C21].contains(magic)
  }

  private func names(of library: String, _ workplace: Workplace) throws(InvocationError) -> [String] {
    try workplace.calling(library: library) { () throws(InvocationError) in
      (library == "-" ? DynamicLibrary.process : try DynamicLibrary(library)).exportedNames
    }
  }

  private func listLibrary(_ workplace: Workplace) throws {
    for name in try names(of: file, workplace) {
      workplace.print(json ? (["symbol": .string(name)] as JSONValue).text : name)
    }
  }

  private func listHeader(_ workplace: Workplace) throws {
    let headers = headers.headers(and: [file])
    let declarations = try CDeclarations(headers: headers.names, include: headers.include, options: headers.options)
    let own = declarations.ownNames(headerCount: 1)
    if constants { return listConstants(declarations, own, workplace) }
    let functions = declarations.functions
    for skipped in declarations.skipped { try FileOutput.standardError.write(line: "Skipped: \(skipped)") }
    let exported = try library.map { (name) throws(InvocationError) in Set(try names(of: name, workplace)) }
    let declared = functions.names
    for name in declared.filter(own.contains) + declared.filter({ !own.contains($0) }) {
      guard let function = functions[name] else { continue }
      let isExported = exported?.contains(function.symbol)
      if json {
        workplace.print(Self.line(function, isExported))
      } else if isExported != false {
        workplace.print([function.symbol, (try? Self.types(function)) ?? "?", function.declaration].joined(separator: "\t"))
      }
    }
  }

  private func listConstants(_ declarations: CDeclarations, _ own: Set<String>, _ workplace: Workplace) {
    let names = declarations.constants.enumerators + declarations.variables.names + declarations.constants.macros
    for name in names.filter(own.contains) + names.filter({ !own.contains($0) && !$0.hasPrefix("_") }) {
      guard let value = declarations.constants[name].map({ JSONValue($0) }) else { continue }
      let object: JSONValue = ["constant": .string(name), "value": value]
      workplace.print(json ? object.text : name + "\t" + value.text)
    }
  }

  private static func types(_ function: CDeclarations.Function) throws(InvocationError) -> String {
    try function.types.text(dialect: .gnu, options: [.structNames, .qualifiers])
  }

  private static func line(_ function: CDeclarations.Function, _ isExported: Bool?) -> JSONValue {
    var (types, failure): (String?, InvocationError?) = (nil, nil)
    do throws(InvocationError) { types = try Self.types(function) } catch { failure = error }
    return [
      "symbol": .string(function.symbol), "types": types.map { .string($0) }, "error": failure.map { .string($0.description) },
      "declaration": .string(function.declaration), "variadic": .bool(function.isVariadic),
      "exported": isExported.map { .bool($0 && !function.isStatic) },
    ]
  }
}
