public import DynamicInvocation

/// A list of types that calling conventions treat differently.
public enum StructZoo {
  /// The layouts of structs and unions that attributes change, by the names that state them: packed to 1, aligned to 16, both.
  private static let layouts: [(name: String, layout: TypeEncoding.LayoutOverride)] = {
    let packed = [1, 2, 4].map { (size: Int) in ("p\(size)", try? TypeEncoding.LayoutOverride(packing: size)) }
    let aligned = [2, 4, 8, 16, 32, 64].map { (size: Int) in ("a\(size)", try? TypeEncoding.LayoutOverride(minimumAlignment: size)) }
    let both = ("pa", try? TypeEncoding.LayoutOverride(packing: 1, minimumAlignment: 4))
    return (packed + aligned + [both]).compactMap { name, layout in layout.map { (name, $0) } }
  }()

  /// Parses the types of a function.
  ///
  /// A space stands for a half-precision number. A struct or union of the name `p1`, `p2` or `p4` is packed, a struct or union of the
  /// name `a2`, `a4` to `a64` is aligned, and `pa` is packed to 1 and aligned to 4.
  ///
  /// - Parameter bitFieldType: The declared type of bit-fields whose encoding does not tell.
  public static func types(_ text: String, bitFieldType: TypeEncoding.Scalar? = nil) throws(InvocationError) -> MethodTypes {
    var hints = TypeEncoding.LayoutHints()
    hints.bitFieldType = bitFieldType
    for (name, layout) in layouts where text.contains("{\(name)=") || text.contains("(\(name)=") { hints.records[name] = layout }
    return try MethodTypes(text, blankIsFloat16: true, hints: hints)
  }

  /// Parses a type, as ``types(_:bitFieldType:)`` does.
  ///
  /// The text is part of a test, so a malformed one traps.
  public static func type(_ text: String) -> TypeEncoding {
    do {
      return try text.contains("=") ? types(text).result : TypeEncoding(text, blankIsFloat16: true)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Arithmetic types and pointers.
  public static let scalars: [TypeEncoding] = [
    "c", "C", "s", "S", "i", "I", "q", "Q", "t", "T", "B", " ", "f", "d", "D", "*", "^v", "^?", ":", "#", "@?", "[4i]",
  ].map(type)

  /// Complex numbers, including the integer ones that gcc and clang support.
  public static let complexes: [TypeEncoding] = ["jf", "jd", "jD", "jc", "js", "ji", "jI", "jq"].map(type)

  /// Vectors that are passed in one eight-byte register.
  public static let vectors: [TypeEncoding] = ["![8,8f]", "![8,8i]", "![8,8s]", "![8,8C]", "{v=![8,8f]}", "{v=![8,8f]q}", "{v=d![8,8i]}"]
    .map(type)

  /// Vectors that fill a sixteen-byte register, which libffi cannot pass.
  public static let wholeVectors: [TypeEncoding] = [
    "![16,16f]", "![16,16d]", "![16,16i]", "![16,16c]", "{v=![16,16f]}", "{v=![16,16f]d}", "(u=![16,16f]d)",
  ].map(type)

  /// Structs whose members determine their registers.
  public static let structs: [TypeEncoding] = [
    "{a=c}", "{a=s}", "{a=i}", "{a=q}", "{a=f}", "{a=d}", "{a=D}", "{a=t}", "{a=B}", "{a= }", "{a=    }", "{a= f}", "{a= i}",
    "{a=ii}", "{a=qd}", "{a=dq}", "{a=ff}", "{a=fff}", "{a=ffff}", "{a=fi}", "{a=if}", "{a=cd}", "{a=dc}", "{a=qq}", "{a=dd}", "{a=dddd}",
    "{a=ddd}", "{a=qqq}", "{a=c[3s]}", "{a=[4i]}", "{a=[2f]}", "{a=[3f]c}", "{a=fic}", "{a=dfi}", "{a=qsc}", "{a=^vd}", "{a=*i}", "{a=Dc}",
    "{a=DD}", "{a=tc}", "{a=BdB}", "{a=jf}", "{a=jd}", "{a=jff}", "{a=jD}", "{a=sjs}", "{a=f{b=f{c=f}}}", "{a={b=cc}{c=sf}}",
    "{a={b=d}{c=i}c}", "{a=c{b=c{c=cc}}}", "{a={Point=dd}{Size=dd}}", "{a=[2{b=sc}]f}", "{a=[2[2s]]d}", "{a=[0i]d}", "{a=dd[0i]f}",
    "{a={e=}d}", "{a=i{e=}i}", "{a=[3{e=}]f}",
  ].map(type)

  /// Structs of one to seventeen bytes, and larger ones.
  public static let sizes: [TypeEncoding] =
    (1...17).map { type("{a=[\($0)c]}") } + (2...9).map { type("{a=" + String(repeating: "c", count: $0) + "}") }
    + ["{a=[200C]}", "{a=[4096C]}", "{a=[25q]}", "{a=[3{b=dqf}]}"].map(type)

  /// Unions, whose members' classes are merged.
  public static let unions: [TypeEncoding] = [
    "(u=fi)", "(u=df)", "(u=di)", "(u=d{a=qq})", "(u={a=fi}d)", "(u={a=dd}{b=qq})", "(u={a=ff}q)", "(u=Di)", "(u=D)", "(u=D{a=dd})",
    "(u=t{a=dd})",
    "(u=[3c]s)", "(u=i[5c])", "(u=c)", "{s=(u=fi)f}", "{s=(u=fi)(v=di)}", "{s=i(u=fc)d}", "(u=jfd)", "(u=b3f)", "(u=b14D[2{s=fI}])",
    "(u=q(v=Di))", "{s=f(u={a=fI}q)}", "(u=d[17c])", "{s=(u=D)}",
  ].map(type)

  /// Structs with bit-fields, in both dialects.
  public static let bitFields: [TypeEncoding] = [
    "{b=b3}", "{b=b3b5}", "{b=b20b20}", "{b=cb3}", "{b=b3c}", "{b=b31b1b1}", "{b=b40b20}", "{b=b40C}", "{b=ib7d}", "{b=fb9}", "{b=b33b33}",
    "{b=b4b0b4}", "{b=db1}", "{b=b0i3b3i29}", "{b=b0c3b3c4}", "{b=b0S9b9S7}", "{b=b0B1b1B1d}", "{b=b0Q60b60Q4f}", "{b=b0q37b37q27d}",
    "{b=sb9b9}",
    "{b=b12[2s]}", "{b={c=b3b4}f}",
  ].map(type)

  /// Structs whose layout is changed by an attribute.
  public static let attributed: [TypeEncoding] = [
    "{p1=ci}", "{p1=cd}", "{p1=cq}", "{p1=dc}", "{p1=ic}", "{p1=cdq}", "{p1=sf}", "{p1=fs}", "{p1=b3b7}", "{p1=b60b10}", "{p1=b60b36f}",
    "{p1=cb13c}", "{p1=cD}", "{p1=[3c]i}", "{p1=ff}", "{p1=dd}", "{p4=iq}", "{p4=id}", "{p2=cs}", "{p2=ci}", "{a16=cd}", "{a16=i}",
    "{a16=d}", "{a16=ff}", "{a16=dd}", "{a16=qq}", "{a16=ddd}", "{a8=c}", "{a8=f}", "(a16=fi)", "{a16=}", "{a32=dddd}", "{a64=c}",
  ].map(type)

  /// Structs of size zero.
  public static let empty: [TypeEncoding] = ["{e=}", "{e={f=}}", "(e=)", "{e=[0i]}", "{e=[4{f=}]}"].map(type)

  /// All types.
  public static let all: [TypeEncoding] =
    scalars + complexes + vectors + wholeVectors + structs + sizes + unions + bitFields + attributed + empty

  /// The signatures of a type alone, and among many arguments of both kinds, with itself as the result.
  public static func signatures(of type: TypeEncoding) -> [CallSignature] {
    let crowd = ["d", "i", "i", "d", "i", "d", "i", "i"].map(Self.type)
    var result = type
    if case .array = type.kind { result = Self.type("^v") }
    return [CallSignature(result, [type]), CallSignature(result, []), CallSignature(result, crowd + [type] + crowd + [type, type])]
  }

  /// The types that a compilation tries: each type is tried by one of the compilations, in a thorough run by all of them.
  public static func sample(_ compilation: Compilation, of all: [Compilation] = Compilation.all) -> [TypeEncoding] {
    guard !Extent.isThorough, let index = all.firstIndex(of: compilation) else { return Self.all }
    return Self.all.enumerated().filter { $0.offset % all.count == index }.map(\.element)
  }
}
