// swift-tools-version: 6.2
import PackageDescription

// A separate package: packages that depend on swift-invocation do not see the fuzzers or their flags. Scripts/fuzz.sh
// passes the flags that also instrument the engine. Without them the program does not link.
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
    // Two models of the tests, as symbolic links.
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
      dependencies: ["DynamicInvocation", "CDeclarations"].map { .product(name: $0, package: "swift-invocation") },
      swiftSettings: settings
    ),
    // The functions that are replaced, with the flag by which they are.
    .target(name: "FuzzShop", swiftSettings: settings + [.unsafeFlags(["-Xfrontend", "-enable-implicit-dynamic"])]),
    // The cases: each is a function of bytes, in its own file or folder.
    .target(
      name: "FuzzCases",
      dependencies: ["FuzzShop", "EventRoutingModel", "LayoutModel"]
        + [
          "DynamicInvocation", "CDeclarations", "SwiftFunctions", "CallExplanations", "InvocationRecords", "EventRouting",
          "FunctionReplacement",
        ].map { .product(name: $0, package: "swift-invocation") },
      swiftSettings: settings
    ),
    // The functions that libFuzzer calls. The main function is libFuzzer's.
    .executableTarget(
      name: "fuzz",
      dependencies: ["FuzzCases"],
      swiftSettings: settings + [.unsafeFlags(["-parse-as-library"])]
    ),
  ]
)
