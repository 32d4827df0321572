import DynamicInvocation
import TestSupport
import Testing

/// Calls callees made by gcc and clang with every type of the zoo as an argument and as a result.
@Suite("Types against C compilers", .measured)
struct StructZooTests {
  @Test("A value comes back from a function that returns its argument, alone and among many", arguments: Compilation.all)
  func aloneAndAmongMany(_ compilation: Compilation) throws {
    let signatures = StructZoo.sample(compilation).flatMap { type in
      StructZoo.signatures(of: type) + [CallSignature(StructZoo.type("v"), Array(repeating: type, count: 10))]
    }
    try expectRight(signatures, compilation, name: "alone")
  }

  /// How many general-purpose and vector registers are taken before the value.
  ///
  /// All numbers of one kind with none of the other, and the corner where both end. Optimized code takes long to compile, so of it only those numbers
  /// are tried with which a value may go to the stack.
  private static func taken(_ compilation: Compilation) -> [(general: Int, vector: Int)] {
    let isOptimized = compilation.flags != ["-O0"]
    let alone = (isOptimized ? 3...7 : 0...7).map { ($0, 0) } + (isOptimized ? 6...9 : 1...9).map { (0, $0) }
    return alone + [(5, 7), (5, 8), (6, 7), (6, 8)]
  }

  @Test("A value at the border of registers and stack arrives, and so do its neighbours", arguments: Compilation.all)
  func atTheBorder(_ compilation: Compilation) throws {
    let word = StructZoo.type("q")
    let double = StructZoo.type("d")
    let signatures = StructZoo.sample(compilation).flatMap { type in
      Self.taken(compilation).map { general, vector in
        let before = Array(repeating: word, count: general) + Array(repeating: double, count: vector)
        let isOdd = (general + vector) % 2 == 1
        let result = isOdd && !type.isArray ? type : StructZoo.type("i")
        return CallSignature(result, before + [type, StructZoo.type("i"), double])
      }
    }
    try expectRight(signatures, compilation, name: "border")
  }

  @Test("The compiler gives the same sizes, alignments and bits of each member", arguments: CCompiler.all)
  func layout(_ compiler: CCompiler) throws {
    let source = StructZoo.all.filter { !$0.isArray }.map { CallSignature($0, []) }
    try expectSameLayout(source, compiler)
  }

  @Test("The compiler gives the same sizes, alignments and members of random types", arguments: CCompiler.all)
  func layoutOfRandomTypes(_ compiler: CCompiler) throws {
    var random = RandomTypes(seed: 0x1A_F007)
    try expectSameLayout((0..<600).map { _ in CallSignature(random.type(), []) }, compiler)
  }

  private func expectSameLayout(_ signatures: [CallSignature], _ compiler: CCompiler) throws {
    let library = try CalleeLibrary(signatures, compiler: compiler, flags: ["-O0"], probing: true, name: "layout")
    expect(!library.types.isEmpty)
    for (index, type) in library.types.enumerated() {
      let layout = try library.library.function("layout\(index)", types: "Qi")
      let size: UInt64 = try layout(Int32(0))
      let alignment: UInt64 = try layout(Int32(1))
      expectEqual(Int(size), type.size, "\(compiler): the size of \(type.cTypedef("t"))")
      expectEqual(Int(alignment), type.alignment, "\(compiler): the alignment of \(type.cTypedef("t"))")
      let probe = try library.library.function("probe\(index)", types: "v^vi")
      for (number, member) in type.cMembers.enumerated() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(size) + 1, alignment: 64)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        try probe(memory.baseAddress, Int32(number)) as Void
        let bits = (0..<8 * Int(size)).filter { memory[$0 / 8] >> UInt8($0 % 8) & 1 != 0 }
        expectEqual(bits, Array(member.bits), "\(compiler): \(member.path) of \(type.cTypedef("t"))")
      }
    }
  }
}

extension TypeEncoding {
  /// Whether C has no results of the type, and passes a pointer instead of it.
  var isArray: Bool { if case .array = kind { true } else { false } }
}
