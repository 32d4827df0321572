import DynamicInvocation
import TestSupport
import Testing

/// Calls callees of random signatures, made by gcc and clang.
@Suite("Random signatures against C compilers")
struct RandomSignatureTests {
  /// Each batch is one source file: many small files cost more to compile, one large file keeps one processor busy.
  static let batches: [Int] = Array(0..<15)
  static let batchSize = 100

  @Test("Arguments and results of random types arrive", arguments: batches, CCompiler.all)
  func random(_ batch: Int, _ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0xC0FFEE + UInt64(batch))
    var signatures: [CallSignature] = []
    while signatures.count < Self.batchSize {
      let signature = random.signature()
      if !signature.isDisputed, !signature.isHalved(by: compiler) { signatures.append(signature) }
    }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "random\(batch)")
    for index in signatures.indices {
      let seed = UInt64(batch * Self.batchSize + index)
      if let failure = try library.failure(of: index, seed: seed) { Issue.record("batch \(batch): \(failure)") }
    }
  }

  @Test("Variadic arguments of random types arrive", arguments: CCompiler.all)
  func randomVariadic(_ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0x7E57)
    let signatures = (0..<150).map { _ in
      let types = random.signature(arguments: 16).types
      // Types that C promotes are refused; a test of their own says so.
      let arguments = [StructZoo.type("i")] + types.arguments.filter { !$0.isPromoted && !$0.crashesGCC }
      return CallSignature(types.result, arguments, fixedCount: 1 + arguments.count / 4)
    }.filter { !$0.isDisputed && !$0.isHalved(by: compiler) }
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O2"], name: "variadic")
    for index in signatures.indices {
      if let failure = try library.failure(of: index, seed: UInt64(index)) { Issue.record("\(failure)") }
    }
  }
}

extension CallSignature {
  /// Whether gcc and clang pass one of the types differently: those with certain arrays, which the engine refuses.
  var isDisputed: Bool {
    for type in [types.result] + types.arguments {
      do {
        _ = try MethodSignature(MethodTypes(result: type, arguments: []))
      } catch {
        if error.reason.contains("gcc and clang") { return true }
      }
    }
    return false
  }

  /// Whether the compiler loses the upper half of a value.
  ///
  /// clang 21 moves an eightbyte of class SSE as a `float` or `_Float16` when the first member that it finds there is one, even when another member of a
  /// union fills all of it: `union { float f; _Float16 h[4]; }` loses h[2] and h[3] on the way from one function to another, in C too.
  func isHalved(by compiler: CCompiler) -> Bool {
    guard compiler == .clang else { return false }
    return ([types.result] + types.arguments).contains { type in
      guard type.containsUnion, type.containsNarrowFloat, let layout = try? SystemV().layout(of: MethodTypes(result: type, arguments: []))
      else { return false }
      return layout.result.pieces.contains { if case .vector = $0.location { true } else { false } }
    }
  }
}

extension TypeEncoding {
  /// Whether gcc 12 reads a variadic argument of this type by an aligned load from a place that need not be aligned.
  ///
  /// It happens with a union in two general-purpose registers that is aligned to 16 bytes, called from C as well.
  var crashesGCC: Bool {
    switch kind {
    case .structure, .union: size == 16 && alignment == 16
    default: false
    }
  }

  var containsNarrowFloat: Bool {
    switch kind {
    case .scalar(.float), .scalar(.float16), .complex(.float): true
    case .structure(let record), .union(let record): (record.fields ?? []).contains { $0.type.containsNarrowFloat }
    case .array(_, let element): element.containsNarrowFloat
    default: false
    }
  }

  var containsUnion: Bool {
    switch kind {
    case .union: true
    case .structure(let record): (record.fields ?? []).contains { $0.type.containsUnion }
    case .array(_, let element): element.containsUnion
    default: false
    }
  }

  /// Whether C passes a variadic argument of this type as a wider one.
  var isPromoted: Bool {
    guard case .scalar(let scalar) = kind else { return false }
    return [.int8, .uint8, .int16, .uint16, .bool, .float, .float16].contains(scalar)
  }
}
