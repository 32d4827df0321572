/// The source of a library of random functions, and of what is needed to call them twice: by the engine and directly.
struct GeneratedLibrary {
  /// A function of a generated library: its number and name, whether it is a setter, the numbers of the types that the
  /// caller passes, the type of the result, and the compiled call.
  ///
  /// It is a tuple, since the type must be the same in the library and in this program.
  typealias Row = (
    index: Int, name: String, isSetter: Bool, arguments: [Int], result: Any.Type, direct: (inout [Any]) throws -> Any
  )

  /// A type of a generated library: how its values are made and compared.
  typealias TypeRow = (type: Any.Type, sample: (UInt64) -> Any, digest: (Any) -> UInt64)

  private(set) var types: GeneratedTypes
  private(set) var functions: [GeneratedFunction] = []

  /// Invents a library.
  ///
  /// A function depends on the seed and its number only.
  init(seed: UInt64, types count: Int, functions number: Int, isResilient: Bool) {
    types = GeneratedTypes(seed: seed, count: count, isResilient: isResilient)
    for index in 0..<number {
      types.reseed(seed &+ UInt64(index + 1) &* 0xD1B5_4A32_D192_ED03)
      functions.append(GeneratedFunction(index, &types))
    }
  }

  /// The source of a library of some of the functions.
  func source(of functions: [GeneratedFunction]) -> String {
    var source = types.prelude + types.source + types.table
    for function in functions { source += function.declaration(types) }
    source += """
      public typealias Row = (
        index: Int, name: String, isSetter: Bool, arguments: [Int], result: Any.Type, direct: (inout [Any]) throws -> Any
      )
      @_silgen_name("conformance_rows") public func rows() -> [Row] {
        var list: [Row] = []

      """
    for function in functions { source += function.row(types) }
    source += "  return list\n}\n"
    for function in functions { source += function.directCall() }
    return source
  }
}
