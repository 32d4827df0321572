// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// A package of its own, as users would write it: the dependency line is all it has of swift-invocation.
// No header path, no linker flag, no unsafe flag; and it builds without a warning under strict memory safety.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..")
  ],
  targets: [
    // Uses the engine alone.
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: settings),
    // Uses events.
    .executableTarget(
      name: "event-consumer",
      dependencies: [.product(name: "EventRouting", package: "swift-invocation")],
      swiftSettings: settings),
  ]
)
