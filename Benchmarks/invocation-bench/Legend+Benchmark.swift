import BenchmarkSupport

extension Legend {
  /// The suites, phases and engines of this program, and the engines of the peers.
  static let benchmark = Legend(
    suites: Dictionary(
      uniqueKeysWithValues: Suite.allCases.map { ($0.rawValue, SuiteEntry(caption: $0.caption, types: $0.types)) }),
    phases: Dictionary(
      uniqueKeysWithValues: Phase.allCases.map { ($0.rawValue, $0.caption) }
        + [("WE/method", "send an event, boxed, to a Swift method; or call one from C")]),
    engines: Dictionary(
      peers + Engine.allCases.map { ($0.rawValue, EngineEntry(caption: $0.caption, kind: $0.kind)) },
      uniquingKeysWith: { _, own in own }),
    growth: .benchmark)

  /// The engines of `Benchmarks/Peers` that are not engines of this program too.
  private static let peers: [(String, EngineEntry)] = [
    ("gnustep", "NSInvocation of GNUstep"), ("gobject", "closures and signals of GObject"),
    ("qt6", "methods of Qt's meta-objects"), ("luajit", "the FFI of LuaJIT"),
    ("luajit-joff", "the FFI of LuaJIT without its compiler"), ("ctypes", "ctypes of Python"),
  ].map { ($0, EngineEntry(caption: $1, kind: .other)) }
}
