import DynamicInvocation

/// Reads arbitrary text as C declarations, and uses each of them.
///
/// What was read is the same when it is read again, encodings are written and parsed again as the same types, and an
/// error is one line.
func declarationsCase(_ bytes: UnsafeRawBufferPointer) {
  let text = String(decoding: bytes, as: UTF8.self)
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
