// swift-tools-version: 6.2
import PackageDescription

// A package of its own: who depends on swift-invocation fetches neither the benchmark nor what it needs, and the benchmark
// measures what a user's program would.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: ".."),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.5.0"),
  ],
  targets: [
    // The C side of the benchmark: callees, direct calls, plain libffi.
    .target(name: "Workloads", linkerSettings: [.linkedLibrary("ffi")]),
    // The Swift side of the benchmark: callees that are found by name in the program.
    .target(name: "SwiftWorkloads", swiftSettings: settings),
    // Functions that can be replaced, for the curves of replacements.
    .target(name: "ReplacedWorkloads", swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]),
    // A malloc that counts, for executables that link it; a symbolic link, as the tests of the root package link it too.
    .target(name: "AllocationCounter"),
    // What a program under callgrind tells it: whose instructions to count, and when.
    .target(name: "CallgrindRequests"),
    // What the benchmark computes, apart so that it can be tested; report.py draws it.
    .target(name: "BenchmarkSupport", swiftSettings: settings),
    .executableTarget(
      name: "invocation-bench",
      dependencies: ["Workloads", "SwiftWorkloads", "ReplacedWorkloads", "AllocationCounter", "CallgrindRequests", "BenchmarkSupport"]
        + ["DynamicInvocation", "CDeclarations", "SwiftFunctions", "FunctionReplacement", "EventRouting", "ObjectiveCMessages"].map {
          .product(name: $0, package: "swift-invocation")
        }
        + [.product(name: "ArgumentParser", package: "swift-argument-parser")],
      swiftSettings: settings,
      // The program exports its Swift functions, to be found by name.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-export-dynamic"], .when(platforms: [.linux, .android]))]),
    .testTarget(name: "InvocationBenchTests", dependencies: ["BenchmarkSupport"], swiftSettings: settings),
  ]
)

// The tests need neither the program nor the libraries that it measures: `TEST_TARGETS=InvocationBenchTests swift test`.
if Context.environment["TEST_TARGETS"] != nil { package.targets.removeAll { $0.name == "invocation-bench" } }
