// swift-tools-version: 6.2
import PackageDescription

// A package of its own: nobody who depends on swift-invocation sees the fuzzers or their flags.
// Scripts/fuzz.sh gives the flags that instrument the engine too; without them the program does not link.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let package = Package(
  name: "fuzzing",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "..")
  ],
  targets: [
    // The sources by which `invoke call --batch` answers lines, by symbolic links: they are no product of the root package.
    .target(
      name: "InvokeBatch",
      dependencies: [.product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: settings
    ),
    // Two models of the tests, by symbolic links too.
    .target(
      name: "EventRoutingModel",
      dependencies: [
        .product(name: "DynamicInvocation", package: "swift-invocation"),
        .product(name: "EventRouting", package: "swift-invocation"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "LayoutModel",
      dependencies: [.product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: settings
    ),
    // Functions for lines of a batch to call.
    .target(name: "FuzzCallees"),
    // Each case is a function of bytes, in a file or folder of its own.
    .target(
      name: "FuzzCases",
      dependencies: [
        "InvokeBatch", "FuzzCallees", "EventRoutingModel", "LayoutModel",
        .product(name: "DynamicInvocation", package: "swift-invocation"),
        .product(name: "DynamicInvocationFoundation", package: "swift-invocation"),
        .product(name: "EventRouting", package: "swift-invocation"),
      ],
      swiftSettings: settings
    ),
    // What libFuzzer calls; its main function is libFuzzer's.
    .executableTarget(
      name: "fuzz",
      dependencies: ["FuzzCases"],
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])],
      linkerSettings: [.unsafeFlags(["-Xlinker", "--export-dynamic"])]  // so that the callees are found by name
    ),
  ]
)
