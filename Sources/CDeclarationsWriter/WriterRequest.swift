/// The arguments of the command.
struct WriterRequest {
  var headers: [String] = []
  var include: [String] = []
  var options: [String] = []
  var output = ""
  /// The name of the constant in Swift.
  var name = ""

  static let usage = """
    USAGE: swift package write-c-declarations --header <header> --output <file> [--name <name>] [--include <folder>] [--option <option>]

    Writes a Swift file with the functions, types and constants of a header as a constant of the type CDeclarations. A program reads it without a
    compiler for C.

    OPTIONS:
      --header <header>   The header, as after #include. May be repeated.
      --output <file>     The file, relative to the folder of the package.
      --name <name>       The name of the constant; that of the last header unless given.
      --include <folder>  A folder of headers. May be repeated.
      --option <option>   An option of the compiler, such as -D_GNU_SOURCE. May be repeated.
      --help              Show help information.

    """

  /// An argument that is not understood.
  struct Failure: Error {
    var reason: String
  }

  /// Reads arguments; nil if they ask for help.
  init?(_ arguments: [String]) throws(Failure) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--help" || word == "-h" { return nil }
      guard ["--header", "--output", "--name", "--include", "--option"].contains(word) else {
        throw Failure(reason: "unknown argument '\(word)'")
      }
      guard let value = rest.popFirst(), !value.isEmpty else { throw Failure(reason: "\(word) needs a value") }
      switch word {
      case "--header": headers.append(value)
      case "--output": output = value
      case "--name": name = value
      case "--include": include.append(value)
      default: options.append(value)
      }
    }
    guard let last = headers.last else { throw Failure(reason: "no header is named: --header sqlite3.h") }
    guard !output.isEmpty else { throw Failure(reason: "no file is named: --output Sources/App/Declarations.swift") }
    if name.isEmpty { name = Self.name(ofHeader: last) }
    guard name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }), name.first?.isNumber == false else {
      throw Failure(reason: "'\(name)' is not a name in Swift: state one with --name")
    }
  }

  /// `sqlite3` for `sqlite3.h`, `ssl` for `openssl/ssl.h`.
  static func name(ofHeader header: String) -> String {
    let file = header.split(separator: "/").last ?? ""
    let stem = file.hasSuffix(".h") ? file.dropLast(2) : file
    return String(stem.map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }
}
