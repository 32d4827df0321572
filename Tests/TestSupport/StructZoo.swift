public import DynamicInvocation

/// A list of types that calling conventions treat differently.
public enum StructZoo {
  /// Parses a type.
  ///
  /// A space stands for a half-precision number.
  ///
  /// The text is part of a test, so a malformed one traps.
  public static func type(_ text: String) -> TypeEncoding {
    do {
      return try TypeEncoding(text, blankIsFloat16: true)
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
    packed("{p=ci}"), packed("{p=cd}"), packed("{p=cq}"), packed("{p=dc}"), packed("{p=ic}"), packed("{p=cdq}"), packed("{p=sf}"),
    packed("{p=fs}"),
    packed("{p=b3b7}"), packed("{p=b60b10}"), packed("{p=b60b36f}"),
    packed("{p=cb13c}"), packed("{p=cD}"), packed("{p=[3c]i}"), packed("{p=ff}"), packed("{p=dd}"),
    packed("{p=iq}", to: 4),
    packed("{p=id}", to: 4), packed("{p=cs}", to: 2), packed("{p=ci}", to: 2), aligned("{a=cd}"), aligned("{a=i}"), aligned("{a=d}"),
    aligned("{a=ff}"),
    aligned("{a=dd}"), aligned("{a=qq}"), aligned("{a=ddd}"), aligned("{a=c}", to: 8), aligned("{a=f}", to: 8), aligned("(u=fi)"),
    aligned("{a=}", to: 16), aligned("{a=dddd}", to: 32), aligned("{a=c}", to: 64),
  ]

  /// Structs of size zero.
  public static let empty: [TypeEncoding] = ["{e=}", "{e={f=}}", "(e=)", "{e=[0i]}", "{e=[4{f=}]}"].map(type)

  /// All types.
  public static let all: [TypeEncoding] =
    scalars + complexes + vectors + wholeVectors + structs + sizes + unions + bitFields + attributed + empty

  /// The types that a compilation tries: each type is tried by one of the compilations, in a thorough run by all of them.
  public static func sample(_ compilation: Compilation, of all: [Compilation] = Compilation.all) -> [TypeEncoding] {
    guard !Extent.isThorough, let index = all.firstIndex(of: compilation) else { return Self.all }
    return Self.all.enumerated().filter { $0.offset % all.count == index }.map(\.element)
  }

  /// Returns a packed type.
  ///
  /// A malformed text traps.
  public static func packed(_ text: String, to packing: Int = 1) -> TypeEncoding {
    do {
      return try type(text).packed(to: packing)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Returns an over-aligned type.
  ///
  /// A malformed text traps.
  public static func aligned(_ text: String, to alignment: Int = 16) -> TypeEncoding {
    do {
      return try type(text).aligned(to: alignment)
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
