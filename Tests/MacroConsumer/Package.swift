// swift-tools-version: 6.2
import PackageDescription

// A package of its own, as a user of the macros would write it: it names the trait, and builds without a warning under strict memory safety.
let package = Package(
  name: "macro-consumer",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "swift-invocation", path: "../..", traits: [.defaults, "Macros"])
  ],
  targets: [
    .testTarget(
      name: "MacroConsumerTests",
      dependencies: ["InvocationMacros", "EventRoutingMacros"].map { .product(name: $0, package: "swift-invocation") },
      swiftSettings: [
        .swiftLanguageMode(.v6),
        .strictMemorySafety(),
        .treatAllWarnings(as: .error),
      ]
    )
  ]
)
