import ArgumentParser
@_spi(Tools) import CDeclarations
import DynamicInvocation

/// `invoke get`: prints the value of a variable or of a constant.
struct GetCommand: CommandApart {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Reads a variable of a shared library, or a constant of a header.",
    usage: """
      invoke get [<options>] <library> <declaration>
      invoke get [<options>] --header <header> <library> <symbol>
      invoke get [<options>] <library> <symbol> <type>
      invoke get --header <header> <constant>
      """,
    discussion: """
      The value is printed as JSON, as the result of a call is: pointers as \
      addresses, a C string as its text. A variable that is smaller than TYPE, \
      and a function, is refused where the library tells. An array whose \
      declaration states no count has as many elements as the library says. SYMBOL \
      may be an address "0x..." of this process, which only a batch has a use for.

      A constant is an enumerator, or a macro that is a number, a text or an \
      address. invoke types --constants lists them.

      EXAMPLES:
        invoke get libc.so.6 'extern char *program_invocation_short_name'
        invoke get --header netinet/in.h libc.so.6 in6addr_loopback
        invoke get --header math.h M_PI
        invoke get libc.so.6 program_invocation_short_name '*'
        invoke get libc.so.6 environ '^*'
        invoke get libc.so.6 in6addr_loopback '{in6_addr=[16C]}'
      """)

  // fish counts only the arguments that have a completion.
  @Argument(help: "The library, or - for the process itself; the constant, if it is alone.", completion: .file())
  var library: String

  @Argument(help: "The name of the variable, or its declaration in C.", completion: SymbolCompletion.symbols)
  var symbol: String?

  @Argument(help: "The type encoding of the variable, if no declaration states its type.")
  var type: String?

  @Flag(name: .long, help: "Print what the variable points to, instead of its address.")
  var follow = false

  @OptionGroup var headers: HeaderOptions

  @OptionGroup var layout: LayoutOptions

  func validate() throws {
    let isDeclared = !headers.header.isEmpty || symbol?.isDeclaration ?? false
    guard isDeclared ? type == nil : type != nil else {
      throw ValidationError("Expected LIBRARY, SYMBOL and TYPE, or LIBRARY and a declaration, or --header and a name.")
    }
  }

  func run(in workplace: Workplace) throws {
    guard let symbol else { return workplace.print(try constant(library)) }
    if !headers.header.isEmpty, !symbol.isDeclaration { try requireVariable(symbol.withoutVersion) }
    let request: JSONValue = [
      "library": .string(library), type == nil ? "declaration" : "symbol": .string(symbol), "type": type.map { .string($0) },
      "follow": follow ? true : nil,
    ]
    try workplace.answer([request, headers.request, layout.request], words: nil)
  }

  private func requireVariable(_ name: String) throws(InvocationError) {
    let declarations = try DeclaredFunctions.declarations(headers.headers())
    guard declarations.variables[name] == nil else { return }
    throw DeclarationLookup.undeclared("variable", name, in: declarations, among: declarations.variables.names)
  }

  private func constant(_ name: String) throws(InvocationError) -> JSONValue {
    let declarations = try DeclaredFunctions.declarations(headers.headers())
    if let constant = declarations.constants[name] { return JSONValue(constant) }
    let names = declarations.constants.enumerators + declarations.variables.names + declarations.constants.macros
    throw DeclarationLookup.undeclared("constant", name, in: declarations, among: names)
  }
}
