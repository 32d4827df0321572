/// Assembly that clang writes for Apple's platforms, translated for the assembler of Linux.
///
/// The instructions stay as they are. Sections, relocations and the underscore before the names of C are changed.
enum MachOAssembly {
  /// Directives without an equivalent that is needed.
  private static let dropped: Set<String> = [".build_version", ".subsections_via_symbols", ".loh", ".private_extern"]

  /// Returns the text for Linux.
  static func elf(_ text: String) -> String {
    text.split(separator: "\n").compactMap { line(String($0)) }.joined(separator: "\n") + "\n"
  }

  private static func line(_ text: String) -> String? {
    // A semicolon begins a comment there, and separates instructions here.
    let code = text.prefix { $0 != ";" }.trimmingSuffix { $0 == " " || $0 == "\t" }
    let words = code.split { $0 == " " || $0 == "\t" }
    guard let first = words.first.map(String.init) else { return nil }
    if dropped.contains(first) { return nil }
    if first == ".section" { return section(String(words[1])) }
    if first == ".zerofill" { return zeroFill(words.dropFirst().joined()) }
    if first == ".comm" { return common(words.dropFirst().joined(), isLocal: false) }
    return symbols(relocations(String(code)))
  }

  private static func section(_ name: String) -> String {
    if name.hasPrefix("__TEXT,__text") { return ".text" }
    return name.hasPrefix("__TEXT") ? ".section .rodata" : ".data"
  }

  /// `__DATA,__bss,_name,size,alignment`, with the exponent of the alignment.
  private static func zeroFill(_ operands: String) -> String {
    common(operands.split(separator: ",").dropFirst(2).joined(separator: ","), isLocal: true)
  }

  private static func common(_ operands: String, isLocal: Bool) -> String {
    let parts = operands.split(separator: ",").map(String.init)
    let alignment = parts.count > 2 ? 1 << (Int(parts[2]) ?? 4) : 16
    let name = symbols(parts[0])
    return (isLocal ? ".local \(name)\n" : "") + ".comm \(name),\(parts[1]),\(alignment)"
  }

  private static func relocations(_ code: String) -> String {
    code.replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@GOTPAGEOFF/) { ":got_lo12:\($0.1)" }
      .replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@GOTPAGE/) { ":got:\($0.1)" }
      .replacing(/([A-Za-z_][A-Za-z0-9_.$]*)@PAGEOFF/) { ":lo12:\($0.1)" }
      .replacing("@PAGE", with: "")
  }

  /// Removes the underscore before each name of C.
  private static func symbols(_ code: String) -> String {
    code.replacing(/(^|[^A-Za-z0-9_.$])_([A-Za-z])/) { "\($0.1)\($0.2)" }
  }
}

extension StringProtocol {
  fileprivate func trimmingSuffix(_ isTrimmed: (Character) -> Bool) -> String {
    var text = String(self)
    while let last = text.last, isTrimmed(last) { text.removeLast() }
    return text
  }
}
