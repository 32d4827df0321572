// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a user would write it: the dependency line is all it has of swift-invocation.
// No header path, no linker flag, no unsafe flag; and it builds without a warning under strict memory safety.
let package = Package(
  name: "consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "consumer",
      dependencies: [.product(name: "DynamicInvocation", package: "swift-invocation")],
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
