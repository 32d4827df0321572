public import DynamicInvocation

/// What the tests of calls share.
public enum InvocationFixtures {
  /// The code of the error that a closure throws, or nil when it throws none.
  public static func code(_ body: () throws -> Void) -> InvocationError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? InvocationError)?.code
    }
  }

  /// The text of the error that a closure throws.
  public static func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  /// An invocation of a signature.
  public static func invocation(_ types: String, retainsArguments: Bool = true) throws -> Invocation {
    Invocation(try MethodSignature(types: types), retainsArguments: retainsArguments)
  }

  /// Whether the machine has a C compiler.
  public static var hasCompiler: Bool { CCompiler.all.contains { $0.available } }

  /// A function that a C compiler of the machine makes.
  public static func function(_ name: String, _ types: String, _ source: String) throws -> ForeignFunction {
    let compiler = CCompiler.all.first { $0.available } ?? .clang
    return try DynamicLibrary(compiler.sharedLibrary(source: source)).function(name, types: types)
  }
}
