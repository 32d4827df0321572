import DynamicInvocation
import InvokeBatch

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension BatchRequest {
  /// The functions that accept any arguments of their types.
  private static let known: [String: Set<String>] = [
    "-": [
      "fuzz_same_c cc", "fuzz_same_S SS", "fuzz_same_i ii", "fuzz_same_q qq", "fuzz_same_Q QQ", "fuzz_same_f ff", "fuzz_same_d dd",
      "fuzz_same_B BB", "fuzz_same_text **", "getpid i",
    ],
    "libm.so.6": ["pow ddd", "sqrt dd", "fmaf ffff", "ldexp ddi", "fabsl DD"],
    "libc.so.6": ["labs qq", "div {div_t=ii}ii", "toupper ii"],
  ]

  /// The line to use instead, or nil if the request may be executed unchanged.
  var harmlessLine: [UInt8]? {
    if isKnown || !mayResolve { return nil }
    var changed = self
    changed.library = "-"
    changed.symbol = "fuzz_nothing"
    // A function that reads no arguments writes no result: a text would be an address that was never written.
    if let result = try? MethodTypes(types, dialect: dialect).result, result.holdsText { changed.types = "v" + types }
    return changed.line
  }

  private var isKnown: Bool {
    // A read of a variable or of memory becomes a call, because the address may be invalid.
    guard !isVariable, Self.known[library]?.contains("\(symbol) \(types)") == true, fixedCount == nil else { return false }
    // A divisor of zero and an unterminated text are errors of the caller.
    if symbol == "div" { return arguments.count != 2 || !arguments[1].contains { !"123456789".contains($0) } }
    return symbol != "fuzz_same_text" || !arguments.contains { !$0.hasPrefix("\"") }
  }

  private var mayResolve: Bool {
    // A library with few names, because similar names are searched for a missing one.
    if library == "libm.so.6", let handle = dlopen(library, RTLD_NOW) {
      defer { dlclose(handle) }
      return dlsym(handle, symbol) != nil
    }
    return Self.known[library] != nil || library.contains("/") || library.contains("lib") || library.contains(".")
  }
}

extension TypeEncoding {
  /// Whether a part of a value is shown as the text that it points to.
  fileprivate var holdsText: Bool {
    switch kind {
    case .cString, .atom, .selector: true
    case .array(_, let element): element.holdsText
    case .structure(let record), .union(let record): (record.fields ?? []).contains { $0.type.holdsText }
    default: false
    }
  }
}
