import DynamicInvocation

/// The functions of libm that the calculator can call.
struct MathLibrary {
  private let library: DynamicLibrary

  /// Opens libm.
  init() throws(InvocationError) { library = try DynamicLibrary.find("m") }

  /// Returns a function by its name.
  func function(_ name: String) throws -> ForeignFunction {
    guard let types = Self.types[name] else { throw CalculatorError("no function '\(name)'") }
    // Unsafe: the types must be the code's, and the library does not contain them.
    return try unsafe library.function(name, types: types)
  }

  /// The type encoding of each function: the result, then the arguments.
  private static let types: [String: String] = {
    let names = [
      "dd": "acos asin atan cbrt ceil cos cosh exp exp2 fabs floor log log10 log2 round sin sinh sqrt tan tanh trunc",
      "ddd": "atan2 copysign fmax fmin fmod hypot pow remainder",
      "dddd": "fma",
      "ddi": "ldexp",
      "id": "ilogb",
    ]
    return names.reduce(into: [:]) { types, entry in
      for name in entry.value.split(separator: " ") { types[String(name)] = entry.key }
    }
  }()
}
