import CDeclarations
import DynamicInvocation

/// Reads arbitrary text as C declarations, and uses each of them.
///
/// What was read is the same when it is read again, encodings are written and parsed again as the same types, and an
/// error is one line. All of it is done on a small stack, also with the text as a type that others are made of.
func declarationsCase(_ bytes: UnsafeRawBufferPointer) {
  let text = String(decoding: bytes, as: UTF8.self)
  onSmallStack {
    check(declarations: text)
    check(declarations: graph(of: text))
  }
}

/// Returns typedefs that each have the one before it twice, with a part of a text as what they have in common, and a
/// redeclaration that compares them all.
private func graph(of text: String) -> String {
  let link = text.prefix(64).filter { $0 != ";" && $0 != "\n" && $0 != "#" }
  func types(_ letter: String) -> String {
    "typedef int \(letter)0;"
      + (0..<50).map { "typedef \(letter)\($0) (*\(letter)\($0 + 1))(\(letter)\($0), \($0 == 7 ? link : "int"), \(letter)\($0));" }.joined()
  }
  return types("T") + types("U") + "extern T50 x; extern U50 x; T50 f(U50 *, char [sizeof(T50)]);"
}

private func check(declarations text: String) {
  let declarations: CDeclarations
  do {
    declarations = try CDeclarations(text)
  } catch {
    require(!error.description.utf8.contains(0x0A) && error.description.utf8.count < 8_192, "an error of more than a line: \(error)")
    return
  }
  guard let again = try? CDeclarations(text) else { return require(false, "read once, and then an error: \(text)") }
  for name in declarations.functions.names {
    guard let function = declarations.functions[name], let other = again.functions[name] else {
      return require(false, "\(name) is a name of no function")
    }
    require(function.declaration == other.declaration, "\(name) is declared otherwise the second time")
    guard let types = try? function.types else { continue }
    require(types.arguments.count == function.parameterNames.count, "\(name) has other parameters than names")
    require((try? other.types) == types, "\(name) has other types the second time")
    _ = try? MethodSignature(types, fixedArgumentCount: function.isVariadic ? types.arguments.count : nil)
  }
  for name in declarations.types.names {
    guard let type = try? declarations.types[name]?.encoding, type.layoutOverride == nil else { continue }
    let written = type.text(dialect: .gnu)
    guard written.utf8.count < 1 << 16, let parsed = try? TypeEncoding(written, dialect: .gnu, blankIsFloat16: true) else { continue }
    require(parsed == type || parsed.size != type.size || written.contains("%"), "\(name): \(written) is parsed as \(parsed)")
  }
  for name in declarations.constants.enumerators {
    require(declarations.constants[name] != nil, "\(name) is an enumerator without a value")
  }
  for name in declarations.constants.macros { _ = declarations.constants[name]?.description }
  for name in declarations.variables.names { _ = try? declarations.variables[name]?.encoding }
}
